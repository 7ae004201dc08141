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
        self._loop, self._commands, self._guard = loop, commands, guard
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
        self._do('joint_commands', self._commands.joints, message.name, message.effort)

    def _on_wheels(self, message: JointState) -> None:
        self._do('wheel_commands', self._commands.wheels, message.name, message.effort)

    def _on_efforts(self, message: Float64MultiArray) -> None:
        self._do('effort_commands', self._commands.efforts, message.data)

    def _on_wrench(self, message: WrenchStamped) -> None:
        force = xyz_from_msg(message.wrench.force)
        torque = xyz_from_msg(message.wrench.torque)
        frame = message.header.frame_id
        self._do('base_wrench', self._commands.wrench, frame, force, torque)

    def _do(self, topic: str, action: Callable, *arguments) -> None:
        """Let the physics thread do it, between two steps."""
        self._loop.submit(self._guard.around(topic, lambda: action(*arguments)))
