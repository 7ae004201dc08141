# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The node as it runs by itself: pace, clock, parameters, its end."""

from itertools import pairwise
import math
import signal
import time

import pytest

pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
pytestmark = [pytest.mark.ros, pytest.mark.jit, pytest.mark.slow]

from diagnostic_msgs.msg import DiagnosticArray  # noqa: E402, I100
from free_flyer_dynamics.urdf import shipped  # noqa: E402
from nav_msgs.msg import Odometry  # noqa: E402
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue  # noqa: E402
from rcl_interfaces.srv import DescribeParameters, ListParameters, SetParameters  # noqa: E402
from rclpy.qos import QoSProfile  # noqa: E402
from rosgraph_msgs.msg import Clock  # noqa: E402
from sensor_msgs.msg import JointState  # noqa: E402
from std_srvs.srv import SetBool  # noqa: E402
from tf2_msgs.msg import TFMessage  # noqa: E402

from test.ros.conftest import CHASER  # noqa: E402
from test.ros.peer import stamp  # noqa: E402

LIVE = ('real_time_factor', 'publish_rate', 'command_timeout')  # the others are read once
BUSY = 0.25  # of a rate; the machine may have other things to do


@pytest.fixture(scope='module', autouse=True)
def simulator(start):
    """Run one robot in real time, given by its description alone."""
    text = shipped(CHASER).read_text().split('-->', 1)[1].replace('\n', ' ').replace("'", '')
    return start(f"robot_description:='{text}'", 'integrator:=rk4')


def set_parameter(peer, name, value):
    """Set a parameter that is a number; return the result."""
    given = Parameter(name=name, value=ParameterValue(type=3, double_value=value))
    return peer.call(SetParameters, 'set_parameters', parameters=[given]).results[0]


def test_states_come_at_their_rate_and_time_at_its_own(peer):
    """100 Hz each by default; stamps advance as the clock on the wall."""
    heard = [
        peer.listen(kind, topic)
        for kind, topic in ((JointState, '/joint_states'), (Odometry, '/odom'), (TFMessage, '/tf'))
    ]
    for messages in heard:
        messages.clear()
    start = time.monotonic()
    peer.spin(3.0)
    elapsed = time.monotonic() - start
    for messages in heard:
        assert len(messages) == pytest.approx(100 * elapsed, rel=BUSY)
    stamps = [stamp(m) for m in heard[0]]
    assert (stamps[-1] - stamps[0]) * 1e-9 == pytest.approx(elapsed, rel=BUSY)
    assert {b - a for a, b in pairwise(stamps)} == {10_000_000}


def test_a_kilohertz_on_demand(peer):
    """And back."""
    heard = peer.listen(JointState, '/joint_states')
    assert set_parameter(peer, 'publish_rate', 1000.0).successful
    peer.spin(0.3)
    heard.clear()
    peer.spin(1.0)
    assert set_parameter(peer, 'publish_rate', 100.0).successful
    stamps = [stamp(m) for m in heard]
    assert min(b - a for a, b in pairwise(stamps)) == 1_000_000
    assert len(heard) > 500


def test_a_pd_controller_at_a_kilohertz_closes_the_loop(peer):
    """Every state answered by a command, in real time: the wrist comes towards 0.3 rad."""
    publisher = peer.node.create_publisher(JointState, '/joint_commands', QoSProfile(depth=1))
    peer.until(publisher.get_subscription_count, what='/joint_commands')
    answered = []

    def control(message):
        effort = 40 * (0.3 - message.position[6]) - 12 * message.velocity[6]
        publisher.publish(JointState(name=['J7'], effort=[effort]))
        answered.append(message)

    assert set_parameter(peer, 'publish_rate', 1000.0).successful
    listening = peer.node.create_subscription(JointState, '/joint_states', control, 10)
    try:
        peer.until(lambda: answered, 5.0)
        first = answered[0].position[6]
        peer.spin(3.0)
    finally:
        peer.node.destroy_subscription(listening)
        set_parameter(peer, 'publish_rate', 100.0)
        publisher.publish(JointState(name=['J7'], effort=[0.0]))
        peer.spin(0.2)
        peer.node.destroy_publisher(publisher)
    last = answered[-1]
    assert len(answered) > 3000 * BUSY
    assert abs(last.position[6] - 0.3) < 0.2 * abs(first - 0.3)
    before = [abs(m.effort[6]) for m in answered[-20:]]
    assert 0 < max(before) < 12


@pytest.mark.parametrize(('factor', 'low', 'high'), [(0.25, 0.2, 0.3), (0.0, 2.0, 1e9)])
def test_time_runs_as_fast_as_asked(peer, factor, low, high):
    """0: as fast as it goes."""
    heard = peer.listen(Clock, '/clock')
    assert set_parameter(peer, 'real_time_factor', factor).successful
    try:
        peer.spin(0.2)
        heard.clear()
        start = time.monotonic()
        peer.spin(2.0)  # a quarter as fast, the clock is told each 40 ms
        elapsed = time.monotonic() - start
        first, last = (m.clock.sec + 1e-9 * m.clock.nanosec for m in (heard[0], heard[-1]))
        assert low < (last - first) / elapsed < high
    finally:
        set_parameter(peer, 'real_time_factor', 1.0)


def test_paused_means_the_clock_stands(peer):
    """It is told all the same, to those who come late."""
    heard = peer.listen(Clock, '/clock')
    peer.done(SetBool, 'pause', data=True)
    peer.spin(0.3)
    heard.clear()
    peer.spin(0.5)
    peer.done(SetBool, 'pause', data=False)
    assert heard
    assert len({(m.clock.sec, m.clock.nanosec) for m in heard[:3]}) == 1


def test_every_parameter_tells_what_it_is(peer):
    """Type, sentence, range; read-only where it must be."""
    names = [
        name
        for name in peer.call(ListParameters, 'list_parameters').result.names
        if name not in ('use_sim_time', 'start_type_description_service')
        and not name.startswith('qos_overrides')
    ]
    assert {'dt', 'publish_rate', 'robots', 'robot.urdf', 'robot.fixed', 'gravity'} <= set(names)
    described = peer.call(DescribeParameters, 'describe_parameters', names=names).descriptors
    for parameter in described:
        assert parameter.type != 0, parameter.name
        assert parameter.description.rstrip(']').endswith(('.', 's', 'm', 'd', '2', 'Hz')), (
            parameter
        )
        assert len(parameter.description) > 15, parameter.name
        assert parameter.read_only != (parameter.name in LIVE), parameter.name
        if parameter.type in (ParameterType.PARAMETER_INTEGER, ParameterType.PARAMETER_DOUBLE):
            (allowed,) = (*parameter.integer_range, *parameter.floating_point_range)
            assert allowed.from_value < allowed.to_value
        if parameter.type == ParameterType.PARAMETER_DOUBLE_ARRAY:
            counted = 'finite numbers' in parameter.additional_constraints
            assert counted != ('joint' in parameter.name), parameter.name
    found = {parameter.name: parameter for parameter in described}
    assert found['dt'].read_only
    assert '[s]' in found['dt'].description
    assert not found['publish_rate'].read_only
    assert found['publish_rate'].floating_point_range[0].to_value == 10000.0
    assert 'rk4' in found['integrator'].additional_constraints


def test_parameters_beyond_their_range_are_refused(peer):
    """What is no number is in none; and what is read-only stays."""
    for name in LIVE:
        assert not set_parameter(peer, name, math.nan).successful
    for value in (ParameterValue(type=4, string_value='fast'), ParameterValue(type=0)):
        given = [Parameter(name='publish_rate', value=value)]
        assert (
            not peer.call(SetParameters, 'set_parameters', parameters=given).results[0].successful
        )
    assert not set_parameter(peer, 'publish_rate', -1.0).successful
    assert not set_parameter(peer, 'dt', 0.1).successful


def test_overruns_are_shown_when_the_process_is_held_up(peer, simulator):
    """Stopped for a fifth of a second: missed deadlines are counted, beyond the bound lost."""
    heard = peer.listen(DiagnosticArray, '/diagnostics')

    def values():
        return {v.key: v.value for status in heard[-1].status for v in status.values}

    heard.clear()
    peer.until(lambda: heard, 5.0)
    before = values()
    simulator.popen.send_signal(signal.SIGSTOP)
    time.sleep(0.2)
    simulator.popen.send_signal(signal.SIGCONT)
    heard.clear()
    least = int(before['overruns']) + 150
    peer.until(lambda: heard and int(values()['overruns']) >= least, 5.0, 'the overruns')
    after = values()
    lost = [float(v['time lost'].removesuffix(' s')) for v in (before, after)]
    assert lost[1] - lost[0] > 0.1


WRONG = {
    'no robot': ([], 'There is no robot'),
    'a robot without a file': (['robots:=[a]'], "'a.urdf' is empty"),
    'a file that is not there': (['robots:=[a]', 'a.urdf:=/nowhere.urdf'], 'Cannot read'),
    'a robot we do not ship': (['robots:=[a]', 'a.urdf:=canadarm'], 'canadarm'),
    'a number out of range': (['robots:=[a]', 'a.urdf:=thesis_target', 'dt:=-1.0'], 'dt'),
    'text for a number': (['robots:=[a]', 'a.urdf:=thesis_target', 'dt:=fast'], 'dt'),
    'two numbers for three': (
        ['robots:=[a]', 'a.urdf:=thesis_target', 'gravity:=[0.0, 1.0]'],
        'expected 3',
    ),
    'a NaN': (['robots:=[a]', 'a.urdf:=thesis_target', 'a.position:=[.nan, 0.0, 0.0]'], 'finite'),
    'a word for yes or no': (
        ['robots:=[a]', 'a.urdf:=thesis_target', 'paused:=perhaps'],
        'true or false',
    ),
    'a joint that starts and is not there': (
        ['robots:=[a]', f'a.urdf:={CHASER}', 'a.joint_positions.J99:=1.0'],
        "No parameter is named 'a.joint_positions.J99'. Did you mean 'a.joint_positions",
    ),
    'an order of joints that are not there': (
        ['robots:=[a]', f'a.urdf:={CHASER}', 'effort_joints:=[J1, J99]'],
        "'effort_joints': No joint is named 'J99'",
    ),
    'a name for a description': (['robot_description:=thesis_target'], "starts with '<'"),
    'an order with a joint twice': (
        ['robots:=[a]', f'a.urdf:={CHASER}', 'effort_joints:=[J1, J2, J1]'],
        'names a joint twice',
    ),
    'a world that is a link': (
        ['robots:=[a]', 'a.urdf:=thesis_target', 'world_frame:=target'],
        'expected a name no link bears',
    ),
    'a prefix too long for a topic': (
        [
            'robots:=[a, b]',
            'a.urdf:=thesis_target',
            'b.urdf:=thesis_target',
            'b.prefix:=' + 'b' * 300,
        ],
        'topic',
    ),
    'two robots with the same topics': (
        [
            'robots:=[a, b, c]',
            *(f'{name}.urdf:=thesis_target' for name in 'abc'),
            'b.prefix:=x-',
            'c.prefix:=x_',
        ],
        "Robots 'b' and 'c' would both publish on 'x_odom'",
    ),
    'two robots with the same names': (
        ['robots:=[a, b]', 'a.urdf:=thesis_target', 'b.urdf:=thesis_target'],
        'another prefix',
    ),
    'a file of parameters that is not there': (['/nowhere/at_all.yaml'], 'at_all.yaml'),
}


@pytest.mark.parametrize('case', WRONG)
def test_what_cannot_run_says_why_in_one_line(start, case):
    """No traceback, and a return code."""
    given, sentence = WRONG[case]
    process = start(*given)
    assert process.popen.wait(60) == 1
    log = process.log()
    assert sentence in log
    assert 'Traceback' not in log


def test_what_means_nothing_is_told_and_an_odd_prefix_makes_no_odd_topic(start, peer):
    """A slip of the pen is no reason not to start, but one to say so."""
    process = start(
        'robots:=[a, b]',
        'a.urdf:=thesis_target',
        'b.urdf:=thesis_target',
        'b.prefix:=2nd one-',
        'gravty:=[0.0, 0.0, 1.0]',
        '__node:=odd',
        '__ns:=/far',
    )
    peer.until(lambda: 'Simulating' in process.log() or not process.alive, 60.0)
    assert "No parameter is named 'gravty'. Did you mean 'gravity'?" in process.log()
    peer.until(lambda: peer.node.count_publishers('/far/_2nd_one_odom'), 10.0, 'the odd topic')
    heard = peer.listen(DiagnosticArray, '/diagnostics')
    names = {'far/odd: physics', 'far/odd: motion', 'far/odd: commands'}
    peer.until(lambda: any({s.name for s in m.status} == names for m in heard), 10.0, 'its name')
    process.stop()
