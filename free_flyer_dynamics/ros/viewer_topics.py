# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What the viewer hears: the topics of a simulator, found as they come, into what is known."""

from __future__ import annotations

from collections.abc import Callable
import time

from diagnostic_msgs.msg import DiagnosticArray
from free_flyer_dynamics.ros.conversions import (
    NANOSECONDS,
    quaternion_from_msg,
    time_from_msg,
    xyz_from_msg,
)
from free_flyer_dynamics.viewer.latest import Joints, Latest, Moving, Table
from free_flyer_interfaces import msg as own
from geometry_msgs.msg import WrenchStamped
import numpy as np
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

_LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
_NEWEST = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)  # nobody waits for us
_LOOK_ROUND = 1.0  # s
_SETTLED = 2.5  # s after a start, until which every publisher has been heard of
_BURIED = 40.0  # s after it, until which the middleware has noticed who is gone


class Topics:
    """
    Subscriptions that keep a Latest up to date.

    Parameters
    ----------
    node : Node
    latest : Latest
    simulator : str
        Its name, which its diagnostics bear behind the namespace.
    told : callable
        Told whether the simulator stands still, and how fast it is to run.

    """

    def __init__(
        self, node: Node, latest: Latest, simulator: str, told: Callable[[bool, float], None]
    ) -> None:
        self._node, self._latest = node, latest
        self._told = told
        self._subscribed: dict[str, object] = {}
        self._began = float('-inf')  # when a simulator did, after another one
        self._namespace = node.get_namespace().rstrip('/')
        full = simulator if simulator.startswith('/') else f'{self._namespace}/{simulator}'
        self._pace = f'{full.strip("/")}: physics'
        self._listen('joint_states', JointState, self._on_joints, _NEWEST)
        self._listen('/tf', TFMessage, self._on_transforms, 10)
        self._listen('connectivity', own.Connectivity, self._on_connectivity, _LATCHED)
        self._listen('/diagnostics', DiagnosticArray, self._on_diagnostics, 10)
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        node.create_timer(_LOOK_ROUND, self._look_round, clock=steady)
        self._look_round()

    def _listen(self, topic: str, kind: type, callback: Callable, qos) -> None:
        if topic not in self._subscribed:
            self._subscribed[topic] = self._node.create_subscription(kind, topic, callback, qos)

    def _look_round(self) -> None:
        """Listen to what has come: robots, their momentum, wrenches of attachments."""
        if _SETTLED < time.monotonic() - self._began < _BURIED:
            self._forget_who_is_gone()
        for topic, kinds in self._node.get_topic_names_and_types():
            if not topic.startswith(f'{self._namespace}/'):
                continue
            if topic.endswith('robot_description') and 'std_msgs/msg/String' in kinds:
                self._listen(topic, String, self._described(topic), _LATCHED)
            elif topic.endswith('/phase') and 'std_msgs/msg/String' in kinds:
                self._listen(topic, String, self._on_phase, _LATCHED)
            elif 'free_flyer_interfaces/msg/Momentum' in kinds:
                self._listen(topic, own.Momentum, self._on_momentum, _NEWEST)
            elif '/wrenches/' in topic and 'geometry_msgs/msg/WrenchStamped' in kinds:
                self._listen(topic, WrenchStamped, self._wrench(topic), _NEWEST)

    def _forget_who_is_gone(self) -> None:
        """Drop robots that nobody describes any more: another simulator has other ones."""
        self._latest.descriptions = {
            topic: text
            for topic, text in self._latest.descriptions.items()
            if self._node.count_publishers(topic)
        }

    def _described(self, topic: str) -> Callable[[String], None]:
        def keep(message: String) -> None:
            self._latest.descriptions = {**self._latest.descriptions, topic: message.data}

        return keep

    def _on_phase(self, message: String) -> None:
        self._latest.phase = message.data

    def _wrench(self, topic: str) -> Callable[[WrenchStamped], None]:
        name = topic.rpartition('/wrenches/')[2]

        def keep(message: WrenchStamped) -> None:
            force = np.array(xyz_from_msg(message.wrench.force))
            torque = np.array(xyz_from_msg(message.wrench.torque))
            wrench = (message.header.frame_id, force, torque)
            self._latest.wrenches = {**self._latest.wrenches, name: wrench}

        return keep

    def _on_joints(self, message: JointState) -> None:
        self._latest.joints = Joints(
            time_from_msg(message.header.stamp) / NANOSECONDS,
            tuple(message.name),
            np.array(message.position),
            np.array(message.velocity),
            np.array(message.effort),
        )

    def _on_transforms(self, message: TFMessage) -> None:
        roots = dict(self._latest.roots)
        for one in message.transforms:
            place = np.array(xyz_from_msg(one.transform.translation))
            turn = np.array(quaternion_from_msg(one.transform.rotation))
            roots[one.child_frame_id] = (place, turn)
        self._latest.roots = roots

    def _on_momentum(self, message: own.Momentum) -> None:
        moving = Moving(
            np.array(xyz_from_msg(message.center)),
            np.array(xyz_from_msg(message.linear)),
            np.array(xyz_from_msg(message.angular_about_center)),
            message.kinetic_energy,
        )
        self._latest.momenta = {**self._latest.momenta, message.prefix: moving}

    def _on_connectivity(self, message: own.Connectivity) -> None:
        known = self._latest.table
        if known.base and message.revision <= known.revision:  # not newer: a reset
            self._latest.began = time_from_msg(message.header.stamp) / NANOSECONDS
            self._latest.momenta = {}
            self._began = time.monotonic()
        self._latest.table = Table(
            message.revision,
            message.dof,
            message.base,
            tuple(
                (row.link, row.name, row.parent, row.end_effector, row.connect, row.cflag)
                for row in message.links
            ),
            tuple(message.locked),
            tuple(message.attachments),
            tuple(message.loops),
        )
        kept = self._latest.wrenches.items()
        self._latest.wrenches = {k: v for k, v in kept if k in message.attachments}
        self._look_round()

    def _on_diagnostics(self, message: DiagnosticArray) -> None:
        for status in message.status:
            if status.name == self._pace:
                told = {item.key: item.value for item in status.values}
                factor = float(told.get('real-time factor asked', 1.0))
                self._told(told.get('paused') == 'True', factor)
