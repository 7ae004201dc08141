# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Names, types and QoS of the contract, of a simulator in a namespace, renamed and remapped."""

import pytest

pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
pytestmark = [pytest.mark.ros, pytest.mark.jit, pytest.mark.slow]

from free_flyer_interfaces.msg import TopologyOperation  # noqa: E402, I100
from free_flyer_interfaces.srv import ChangeTopology, GetConnectivity  # noqa: E402
from rclpy.qos import DurabilityPolicy, ReliabilityPolicy  # noqa: E402

from test.ros.conftest import TWO  # noqa: E402

LASTING, VOLATILE = DurabilityPolicy.TRANSIENT_LOCAL, DurabilityPolicy.VOLATILE
OWN = 'free_flyer_interfaces'
OUT = {  # tf, clock and diagnostics are the same for everybody
    '/tf': ('tf2_msgs/msg/TFMessage', VOLATILE),
    '/clock': ('rosgraph_msgs/msg/Clock', VOLATILE),
    '/diagnostics': ('diagnostic_msgs/msg/DiagnosticArray', VOLATILE),
    '/sat/states': ('sensor_msgs/msg/JointState', VOLATILE),  # remapped
    '/sat/odom': ('nav_msgs/msg/Odometry', VOLATILE),
    '/sat/target_odom': ('nav_msgs/msg/Odometry', VOLATILE),
    '/sat/imu/data_raw': ('sensor_msgs/msg/Imu', VOLATILE),
    '/sat/momentum': (f'{OWN}/msg/Momentum', VOLATILE),
    '/sat/connectivity': (f'{OWN}/msg/Connectivity', LASTING),
    '/sat/robot_description': ('std_msgs/msg/String', LASTING),
    '/sat/target_robot_description': ('std_msgs/msg/String', LASTING),
}
IN = {
    '/sat/joint_commands': 'sensor_msgs/msg/JointState',
    '/sat/wheel_commands': 'sensor_msgs/msg/JointState',
    '/sat/effort_commands': 'std_msgs/msg/Float64MultiArray',
    '/sat/base_wrench': 'geometry_msgs/msg/WrenchStamped',
}
SERVICES = {
    'set_joint_torques': f'{OWN}/srv/SetJointTorques',
    'set_wheel_torques': f'{OWN}/srv/SetWheelTorques',
    'change_topology': f'{OWN}/srv/ChangeTopology',
    'get_connectivity': f'{OWN}/srv/GetConnectivity',
    'pause': 'std_srvs/srv/SetBool',
    'reset': 'std_srvs/srv/Trigger',
    'step': f'{OWN}/srv/Step',
    'save_state': f'{OWN}/srv/SaveState',
    'load_state': f'{OWN}/srv/LoadState',
}


@pytest.fixture(scope='module', autouse=True)
def simulator(start, peer):
    """Run chaser and target where a launch file might put them."""
    process = start(*TWO, 'paused:=true', '__node:=sim', '__ns:=/sat', 'joint_states:=states')
    peer.done(GetConnectivity, '/sat/sim/get_connectivity')
    return process


@pytest.mark.parametrize('topic', OUT)
def test_topics_have_the_type_and_qos_of_the_contract(peer, topic):
    """Reliable all; those that tell of lasting things are transient local."""
    kind, durability = OUT[topic]
    peer.until(lambda: peer.node.count_publishers(topic), 60.0, topic)
    (info,) = peer.node.get_publishers_info_by_topic(topic)
    assert info.topic_type == kind
    assert info.qos_profile.reliability == ReliabilityPolicy.RELIABLE
    assert info.qos_profile.durability == durability


@pytest.mark.parametrize('topic', IN)
def test_commands_have_the_type_of_the_contract_and_are_reliable(peer, topic):
    """A command that nobody repeats must arrive."""
    peer.until(lambda: peer.node.count_subscribers(topic), 60.0, topic)
    (info,) = peer.node.get_subscriptions_info_by_topic(topic)
    assert info.topic_type == IN[topic]
    assert info.qos_profile.reliability == ReliabilityPolicy.RELIABLE


def test_services_have_the_type_of_the_contract(peer):
    """Below the node's name."""

    def found():
        return dict(peer.node.get_service_names_and_types_by_node('sim', '/sat'))

    expected = {f'/sat/sim/{name}': [kind] for name, kind in SERVICES.items()}
    peer.until(lambda: expected.items() <= found().items(), 60.0, 'the services')


def test_an_attachment_has_its_topic_in_the_namespace(peer):
    """A wrench for each, as long as it holds."""
    operation = TopologyOperation(
        kind='attach', frame_a='end_effector', frame_b='target_target', name='grip'
    )
    peer.done(ChangeTopology, '/sat/sim/change_topology', operations=[operation])
    peer.until(lambda: peer.node.count_publishers('/sat/wrenches/grip'), what='the wrench')
    (info,) = peer.node.get_publishers_info_by_topic('/sat/wrenches/grip')
    assert info.topic_type == 'geometry_msgs/msg/WrenchStamped'
