# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Closed loops that run for long: they stay closed, pump no energy and survive singularities."""

import free_flyer_dynamics as ffd
from free_flyer_dynamics.model import Body, Joint, Model
import numpy as np
import pytest

from test.oracles import relative
from test.shipped_robots import load
from test.topology.dense import Scene
from test.topology.reference import integrate_scene, scene_gap
from test.topology.scenes import change, three_robots
from test.worlds import Start

pytestmark = pytest.mark.jit

# Projected to 1e-13 at the end of every step; reading frames back adds their rounding.
CLOSED = 1e-11
# Of a fourth-order step of 1 ms on motion of about 1 rad/s, over a minute.
ENERGY = 1e-8
UNSTABILIZED = 1e-7
# Where the loop loses rank, a projection cannot be better than the root of its own tolerance.
SINGULAR = 1e-6
# A step across the singular pose straddles two branches: each passage may cost or win that much.
PASSAGE = 1e-5


def linkage(lengths, ground, turns=(0.0, 0.0, 0.0), heavy=30.0):
    """Return a planar chain of three bars on a base whose far pivot is at (ground, 0)."""
    bodies = [Body('base', heavy, np.array([ground / 2, 0, 0]), heavy * np.eye(3)), Body('pivot')]
    joints = []
    for k, length in enumerate(lengths, 1):
        bodies.append(Body(f'bar{k}', 2.0, np.array([length / 2, 0, 0]), np.diag([0.1, 0.3, 0.3])))
        place = np.array([lengths[k - 2], 0, 0]) if k > 1 else np.zeros(3)
        joints.append(
            Joint(f'j{k}', 'revolute', 'base' if k == 1 else f'bar{k - 1}', f'bar{k}', place)
        )
    bodies.append(Body('tip'))
    fixed = (
        Joint('pivot_mount', 'fixed', 'base', 'pivot', np.array([ground, 0.0, 0.0])),
        Joint('tip_mount', 'fixed', 'bar3', 'tip', np.array([lengths[2], 0.0, 0.0])),
    )
    model = Model('linkage', tuple(bodies), tuple(joints), fixed_joints=fixed)
    return model, dict(zip(('j1', 'j2', 'j3'), turns, strict=True))


def closing(lengths, ground, crank):
    """Return the joint angles at which three bars reach the far pivot: two circles meet."""
    a, b, c = lengths
    knee = a * np.array([np.cos(crank), np.sin(crank)])
    across = np.array([ground, 0.0]) - knee
    d = np.hypot(*across)
    lift = np.arccos((b * b + d * d - c * c) / (2 * b * d))
    second = np.arctan2(across[1], across[0]) + lift
    third = np.arctan2(
        *(np.array([ground, 0.0]) - knee - b * np.array([np.cos(second), np.sin(second)]))[::-1]
    )
    return crank, second - crank, third - second


def four_bar(fixed=False, joint='revolute', bars=(1.0, 1.7, 1.4), ground=1.6, crank=1.0):
    """Return a four-bar linkage under way, and its scene; in space it turns as a whole too."""
    model, at = linkage(bars, ground, closing(bars, ground, crank))
    sim = ffd.Simulator()
    turning = np.zeros(3) if fixed else np.array([0.2, -0.1, 0.5])
    start = Start(
        angular_velocity=turning, joint_positions=at, joint_velocities={'j1': 1.0}, fixed=fixed
    )
    start.add_to(sim, model)
    scene = Scene(sim, {'': model})
    if fixed:
        scene.join('ground', 'fixed', 'world', 'base')
    change(sim, scene, 'attach', 'pivot', 'tip', joint, (0, 0, 1), 'loop')
    return sim, scene


def watch(sim, scene, chunks, steps):
    """Run and return the worst gaps and the energies on the way."""
    worst, energies = np.zeros(2), []
    for _ in range(chunks):
        sim.step(steps)
        worst = np.maximum(worst, scene.read().residuals())
        energies.append(sim.momentum().kinetic_energy)
    return worst, np.array(energies)


@pytest.mark.parametrize('joint', ['revolute', 'spherical'])
@pytest.mark.parametrize('fixed', [False, True])
def test_a_planar_four_bar_in_space_runs_for_a_minute(fixed, joint):
    """Three of a hinge's five rows are redundant; it stays closed, energy and momentum stay."""
    sim, scene = four_bar(fixed, joint)
    assert sim.connectivity().dof == (0 if fixed else 6) + 1
    before = sim.momentum()
    worst, energies = watch(sim, scene, 20, 3000)
    assert worst.max() < CLOSED
    assert np.max(np.abs(energies / before.kinetic_energy - 1)) < ENERGY
    if not fixed:
        assert relative(sim.momentum().angular, before.angular) < CLOSED
        assert relative(sim.momentum().linear, before.linear, 10.0) < CLOSED


def test_a_random_robot_with_two_loops_runs_for_a_minute():
    """Two loops in space under no load: energy neither gained nor lost."""
    sim, scene = three_robots(3, loads=False)
    change(sim, scene, 'attach', 'r2_base', 'r2_link9', 'spherical', name='one')
    scene.read()
    change(sim, scene, 'attach', 'r2_link1', 'r2_link7', 'spherical', name='two')
    before = sim.momentum()
    worst, energies = watch(sim, scene, 20, 1500)
    assert worst.max() < CLOSED
    assert np.max(np.abs(energies / before.kinetic_energy - 1)) < ENERGY
    assert relative(sim.momentum().angular, before.angular) < CLOSED


@pytest.mark.parametrize('drive', [0.0, 3.0, -0.3])
def test_a_four_bar_goes_straight_and_on(drive):
    """All bars in one line, where it may fold either way: no NaN, closed, no free energy."""
    model, at = linkage((1.0, 2.0, 1.0), 2.0, (0.0, 0.0, -np.pi))
    sim = ffd.Simulator()
    Start(joint_positions=at, angular_velocity=np.array([0, 0, 0.1])).add_to(sim, model)
    scene = Scene(sim, {'': model})
    change(sim, scene, 'attach', 'pivot', 'tip', 'revolute', name='loop')
    start = sim.momentum().kinetic_energy
    sim.set_efforts({'j1': drive})
    worst, energies = watch(sim, scene, 20, 250)
    assert np.isfinite(sim.positions).all()
    assert np.isfinite(sim.joint_accelerations()).all()
    assert worst.max() < SINGULAR
    if drive == 0.0:
        assert np.max(energies) < start * (1 + ENERGY)


def test_a_four_bar_swings_through_its_singularity():
    """Under way at full speed, again and again."""
    sim, scene = four_bar(bars=(1.0, 2.0, 1.0), ground=2.0)  # a parallelogram
    before = sim.momentum().kinetic_energy
    worst, energies = watch(sim, scene, 30, 500)
    assert np.isfinite(sim.positions).all()
    assert worst.max() < SINGULAR
    assert np.max(np.abs(energies / before - 1)) < PASSAGE


def capture(**options):
    """Return the thesis's satellite with both hands on a target: [Dimitrov] tables F.4 and F.5."""
    model = load('thesis_planar_dual_arm')
    box = Model(
        'target',
        (Body('target', 200.0, np.zeros(3), 150.0 * np.eye(3)), Body('left'), Body('right')),
        fixed_joints=(
            Joint('left_mount', 'fixed', 'target', 'left', np.array([-0.5, 0.0, 0.0])),
            Joint('right_mount', 'fixed', 'target', 'right', np.array([0.5, 0.0, 0.0])),
        ),
    )
    sim = ffd.Simulator(**options)
    angles = {'J1': 1.2, 'J2': 0.5, 'J3': 0.4, 'J4': -1.2, 'J5': -0.5, 'J6': -0.4}
    Start(joint_positions=angles).add_to(sim, model)
    hands = [sim.pose(f'end_effector_{side}').position for side in ('left', 'right')]
    middle = (hands[0] + hands[1]) / 2
    moving = Start(
        middle, linear_velocity=np.array([0.03, -0.05, 0]), angular_velocity=np.array([0, 0, 0.1])
    )
    moving.add_to(sim, box, 't_')
    return sim, Scene(sim, {'': model, 't_': box}), model


def test_the_two_armed_capture_of_the_thesis():
    """Two hands on one rigid target: joints 1, 3 and 5 are independent, and drive it."""
    sim, scene, _ = capture()
    dof = [sim.connectivity().dof]
    momentum = sim.momentum()
    for hand, side in (('end_effector_right', 'right'), ('end_effector_left', 'left')):
        scene.read()
        transition = change(sim, scene, 'attach', hand, f't_{side}', name=f'grip_{side}')
        after, _ = scene.impact()
        assert relative(scene.read().v, after, 1.0) < 1e-10
        assert relative(transition.momentum_change.angular, np.zeros(3), 1.0) < 1e-10
        dof.append(transition.dof_after)
    assert dof == [18, 12, 9]
    assert relative(sim.momentum().angular, momentum.angular) < 1e-10
    # With the base and joints 1, 3, 5 given, all else follows: [Dimitrov] (2.40).
    J, _, _ = scene.constraints()
    first = scene.first['t_']
    dependent = [*(scene.column(f'J{k}') for k in (2, 4, 6)), *range(first, first + 6)]
    assert np.linalg.matrix_rank(J, 1e-9) == 9
    assert np.linalg.matrix_rank(J[:, dependent], 1e-9) == 9
    efforts = {'J1': 4.0, 'J3': -2.0, 'J5': 3.0}
    sim.set_efforts(efforts)
    scene.twins[''].drive(efforts)
    integrate_scene(scene, 1.0)
    sim.step(1000)
    assert scene_gap(sim, scene) < UNSTABILIZED
    assert np.max(scene.read().residuals()) < CLOSED
    for name in ('grip_right', 'grip_left'):
        sim.attachment_wrench(name)


def test_letting_go_of_one_hand_leaves_the_other():
    """The loop opens; nothing jumps; the target flies on with one arm."""
    sim, scene, _ = capture()
    sim.change(
        [
            ('attach', 'end_effector_right', 't_right', {'name': 'r'}),
            ('attach', 'end_effector_left', 't_left', {'name': 'l'}),
        ]
    )
    sim.step(200)
    before = scene.read().v
    transition = sim.detach('r')  # the one in the tree: the other takes its place there
    assert relative(scene.read().v, before, 1.0) < 1e-12
    assert (transition.dof_before, transition.dof_after) == (9, 12)
    assert sim.connectivity().loops == ()
