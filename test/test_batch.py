# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A batch of states against one simulator for each."""

from benchmarks.models import arms_and_wheels
from free_flyer_dynamics import Batch, CommandError, Simulator, TopologyError
from free_flyer_dynamics.generate import random_tree
import numpy as np
import pytest

from test.worlds import random_start

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
    x, y, z, w = rows['base_quaternions']
    u = np.array([x, y, z])
    hat = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    R = (w * w - u @ u) * np.eye(3) + 2 * np.outer(u, u) + 2 * w * hat
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


def test_what_a_batch_cannot_take_is_refused(model):
    """Loops, counts, shapes and names, each by a sentence."""
    sim = Simulator()
    sim.add(model)
    with pytest.raises(CommandError, match='above 0'):
        sim.batch(0)
    batch = sim.batch(2)
    with pytest.raises(CommandError, match='positions must be finite'):
        batch.set_states(positions=np.zeros(3))
    with pytest.raises(CommandError, match='unit length'):
        batch.set_states(base_quaternions=np.zeros(4))
    with pytest.raises(CommandError, match='joint'):
        batch.set_efforts({'nobody': 1.0})
    sim.add(model, prefix='b_')
    sim.attach('base', 'b_base', 'spherical')
    with pytest.raises(TopologyError, match='ball'):
        sim.batch(2)
