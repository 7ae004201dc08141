# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A capture by service calls alone, and states kept and reloaded."""

from importlib import import_module
from pathlib import Path
import shlex

import numpy as np
import pytest
import yaml

pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
pytestmark = [pytest.mark.ros, pytest.mark.jit, pytest.mark.slow]

from free_flyer_interfaces.msg import Connectivity, Momentum, TopologyOperation  # noqa: E402, I100
from free_flyer_interfaces.srv import (  # noqa: E402
    ChangeTopology,
    GetConnectivity,
    LoadState,
    SaveState,
    SetJointTorques,
    SetWheelTorques,
    Step,
)
from sensor_msgs.msg import JointState  # noqa: E402
from std_srvs.srv import SetBool, Trigger  # noqa: E402

from test.ros.conftest import TWO  # noqa: E402
from test.ros.peer import stamp  # noqa: E402
from test.ros.twin import twin, xyz  # noqa: E402

ROUNDING = 1e-9  # of momenta of some hundred N m s


@pytest.fixture(scope='module', autouse=True)
def simulator(start):
    """Run chaser and target, paused."""
    return start(*TWO, 'paused:=true')


@pytest.fixture(autouse=True)
def from_the_start(peer, simulator):
    """Begin each test at the start; the node lives on after it."""
    peer.done(SetBool, 'pause', data=True)
    peer.done(Trigger, 'reset')
    yield
    assert simulator.alive


def change(peer, *operations):
    """Change the structure."""
    return peer.done(ChangeTopology, 'change_topology', operations=list(operations)).transition


def test_a_capture_by_service_calls_alone(peer):
    """Torque, grasp, lock, release: momentum is continuous in its topic, energy only falls."""
    heard = peer.listen(Momentum, '/momentum')
    heard.clear()
    peer.done(SetJointTorques, 'set_joint_torques', names=['J2'], efforts=[5.0], duration=0.05)
    peer.done(SetWheelTorques, 'set_wheel_torques', names=['J8'], efforts=[0.1])
    peer.done(Step, 'step', steps=200)
    grasp = change(
        peer,
        TopologyOperation(
            kind='attach', frame_a='end_effector', frame_b='target_target', name='grip'
        ),
    )
    assert grasp.energy_lost > 0
    assert grasp.dof_before - grasp.dof_after == 6
    assert [impulse.name for impulse in grasp.impulses] == ['grip']
    peer.done(Step, 'step', steps=200)
    joints = ['J1', 'J2', 'J3', 'J4', 'J5', 'J6', 'J7']
    lock = change(peer, TopologyOperation(kind='lock', joints=joints))
    assert lock.dof_after == 9
    table = peer.done(GetConnectivity, 'get_connectivity').connectivity
    assert list(table.locked) == joints
    assert list(table.attachments) == ['grip']
    peer.done(Step, 'step', steps=200)
    release = change(
        peer,
        TopologyOperation(kind='unlock', joints=joints),
        TopologyOperation(kind='detach', name='grip'),
    )
    assert release.energy_lost == 0
    assert release.dof_after == 22
    peer.done(Step, 'step', steps=200)
    peer.until(lambda: len(heard) > 80, 5.0)
    for part in ('linear', 'angular'):
        told = np.array([xyz(getattr(message, part)) for message in heard])
        np.testing.assert_allclose(told, told[:1].repeat(len(told), 0), atol=ROUNDING)


PAGE = Path(__file__).parents[2] / 'docs' / 'ros.md'


def calls_of(page):
    """Return the service calls of a page, as 'ros2 service call' would read them."""
    lines = [line.strip() for line in page.read_text().splitlines()]
    words = [shlex.split(line) for line in lines if line.startswith('ros2 service call ')]
    return [(name, kind, yaml.safe_load(fields)) for _, _, _, name, kind, fields in words]


def test_the_capture_by_hand_of_the_page_works(peer):
    """Line by line; momentum is what it was."""
    heard = peer.listen(Momentum, '/momentum')
    heard.clear()
    calls = calls_of(PAGE)
    assert len(calls) > 5
    for name, kind, fields in calls:
        package, _, service = kind.split('/')
        found = getattr(import_module(f'{package}.srv'), service)
        if 'operations' in fields:
            fields = {'operations': [TopologyOperation(**o) for o in fields['operations']]}
        peer.done(found, name, **fields)
    peer.until(lambda: len(heard) > 45, 10.0, 'the run')
    told = np.array([xyz(message.angular) for message in heard])
    np.testing.assert_allclose(told, told[:1].repeat(len(told), 0), atol=ROUNDING)


def test_what_services_do_is_what_the_library_does(peer):
    """Names, efforts, durations: to the last bit."""
    heard = peer.listen(JointState, '/joint_states')
    peer.done(SetJointTorques, 'set_joint_torques', names=['J1'], efforts=[2.0], duration=0.01)
    peer.done(SetWheelTorques, 'set_wheel_torques', names=['J9'], efforts=[-0.05])
    peer.done(Step, 'step', steps=25)
    sim = twin()
    sim.set_efforts({'J1': 2.0, 'J9': -0.05})
    sim.step(10)
    sim.set_efforts({'J1': 0.0})
    sim.step(15)
    peer.until(lambda: heard and heard[-1].velocity[0] == sim.velocities[0], 5.0)
    np.testing.assert_array_equal(heard[-1].position, sim.positions)


def test_a_name_too_long_for_a_topic_is_a_name_all_the_same(peer, simulator):
    """The change is made and answered; it only has no topic, which is told."""
    name = 'x' * 300
    change(peer, TopologyOperation(kind='anchor', frame_a='target_target', name=name))
    table = peer.done(GetConnectivity, 'get_connectivity').connectivity
    assert list(table.attachments) == [name]
    change(peer, TopologyOperation(kind='lock', joints=['J1']))
    change(peer, TopologyOperation(kind='detach', name=name))
    assert 'has no topic of its own' in simulator.log()


def test_a_state_that_is_set_tells_its_structure_anew(peer):
    """A controller hears of a reset by it, with its stamp, though nothing else be different."""
    heard = peer.listen(Connectivity, '/connectivity')
    for kind, service, fields in (
        (Trigger, 'reset', {}),
        (SaveState, 'save_state', {'name': 'here'}),
        (LoadState, 'load_state', {'name': 'here'}),
    ):
        peer.done(Step, 'step', steps=10)
        heard.clear()
        peer.done(kind, service, **fields)
        peer.spin(0.2)
        assert len(heard) == (service != 'save_state')
    joints = peer.listen(JointState, '/joint_states')
    peer.until(lambda: joints and stamp(joints[-1]) == stamp(heard[-1]))


def test_states_are_kept_and_reloaded(peer):
    """What follows is the same; the stamps go on."""
    heard = peer.listen(JointState, '/joint_states')
    peer.done(SetJointTorques, 'set_joint_torques', names=['J1'], efforts=[2.0])
    change(peer, TopologyOperation(kind='lock', joints=['J4']))
    peer.done(Step, 'step', steps=20)
    peer.done(SaveState, 'save_state', name='here')
    ends = []
    for _ in range(2):
        time = peer.done(Step, 'step', steps=20).time
        when = time.sec * 10**9 + time.nanosec
        peer.until(lambda when=when: any(stamp(m) == when for m in heard), 5.0)
        ends.append(heard[-1])
        change(peer, TopologyOperation(kind='unlock', joints=['J4']))
        peer.done(LoadState, 'load_state', name='here')
    np.testing.assert_array_equal(ends[0].position, ends[1].position)
    assert stamp(ends[1]) > stamp(ends[0])
    table = peer.done(GetConnectivity, 'get_connectivity').connectivity
    assert list(table.locked) == ['J4']
