# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What is seen in one call is what is read one by one, whatever is joined to what."""

import warnings

import free_flyer_dynamics as ffd
from free_flyer_dynamics import dynamics
from free_flyer_dynamics.direct import Direct
from free_flyer_dynamics.kernels._jit import kernel
from free_flyer_dynamics.kernels.links import link_pose, link_twist, to_world
from free_flyer_dynamics.urdf import shipped
import numpy as np
import pytest

pytestmark = pytest.mark.jit
ROUNDING = 1e-13  # a rotation there and back
LINKS = ('base', 'end_effector', 'target_target', 'world')
STRUCTURES = {
    'as loaded': (),
    'grasped': (('attach', 'end_effector', 'target_target', {'name': 'grip'}),),
    'grasped with a ball joint': (
        ('attach', 'end_effector', 'target_target', {'joint': 'spherical', 'name': 'grip'}),
    ),
    'walked from the target': (
        ('attach', 'end_effector', 'target_target', {'joint': 'revolute', 'name': 'grip'}),
        ('rebase', 'target_target'),
    ),
    'arm frozen, a link as base': (('lock', 'J2', 'J3'), ('rebase', 'link4')),
    'a loop on itself': (
        ('attach', 'end_effector', 'link2', {'joint': 'spherical', 'name': 'knot'}),
    ),
}


@pytest.fixture
def sim():
    """Return a chaser and a tumbling target, both turned and under way."""
    world = ffd.Simulator()
    with warnings.catch_warnings():
        warnings.simplefilter('ignore', ffd.ModelWarning)
        chaser, target = (
            ffd.load_urdf(shipped(name)) for name in ('thesis_seven_joint', 'thesis_target')
        )
    world.add(
        chaser,
        quaternion=(0.5, -0.5, 0.5, 0.5),
        linear_velocity=(0.1, 0.2, -0.3),
        joint_positions={'J2': 0.7, 'J4': -0.4},
        joint_velocities={'J1': 0.3, 'J5': -0.2},
    )
    world.add(
        target,
        prefix='target_',
        position=(3.0, 0.5, 1.0),
        quaternion=(0.1, 0.7, -0.1, 0.7),
        angular_velocity=(0.1, -0.2, 0.3),
    )
    return world


def walked(sim, name):
    """Return axes, origin, velocity and angular velocity of a link in world, by the textbook."""
    structure, link = sim._structure, sim._structure.assembly.link(name, ffd.CommandError)
    dynamics.refresh(structure, sim._state)
    R, x, own, twist = np.zeros((3, 3)), np.zeros(3), np.zeros(6), np.zeros(6)
    link_pose(structure.plan, link, structure.workspace, R, x)
    link_twist(structure.plan, link, structure.workspace, own)
    to_world(structure.plan, link, own, structure.workspace, twist)
    return R, x, twist[3:], twist[:3]


def turned(pose):
    """Return the matrix from a frame's axes to the world's, column by column."""
    x, y, z, w = pose.quaternion
    u, eye = np.array([x, y, z]), np.eye(3)
    return np.array([e + 2 * w * np.cross(u, e) + 2 * np.cross(u, np.cross(u, e)) for e in eye]).T


@pytest.mark.parametrize('case', STRUCTURES)
def test_links_are_seen_where_they_are_and_moving_as_they_do(sim, case):
    """Pose in world; twist in the link's own axes, also of a link that is no node of the walk."""
    sim.change(STRUCTURES[case])
    sim.set_efforts({'J1': 2.0, 'J6': -1.0})
    sim.step(30)
    seen = sim.observe(LINKS)
    for there, moving, link in zip(seen.poses, seen.twists, LINKS, strict=True):
        R, x, linear, angular = walked(sim, link)
        pose, twist = sim.pose(link), sim.twist(link)
        for one in (there, pose):
            np.testing.assert_allclose(one.position, x, atol=ROUNDING)
            np.testing.assert_allclose(turned(one), R, atol=ROUNDING)
        np.testing.assert_allclose(R @ moving.linear, linear, atol=ROUNDING)
        np.testing.assert_allclose(R @ moving.angular, angular, atol=ROUNDING)
        np.testing.assert_allclose(twist.linear, linear, atol=ROUNDING)
        np.testing.assert_allclose(twist.angular, angular, atol=ROUNDING)


@pytest.mark.parametrize('case', STRUCTURES)
def test_joints_are_read_by_themselves_as_among_all_else(sim, case):
    """Where all of them are hinges that move, and where some are locked, in loops or balls."""
    sim.change(STRUCTURES[case])
    sim.step(30)
    seen = sim.observe(())
    np.testing.assert_array_equal(sim.positions, seen.positions)
    np.testing.assert_array_equal(sim.velocities, seen.velocities)
    kept = sim.positions
    sim.step()
    np.testing.assert_array_equal(kept, seen.positions)


@pytest.mark.parametrize('case', STRUCTURES)
def test_a_look_changes_nothing_and_does_not_change_any_more(sim, case):
    """Neither what follows, nor what was seen when the world goes on."""
    sim.change(STRUCTURES[case])
    sim.step(5)
    before = sim.snapshot()
    seen = sim.observe(LINKS)
    kept = seen.joints.copy(), seen.frames.copy()
    assert sim.snapshot() == before
    sim.step(5)
    sim.observe(LINKS)
    np.testing.assert_array_equal(seen.joints, kept[0])
    np.testing.assert_array_equal(seen.frames, kept[1])


def test_positions_grow_as_the_velocities_say(sim):
    """In the order of joint_names: a short step later each is where its rate brings it."""
    names = sim.joint_names
    first = sim.observe(())
    sim.step(1)
    second = sim.observe(())
    rates = (first.velocities + second.velocities) / 2
    np.testing.assert_allclose(
        second.positions - first.positions, rates * sim.dt, atol=1e-3 * sim.dt**2
    )
    assert first.velocities[names.index('J5')] == -0.2
    assert first.positions[names.index('J2')] == 0.7


@kernel
def twice(x):
    return 2 * x


def test_a_kernel_called_directly_answers_the_same():
    """The first time and after it; an unknown link is refused as ever."""
    direct = Direct(twice)
    assert [direct(k) for k in (1.0, 2.5, -3.0)] == [2.0, 5.0, -6.0]


def test_a_link_nobody_knows_is_refused(sim):
    """By name, before and after a look."""
    for _ in range(2):
        with pytest.raises(ffd.CommandError, match="No link is named 'nowhere'"):
            sim.observe(('base', 'nowhere'))
