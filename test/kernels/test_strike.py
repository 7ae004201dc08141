# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What an impulse does in the engine, against the textbook's factors of the inertia."""

from free_flyer_dynamics.engine import Engine
from free_flyer_dynamics.kernels.aba import articulate, respond
from free_flyer_dynamics.kernels.impact import ROUNDED
from free_flyer_dynamics.kernels.kinematics import forward_kinematics
from free_flyer_dynamics.kernels.loop_motion import velocity_errors
from free_flyer_dynamics.kernels.loops import clear_bias, factor_all_loops, respond_factored
import numpy as np
import pytest

from test.kernels.engine_worlds import satellite, turned_round, WORLDS

# Two recursions over some dozen bodies, relative to the largest entry.
AGREE = 1e-12


@pytest.fixture(params=WORLDS, ids=lambda world: world.__name__)
def world(request, rng):
    """Return one of the worlds of the engine's own tests."""
    return request.param(rng)


def closed_satellite(rng):
    """Return a satellite with two hands joined, branches side by side."""
    sim = satellite(rng)
    sim.attach('link6', 'link13', 'revolute', axis=rng.normal(size=3))
    return sim


def closed_trees(rng):
    """Return robots on one another by a ball and a slide, and by one ball more."""
    sim = turned_round(rng)
    sim.attach('r0_base', 'r1_base', 'spherical', name='second')
    return sim


def textbook_jump(structure, state, impulse):
    """Return the velocities that an impulse on each joint and root gives what is at rest."""
    tree, ws, jump = structure.tree, structure.workspace, np.zeros(structure.nv)
    forward_kinematics(tree, state.q, np.zeros(structure.nv), ws)
    articulate(tree, state.hold, ws)
    rank = factor_all_loops(tree, state.hold, ws, jump)
    clear_bias(ws)
    given = impulse.copy(), ws.zero_c, ws.nothing, ws, jump
    respond(tree, state.hold, *given)
    if structure.loops:
        velocity_errors(tree, ws.a, ws)
        respond_factored(tree, state.hold, rank, *given)
    return jump


def test_an_impulse_makes_the_textbooks_jump(world, rng):
    """Whatever joints and roots: J.T of all links' momenta, as a structure change brings it."""
    structure, state = world._structure, world._state
    engine, impulse = Engine(structure, state, world._inputs), rng.normal(size=structure.nv)
    expected = textbook_jump(structure, state, impulse)
    structure.impulse[:] = impulse
    assert engine.strike(True)[:2] == (0, 1.0)
    jump = engine.state.v - state.v
    size = np.abs(expected).max() + np.abs(state.v).max()
    np.testing.assert_allclose(jump, expected, atol=AGREE * size)


@pytest.mark.parametrize('closed', [closed_satellite, closed_trees])
def test_closed_loops_bear_an_impulse_as_the_textbooks_do(closed, rng):
    """From rest: the jump, what the loops bear, and how many rows of theirs count."""
    sim = closed(rng)
    structure, state = sim._structure, sim._state
    impulse = rng.normal(size=structure.nv)
    expected = textbook_jump(structure, state, impulse)
    borne = structure.workspace.wrench
    engine = Engine(structure, state, sim._inputs)
    engine.state.v[:] = 0.0
    structure.impulse[:] = impulse
    rank, margin, wrench = engine.strike(True)
    assert rank == sim._watch.rank > 0
    assert 0 < margin <= 1
    np.testing.assert_allclose(engine.state.v, expected, atol=AGREE * np.abs(expected).max())
    np.testing.assert_allclose(wrench, borne, atol=10 * AGREE * np.abs(borne).max())


def test_a_blow_that_moves_nothing_leaves_no_trace(world, rng):
    """Weight, pushes and drives act afterwards as they did before, to the last bit."""
    structure, state, inputs = world._structure, world._state, world._inputs
    engine, rates = Engine(structure, state, inputs), np.zeros((2, structure.nv))
    structure.impulse[:] = rng.normal(size=structure.nv)
    engine.strike(False)
    for column, given in zip(engine.state, state, strict=True):
        np.testing.assert_array_equal(column, given)
    engine.rates(rates[0])
    Engine(structure, state, inputs).rates(rates[1])
    np.testing.assert_array_equal(*rates)


def test_what_an_impact_leaves_missing_is_rounding(rng):
    """Root by root and joint by joint, beside the momentum that all bodies have at their speed."""
    sim = satellite(rng)
    sim.lock('joint5')
    structure, v = sim._structure, sim._state.v
    tree = structure.tree
    forward_kinematics(tree, sim._state.q, v, structure.workspace)
    twist = np.abs(structure.workspace.v)
    turning = np.trace(tree.inertia, axis1=1, axis2=2) @ twist[:, :3].sum(axis=1)
    size = turning + tree.mass @ twist[:, 3:].sum(axis=1)
    assert 0 < np.abs(structure.impulse).max() < ROUNDED * size
