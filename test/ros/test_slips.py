# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What goes wrong within is logged and counted, and the node goes on: ours, and ROS's own."""

import pytest

pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
pytestmark = [pytest.mark.ros, pytest.mark.jit, pytest.mark.slow]

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus  # noqa: E402, I100
from free_flyer_interfaces.srv import SaveState  # noqa: E402
from rcl_interfaces.msg import Parameter, ParameterValue  # noqa: E402
from rcl_interfaces.srv import SetParameters  # noqa: E402
from rclpy.serialization import serialize_message  # noqa: E402
from sensor_msgs.msg import JointState  # noqa: E402
from std_srvs.srv import SetBool  # noqa: E402

from test.ros.conftest import TWO  # noqa: E402
from test.ros.peer import reported  # noqa: E402


@pytest.fixture(scope='module', autouse=True)
def simulator(start):
    """Run chaser and target, paused and moving, with a window."""
    return start(*TWO, 'paused:=true', node='test.ros.probe_node')


def crashes(peer):
    """Return how many there have been."""
    return sum(peer.probe()['crashes'].values())


def test_a_slip_of_ours_is_logged_counted_and_stops_nothing(peer, simulator):
    """In a service as in a topic's command: who called is told, and physics goes on."""
    heard = peer.listen(DiagnosticArray, '/diagnostics')
    before = simulator.log().count('Traceback')
    crashed = crashes(peer)
    peer.done(SetBool, 'pause', data=False)
    response = peer.call(SaveState, 'save_state', name='crash')
    assert not response.success
    assert 'a slip in a service' in response.message
    peer.say(JointState(name=['crash'], effort=[0.0]), '/wheel_commands')
    peer.until(lambda: crashes(peer) == crashed + 2, what='the second crash')
    first = peer.probe()['digest']
    peer.until(lambda: peer.probe()['digest'] != first, what='a step')
    heard.clear()
    peer.until(lambda: heard and int(reported(heard[-1])['callback crashes']) == crashed + 2)
    log = simulator.log()
    assert log.count('Traceback') == before + 2
    assert 'a slip in a command' in log


def test_a_report_that_fails_is_counted_and_the_next_one_comes(peer, simulator):
    """Diagnostics do not fall silent for good."""
    heard = peer.listen(DiagnosticArray, '/diagnostics')
    peer.done(SaveState, 'save_state', name='garble')
    peer.until(lambda: 'a slip in a report' in simulator.log(), what='the slip')
    heard.clear()
    peer.until(lambda: heard, what='the next report')
    assert int(reported(heard[-1])['publishing failures']) == 1


def test_physics_that_fails_stands_still_says_so_and_goes_on_when_told(peer, simulator):
    """Paused with the reason in log and diagnostics; unpaused, it runs again."""
    heard = peer.listen(DiagnosticArray, '/diagnostics')
    peer.done(SetBool, 'pause', data=True)
    peer.done(SaveState, 'save_state', name='derail')
    peer.done(SetBool, 'pause', data=False)
    heard.clear()
    peer.until(lambda: heard and heard[-1].status[0].level == DiagnosticStatus.ERROR)
    assert 'stopped being finite' in heard[-1].status[0].message
    assert reported(heard[-1])['paused'] == 'True'
    assert 'Physics stopped' in simulator.log()
    peer.done(SetBool, 'pause', data=False)
    first = peer.probe()['digest']
    peer.until(lambda: peer.probe()['digest'] != first, what='a step')


def test_what_ros_cannot_read_is_counted_and_stops_nothing(peer, simulator):
    """A type of parameter there is none of, which rclpy trips over, and a name that is no text."""
    crashed = crashes(peer)
    strange = Parameter(name='publish_rate', value=ParameterValue(type=42))
    client = peer.node.create_client(SetParameters, '/free_flyer/set_parameters')
    peer.until(client.service_is_ready, what='the parameters')
    client.call_async(SetParameters.Request(parameters=[strange]))
    peer.until(lambda: crashes(peer) == crashed + 1, what='the crash')
    readable = serialize_message(JointState(name=['J1..'], effort=[1.0]))
    peer.say(JointState(), '/joint_commands')
    refused = peer.probe()['refused'].get('joint_commands', 0)
    peer.say(readable.replace(b'J1..', b'J1\xff\xfe'), '/joint_commands')
    peer.until(lambda: peer.probe()['refused'].get('joint_commands', 0) > refused, what='no text')
    assert peer.set_number('publish_rate', 200.0).successful
    assert 'not a valid Parameter.Type' in simulator.log()
    assert simulator.alive
