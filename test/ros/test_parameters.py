# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Parameters: what is told of them, what may change, and what a node does not start with."""

import math

import pytest

pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
pytestmark = [pytest.mark.ros, pytest.mark.jit, pytest.mark.slow]

from diagnostic_msgs.msg import DiagnosticArray  # noqa: E402, I100
from free_flyer_interfaces.srv import GetConnectivity  # noqa: E402
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue  # noqa: E402
from rcl_interfaces.srv import (  # noqa: E402
    DescribeParameters,
    GetParameters,
    ListParameters,
    SetParameters,
)

from test.ros.conftest import CHASER  # noqa: E402
from test.ros.peer import described, START  # noqa: E402

LIVE = ('real_time_factor', 'publish_rate', 'command_timeout')  # the others are read once


@pytest.fixture(scope='module')
def simulator(start, peer):
    """Run one robot, given by its description alone; parameters are told once it serves."""
    process = start(
        described(CHASER),
        'integrator:=rk4',
        'effort_joints:=[]',
        'robot.joint_positions.J2:=0.5',
    )
    peer.done(GetConnectivity, 'get_connectivity')
    return process


def listed(peer):
    """Return the names of all parameters but those of ROS itself."""
    return [
        name
        for name in peer.call(ListParameters, 'list_parameters').result.names
        if name not in ('use_sim_time', 'start_type_description_service')
        and not name.startswith('qos_overrides')
    ]


def test_every_parameter_tells_what_it_is(simulator, peer):
    """Type, sentence, range; read-only where it must be."""
    names = listed(peer)
    assert {'dt', 'publish_rate', 'robots', 'robot.urdf', 'robot.fixed', 'gravity'} <= set(names)
    told = peer.call(DescribeParameters, 'describe_parameters', names=names).descriptors
    for parameter in told:
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
    found = {parameter.name: parameter for parameter in told}
    assert found['dt'].read_only
    assert '[s]' in found['dt'].description
    assert not found['publish_rate'].read_only
    assert found['publish_rate'].floating_point_range[0].to_value == 10000.0
    assert 'rk4' in found['integrator'].additional_constraints


def test_parameters_beyond_their_range_are_refused(simulator, peer):
    """What is no number is in none; and what is read-only stays."""
    for name in LIVE:
        assert not peer.set_number(name, math.nan).successful
    for value in (ParameterValue(type=4, string_value='fast'), ParameterValue(type=0)):
        given = [Parameter(name='publish_rate', value=value)]
        assert (
            not peer.call(SetParameters, 'set_parameters', parameters=given).results[0].successful
        )
    assert not peer.set_number('publish_rate', -1.0).successful
    assert not peer.set_number('dt', 0.1).successful


def test_every_parameter_is_told_when_all_are_asked_for_at_once(simulator, peer):
    """A list of nothing is a list too: were it unset, none of the others would be told."""
    names = listed(peer)
    values = peer.call(GetParameters, 'get_parameters', names=names).values
    assert len(values) == len(names)
    found = dict(zip(names, values, strict=True))
    assert all(value.type for value in values), found
    assert found['effort_joints'].type == ParameterType.PARAMETER_STRING_ARRAY
    assert list(found['effort_joints'].string_array_value) == []
    assert found['robot.joint_velocities'].type == ParameterType.PARAMETER_DOUBLE_ARRAY
    assert found['robot.joint_positions.J2'].double_value == 0.5
    # What 'ros2 param dump' writes is a tree: no name may be a leaf and a branch.
    assert not [name for name in names if any(other.startswith(f'{name}.') for other in names)]
    assert found['dt'].double_value == 0.001
    other = ParameterValue(type=ParameterType.PARAMETER_STRING_ARRAY, string_array_value=['J1'])
    given = [Parameter(name='effort_joints', value=other)]
    assert not peer.call(SetParameters, 'set_parameters', parameters=given).results[0].successful


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
    'a number for a joint there is not': (
        ['robots:=[a]', 'a.urdf:=thesis_target', 'a.joint_positions:=[1.0]'],
        "'a.joint_positions' has 1 numbers; expected 0: no joint moves.",
    ),
    'a joint that starts and is not there': (
        ['robots:=[a]', f'a.urdf:={CHASER}', 'a.joint_positions.J99:=1.0'],
        "'a.joint_positions.J99': No joint is named 'J99'",
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
    assert process.popen.wait(START) == 1
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
    peer.until(lambda: 'Simulating' in process.log() or not process.alive, START)
    assert "No parameter is named 'gravty'. Did you mean 'gravity'?" in process.log()
    peer.until(lambda: peer.node.count_publishers('/far/_2nd_one_odom'), 10.0, 'the odd topic')
    heard = peer.listen(DiagnosticArray, '/diagnostics')
    names = {'far/odd: physics', 'far/odd: motion', 'far/odd: commands'}
    peer.until(lambda: any({s.name for s in m.status} == names for m in heard), 10.0, 'its name')
    process.stop()
