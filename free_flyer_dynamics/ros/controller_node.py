# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The controller's node: convert in, call, convert out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from free_flyer_dynamics.errors import FreeFlyerError
from free_flyer_dynamics.ros import controller_parameters, conversions, logs, spinning
from free_flyer_dynamics.ros.pilot import Command, Pilot
from free_flyer_dynamics.ros.publishers import LATCHED
from free_flyer_dynamics.ros.simulator_client import SimulatorClient
from free_flyer_interfaces.msg import Connectivity, Momentum
from geometry_msgs.msg import TwistStamped
from nav_msgs.msg import Odometry
from rclpy.clock import Clock, ClockType
from sensor_msgs.msg import JointState
from std_msgs.msg import String

NEWEST = 1  # depth: an old state is of no use
EVERY = 10
LOOK = 0.1  # s; how often what has come in is looked at, should nothing else come


class ControllerNode(spinning.ServedNode):
    """A robot's controller as the graph sees it: states in, efforts out."""

    def __init__(self) -> None:
        super().__init__('free_flyer_controller')
        logs.to_ros(self.get_logger())
        self._given = controller_parameters.read(self)
        self._client = SimulatorClient(self, self._given.simulator, self._around)
        self._joints = self.create_publisher(JointState, 'joint_commands', EVERY)
        self._wheels = self.create_publisher(JointState, 'wheel_commands', EVERY)
        self._phases = self.create_publisher(String, '~/phase', LATCHED)
        self._pilot: Pilot  # once it is known whom to fly
        self._stepping = False
        self._phase = ''
        self._listen(String, 'robot_description', self._on_description, LATCHED)

    def _around(self, name: str, callback: Callable) -> Callable:
        """Return a callback that never raises, and ends the node for what nothing can mend."""

        def heard(*arguments) -> None:
            try:
                callback(*arguments)
            except FreeFlyerError as error:
                self.fail(error)

        return self.guard.around(name, heard)

    def _listen(self, kind: type, topic: str, callback: Callable, qos) -> None:
        self.create_subscription(kind, topic, self._around(topic, callback), qos)

    def _on_description(self, message: String) -> None:
        """Begin, or begin anew: a simulator has come."""
        first = not hasattr(self, '_pilot')
        self._pilot, self._stepping = Pilot(self._given, message.data), False
        self.get_logger().info(f'Flying {self._pilot.name} by {self._given.law}.')
        if not first:
            return
        self._listen(JointState, 'joint_states', self._on_joints, NEWEST)
        self._listen(Odometry, 'odom', self._on_base, NEWEST)
        self._listen(Odometry, 'target_odom', self._on_target, NEWEST)
        self._listen(Momentum, 'momentum', self._on_momentum, NEWEST)
        self._listen(Connectivity, 'connectivity', self._on_connectivity, LATCHED)
        self._listen(TwistStamped, 'hand_twist', self._on_twist, EVERY)
        self._listen(JointState, 'joint_rates', self._on_rates, EVERY)
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self.create_timer(LOOK, self._around('turn', self._turn), clock=steady)

    def _on_joints(self, message: JointState) -> None:
        self._pilot.joints(*conversions.joint_state_from_msg(message))
        self._turn()

    def _on_base(self, message: Odometry) -> None:
        self._pilot.base(*conversions.odometry_from_msg(message))
        self._turn()

    def _on_target(self, message: Odometry) -> None:
        self._pilot.target(*conversions.odometry_from_msg(message))

    def _on_momentum(self, message: Momentum) -> None:
        self._pilot.momentum(conversions.xyz_from_msg(message.angular_about_center))

    def _on_connectivity(self, message: Connectivity) -> None:
        stamp = conversions.time_from_msg(message.header.stamp)
        self._pilot.structure(stamp, message.revision, message.attachments, message.locked)

    def _on_twist(self, message: TwistStamped) -> None:
        self._pilot.refer(conversions.twist_from_msg(message.twist))

    def _on_rates(self, message: JointState) -> None:
        self._pilot.refer_rates(dict(zip(message.name, message.velocity, strict=False)))

    def _turn(self, *_told) -> None:  # from Kilted on, timers tell when they were due
        """Answer the state that has come in, if one has."""
        pilot = self._pilot
        waiting = self._stepping or (self._given.lockstep and pilot.asked)
        if waiting or not self._client.ready or not pilot.look():
            return
        due = pilot.due()
        self._tell_phase()
        if due:
            pilot.asked = True
            self._client.change(due, lambda fine: None if fine else pilot.refused())
            if self._given.lockstep:
                return
        command = pilot.command()
        if command is not None:
            self._send(command)

    def _send(self, command: Command) -> None:
        if self._given.lockstep:
            self._stepping = True
            self._client.drive(command.arm, command.wheels, self._given.lockstep, self._stepped)
            return
        self._joints.publish(conversions.joint_command_to_msg(command.stamp, command.arm))
        if command.wheels:
            self._wheels.publish(conversions.joint_command_to_msg(command.stamp, command.wheels))

    def _stepped(self, fine: bool) -> None:
        self._stepping = False
        self._turn()

    def _tell_phase(self) -> None:
        phase = self._pilot.phase()
        if phase != self._phase:
            self._phase = phase
            self._phases.publish(String(data=phase))
            self.get_logger().info(self._pilot.report())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the controller until it is told to stop."""
    return spinning.run('free_flyer_controller', ControllerNode, arguments)


def run() -> None:
    """Run the controller as a process of its own."""
    spinning.leave(main())


if __name__ == '__main__':
    run()
