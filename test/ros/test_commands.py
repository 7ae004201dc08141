# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Commands by topic: in lockstep, and as ros2_control sends them."""

import math

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
pytestmark = [pytest.mark.ros, pytest.mark.jit, pytest.mark.slow]

from diagnostic_msgs.msg import DiagnosticArray  # noqa: E402, I100
from free_flyer_interfaces.srv import Step  # noqa: E402
from geometry_msgs.msg import Vector3, WrenchStamped  # noqa: E402
from sensor_msgs.msg import JointState  # noqa: E402
from std_msgs.msg import Float64MultiArray  # noqa: E402
from std_srvs.srv import Trigger  # noqa: E402

from test.ros.conftest import TWO  # noqa: E402
from test.ros.peer import reported, stamp  # noqa: E402
from test.ros.twin import twin  # noqa: E402

ARM = ['J1', 'J2', 'J3', 'J4', 'J5', 'J6', 'J7']
SHORT = 0.2  # s; a command is there long before


@pytest.fixture(scope='module', autouse=True)
def simulator(start):
    """Run chaser and target, paused, every state published."""
    return start(*TWO, 'paused:=true', 'publish_rate:=1000.0')


@pytest.fixture
def sim():
    """Return the library's twin."""
    return twin()


@pytest.fixture(autouse=True)
def from_the_start(peer):
    """Begin each test at the start."""
    peer.done(Trigger, 'reset')


def states(peer, n=1):
    """Step, and return the message of the state it led to."""
    heard = peer.listen(JointState, '/joint_states')
    time = peer.done(Step, 'step', steps=n).time
    when = time.sec * 10**9 + time.nanosec
    peer.until(lambda: any(stamp(m) == when for m in heard), 5.0)
    return next(m for m in reversed(heard) if stamp(m) == when)


def pd(positions, velocities):
    """Return the efforts of a controller that brings the arm to rest at 0.3 rad."""
    return [40 * (0.3 - q) - 25 * v for q, v in zip(positions[:7], velocities[:7], strict=True)]


def test_a_pd_controller_in_lockstep_repeats_the_library_bit_for_bit(peer, sim):
    """State out, effort in, a step: as if the controller were linked in."""
    peer.listen(JointState, '/joint_states')
    peer.say(JointState(name=ARM, effort=[0.0] * 7), '/joint_commands')
    message = states(peer)
    sim.step(1)
    for _ in range(120):
        efforts = pd(message.position, message.velocity)
        peer.say(JointState(name=ARM, effort=efforts), '/joint_commands')
        peer.until(lambda: settled(peer), 5.0)
        message = states(peer)
        sim.set_efforts(dict(zip(ARM, pd(sim.positions, sim.velocities), strict=True)))
        sim.step(1)
        np.testing.assert_array_equal(message.position, sim.positions)
        np.testing.assert_array_equal(message.velocity, sim.velocities)
        np.testing.assert_array_equal(message.effort, sim.efforts)


def settled(peer):
    """Tell that a command just sent is there: reliable, and the next call waits its turn."""
    peer.spin(0.004)
    return True


def test_what_hardware_sends_first_and_sends_too(peer, sim):
    """What is no number holds, unknown names pass by, the rest acts."""
    peer.say(JointState(name=['J1', 'J2'], effort=[1.0, 2.0]), '/joint_commands')
    peer.spin(SHORT)
    strange = JointState(name=['J1', 'gripper', 'J3'], effort=[math.nan, 1.0, 3.0])
    peer.say(strange, '/joint_commands')
    peer.spin(SHORT)
    message = states(peer)
    assert list(message.effort[:4]) == [1.0, 2.0, 3.0, 0.0]


class TopicHardware:
    """What ros2_control's topic hardware does in a cycle, of joints that all take effort."""

    def __init__(self, peer, joints):
        self._peer, self._joints = peer, joints
        self.state = dict.fromkeys(joints, math.nan)
        self.command = dict.fromkeys(joints, math.nan)
        self.sent = 0

    def read(self, message):
        """Take what is finite of the joints it knows."""
        for name, effort in zip(message.name, message.effort, strict=True):
            if name in self.state and math.isfinite(effort):
                self.state[name] = effort

    def write(self):
        """Send everything when anything differs; NaN always differs."""
        differs = sum(abs(self.state[name] - self.command[name]) for name in self._joints)
        if not differs <= 1e-5:
            efforts = [self.command[name] for name in self._joints]
            self._peer.say(JointState(name=self._joints, effort=efforts), '/joint_commands')
            self._peer.spin(SHORT)
            self.sent += 1


def test_ros2_control_speaks_its_own_way_and_is_understood(peer, sim):
    """At first NaN, of unclaimed joints for ever; silence once the state is what it asked for."""
    every = TopicHardware(peer, [*ARM, 'J8', 'J9', 'J10'])
    every.write()
    assert every.sent == 1
    every.read(states(peer))
    every.command.update(dict.fromkeys(ARM, 0.5))  # a controller takes the arm, none the wheels
    for _ in range(2):
        every.write()
        every.read(states(peer))
    assert every.sent == 3
    assert [every.state[name] for name in ARM] == [0.5] * 7
    claimed = TopicHardware(peer, ARM)
    claimed.command = dict.fromkeys(ARM, 0.25)
    for _ in range(4):
        claimed.write()
        claimed.read(states(peer, 10))
    assert claimed.sent == 1
    sim.step(1)
    sim.set_efforts(dict.fromkeys(ARM, 0.5))
    sim.step(2)
    sim.set_efforts(dict.fromkeys(ARM, 0.25))
    sim.step(40)
    np.testing.assert_array_equal(states(peer, 1).effort, sim.efforts)
    sim.step(1)
    np.testing.assert_array_equal(peer.heard['/joint_states'][-1].velocity, sim.velocities)


def test_of_several_interfaces_effort_counts(peer):
    """Positions and velocities that come along are passed over; the efforts are taken."""
    numbers = [0.1, 0.2, 0.3]
    message = JointState(name=ARM[:3], position=numbers, velocity=numbers, effort=numbers)
    peer.say(message, '/joint_commands')
    peer.spin(SHORT)
    assert list(states(peer).effort[:4]) == [0.1, 0.2, 0.3, 0.0]


def test_efforts_in_order_and_wheels_by_name(peer, sim):
    """By default effort_joints is what is no wheel."""
    peer.say(Float64MultiArray(data=[float(k) for k in range(7)]), '/effort_commands')
    peer.say(JointState(name=['J9'], effort=[0.1]), '/wheel_commands')
    peer.spin(SHORT)
    assert list(states(peer).effort) == [0, 1, 2, 3, 4, 5, 6, 0, 0.1, 0]


def test_limits_clip_and_are_counted(peer):
    """The wheels' torque limit is 0.2 N m."""
    heard = peer.listen(DiagnosticArray, '/diagnostics')
    peer.say(JointState(name=['J9'], effort=[7.0]), '/wheel_commands')
    peer.spin(SHORT)
    assert states(peer).effort[8] == 0.2
    heard.clear()
    peer.until(lambda: heard and int(reported(heard[-1])['clipped efforts']) > 0, what='the clip')


@pytest.mark.parametrize(
    ('frame', 'link', 'axes'),
    [
        ('world', 'base', 'world'),
        ('base', 'base', 'link'),
        ('target_target', 'target_target', 'link'),
    ],
)
def test_a_wrench_acts_where_its_frame_says(peer, sim, frame, link, axes):
    """World: on the base, in world axes. A link: on that link, in its axes."""
    message = WrenchStamped()
    message.header.frame_id = frame
    message.wrench.force, message.wrench.torque = Vector3(x=3.0), Vector3(z=-2.0)
    peer.say(message, '/base_wrench')
    peer.spin(SHORT)
    after = states(peer, 50)
    sim.set_wrench(link, (3.0, 0, 0), (0, 0, -2.0), axes)
    sim.step(50)
    np.testing.assert_array_equal(after.velocity, sim.velocities)


def test_silence_ends_a_command_where_a_timeout_is_set(peer, sim):
    """In simulated time: lockstep counts it as well as the clock on the wall."""
    assert peer.set_number('command_timeout', 0.01).successful
    try:
        peer.say(JointState(name=['J1'], effort=[1.0]), '/joint_commands')
        peer.spin(SHORT)
        assert states(peer, 9).effort[0] == 1.0
        assert states(peer, 2).effort[0] == 0.0
    finally:
        assert peer.set_number('command_timeout', 0.0).successful
    sim.set_efforts({'J1': 1.0})
    sim.step(10)
    sim.set_efforts({'J1': 0.0})
    sim.step(1)
    heard = peer.listen(JointState, '/joint_states')
    np.testing.assert_array_equal(heard[-1].velocity, sim.velocities)
    told = peer.listen(DiagnosticArray, '/diagnostics')
    told.clear()
    peer.until(lambda: told, 5.0, 'a report')
    assert int(reported(told[-1])['timed out commands']) > 0
