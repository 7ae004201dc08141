# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The engine against the textbook: every joint, every way robots hang together."""

from dataclasses import replace

from benchmarks.models import arms_and_wheels
from free_flyer_dynamics import Simulator
from free_flyer_dynamics.engine import Engine
from free_flyer_dynamics.generate import random_chain
from free_flyer_dynamics.kernels import events
from free_flyer_dynamics.kernels.forward import forward_dynamics
from free_flyer_dynamics.kernels.integrate import joint_forces
from free_flyer_dynamics.kernels.lanes import WIDEST
from free_flyer_dynamics.kernels.layout import Layout
from free_flyer_dynamics.tree import AT_UPPER, MOVING, PRISMATIC, State
import numpy as np
import pytest

from test.kernels.engine_worlds import (
    balls,
    grippers,
    nested,
    satellite,
    wheels_anywhere,
    wheels_on_hands,
    WORLDS,
)
from test.worlds import random_start, with_wheels

# Two recursions over some dozen bodies, relative to the largest entry.
AGREE = 1e-12
# Twenty steps of 1 ms, each of two that differ by rounding.
STEPS, DRIFT = 20, 1e-12


@pytest.fixture(params=WORLDS, ids=lambda world: world.__name__)
def world(request, rng):
    """Return one of the worlds."""
    return request.param(rng)


def textbook_rates(sim, state):
    """Return the rates of v by the textbook's recursion."""
    structure, inputs = sim._structure, sim._inputs
    tau, vdot = np.zeros(structure.nv), np.zeros(structure.nv)
    tree = structure.tree
    joint_forces(tree, state.q, state.v, state.slide, state.blocked, inputs.effort, tau)
    forward_dynamics(tree, state.q, state.v, state.hold, inputs, tau, structure.workspace, vdot)
    return vdot


def engine_rates(sim, state):
    """Return the same by the engine's."""
    vdot = np.zeros(sim._structure.nv)
    Engine(sim._structure, state, sim._inputs).rates(vdot)
    return vdot


def test_rates_are_the_textbooks(world):
    """Whatever joints, roots, wrenches and gravity."""
    expected = textbook_rates(world, world._state)
    got = engine_rates(world, world._state)
    np.testing.assert_allclose(got, expected, atol=AGREE * np.abs(expected).max())


def test_rates_are_the_textbooks_with_joints_held(world, rng):
    """A third of all joints held, some of them under way."""
    state = State(*(column.copy() for column in world._state))
    single = world._structure.tree.kind <= PRISMATIC
    state.hold[single] = AT_UPPER * (rng.uniform(size=single.sum()) < 0.3)
    expected = textbook_rates(world, state)
    got = engine_rates(world, state)
    np.testing.assert_allclose(got, expected, atol=AGREE * np.abs(expected).max())


@pytest.mark.parametrize(
    ('make', 'lanes'), [(satellite, 4), (nested, 4), (grippers, 8), (balls, 4)]
)
def test_joints_of_any_kind_stand_side_by_side(make, lanes, rng):
    """In far fewer rows than there are joints, whether or not some are held."""
    sim = make(rng)
    state = State(*(column.copy() for column in sim._state))
    state.hold[sim._structure.tree.kind == PRISMATIC] = AT_UPPER
    engine = Engine(sim._structure, state, sim._inputs)
    engine.rates(np.zeros(sim._structure.nv))
    assert engine.lanes == min(lanes, WIDEST)
    far = 0.8 if WIDEST == 2 else 0.7
    assert WIDEST == 1 or engine.rows < far * (sim._structure.nodes - 1)


def test_a_joint_that_is_let_go_leaves_no_trace(world):
    """A step after all have been held is, to the last bit, one of a robot none ever was."""
    ways = []
    for held in (False, True):
        engine = Engine(world._structure, world._state, world._inputs)
        single = world._structure.tree.kind <= PRISMATIC
        if held:
            engine.state.hold[single] = AT_UPPER
            engine.rates(np.zeros(world._structure.nv))
            engine.state.hold[single] = MOVING
        rates = np.zeros(world._structure.nv)
        engine.rates(rates)
        ways.append(rates)
    np.testing.assert_array_equal(*ways)


def test_steps_are_the_textbooks(world):
    """Coordinates, velocities, momentum and centre after steps without an event."""
    textbook = State(*(column.copy() for column in world._state))
    structure = world._structure
    engine = Engine(structure, world._state, world._inputs)
    done = 0
    for _ in range(STEPS):
        if engine.run(1e-3, 1) < 0:
            break
        done += 1
        events.step(structure.tree, textbook, world._inputs, 1e-3, 1, structure.workspace)
    assert done == STEPS
    for name in ('q', 'v', 'momentum', 'center'):
        got, expected = getattr(engine.state, name), getattr(textbook, name)
        atol = DRIFT * np.max(np.abs(expected), initial=1.0)
        np.testing.assert_allclose(got, expected, atol=atol, err_msg=name)


@pytest.mark.parametrize(('make', 'wheels'), [(wheels_anywhere, 13), (wheels_on_hands, 10)])
def test_round_wheels_are_no_rows(make, wheels, rng):
    """Whatever carries them; but those that are pushed are, until they are let be."""
    sim = make(rng)
    assert folded(sim) == wheels
    sim.set_wrench('wheel5_link' if make is wheels_on_hands else 'a_wheel0_link', (1, 0, 0))
    assert folded(sim) == wheels - (make is wheels_anywhere)
    sim.set_wrench('wheel5_link' if make is wheels_on_hands else 'a_wheel0_link')
    assert folded(sim) == wheels + (make is wheels_on_hands)


@pytest.mark.parametrize(('longer', 'wheels'), [(0, 4), (1, 0)])
def test_a_round_tip_is_a_wheel_where_that_costs_less(longer, wheels, rng):
    """
    Arms end as one in either case; of unequal ones the shorter is filled up beyond its tip.

    Two lanes have arms of one length stand beside each other, so there none is filled up.
    """
    sim = Simulator()
    base = arms_and_wheels('satellite', 0).model
    random_start(rng, base).add_to(sim, base)
    for k in range(4):
        model = random_chain(4 + longer * (k % 2), seed=k, kinds='revolute')
        model = with_wheels(rng, model, (model.bodies[-1].name,))
        random_start(rng, model).add_to(sim, model, f'a{k}_')
        sim.attach('base', f'a{k}_base', 'revolute', axis=rng.normal(size=3))
    assert folded(sim) == (3 + wheels if WIDEST > 2 else 7)
    expected = textbook_rates(sim, sim._state)
    got = engine_rates(sim, sim._state)
    np.testing.assert_allclose(got, expected, atol=AGREE * np.abs(expected).max())


def folded(sim):
    """Return how many wheels are no rows as the simulator now moves."""
    return int(sim._motion.engine.arena[0][Layout._fields.index('wheels')])


def test_wrenches_add_up_wherever_they_push(rng):
    """On the base, amid an arm and at its tip, in axes of both kinds: as the textbook has them."""
    sim = satellite(rng)
    for link in ('link0', 'link3', 'link13', 'link20'):
        for frame in ('world', 'link'):
            sim.set_wrench(link, *rng.normal(size=(2, 3)), frame, rng.normal(size=3))
            expected = textbook_rates(sim, sim._state)
            got = engine_rates(sim, sim._state)
            np.testing.assert_allclose(got, expected, atol=AGREE * np.abs(expected).max())


def test_a_stop_in_any_lane_is_seen(rng):
    """Each joint in turn runs into a stop within the step; with no stop near it is smooth."""
    model = arms_and_wheels('satellite', 4).model
    names = [joint.name for joint in model.joints]
    for name in [None, *names]:
        joints = tuple(
            replace(joint, upper=2e-4, lower=-1.0) if joint.name == name else joint
            for joint in model.joints
        )
        sim = Simulator()
        sim.add(replace(model, joints=joints), joint_velocities=dict.fromkeys(names, 0.5))
        engine = Engine(sim._structure, sim._state, sim._inputs)
        assert engine.run(1e-3, 1) == (1 if name is None else -1)
