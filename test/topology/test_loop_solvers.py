# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Closed loops by every solver, beside the dense twin; and what once went wrong with them."""

from dataclasses import replace

import free_flyer_dynamics as ffd
from free_flyer_dynamics.generate import random_chain
import numpy as np
import pytest

from test.oracles import relative
from test.topology.bond import rotation_of
from test.topology.dense import Scene
from test.topology.scenes import three_robots
from test.topology.test_loops import capture, four_bar
from test.topology.test_operations import BINDING, do
from test.worlds import random_start

pytestmark = pytest.mark.jit

# Independent coordinates divide by the loop's pivots, which may be a thousandth of the largest.
AGREE = 1e-9
EXACT = 1e-10
# Frames that wear show after two hundred hands at 5e-13; sound ones stay at rounding.
WORN = 1e-13
CLOSED = (
    'close_revolute',
    'close_prismatic',
    'close_inside_fixed',
    'two_loops',
    'anchor_both_ends',
)


def joints_of(scene, vdot):
    """Return the joints' entries of rates in the twin's order, robot after robot."""
    return np.concatenate(
        [
            vdot[scene.first[p] + 6 : scene.first[p] + len(t.columns)]
            for p, t in scene.twins.items()
        ]
    )


@pytest.mark.parametrize(
    'algorithm', ['articulated_body', 'mass_matrix', 'independent_coordinates']
)
@pytest.mark.parametrize('name', CLOSED)
def test_every_solver_gives_the_dense_accelerations(name, algorithm):
    """[Lampariello] (5) and the dense KKT of ours agree with the twin's, under load."""
    sim, scene = three_robots(70)
    for operation in BINDING[name]:
        do(sim, scene, operation)
        sim.step(10)
    vdot, _ = scene.read().rates()
    expected = joints_of(scene, vdot)
    given = sim.joint_accelerations(algorithm)[: len(expected)]
    assert relative(given, expected) < AGREE


@pytest.mark.parametrize('algorithm', ['mass_matrix', 'independent_coordinates'])
def test_solvers_agree_on_redundant_loops(algorithm):
    """A planar four-bar in space, and two arms on one rigid target."""
    sims = [four_bar()[0], four_bar(fixed=True)[0], capture()[0]]
    sims[2].change(
        [
            ('attach', 'end_effector_right', 't_right', {'name': 'r'}),
            ('attach', 'end_effector_left', 't_left', {'name': 'l'}),
        ]
    )
    for sim in sims:
        sim.step(10)
        sim.set_efforts({sim.joint_names[0]: 3.0})
        default = sim.joint_accelerations()
        assert relative(sim.joint_accelerations(algorithm), default) < AGREE


@pytest.mark.parametrize('algorithm', ['base_invariant', 'spatial_operator', 'constraint_force'])
def test_other_algorithms_close_loops_or_refuse(algorithm):
    """By an error, never by a wrong number."""
    sim, _ = four_bar()
    try:
        given = sim.joint_accelerations(algorithm)
    except ffd.FreeFlyerError:
        return
    assert relative(given, sim.joint_accelerations()) < AGREE


@pytest.mark.parametrize('name', ['close_revolute', 'close_inside_fixed', 'two_loops'])
def test_a_hand_feels_the_inertia_of_the_closed_loop(name):
    """Operational-space inertia with the loops' constraints in it."""
    sim, scene = three_robots(71)
    for operation in BINDING[name]:
        do(sim, scene, operation)
    scene.read()
    M, (C, _, _) = scene.mass_matrix(), scene.constraints()
    J, _ = scene.jacobian('r2_link5')
    W = np.linalg.inv(M)
    P = W - W @ C.T @ np.linalg.solve(C @ W @ C.T, C @ W)
    expected = np.linalg.inv(J @ P @ J.T)
    assert relative(sim.operational_inertia('r2_link5'), expected) < AGREE


@pytest.mark.parametrize('kind', ['fixed', 'revolute', 'spherical'])
def test_a_bond_where_a_hinge_is_takes_what_the_hinge_leaves(kind):
    """Its rows that the hinge's own axis already forbids are pure rounding, and no constraint."""
    model = random_chain(3, 8, kinds='revolute')
    rng = np.random.default_rng(8)
    sim = ffd.Simulator()
    random_start(rng, model).add_to(sim, model)
    scene = Scene(sim, {'': model})
    before, freedoms = sim.momentum(), sim.connectivity().dof
    axis = model.joint('joint2').axis  # in link 2's axes, and the hinge sits at its origin
    scene.join('bond', kind, 'link2', 'link1', axis)
    after, _ = scene.impact()
    transition = sim.attach('link2', 'link1', kind, axis, 'bond')
    assert transition.dof_after == freedoms - (kind == 'fixed')
    assert relative(scene.read().v, after, 1.0) < EXACT
    assert relative(sim.momentum().angular, before.angular) < EXACT
    if kind != 'fixed':
        assert transition.energy_lost < EXACT
    sim.step(100)
    assert relative(sim.momentum().angular, before.angular) < EXACT


def hinged():
    """Return a chain that flies free and is driven, and how its joints accelerate."""
    model = random_chain(3, 8, kinds='revolute')
    sim = ffd.Simulator()
    random_start(np.random.default_rng(8), model).add_to(sim, model)
    sim.set_efforts({'joint1': 1.0, 'joint2': 2.0, 'joint3': -1.0})
    return sim, sim.joint_accelerations()


@pytest.mark.parametrize(
    'algorithm', ['articulated_body', 'mass_matrix', 'independent_coordinates']
)
def test_a_ball_on_a_hinge_bears_nothing_by_any_solver(algorithm):
    """All that it would bind is rounding, beside which no other row stands."""
    sim, free = hinged()
    sim.attach('link2', 'link1', 'spherical')
    assert relative(sim.joint_accelerations(algorithm)[: len(free)], free) < AGREE


def test_a_ball_on_a_hinge_leaves_no_choice_of_efforts():
    """Those that give accelerations are the hinges' own."""
    sim, _ = hinged()
    wanted = np.array([1.0, 2.0, 3.0])
    expected = sim.inverse_dynamics(wanted)
    sim.attach('link2', 'link1', 'spherical')
    efforts = sim.inverse_dynamics(np.r_[wanted, np.zeros(3)])
    assert relative(efforts[:3], expected) < AGREE


@pytest.mark.parametrize(
    'algorithm', ['articulated_body', 'mass_matrix', 'independent_coordinates']
)
def test_a_bond_on_a_hinge_that_its_stop_holds_bears_nothing(algorithm):
    """What it could bind, the stop already does."""
    model = random_chain(3, 8, kinds='revolute')
    first, *others = model.joints
    model = replace(model, joints=(replace(first, lower=-1.0, upper=0.2), *others))
    sim = ffd.Simulator()
    sim.add(model, joint_positions={'joint1': 0.2})
    sim.set_efforts({'joint1': 50.0, 'joint2': 2.0, 'joint3': -1.0})
    sim.step(2)
    free = sim.joint_accelerations()
    assert free[0] == 0.0
    sim.attach('link1', 'base')
    assert relative(sim.joint_accelerations(algorithm), free) < AGREE


def test_two_balls_at_one_point_are_one():
    """Between two robots: the second adds nothing."""
    sim, _ = three_robots(72, loads=False)
    sim.attach('r0_link2', 'r1_link3', 'spherical', name='one')
    between = sim.velocities[: len(sim.joint_names) - 3]
    transition = sim.attach('r0_link2', 'r1_link3', 'spherical', name='two')
    assert transition.dof_before == transition.dof_after
    assert transition.energy_lost < EXACT
    assert relative(sim.velocities[: len(between)], between, 1.0) < EXACT


def test_handing_over_for_ever_does_not_wear_the_frames():
    """A robot grasped here, let go there, two hundred times: poses never jump."""
    sim, scene = three_robots(73, loads=False)
    links = ['r0_link1', 'r0_link3', 'r1_link2', 'r1_link5']
    sim.attach('r0_link2', 'r1_link1', name='hand0')
    for k in range(1, 200):
        where = [np.c_[rotation_of(p), p.position] for p in map(sim.pose, scene.home)]
        a, b = links[k % 2], links[2 + k // 2 % 2]
        sim.attach(a, b, ('fixed', 'revolute', 'spherical')[k % 3], name=f'hand{k}')
        sim.detach(f'hand{k - 1}')
        now = [np.c_[rotation_of(p), p.position] for p in map(sim.pose, scene.home)]
        assert np.max(np.abs(np.array(now) - where)) < WORN
        sim.step(2)
