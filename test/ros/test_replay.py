# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0


"""What the node publishes is a bag that can be drawn and flown again."""

import pytest

pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
pytestmark = [pytest.mark.ros, pytest.mark.jit, pytest.mark.slow]

from free_flyer_dynamics.cli import bag_read, messages  # noqa: E402, I100
from free_flyer_dynamics.cli.replay import replay  # noqa: E402
from free_flyer_interfaces import msg as own  # noqa: E402
from free_flyer_interfaces.srv import ChangeTopology, Step  # noqa: E402
from nav_msgs.msg import Odometry  # noqa: E402
from rclpy.qos import DurabilityPolicy, QoSProfile  # noqa: E402
from sensor_msgs.msg import JointState  # noqa: E402
from std_msgs.msg import String  # noqa: E402

from test.ros.conftest import TWO  # noqa: E402

LATCHED = QoSProfile(depth=10, durability=DurabilityPolicy.TRANSIENT_LOCAL)
TOPICS = {
    'joint_states': (JointState, 100),
    'odom': (Odometry, 100),
    'target_odom': (Odometry, 100),
    'momentum': (own.Momentum, 100),
    'target_momentum': (own.Momentum, 100),
    'robot_description': (String, LATCHED),
    'target_robot_description': (String, LATCHED),
    'connectivity': (own.Connectivity, LATCHED),
    'transitions': (own.Transition, 100),
    'joint_commands': (JointState, 100),
}
# Velocities of a base go out in its own axes: a turn there and back.
ROUNDING = 1e-9


@pytest.fixture(scope='module')
def bag(start, peer, tmp_path_factory):
    """Record a flight in lockstep: a drive, a grasp, a lock."""
    from rosbags.rosbag2 import StoragePlugin, Writer

    start(*TWO, 'paused:=true')
    kept = []
    for topic, (kind, qos) in TOPICS.items():
        name = '/'.join((kind.__module__.split('.')[0], 'msg', kind.__name__))

        def keep(data, topic=topic, name=name):
            kept.append((topic, name, data))

        peer.node.create_subscription(kind, topic, keep, qos, raw=True)
    peer.until(lambda: any(topic == 'target_odom' for topic, *_ in kept), 180, 'a state')
    peer.spin(0.5)
    peer.say(JointState(name=['J2'], effort=[8.0]), '/joint_commands')
    peer.spin(0.2)
    peer.done(Step, 'step', steps=300)
    grasp = own.TopologyOperation(
        kind='attach', frame_a='end_effector', frame_b='target_grasp', name='grip'
    )
    lock = own.TopologyOperation(kind='lock', joints=['J4'])
    peer.done(ChangeTopology, 'change_topology', operations=[grasp, lock])
    peer.done(Step, 'step', steps=300)
    peer.spin(0.5)
    path = tmp_path_factory.mktemp('bags') / 'node'
    with Writer(path, version=9, storage_plugin=StoragePlugin.MCAP) as file:
        connections = {}
        for k, (topic, name, data) in enumerate(kept):
            if topic not in connections:
                connections[topic] = file.add_connection(
                    f'/{topic}', name, typestore=messages.typestore()
                )
            file.write(connections[topic], k, data)
    return bag_read.read(path)


def test_a_bag_of_the_node_is_flown_again(bag):
    """To rounding, through a grasp and a lock: each command acted where it is in the bag."""
    found = replay(bag)
    assert {d.what: d.largest for d in found if d.largest > ROUNDING} == {}


def test_a_bag_of_the_node_reads_as_a_recording(bag):
    """Every state with base, joints, momentum by robot and the change."""
    recorded = bag_read.recording(bag)
    assert recorded.time[-1] == pytest.approx(0.6)
    assert recorded.robots == ('robot', 'target')
    assert [time for time, _ in recorded.changes] == [pytest.approx(0.3)]
    total = recorded.momentum[:, 3:6]
    assert abs(total - recorded.shares.sum(axis=1))[1:].max() < ROUNDING  # the first went unheard
    assert recorded.efforts[-1, recorded.joint_names.index('J2')] == 8.0
