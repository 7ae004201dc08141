# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A batch of states against one simulator for each."""

import threading

from benchmarks.models import arms_and_wheels
from free_flyer_dynamics import (
    Batch,
    Body,
    CommandError,
    Joint,
    Model,
    Simulator,
    StateError,
    TopologyError,
)
from free_flyer_dynamics.batch_core import Core
from free_flyer_dynamics.generate import random_tree
import numpy as np
import pytest

from test.closed_worlds import ring
from test.worlds import axes_of, random_start

# Two ways through the same recursion, some steps long, relative to the largest entry.
AGREE = 1e-12
STATES, STEPS = 11, 30  # neither a full register of states


@pytest.fixture
def model():
    """Return a robot with stops and dry friction, which some runs will meet."""
    return random_tree(5, seed=3, kinds=('revolute', 'prismatic'), damping=0.3)


def spread(rng, batch):
    """Put every state somewhere else; return what they were given."""
    n, joints = batch.count, len(batch.joint_names)
    quaternions = rng.normal(size=(n, 4))
    given = {
        'positions': rng.uniform(-0.5, 0.5, (n, joints)),
        'velocities': rng.uniform(-1, 1, (n, joints)),
        'base_positions': rng.normal(size=(n, 3)),
        'base_quaternions': quaternions / np.linalg.norm(quaternions, axis=1, keepdims=True),
        'base_velocities': rng.uniform(-1, 1, (n, 6)),
    }
    batch.set_states(**given)
    efforts = {name: rng.uniform(-1, 1, n) for name in batch.joint_names}
    batch.set_efforts(efforts)
    return given, efforts


def alone(model, given, efforts, s, gravity):
    """Return a simulator that starts as state s does."""
    sim = Simulator(gravity=gravity)
    sim.add(model)
    rows = {name: values[s] for name, values in given.items()}
    names = sim.joint_names
    sim = Simulator(gravity=gravity)
    R = axes_of(rows['base_quaternions'])
    sim.add(
        model,
        position=rows['base_positions'],
        quaternion=rows['base_quaternions'],
        linear_velocity=R @ rows['base_velocities'][:3],
        angular_velocity=R @ rows['base_velocities'][3:],
        joint_positions=dict(zip(names, rows['positions'], strict=True)),
        joint_velocities=dict(zip(names, rows['velocities'], strict=True)),
    )
    sim.set_efforts({name: float(values[s]) for name, values in efforts.items()})
    return sim


def test_every_state_moves_as_a_simulator_of_its_own(model, rng):
    """Gravity, damping, drives: rows of the batch are what single runs give."""
    gravity = rng.normal(size=3)
    batch = Batch(model, STATES, gravity=gravity)
    given, efforts = spread(rng, batch)
    sims = [alone(model, given, efforts, s, gravity) for s in range(STATES)]
    batch.step(STEPS)
    for s, sim in enumerate(sims):
        sim.step(STEPS)
        np.testing.assert_allclose(batch.positions[s], sim.positions, atol=AGREE)
        np.testing.assert_allclose(batch.velocities[s], sim.velocities, atol=AGREE)
        np.testing.assert_allclose(batch.base_positions[s], sim.pose('base').position, atol=AGREE)
        np.testing.assert_allclose(batch.momentum[s, 3:], sim.momentum().angular, atol=AGREE * 1e3)
    assert batch.time == pytest.approx(sims[0].time)


@pytest.mark.slow
def test_states_that_meet_stops_and_friction_go_through_them(rng):
    """One that comes to a stop waits for no other, and holds none up."""
    model = random_tree(4, seed=8, friction=0.2, limits=True)
    batch = Batch(model, STATES)
    given, efforts = spread(rng, batch)
    given['positions'] *= 0.2
    batch.set_states(**given)
    sims = [alone(model, given, efforts, s, np.zeros(3)) for s in range(STATES)]
    batch.step(400)
    for s, sim in enumerate(sims):
        sim.step(400)
        np.testing.assert_allclose(batch.positions[s], sim.positions, atol=1e-9)
        np.testing.assert_allclose(batch.velocities[s], sim.velocities, atol=1e-9)


def test_a_batch_starts_from_a_world_as_it_is(rng):
    """Wheels, wrenches, what is locked and what is held come along."""
    model = arms_and_wheels('satellite', 2).model
    sim = Simulator()
    random_start(rng, model).add_to(sim, model, '')
    sim.set_efforts({name: float(rng.normal()) for name in sim.joint_names})
    sim.set_wrench('link6', *rng.normal(size=(2, 3)), 'world', rng.normal(size=3))
    sim.lock('joint3')
    batch = sim.batch(STATES)
    batch.step(STEPS)
    sim.step(STEPS)
    for s in range(STATES):
        np.testing.assert_allclose(batch.positions[s], sim.positions, atol=AGREE)
        np.testing.assert_allclose(batch.velocities[s], sim.velocities, atol=AGREE)


def test_steps_one_by_one_are_steps_at_once(model, rng):
    """To the last bit, and whatever stands beside a state."""
    batches = [Batch(model, STATES), Batch(model, STATES)]
    given, efforts = spread(rng, batches[0])
    batches[1].set_states(**given)
    batches[1].set_efforts(efforts)
    batches[0].step(STEPS)
    for _ in range(STEPS):
        batches[1].step()
    np.testing.assert_array_equal(batches[0].positions, batches[1].positions)
    np.testing.assert_array_equal(batches[0].velocities, batches[1].velocities)


@pytest.mark.parametrize('closed', [False, True], ids=['abreast', 'one by one'])
def test_whoever_is_late_others_do_its_part(monkeypatch, closed):
    """And all go where one core alone takes them, to the last bit, stops on the way too."""
    sim = ring(friction=0.1) if closed else Simulator()
    if not closed:
        sim.add(random_tree(4, seed=8, friction=0.2, limits=True))
    count = 45
    one, two = sim.batch(count, cores=1), sim.batch(count, cores=2)
    rng = np.random.default_rng(5)
    efforts = {name: rng.uniform(-1, 1, count) for name in two.joint_names}
    first, claimed, alone = threading.Event(), [], []
    step, go_on_alone = Core.step, Core.go_on_alone

    def counted(core, *what):
        alone.append(core)
        return go_on_alone(core, *what)

    def late(core, states, ranges, own, *how):
        if core is two._at_work[1]:
            assert first.wait(20)
        step(core, states, ranges, own, *how)
        if core is two._at_work[0]:
            claimed[:] = ranges.first
            first.set()

    monkeypatch.setattr(Core, 'step', late)
    monkeypatch.setattr(Core, 'go_on_alone', counted)
    for batch in (one, two):
        batch.set_efforts(efforts)
        batch.step(10 * STEPS)
    assert (two._ranges.ends[1:] <= claimed).all()  # before the other one came
    assert not (two._ranges.ends[:-1] % two._group).any()
    assert set(alone) == {*one._at_work, *two._at_work}
    assert (two._done == 10 * STEPS).all()
    np.testing.assert_array_equal(one.positions, two.positions)
    np.testing.assert_array_equal(one.velocities, two.velocities)


def test_what_a_batch_cannot_take_is_refused(model):
    """Counts, lengths, shapes and names, each by a sentence, and nothing has changed."""
    sim = Simulator()
    with pytest.raises(TopologyError, match='Nothing moves'):
        sim.batch(2)
    sim.add(model)
    for count in (0, -1, 2.5, 'two', None):
        with pytest.raises(CommandError, match='above 0'):
            sim.batch(count)
    with pytest.raises(CommandError, match='cores above 0'):
        sim.batch(2, cores=0)
    with pytest.raises(CommandError, match='dt must be'):
        Batch(model, 2, dt=-1e-3)
    batch = sim.batch(2)
    before = [column.copy() for column in batch._states]
    refused = (
        ('positions must be finite', batch.set_states, {'positions': np.zeros(3)}),
        ('not all of it finite', batch.set_states, {'velocities': np.full(5, np.nan)}),
        ('base_positions must be', batch.set_states, {'base_positions': 'far'}),
        ('unit length', batch.set_states, {'base_quaternions': np.zeros(4)}),
        ("free base .* 'head'", batch.set_states, {'base': 'head'}),
        ('joint', batch.set_efforts, {'efforts': {'joint1': 1.0, 'nobody': 1.0}}),
        ('joint1.* shape', batch.set_efforts, {'efforts': {'joint1': np.zeros(3)}}),
        ('mapping', batch.set_efforts, {'efforts': [1.0, 2.0]}),
        ('link', batch.set_wrench, {'link': 'nobody', 'force': (1, 0, 0)}),
        ('force must be', batch.set_wrench, {'link': 'base', 'force': np.zeros((3, 3))}),
        ("'world' or 'link'", batch.set_wrench, {'link': 'base', 'frame': 'moon'}),
        ('whole number of steps', batch.step, {'n': -1}),
        ('whole number of steps', batch.step, {'n': 1.5}),
    )
    for match, call, given in refused:
        with pytest.raises(CommandError, match=match):
            call(**given)
    for column, was in zip(batch._states, before, strict=True):
        np.testing.assert_array_equal(column, was)
    assert batch.time == 0.0


def test_a_simulator_that_steps_otherwise_makes_no_batch(model):
    """It would go another way than its simulator, and nobody would hear of it."""
    for options in ({'integrator': 'dop853'}, {'algorithm': 'mass_matrix'}):
        sim = Simulator(**options)
        sim.add(model)
        with pytest.raises(CommandError, match='rk4'):
            sim.batch(2)


@pytest.mark.parametrize('count', [1, np.int64(8), 9, np.uint8(17)])
def test_states_do_not_feel_how_many_there_are(count, model, rng):
    """Full registers of states or not, the numbers are those of eleven."""
    few, many = Batch(model, STATES), Batch(model, count)
    few.set_efforts({'joint2': 0.7})
    many.set_efforts({'joint2': np.full(count, 0.7)})
    for batch in (few, many):
        batch.step(STEPS)
    np.testing.assert_array_equal(many.positions, np.tile(few.positions[0], (count, 1)))


@pytest.mark.jit
@pytest.mark.parametrize('frame', ['world', 'link'])
def test_each_state_is_pushed_by_its_own_wrench(frame, model, rng):
    """On the base, a link and a wheel, beside what the simulator held; then by other ones."""
    sim = Simulator(gravity=rng.normal(size=3))
    random_start(rng, arms_and_wheels('satellite', 1).model).add_to(
        sim, arms_and_wheels('satellite', 1).model
    )
    sim.set_wrench('link2', *rng.normal(size=(2, 3)), frame, rng.normal(size=3))
    batch, start = sim.batch(STATES), sim.snapshot()
    pushes = [
        (link, *rng.normal(size=(2, STATES, 3)), frame, rng.normal(size=3))
        for link in ('base', 'link2', 'link9', 'base')
    ]
    for push in pushes:
        batch.set_wrench(*push)
        batch.step(STEPS)
    for s in range(STATES):
        sim.restore(start)
        for link, force, torque, axes, point in pushes:
            sim.set_wrench(link, force[s], torque[s], axes, point)
            sim.step(STEPS)
        np.testing.assert_allclose(batch.positions[s], sim.positions, atol=AGREE)
        np.testing.assert_allclose(batch.velocities[s], sim.velocities, atol=100 * AGREE)
        momentum = np.concatenate((sim.momentum().linear, sim.momentum().angular))
        np.testing.assert_allclose(batch.momentum[s], momentum, atol=1e3 * AGREE)


def test_clipped_efforts_are_counted_and_told_once(caplog):
    """As a simulator does it; what is applied is the limit."""
    joint = Joint('slide', 'prismatic', 'base', 'slide_link', effort_limit=2.0)
    bodies = [Body(name, 1.0, np.zeros(3), np.eye(3)) for name in ('base', 'slide_link')]
    batch = Batch(Model('slider', tuple(bodies), (joint,)), 4, dt=0.01)
    for _ in range(2):
        batch.set_efforts({'slide': [1.0, -3.0, 2.0, 5.0]})
    batch.step(100)
    assert batch.clipped_efforts == 4
    assert len([entry for entry in caplog.records if 'slide' in entry.message]) == 1
    # two bodies of 1 kg driven apart for a second: 2 x F/m
    np.testing.assert_allclose(batch.velocities[:, 0], [2.0, -4.0, 4.0, 4.0], rtol=1e-12)


def test_a_batch_goes_on_in_time(model):
    """From the simulator's, step by step as it counts."""
    sim = Simulator(dt=0.1)
    sim.add(model)
    sim.step(3)
    batch = sim.batch(2)
    for _ in range(7):
        batch.step()
        sim.step()
        assert batch.time == sim.time
    batch.step(0)
    assert batch.time == sim.time


def test_momentum_counts_what_is_anchored(model, rng):
    """As the simulator does: it has no law to go by."""
    sim = Simulator()
    random_start(rng, model, fixed=True).add_to(sim, model)
    random_start(rng, model).add_to(sim, model, 'b_')
    batch = sim.batch(2)
    for _ in range(2):
        now = sim.momentum()
        told = np.concatenate((now.linear, now.angular))
        np.testing.assert_allclose(batch.momentum, [told] * 2, rtol=AGREE, atol=1e3 * AGREE)
        np.testing.assert_allclose(batch.kinetic_energies(), now.kinetic_energy, rtol=AGREE)
        sim.step(10)
        batch.step(10)


@pytest.mark.jit
def test_a_state_that_blows_up_takes_no_other_along(model):
    """It stays where it was, the others are stepped, and a sentence names it."""
    batch, calm = Batch(model, STATES), Batch(model, STATES)
    batch.set_efforts({'joint3': np.where(np.arange(STATES) == 4, 1e200, 0.1)})
    calm.set_efforts({'joint3': 0.1})
    calm.step(STEPS)
    with pytest.raises(StateError, match=r'1 states .* state 4 after'):
        batch.step(STEPS)
    others = np.arange(STATES) != 4
    np.testing.assert_array_equal(batch.positions[others], calm.positions[others])
    assert np.isfinite(batch.positions).all()
    assert batch.time == calm.time
