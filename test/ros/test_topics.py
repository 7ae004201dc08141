# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Every topic of the contract, heard in another process and held against the library."""

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
pytestmark = [pytest.mark.ros, pytest.mark.jit, pytest.mark.slow]

from diagnostic_msgs.msg import DiagnosticArray  # noqa: E402, I100
from free_flyer_interfaces.msg import Connectivity, Momentum, TopologyOperation  # noqa: E402
from free_flyer_interfaces.srv import ChangeTopology, SetJointTorques, Step  # noqa: E402
from geometry_msgs.msg import WrenchStamped  # noqa: E402
from nav_msgs.msg import Odometry  # noqa: E402
from rclpy.qos import DurabilityPolicy, qos_profile_sensor_data, QoSProfile  # noqa: E402
from rosgraph_msgs.msg import Clock  # noqa: E402
from sensor_msgs.msg import Imu, JointState  # noqa: E402
from std_msgs.msg import String  # noqa: E402
from std_srvs.srv import Trigger  # noqa: E402
from tf2_msgs.msg import TFMessage  # noqa: E402

from test.ros.conftest import TWO  # noqa: E402
from test.ros.peer import stamp  # noqa: E402
from test.ros.twin import in_axes_of, twin, xyz, xyzw  # noqa: E402

LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)


@pytest.fixture(scope='module', autouse=True)
def simulator(start):
    """Run chaser and target, paused."""
    return start(*TWO, 'paused:=true', 'gravity:=[0.0, 0.0, -0.5]')


@pytest.fixture(autouse=True)
def from_the_start(peer):
    """Begin each test at the start."""
    peer.done(Trigger, 'reset')


@pytest.fixture
def sim():
    """Return the library's twin."""
    return twin(gravity=(0, 0, -0.5))


def step(peer, n=7):
    """Step, and return the stamp of the state [ns]."""
    time = peer.done(Step, 'step', steps=n).time
    return time.sec * 1_000_000_000 + time.nanosec


def newest(peer, messages, when):
    """Return the message of that stamp."""
    peer.until(lambda: any(stamp(m) == when for m in messages), 5.0, 'the stamp')
    return next(m for m in messages if stamp(m) == when)


def test_joint_states_are_those_of_the_library(peer, sim):
    """Every joint, wheels and all, to the last bit; effort is what is applied."""
    heard = peer.listen(JointState, '/joint_states', qos_profile_sensor_data)
    peer.done(SetJointTorques, 'set_joint_torques', names=['J1', 'J8'], efforts=[3.0, 0.1])
    message = newest(peer, heard, step(peer))
    sim.set_efforts({'J1': 3.0, 'J8': 0.1})
    sim.step(7)
    assert tuple(message.name) == sim.joint_names
    np.testing.assert_array_equal(message.position, sim.positions)
    np.testing.assert_array_equal(message.velocity, sim.velocities)
    np.testing.assert_array_equal(message.effort, sim.efforts)
    assert message.effort[0] == 3.0


@pytest.mark.parametrize(('topic', 'root'), [('/odom', 'base'), ('/target_odom', 'target_target')])
def test_odometry_has_its_pose_in_world_and_its_twist_in_the_base(peer, sim, topic, root):
    """As nav_msgs says: twist in the child frame."""
    heard = peer.listen(Odometry, topic)
    message = newest(peer, heard, step(peer))
    sim.step(7)
    pose, twist = sim.pose(root), sim.twist(root)
    assert (message.header.frame_id, message.child_frame_id) == ('world', root)
    np.testing.assert_array_equal(xyz(message.pose.pose.position), pose.position)
    np.testing.assert_array_equal(xyzw(message.pose.pose.orientation), pose.quaternion)
    linear, angular = in_axes_of(pose, twist.linear), in_axes_of(pose, twist.angular)
    np.testing.assert_allclose(xyz(message.twist.twist.linear), linear, atol=1e-13)
    np.testing.assert_allclose(xyz(message.twist.twist.angular), angular, atol=1e-13)


def test_tf_places_every_root_in_world(peer, sim):
    """Each stamp comes once, from the URDF's roots, also after a rebase."""
    heard = peer.listen(TFMessage, '/tf')
    rebase = TopologyOperation(kind='rebase', frame_a='link3')
    peer.done(ChangeTopology, 'change_topology', operations=[rebase])
    heard.clear()
    when = step(peer)
    peer.until(lambda: heard, 5.0)
    (message,) = heard
    sim.step(7)
    assert [t.child_frame_id for t in message.transforms] == ['base', 'target_target']
    for transform in message.transforms:
        assert stamp(transform) == when
        assert transform.header.frame_id == 'world'
        pose = sim.pose(transform.child_frame_id)
        np.testing.assert_allclose(xyz(transform.transform.translation), pose.position, atol=1e-12)


def test_the_clock_starts_above_zero_and_never_runs_back(peer):
    """Across steps and resets; paused, it stands."""
    heard = peer.listen(Clock, '/clock', qos_profile_sensor_data)
    step(peer, 30)
    peer.done(Trigger, 'reset')
    step(peer, 3)
    peer.spin(0.5)
    times = [m.clock.sec * 10**9 + m.clock.nanosec for m in heard]
    assert times[0] > 0
    assert times == sorted(times)
    assert len(set(times[-3:])) == 1  # standing, and told to those who come late


def test_the_imu_feels_specific_force(peer, sim):
    """Acceleration less gravity, in the axes of its link; no orientation."""
    heard = peer.listen(Imu, '/imu/data_raw', qos_profile_sensor_data)
    peer.done(SetJointTorques, 'set_joint_torques', names=['J2'], efforts=[20.0])
    message = newest(peer, heard, step(peer))
    sim.set_efforts({'J2': 20.0})
    sim.step(7)
    pose = sim.pose('base')
    force = sim.acceleration('base').linear - np.array([0, 0, -0.5])
    np.testing.assert_allclose(
        xyz(message.linear_acceleration), in_axes_of(pose, force), atol=1e-12
    )
    rate = in_axes_of(pose, sim.twist('base').angular)
    np.testing.assert_allclose(xyz(message.angular_velocity), rate, atol=1e-12)
    assert message.header.frame_id == 'base'
    assert message.orientation_covariance[0] == -1


def test_momentum_is_that_of_the_world(peer, sim):
    """All robots on one topic, each further one on its own."""
    heard, others = peer.listen(Momentum, '/momentum'), peer.listen(Momentum, '/target_momentum')
    when = step(peer)
    message, other = newest(peer, heard, when), newest(peer, others, when)
    sim.step(7)
    for said, momentum in ((message, sim.momentum()), (other, sim.momentum('target_'))):
        np.testing.assert_allclose(xyz(said.linear), momentum.linear, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(xyz(said.angular), momentum.angular, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(xyz(said.center), momentum.center, rtol=1e-12)
        assert said.mass == momentum.mass
        assert said.kinetic_energy == pytest.approx(momentum.kinetic_energy, rel=1e-12)
    assert (message.prefix, other.prefix) == ('', 'target_')


def test_who_comes_late_while_it_stands_hears_the_state_all_the_same(peer):
    """Momentum too, which is not worked out for nobody."""
    when, heard = step(peer), []
    peer.spin(0.5)
    late = peer.node.create_subscription(Momentum, '/momentum', heard.append, 10)
    try:
        peer.until(lambda: any(stamp(m) == when for m in heard), 5.0, 'the state')
    finally:
        peer.node.destroy_subscription(late)


def test_who_came_before_hears_nothing_again(peer):
    """When somebody begins to listen to something else, or the simulator is but paused."""
    before = {'/joint_states': JointState, '/odom': Odometry, '/tf': TFMessage}
    heard = [peer.listen(kind, topic) for topic, kind in before.items()]
    when = step(peer)
    peer.spin(0.5)
    assert [sum(stamp_of(m) == when for m in messages) for messages in heard] == [1, 1, 1]
    told = []
    late = peer.node.create_subscription(Odometry, '/target_odom', told.append, 10)
    try:
        peer.until(lambda: any(stamp(m) == when for m in told), 5.0, 'the state')
        peer.spin(0.5)
    finally:
        peer.node.destroy_subscription(late)
    assert [sum(stamp_of(m) == when for m in messages) for messages in heard] == [1, 1, 1]


def stamp_of(message):
    """Return the stamp of a message or of its first transform [ns]."""
    return stamp(message.transforms[0] if isinstance(message, TFMessage) else message)


def test_connectivity_is_there_for_who_comes_late(peer, sim):
    """And comes anew with every change."""
    heard = peer.listen(Connectivity, '/connectivity', LATCHED)
    peer.until(lambda: heard, 5.0)
    lock = TopologyOperation(kind='lock', joints=['J3', 'J4'])
    peer.done(ChangeTopology, 'change_topology', operations=[lock])
    peer.until(lambda: list(heard[-1].locked), 5.0)
    sim.lock('J3', 'J4')
    table = sim.connectivity()
    assert (heard[-1].revision, heard[-1].dof) == (table.revision, table.dof)
    assert [row.name for row in heard[-1].links] == [row.name for row in table.links]
    assert [row.cflag for row in heard[-1].links] == [row.cflag for row in table.links]


def test_attachments_have_their_wrench_and_lose_it(peer, sim):
    """Force and torque on frame b, at frame a's origin, in its axes."""
    operation = TopologyOperation(
        kind='attach', frame_a='end_effector', frame_b='target_target', name='grip'
    )
    peer.done(ChangeTopology, 'change_topology', operations=[operation])
    heard = peer.listen(WrenchStamped, '/wrenches/grip')
    peer.done(SetJointTorques, 'set_joint_torques', names=['J4'], efforts=[9.0])
    message = newest(peer, heard, step(peer))
    sim.attach('end_effector', 'target_target', name='grip')
    sim.set_efforts({'J4': 9.0})
    sim.step(7)
    wrench, pose = sim.attachment_wrench('grip'), sim.pose('end_effector')
    assert message.header.frame_id == 'end_effector'
    np.testing.assert_allclose(
        xyz(message.wrench.force), in_axes_of(pose, wrench.force), rtol=1e-9, atol=1e-9
    )
    np.testing.assert_allclose(
        xyz(message.wrench.torque), in_axes_of(pose, wrench.torque), rtol=1e-9, atol=1e-9
    )
    detach = TopologyOperation(kind='detach', name='grip')
    peer.done(ChangeTopology, 'change_topology', operations=[detach])
    peer.until(lambda: not peer.node.count_publishers('/wrenches/grip'), 5.0)


def test_descriptions_are_latched_and_bear_the_prefix(peer):
    """What robot_state_publisher reads has the names that joint_states and /tf have."""
    own = peer.listen(String, '/robot_description', LATCHED)
    other = peer.listen(String, '/target_robot_description', LATCHED)
    peer.until(lambda: own and other, 5.0)
    assert 'name="thesis_seven_joint"' in own[0].data
    assert 'name="target_target"' in other[0].data


def test_diagnostics_come_each_second(peer):
    """Real-time factor, overruns, residuals, refusals."""
    heard = peer.listen(DiagnosticArray, '/diagnostics')
    heard.clear()
    peer.spin(3.5)
    assert 2 <= len(heard) <= 5
    values = {v.key: v.value for status in heard[-1].status for v in status.values}
    for key in ('real-time factor', 'overruns', 'rejected commands', 'clipped efforts'):
        assert key in values
    assert float(values['momentum residual']) < 1e-9
    assert float(values['loop residual']) < 1e-9
