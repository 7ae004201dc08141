# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What goes out: every topic, published by a thread of its own from what physics hands on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
import logging
import math
import queue
import threading
import time

from diagnostic_msgs.msg import DiagnosticArray
from free_flyer_dynamics.connectivity import Connectivity
from free_flyer_dynamics.ros import conversions, fast, structure_conversions, threads
from free_flyer_dynamics.ros.imu import ImuError
from free_flyer_dynamics.ros.listeners import listeners, Newcomers
from free_flyer_dynamics.ros.markers import momentum_arrow
from free_flyer_dynamics.ros.outbox import Again, Changed, Reply
from free_flyer_dynamics.ros.parameters import Parameters
from free_flyer_dynamics.ros.physics import PhysicsLoop
from free_flyer_dynamics.ros.sampling import Sample, Wanted
from free_flyer_dynamics.ros.scene import Robot, told_apart
from free_flyer_dynamics.ros.wrench_topics import WrenchTopics
from free_flyer_interfaces import msg as own
from nav_msgs.msg import Odometry
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
_QUIET = 0.1  # s; how often is looked who has come to listen
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
        self._imu = [make(Imu, f'{r.topic_prefix}imu/data_raw', _DEPTH) for r in robots]
        self._momentum.update(
            (r.prefix, make(own.Momentum, f'{r.topic_prefix}momentum', _DEPTH))
            for r in told_apart(robots)
        )
        self._marker = make(Marker, 'momentum_marker', _DEPTH)
        lasting = (self._joint_states, self._tf, self._marker, *self._odometry)
        self._lasting = (*lasting, *self._momentum.values(), *self._imu)
        self._connectivity = make(own.Connectivity, 'connectivity', LATCHED)
        self._transitions = make(own.Transition, 'transitions', _DEPTH)
        self._diagnostics = make(DiagnosticArray, '/diagnostics', _DEPTH)
        self._wrenches = WrenchTopics(node)
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
        self._told = 0  # the last stamp that went out [ns]
        self._newcomers = Newcomers()
        self._look_at = 0.0  # when to look for them again, on the steady clock [s]
        self._untold: set[Publisher] = set()  # that somebody new listens to, while nothing moves
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
                any(map(listeners, (*self._momentum.values(), self._marker))),
                any(map(listeners, self._imu)),
                self._wrenches.wanted(),
            )
        except Exception:
            if self._node.context.ok():
                raise
            return Wanted()  # everything has been shut down under us

    def follow(self, connectivity: Connectivity) -> None:
        """Have a wrench publisher for each attachment and no other; on the executor's thread."""
        self._wrenches.follow(connectivity.attachments)

    def start(self, loop: PhysicsLoop, ask: Callable[[Callable], None]) -> None:
        """Publish what physics hands on, and a report that is asked for each second."""
        self._wake = lambda: loop.outbox.put(Reply(lambda *_: None, None, None))
        self._thread = threading.Thread(
            target=self._run, args=(loop, ask), name='publishing', daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """End the thread; what waits for an answer gets it first."""
        self._stopping = True
        if self._thread is not None:
            self._wake()
            self._thread.join(timeout=2)

    def _run(self, loop: PhysicsLoop, ask: Callable[[Callable], None]) -> None:
        threads.make_patient()
        while not self._stopping and self._node.context.ok():
            try:
                try:
                    self._publish(loop.outbox.get(timeout=_QUIET))
                except queue.Empty:
                    if loop.paused:
                        self._serve_newcomers(loop)
                if time.monotonic() >= self._due:
                    self._due = math.inf  # until that one has come
                    ask(self._report)
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
        elif isinstance(item, Again):
            only, self._untold = self._untold, set()
            self._publish_sample(item.sample, only if item.sample.stamp <= self._told else None)
        else:
            self._publish_sample(item)

    def _publish_sample(self, sample: Sample, only: Collection[Publisher] | None = None) -> None:
        """Publish a state; with `only`, on those topics alone, which have told it to others."""
        stamp, seen = sample.stamp, sample.seen
        if sample.joint_names != self._fast_joints.names:
            self._fast_joints = fast.JointStates(sample.joint_names)
        # A writer nobody has found sends nothing anyway: what would be made for it is left out.
        if self._clock is not None and self._clock.get_subscription_count():
            self._clock.publish(self._fast_clock.filled(stamp))
        fresh = stamp > self._told or only is not None  # tf2 wants each stamp once
        if fresh and _asked(self._tf, only):
            self._tf.publish(self._fast_tf.filled(stamp, seen.frames))
        if _asked(self._joint_states, only):
            self._joint_states.publish(self._fast_joints.filled(stamp, seen))
        for publisher, template, frame in zip(
            self._odometry, self._fast_odometry, seen.frames, strict=True
        ):
            if _asked(publisher, only):
                publisher.publish(template.filled(stamp, frame))
        self._told = stamp
        self._publish_wanted(sample, only)
        if only is None and (now := time.monotonic()) >= self._look_at:
            self._look_at = now + _QUIET
            self._newcomers.look(self._all())  # they have heard a state

    def _publish_wanted(self, sample: Sample, only: Collection[Publisher] | None) -> None:
        for prefix, momentum in sample.momenta.items():
            if _asked(self._momentum[prefix], only):
                self._momentum[prefix].publish(
                    conversions.momentum_to_msg(sample.stamp, self._world, prefix or '', momentum)
                )
            if prefix is None and _asked(self._marker, only):
                self._marker.publish(momentum_arrow(sample.stamp, self._world, momentum))
        for publisher, error, reading in zip(
            self._imu, self._imu_errors, sample.imu, strict=False
        ):
            if _asked(publisher, only):
                publisher.publish(error.message(sample.stamp, reading))
        self._wrenches.publish(sample.stamp, sample.wrenches, only)

    def _all(self) -> tuple[Publisher, ...]:
        return (*self._lasting, *self._wrenches)

    def _serve_newcomers(self, loop: PhysicsLoop) -> None:
        """While nothing moves, let those who have just come see where things stand."""
        if not self._told:
            return
        if self._clock is not None:
            self._clock.publish(self._fast_clock.filled(self._told))
        came = self._newcomers.look(self._all())
        if came:
            self._untold |= came
            loop.submit(loop.tell)


def _asked(publisher: Publisher, only: Collection[Publisher] | None) -> bool:
    """Tell whether to publish: somebody listens, and it is one of those, if some are named."""
    return bool(publisher.get_subscription_count()) and (only is None or publisher in only)
