# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What is refused says why in the library's words, is counted, and changes not a bit."""

from collections import Counter
import math

import free_flyer_dynamics as ffd
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
pytestmark = [pytest.mark.ros, pytest.mark.jit, pytest.mark.slow]

from diagnostic_msgs.msg import DiagnosticArray  # noqa: E402, I100
from free_flyer_dynamics.ros.conversions import by_name  # noqa: E402
from free_flyer_dynamics.ros.world import World  # noqa: E402
from free_flyer_interfaces.msg import TopologyOperation  # noqa: E402
from free_flyer_interfaces.srv import (  # noqa: E402
    ChangeTopology,
    LoadState,
    SaveState,
    SetJointTorques,
    SetWheelTorques,
    Step,
)
from geometry_msgs.msg import Vector3, WrenchStamped  # noqa: E402
from sensor_msgs.msg import JointState  # noqa: E402
from std_msgs.msg import Float64MultiArray  # noqa: E402
from std_srvs.srv import SetBool, Trigger  # noqa: E402

from test.ros.conftest import TWO  # noqa: E402
from test.ros.peer import reported  # noqa: E402
from test.ros.twin import twin  # noqa: E402

ARM = ['J1', 'J2', 'J3', 'J4', 'J5', 'J6', 'J7']
WHEELS = ('J8', 'J9', 'J10')
NAN = math.nan


@pytest.fixture(scope='module', autouse=True)
def simulator(start):
    """Run chaser and target, paused and moving, with a window."""
    return start(*TWO, 'paused:=true', node='test.ros.probe_node')


@pytest.fixture(autouse=True)
def lives_on(peer, simulator):
    """Begin paused in mid-flight, something held and something kept; the node lives after it."""
    peer.done(SetBool, 'pause', data=True)
    peer.done(Trigger, 'reset')
    peer.done(SetJointTorques, 'set_joint_torques', names=['J4'], efforts=[1.0])
    peer.done(Step, 'step', steps=7)
    yield
    assert simulator.alive
    peer.done(SetBool, 'pause', data=True)


def world():
    """Return the library's twin of what runs."""
    one = World(twin(), WHEELS)
    one.set_efforts({'J4': 1.0})
    one.advance(7)
    return one


def torques(names, efforts, duration=0.0):
    """Return a call of set_joint_torques, and the same of the library."""
    fields = {'names': names, 'efforts': efforts, 'duration': duration}
    return (
        (SetJointTorques, 'set_joint_torques', fields),
        lambda one: one.set_efforts(by_name(names, efforts), duration),
    )


def wheel_torques(names, efforts):
    """Return a call of set_wheel_torques, and the same of the library."""
    return (
        (SetWheelTorques, 'set_wheel_torques', {'names': names, 'efforts': efforts}),
        lambda one: one.set_wheel_efforts(by_name(names, efforts)),
    )


def topology(operation, **fields):
    """Return a call of change_topology, its first operation a good one; and of the library."""
    good = TopologyOperation(kind='lock', joints=['J1'])
    operations = [good, TopologyOperation(kind=operation[0], **fields)]
    return (
        (ChangeTopology, 'change_topology', {'operations': operations}),
        lambda one: one.change([('lock', 'J1'), operation]),
    )


SERVICES = {
    'a NaN': torques(['J1'], [NAN]),
    'an infinity': torques(['J1', 'J2'], [1.0, -math.inf]),
    'an unknown joint': torques(['J1', 'J77'], [1.0, 1.0]),
    'too few efforts': torques(['J1', 'J2'], [1.0]),
    'too many efforts': torques(['J1'], [1.0, 2.0]),
    'a name twice': torques(['J1', 'J1'], [1.0, 2.0]),
    'a duration that is no number': torques(['J1'], [1.0], NAN),
    'a duration below zero': torques(['J1'], [1.0], -1.0),
    'a NaN on a wheel': wheel_torques(['J8'], [NAN]),
    'a joint that is no wheel': wheel_torques(['J8', 'J1'], [0.1, 0.1]),
    'wheels of another number': wheel_torques(['J8', 'J9'], [0.1]),
    'an unknown frame': topology(
        ('attach', 'nowhere', 'base', {'align': False}), frame_a='nowhere', frame_b='base'
    ),
    'an unknown base': topology(('rebase', 'nowhere'), frame_a='nowhere'),
    'an unknown kind': topology(('weld',)),
    'an unknown kind of joint': topology(
        ('attach', 'end_effector', 'target_target', {'joint': 'rubber'}),
        frame_a='end_effector',
        frame_b='target_target',
        joint_type='rubber',
    ),
    'an axis that is no number': topology(
        ('anchor', 'target_target', {'joint': 'revolute', 'axis': (NAN, 0.0, 0.0)}),
        frame_a='target_target',
        joint_type='revolute',
        axis=Vector3(x=NAN),
    ),
    'a lock of what is locked': topology(('lock', 'J1'), joints=['J1']),
    'a lock of nobody': topology(('lock', 'J77'), joints=['J77']),
    'an unlock of what is free': topology(('unlock', 'J2'), joints=['J2']),
    'a detach of nothing': topology(('detach', 'grip'), name='grip'),
    'a link joined to itself': topology(
        ('attach', 'base', 'base', {}), frame_a='base', frame_b='base'
    ),
    'frames that are apart': topology(
        ('attach', 'base', 'target_target', {'align': True}),
        frame_a='base',
        frame_b='target_target',
        align=True,
    ),
    'a state nobody kept': (
        (LoadState, 'load_state', {'name': 'never'}),
        lambda one: one.load('never'),
    ),
    'a state without a name': ((SaveState, 'save_state', {'name': ''}), lambda one: one.keep('')),
}


@pytest.mark.parametrize('case', SERVICES)
def test_a_service_refuses_in_the_librarys_words_and_nothing_has_changed(peer, case):
    """Even when something before it in the same call could be done."""
    (kind, name, fields), act = SERVICES[case]
    with pytest.raises(ffd.FreeFlyerError) as refused:
        act(world())
    before = peer.probe()
    response = peer.call(kind, name, **fields)
    after = peer.probe()
    assert not response.success
    assert response.message == str(refused.value)
    assert after['digest'] == before['digest']
    assert Counter(after['refused']) - Counter(before['refused']) == {name: 1}
    assert not after['crashes']


def test_a_step_while_it_runs_is_refused_and_nothing_has_changed(peer):
    """Time runs so slowly here that no step is due meanwhile."""
    assert peer.set_number('real_time_factor', 1e-5).successful
    try:
        peer.done(SetBool, 'pause', data=False)
        before = peer.probe()
        response = peer.call(Step, 'step', steps=5)
        after = peer.probe()
    finally:
        peer.done(SetBool, 'pause', data=True)
        assert peer.set_number('real_time_factor', 1.0).successful
    assert not response.success
    assert response.message.startswith('The simulation runs')
    assert '~/pause' in response.message
    assert after['digest'] == before['digest']
    assert Counter(after['refused']) - Counter(before['refused']) == {'step': 1}
    assert peer.done(Step, 'step', steps=1)


def joints(names, efforts=(), **more):
    """Return a message of joints."""
    return JointState(name=list(names), effort=list(efforts), **more)


def wrench(frame, **vectors):
    """Return a wrench in a frame."""
    message = WrenchStamped()
    message.header.frame_id = frame
    for part, value in vectors.items():
        setattr(message.wrench, part, value)
    return message


TOPICS = {
    'ragged': ('joint_commands', joints(['J1', 'J2'], [1.0]), 1),
    'positions alone': ('joint_commands', joints(['J1'], position=[1.0]), 1),
    'all NaN': ('joint_commands', joints(ARM, [NAN] * 7), 7),
    'infinite': ('joint_commands', joints(['J1'], [math.inf]), 1),
    'nobody it knows': ('joint_commands', joints(['gripper'], [1.0]), 1),
    'a name twice': ('joint_commands', joints(['J1', 'J1'], [1.0, 2.0]), 1),
    'wrong length': ('effort_commands', Float64MultiArray(data=[1.0] * 3), 1),
    'NaN in order': ('effort_commands', Float64MultiArray(data=[1.0] * 6 + [NAN]), 1),
    'no wheel': ('wheel_commands', joints(['J8', 'J1'], [0.1, 0.1]), 1),
    'NaN on a wheel': ('wheel_commands', joints(['J8', 'J9'], [0.1, NAN]), 1),
    'a wheel too many': ('wheel_commands', joints(['J8', 'J9'], [0.1]), 1),
    'an unknown frame': ('base_wrench', wrench('nowhere', force=Vector3(x=1.0)), 1),
    'a force that is none': ('base_wrench', wrench('base', force=Vector3(x=NAN)), 1),
    'a torque that is none': ('base_wrench', wrench('world', torque=Vector3(z=math.inf)), 1),
}


@pytest.mark.parametrize('case', TOPICS)
def test_a_topic_refuses_counts_and_nothing_has_changed(peer, case):
    """It never reaches the physics, and nobody has to be asked to know it."""
    topic, message, entries = TOPICS[case]
    before = peer.probe()
    peer.say(message, f'/{topic}')
    peer.until(lambda: peer.probe()['refused'] != before['refused'], 5.0, 'the refusal')
    after = peer.probe()
    assert after['digest'] == before['digest']
    assert Counter(after['refused']) - Counter(before['refused']) == {topic: entries}
    assert not after['crashes']


def test_refusals_are_shown_by_where_they_were_made(peer):
    """One for each, and the last sentence."""
    heard = peer.listen(DiagnosticArray, '/diagnostics')
    before = Counter(peer.probe()['refused'])
    expected = Counter(before)
    for (kind, name, fields), _ in SERVICES.values():
        assert not peer.call(kind, name, **fields).success
        expected[name] += 1
    total = sum(expected.values())
    peer.until(lambda: heard and int(reported(heard[-1])['rejected commands']) >= total, 5.0)
    values = reported(heard[-1])
    assert int(values['rejected commands']) == total
    for name, count in expected.items():
        assert int(values[f'rejected by {name}']) == count
    assert 'empty' in values['last rejection']
