# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What goes out: every topic, published by a thread of its own from what physics hands on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
import logging
import math
import queue
import threading
import time

from diagnostic_msgs.msg import DiagnosticArray
from free_flyer_dynamics.connectivity import Connectivity
from free_flyer_dynamics.ros import conversions, fast, structure_conversions
from free_flyer_dynamics.ros.imu import ImuError
from free_flyer_dynamics.ros.markers import momentum_arrow
from free_flyer_dynamics.ros.parameters import Parameters
from free_flyer_dynamics.ros.physics import Changed, PhysicsLoop, Reply
from free_flyer_dynamics.ros.sampling import Sample, Wanted
from free_flyer_dynamics.ros.scene import Robot, told_apart, topic_name
from free_flyer_interfaces import msg as own
from geometry_msgs.msg import WrenchStamped
from nav_msgs.msg import Odometry
from rclpy.exceptions import InvalidHandle, NameValidationException
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.qos import DurabilityPolicy, QoSProfile
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import Imu, JointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import Marker

_LOG = logging.getLogger(__name__)
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
_DEPTH = 10
_QUIET = 0.1  # s of nothing to publish after which late listeners are looked for
_REPORT = 1.0  # s


class Publishers:
    """
    Every publisher of the simulator, and the thread that feeds them.

    Parameters
    ----------
    node : Node
    robots : sequence of Robot
    parameters : Parameters

    """

    def __init__(self, node: Node, robots: Sequence[Robot], parameters: Parameters) -> None:
        self._node, self._robots = node, tuple(robots)
        self.world_frame = self._world = world = parameters.world_frame
        make = node.create_publisher
        self._joint_states = make(JointState, 'joint_states', _DEPTH)
        self._odometry = [make(Odometry, f'{r.topic_prefix}odom', _DEPTH) for r in robots]
        self._tf = make(TFMessage, '/tf', 100)
        self._clock = make(Clock, '/clock', _DEPTH) if parameters.publish_clock else None
        self._momentum: dict[str | None, Publisher] = {
            None: make(own.Momentum, 'momentum', _DEPTH)
        }
        self._imu = [
            make(Imu, f'{r.topic_prefix}imu/data_raw', _DEPTH) if r.imu else None for r in robots
        ]
        self._momentum.update(
            (r.prefix, make(own.Momentum, f'{r.topic_prefix}momentum', _DEPTH))
            for r in told_apart(robots)
        )
        self._marker = make(Marker, 'momentum_marker', _DEPTH)
        lasting = (self._joint_states, self._tf, self._marker, *self._odometry)
        self._lasting = (*lasting, *self._momentum.values(), *(p for p in self._imu if p))
        self._connectivity = make(own.Connectivity, 'connectivity', LATCHED)
        self._transitions = make(own.Transition, 'transitions', _DEPTH)
        self._diagnostics = make(DiagnosticArray, '/diagnostics', _DEPTH)
        self._wrenches: dict = {}
        self._descriptions = []
        for robot in robots:
            publisher = make(String, f'{robot.topic_prefix}robot_description', LATCHED)
            publisher.publish(String(data=robot.description))
            self._descriptions.append(publisher)
        self._fast_joints = fast.JointStates(())
        self._fast_odometry = [fast.Odometry(world, robot.root) for robot in robots]
        self._fast_tf = fast.Transforms(world, [robot.root for robot in robots])
        self._fast_clock = fast.Clock()
        self._imu_errors = [ImuError(parameters, k) for k in range(len(robots))]
        self._last: Sample | None = None
        self._listeners = 0
        self._thread: threading.Thread | None = None
        self._wake: Callable[[], None] = lambda: None
        self._stopping = False
        self._due = 0.0  # when the next report is, on the steady clock [s]
        self.failures = 0

    def tell(self, transition: own.Transition) -> None:
        """Publish what a structure change did, for those who record."""
        self._transitions.publish(transition)

    def wanted(self) -> Wanted:
        """Tell what somebody listens to of what is not free; any thread may ask."""
        try:
            return Wanted(
                any(map(_listeners, (*self._momentum.values(), self._marker))),
                any(_listeners(p) for p in self._imu if p),
                tuple(name for name, p in self._wrenches.items() if _listeners(p)),
            )
        except Exception:
            if self._node.context.ok():
                raise
            return Wanted()  # everything has been shut down under us

    def follow(self, connectivity: Connectivity) -> None:
        """Have a wrench publisher for each attachment and no other; on the executor's thread."""
        kept = {name: p for name, p in self._wrenches.items() if name in connectivity.attachments}
        gone = [p for name, p in self._wrenches.items() if name not in kept]
        for name in connectivity.attachments:
            if name not in kept:
                topic = f'wrenches/{topic_name(name.replace("/", "_"))}'
                try:
                    kept[name] = self._node.create_publisher(WrenchStamped, topic, _DEPTH)
                except NameValidationException as error:  # the change is made all the same
                    _LOG.warning("Attachment '%s' has no topic of its own: %s", name, error)
        self._wrenches = kept
        for publisher in gone:
            self._node.destroy_publisher(publisher)

    def start(self, loop: PhysicsLoop, collect: Callable[[], DiagnosticArray]) -> None:
        """Publish what physics hands on, and a report each second."""
        self._wake = lambda: loop.outbox.put(Reply(lambda *_: None, None, None))
        self._thread = threading.Thread(
            target=self._run, args=(loop, collect), name='publishing', daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """End the thread; what waits for an answer gets it first."""
        self._stopping = True
        if self._thread is not None:
            self._wake()
            self._thread.join(timeout=2)

    def _run(self, loop: PhysicsLoop, collect: Callable[[], DiagnosticArray]) -> None:
        while not self._stopping and self._node.context.ok():
            try:
                try:
                    self._publish(loop.outbox.get(timeout=_QUIET))
                except queue.Empty:
                    if loop.paused:
                        self._serve_late_listeners(loop)
                if time.monotonic() >= self._due:
                    self._due = math.inf  # until that one has come
                    loop.submit(collect, self._report)
            except Exception:
                if not self._stopping and self._node.context.ok():
                    self.failures += 1
                    _LOG.exception('Publishing failed; going on.')

    def _report(self, message: DiagnosticArray | None, error: Exception | None) -> None:
        self._due = time.monotonic() + _REPORT
        if error is not None:
            raise error
        self._diagnostics.publish(message)

    def _publish(self, item) -> None:
        if isinstance(item, Reply):
            item.done(item.result, item.error)
        elif isinstance(item, Changed):
            self._connectivity.publish(
                structure_conversions.connectivity_to_msg(
                    item.stamp, self._world, item.connectivity
                )
            )
        else:
            self._publish_sample(item)

    def _publish_sample(self, sample: Sample) -> None:
        stamp, seen = sample.stamp, sample.seen
        if sample.joint_names != self._fast_joints.names:
            self._fast_joints = fast.JointStates(sample.joint_names)
        # A writer nobody has found sends nothing anyway: what would be made for it is left out.
        if self._clock is not None and self._clock.get_subscription_count():
            self._clock.publish(self._fast_clock.filled(stamp))
        fresh = self._last is None or stamp > self._last.stamp  # tf2 wants each stamp once
        if fresh and self._tf.get_subscription_count():
            self._tf.publish(self._fast_tf.filled(stamp, seen.frames))
        if self._joint_states.get_subscription_count():
            self._joint_states.publish(self._fast_joints.filled(stamp, seen))
        for publisher, template, frame in zip(
            self._odometry, self._fast_odometry, seen.frames, strict=True
        ):
            if publisher.get_subscription_count():
                publisher.publish(template.filled(stamp, frame))
        self._last = sample
        self._publish_wanted(sample)

    def _publish_wanted(self, sample: Sample) -> None:
        for prefix, momentum in sample.momenta.items():
            self._momentum[prefix].publish(
                conversions.momentum_to_msg(sample.stamp, self._world, prefix or '', momentum)
            )
            if prefix is None and self._marker.get_subscription_count():
                self._marker.publish(momentum_arrow(sample.stamp, self._world, momentum))
        for publisher, error, reading in zip(
            self._imu, self._imu_errors, sample.imu, strict=False
        ):
            if publisher is not None and reading is not None:
                publisher.publish(error.message(sample.stamp, reading))
        wrenches = self._wrenches
        for name, (frame, wrench) in sample.wrenches.items():
            if name in wrenches:
                wrenches[name].publish(conversions.wrench_to_msg(sample.stamp, frame, wrench))

    def _serve_late_listeners(self, loop: PhysicsLoop) -> None:
        """While nothing moves, let those who have just come see where things stand."""
        if self._last is None:
            return
        if self._clock is not None:
            self._clock.publish(self._fast_clock.filled(self._last.stamp))
        listeners = sum(map(_listeners, (*self._lasting, *self._wrenches.values())))
        if listeners > self._listeners:
            self._last = None  # tf2 has not heard that stamp from us
            loop.submit(loop.tell)
        self._listeners = listeners


def _listeners(publisher: Publisher) -> int:
    try:
        return publisher.get_subscription_count()
    except InvalidHandle:  # taken away while we looked
        return 0
