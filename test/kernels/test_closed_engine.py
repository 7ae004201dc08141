# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The engine with closed loops, against the textbook and against dense algebra."""

import warnings

from benchmarks.models import arms_and_wheels
import free_flyer_dynamics as ffd
from free_flyer_dynamics import dynamics
from free_flyer_dynamics.engine import Engine
from free_flyer_dynamics.generate import random_tree
from free_flyer_dynamics.kernels import events
from free_flyer_dynamics.tree import AT_UPPER, PRISMATIC, State
import numpy as np
import pytest

from test.kernels.test_engine import engine_rates, textbook_rates
from test.oracles import relative
from test.topology.scenes import three_robots
from test.topology.test_operations import BINDING, do
from test.topology.test_straight_poses import CASES, JOINTS, straight
from test.worlds import random_push, random_start

pytestmark = pytest.mark.jit

# Two ways to one small matrix; where it is nearly singular their rounding is so much larger.
AGREE = 1e-9
# A dense solution of the whole, rounding times its condition of about 1e4.
DENSE = 1e-10
# Twenty steps of 1 ms, each brought back onto the loops.
STEPS, DRIFT = 20, 1e-10
# Of a fourth-order step of 1 ms on motion of about 1 rad/s; loops closed to 1e-13 at each.
ENERGY, CLOSED = 1e-8, 1e-11
LOOPS = [name for name in BINDING if 'close' in name or 'loop' in name]


@pytest.fixture(autouse=True)
def _quiet():
    """Leave singular poses unsaid: they are what is looked at."""
    with warnings.catch_warnings():
        warnings.simplefilter('ignore', ffd.LoopWarning)
        yield


def copied(state):
    """Return a state of its own."""
    return State(*(column.copy() for column in state))


def knotted(seed):
    """Return three robots, pushed and driven, tied to one another and to the world at random."""
    rng = np.random.default_rng(seed)
    sim = ffd.Simulator(gravity=rng.normal(size=3) * (seed % 3 > 0))
    links = []
    for k in range(3):
        kinds = ('revolute',) if seed % 2 else ('revolute', 'prismatic', 'continuous')
        model = random_tree(int(rng.integers(3, 8)), 10 * seed + k, kinds=kinds, damping=0.2)
        random_start(rng, model).add_to(sim, model, f'r{k}_')
        random_push(rng, model).on(sim, f'r{k}_')
        links += [f'r{k}_{body.name}' for body in model.bodies]
    bonds = 0
    while len(sim._structure.tree.loops.kind) <= seed % 3:
        a, b = map(str, rng.choice(links, 2, replace=False))
        node = sim._structure.plan.link_node
        if node[sim._link(a)] == node[sim._link(b)]:
            continue  # one rigid body already
        bonds += 1
        bond = {'joint': str(rng.choice(JOINTS)), 'axis': rng.normal(size=3)}
        if bonds == 3 and seed % 4 < 2:
            sim.anchor(b, **bond)
        else:
            sim.attach(a, b, **bond)
    sim.set_efforts({name: float(rng.normal()) for name in sim.joint_names})
    return sim


@pytest.mark.parametrize('seed', range(24))
def test_rates_are_the_textbooks(seed):
    """Every kind of joint in loops and on the way, redundant loops too, some joints held."""
    sim = knotted(seed)
    state = copied(sim._state)
    single = sim._structure.tree.kind <= PRISMATIC
    chance = np.random.default_rng(seed).uniform(size=single.sum())
    for share in (0.0, 0.3):
        state.hold[single] = AT_UPPER * (chance < share)
        expected = textbook_rates(sim, state)
        assert relative(engine_rates(sim, state), expected) < AGREE


@pytest.mark.parametrize('seed', range(12))
def test_steps_are_the_textbooks(seed):
    """Coordinates, velocities, momentum, centre and turns, each step the engine's own."""
    sim = knotted(seed)
    textbook, structure = copied(sim._state), sim._structure
    engine = Engine(structure, sim._state, sim._inputs)
    assert engine.run(1e-3, STEPS) == STEPS
    events.step(structure.tree, textbook, sim._inputs, 1e-3, STEPS, structure.workspace)
    for name in ('q', 'v', 'momentum', 'center', 'loop_angle'):
        got, expected = getattr(engine.state, name), getattr(textbook, name)
        atol = DRIFT * np.max(np.abs(expected), initial=1.0)
        np.testing.assert_allclose(got, expected, atol=atol, err_msg=name)


@pytest.mark.parametrize('name', LOOPS)
def test_rates_are_those_of_dense_algebra(name):
    """On the whole, uncut robots, driven, damped, pushed and in gravity."""
    sim, scene = three_robots(90)
    for operation in BINDING[name]:
        do(sim, scene, operation)
        sim.step(10)
    vdot, _ = scene.read().rates()
    given = engine_rates(sim, sim._state)
    for prefix, twin in scene.twins.items():
        joints = [sim.joint_names.index(prefix + each) for each in twin.names]
        at = sim._structure.joint_v[joints]
        first = scene.first[prefix] + 6
        expected = vdot[first : first + len(at)]
        assert relative(given[at[at >= 0]], expected[at >= 0]) < DENSE


@pytest.mark.parametrize('kind', JOINTS)
@pytest.mark.parametrize('case', CASES)
def test_rates_at_straight_poses_are_the_textbooks(case, kind):
    """Many rows are redundant there and some are only rounding: both ways tell them apart."""
    sim, _ = straight(case, kind)
    expected = textbook_rates(sim, sim._state)
    assert relative(engine_rates(sim, sim._state), expected, 1.0) < AGREE


def test_a_wheel_in_a_loop_is_no_gyrostat(rng):
    """Held at its rim, and let go again."""
    model = arms_and_wheels('satellite', 1).model
    sim = ffd.Simulator()
    random_start(rng, model).add_to(sim, model)
    for a, b in (('link8', 'link6'), ('link6', 'link9')):
        sim.attach(a, b, 'spherical', name='grip')
        expected = textbook_rates(sim, sim._state)
        assert relative(engine_rates(sim, sim._state), expected) < AGREE
        sim.detach('grip')


def test_what_acts_on_a_loop_may_change_under_way():
    """The drive of the hinge that closes it, and a wrench on a link of it."""
    sim, scene = three_robots(91)
    do(sim, scene, BINDING['close_revolute'][0])
    engine, vdot = Engine(sim._structure, sim._state, sim._inputs), np.zeros(sim._structure.nv)
    sim.set_efforts({'bond': 3.0})
    sim.set_wrench('r2_link4', (1.0, 2.0, 3.0), (0.3, 0.2, 0.1))
    engine.take(sim._inputs)
    engine.rates(vdot)
    assert relative(vdot, textbook_rates(sim, sim._state)) < AGREE


def test_the_engine_runs_on_by_itself_closed_and_without_free_energy():
    """Two loops in space under no load, six seconds without the textbook's help."""
    sim, _ = three_robots(3, loads=False)
    for a, b, name in (('r2_base', 'r2_link9', 'one'), ('r2_link1', 'r2_link7', 'two')):
        sim.attach(a, b, 'spherical', name=name)
    before = sim.momentum()
    for _ in range(6):
        assert sim._motion.engine.run(1e-3, 1000) == 1000
        assert sim.residuals().loops < CLOSED
        after = sim.momentum()
        assert abs(after.kinetic_energy / before.kinetic_energy - 1) < ENERGY
        assert relative(after.angular, before.angular) < CLOSED
        assert relative(after.linear, before.linear) < CLOSED


def test_a_step_knows_how_far_from_singular_it_has_left_the_loops():
    """Rank and smallest pivot as the textbook finds them; none before the first step."""
    sim, scene = three_robots(92)
    do(sim, scene, BINDING['close_prismatic'][0])
    assert sim._motion.margin() is None
    sim.step(5)
    rank, margin = sim._motion.margin()
    expected_rank, expected = dynamics.loop_margin(sim._structure, sim._state)
    assert rank == expected_rank == 5
    assert margin == pytest.approx(expected, rel=AGREE)
