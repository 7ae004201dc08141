# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Values to messages and back, and the bytes that stand for messages: no DDS."""

from array import array
import time

import free_flyer_dynamics as ffd
import numpy as np
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
pytestmark = [pytest.mark.ros]

from free_flyer_dynamics.operation_fields import operation_of  # noqa: E402, I100
from free_flyer_dynamics.ros import conversions, fast, structure_conversions  # noqa: E402
from free_flyer_dynamics.urdf_prefix import prefixed  # noqa: E402
from free_flyer_dynamics.values import Observation  # noqa: E402
from free_flyer_interfaces.msg import TopologyOperation  # noqa: E402
from nav_msgs.msg import Odometry  # noqa: E402
from rclpy.serialization import deserialize_message  # noqa: E402
from rosgraph_msgs.msg import Clock  # noqa: E402
from sensor_msgs.msg import JointState  # noqa: E402
from tf2_msgs.msg import TFMessage  # noqa: E402

from test.ros.twin import twin, xyz, xyzw  # noqa: E402

LONG = 1.0  # s; a fiftieth of it is enough, a minute was not
STAMPS = (1, 999_999_999, 1_000_000_000, 12_345_678_987_654_321)
POSE = ffd.Pose(np.array([1.0, -2.0, 3.0]), np.array([0.1, 0.2, 0.3, 0.9]))
TWIST = ffd.Twist(np.array([0.1, -0.2, 0.3]), np.array([-1.0, 2.0, -3.0]))
FRAME = np.concatenate((POSE.position, POSE.quaternion, TWIST.linear, TWIST.angular))


@pytest.mark.parametrize('stamp', STAMPS)
def test_stamps_come_back(stamp):
    """To the nanosecond."""
    assert conversions.time_from_msg(conversions.time_to_msg(stamp)) == stamp


def test_vectors_and_quaternions_come_back():
    """In the order x, y, z, w."""
    assert conversions.xyz_from_msg(conversions.vector_to_msg(POSE.position)) == (1, -2, 3)
    assert conversions.xyz_from_msg(conversions.point_to_msg(POSE.position)) == (1, -2, 3)
    message = conversions.quaternion_to_msg(POSE.quaternion)
    assert conversions.quaternion_from_msg(message) == tuple(POSE.quaternion)


def test_states_come_back():
    """What a controller reads is what the simulator has published, to the last bit."""
    names, numbers = ('J1', 'wheel'), ([0.1, 2.0], [-0.3, 4e-9], [0.0, 0.2])
    message = conversions.joint_state_to_msg(7, names, *numbers)
    assert conversions.joint_state_from_msg(message) == (
        7,
        names,
        *map(message_array, numbers[:2]),
    )
    message = conversions.odometry_to_msg(7, 'world', 'base', POSE, TWIST)
    stamp, frame, pose, twist = conversions.odometry_from_msg(message)
    assert (stamp, frame) == (7, 'base')
    np.testing.assert_array_equal(pose.position, POSE.position)
    np.testing.assert_array_equal(pose.quaternion, POSE.quaternion)
    np.testing.assert_array_equal(twist.linear, TWIST.linear)
    np.testing.assert_array_equal(twist.angular, TWIST.angular)


def test_a_command_says_which_state_it_answers():
    """Efforts by name, and come back."""
    message = conversions.joint_command_to_msg(STAMPS[-1], {'J2': 1.5, 'J1': -0.5})
    assert conversions.time_from_msg(message.header.stamp) == STAMPS[-1]
    assert conversions.by_name(message.name, message.effort) == {'J2': 1.5, 'J1': -0.5}


def message_array(numbers):
    """Return numbers as a message keeps them."""
    return array('d', numbers)


OPERATIONS = (
    ('lock', 'J1', 'J2'),
    ('unlock', 'J1'),
    ('rebase', 'link3'),
    ('detach', 'grip'),
    ('anchor', 'base', {'joint': 'spherical', 'axis': (0.0, 0.0, 1.0), 'name': None}),
    (
        'attach',
        'end_effector',
        'target_target',
        {'joint': 'revolute', 'axis': (1.0, 0.0, 0.0), 'name': 'grip', 'align': True},
    ),
)


@pytest.mark.parametrize('operation', OPERATIONS, ids=lambda operation: operation[0])
def test_operations_come_back(operation):
    """As 'change' takes them."""
    message = structure_conversions.operation_to_msg(operation)
    assert operation_of(message) == operation


def test_what_is_left_empty_has_a_meaning():
    """A fixed joint, the z axis, a name of the library's choice."""
    message = TopologyOperation(kind='attach', frame_a='a', frame_b='b')
    *_, options = operation_of(message)
    assert options == {'joint': 'fixed', 'axis': (0, 0, 1), 'name': None, 'align': False}


@pytest.mark.parametrize('operation', OPERATIONS, ids=lambda operation: operation[0])
def test_the_library_takes_operations_with_these_words(operation):
    """Every kind is one it knows, with arguments that fit."""
    sim = twin()
    try:
        sim.change([operation])
    except ffd.TopologyError as error:
        assert 'do not fit' not in str(error)
        assert 'No structure change' not in str(error)


def test_efforts_need_a_joint_each():
    """Two arrays that do not fit are refused; nobody can tell which number is whose."""
    assert conversions.by_name(['a', 'b'], [1.0, 2.0]) == {'a': 1.0, 'b': 2.0}
    with pytest.raises(ffd.CommandError, match='2 names came with 1'):
        conversions.by_name(['a', 'b'], [1.0])
    with pytest.raises(ffd.CommandError, match='more than once'):
        conversions.by_name(['a', 'a'], [1.0, 2.0])


def seen(n):
    """Return an observation of n joints."""
    return Observation(
        np.random.default_rng(1).standard_normal((3, n)), FRAME[None], FRAME[None, 7:]
    )


@pytest.mark.parametrize('stamp', STAMPS[:3])
@pytest.mark.parametrize('n', [0, 1, 10, 37])
def test_bytes_of_joint_states_are_the_message(n, stamp):
    """Names of any length, numbers of any kind, filled in again and again."""
    names = tuple('j' * (k % 7 + 1) + str(k) for k in range(n))
    template = fast.JointStates(names)
    template.filled(77, seen(n))
    message = deserialize_message(template.filled(stamp, seen(n)), JointState)
    observed = seen(n)
    expected = conversions.joint_state_to_msg(
        stamp, names, observed.positions, observed.velocities, observed.efforts
    )
    assert message == expected


@pytest.mark.parametrize('stamp', STAMPS[:3])
def test_bytes_of_odometry_tf_and_clock_are_the_messages(stamp):
    """Both ways of making them agree."""
    raw = fast.Odometry('world', 'base').filled(stamp, FRAME)
    message = deserialize_message(raw, Odometry)
    assert message == conversions.odometry_to_msg(stamp, 'world', 'base', POSE, TWIST)
    np.testing.assert_array_equal(xyzw(message.pose.pose.orientation), POSE.quaternion)
    np.testing.assert_array_equal(xyz(message.twist.twist.angular), TWIST.angular)
    raw = fast.Transforms('world', ['a', 'bcd']).filled(stamp, np.array([FRAME, FRAME]))
    expected = conversions.transforms_to_msg(stamp, 'world', {'a': POSE, 'bcd': POSE})
    assert deserialize_message(raw, TFMessage) == expected
    assert deserialize_message(fast.Clock().filled(stamp), Clock) == conversions.clock_to_msg(
        stamp
    )


def test_a_long_command_that_names_everything_twice_is_refused_at_once():
    """A hostile message holds nobody up: the time grows as its length does."""
    names = [f'j{k}' for k in range(30_000)] * 2
    start = time.monotonic()
    with pytest.raises(ffd.CommandError, match=r'once: j0, j1, j10.* and more'):
        conversions.by_name(names, np.zeros(len(names)))
    assert time.monotonic() - start < LONG


def test_a_prefix_goes_before_every_name_of_a_link_or_joint():
    """<ros2_control>, mimics and our own tag included; other names stay."""
    xml = """<robot name="r"><free_flyer><reaction_wheel joint="w"/><imu link="l"/></free_flyer>
    <link name="l"/><link name="m"/><joint name="w" type="continuous"><parent link="l"/>
    <child link="m"/><mimic joint="w"/></joint><material name="grey"/>
    <ros2_control name="s" type="system"><joint name="w"/></ros2_control></robot>"""
    text = prefixed(xml, 'a_')
    assert text.count('"a_w"') == 4
    assert text.count('"a_l"') == 3
    assert '"grey"' in text
    assert '"s"' in text
    assert prefixed(xml, '') == xml
