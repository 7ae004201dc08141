# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What comes in by topic, handed to the physics thread."""

from __future__ import annotations

from collections.abc import Callable

from free_flyer_dynamics.ros.commands import TopicCommands
from free_flyer_dynamics.ros.conversions import xyz_from_msg
from free_flyer_dynamics.ros.guard import Guard
from free_flyer_dynamics.ros.physics import PhysicsLoop
from geometry_msgs.msg import WrenchStamped
from rclpy.node import Node
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray

_DEPTH = 10  # reliable: a command that nobody repeats must not be lost


class Subscriptions:
    """The command topics."""

    def __init__(
        self, node: Node, loop: PhysicsLoop, commands: TopicCommands, guard: Guard
    ) -> None:
        self._loop, self._commands = loop, commands
        table: tuple[tuple[type, str, Callable], ...] = (
            (JointState, 'joint_commands', self._on_joints),
            (JointState, 'wheel_commands', self._on_wheels),
            (Float64MultiArray, 'effort_commands', self._on_efforts),
            (WrenchStamped, 'base_wrench', self._on_wrench),
        )
        self.all = [
            node.create_subscription(kind, topic, guard.around(topic, callback), _DEPTH)
            for kind, topic, callback in table
        ]

    def _on_joints(self, message: JointState) -> None:
        self._loop.submit(lambda: self._commands.joints(message.name, message.effort))

    def _on_wheels(self, message: JointState) -> None:
        self._loop.submit(lambda: self._commands.wheels(message.name, message.effort))

    def _on_efforts(self, message: Float64MultiArray) -> None:
        self._loop.submit(lambda: self._commands.efforts(message.data))

    def _on_wrench(self, message: WrenchStamped) -> None:
        force = xyz_from_msg(message.wrench.force)
        torque = xyz_from_msg(message.wrench.torque)
        frame = message.header.frame_id
        self._loop.submit(lambda: self._commands.wrench(frame, force, torque))
