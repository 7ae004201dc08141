# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A batch of worlds with closed loops and ball joints against one simulator for each state."""

from free_flyer_dynamics import Body, Joint, Model, Simulator
from free_flyer_dynamics.generate import random_tree
import numpy as np
import pytest

from test.closed_worlds import clasped, driven, ring, STATES, STEPS, tied, WORLDS
from test.worlds import axes_of, random_start, with_wheels

# Singular poses are left unsaid.
pytestmark = [
    pytest.mark.jit,
    pytest.mark.filterwarnings('ignore::free_flyer_dynamics.LoopWarning'),
]

# Read through one more quaternion or angle, then some steps long.
AGREE = 1e-11
# A step at an event is the textbook's, before and after it the engine's: two ways to each.
EVENTS = 1e-9
# Closed at each step to 1e-13, at lever arms of a few metres.
CLOSED = 1e-9
# Of numbers of order 100, summed in another order.
SUMS = 1e-11


def each_alone(sim, efforts, steps, push=None):
    """Step the simulator as each state in turn, from where it is; yield the number and it."""
    start = sim.snapshot()
    for s in range(STATES):
        sim.restore(start)
        sim.set_efforts({name: float(values[s]) for name, values in efforts.items()})
        if push is not None:
            link, force, torque = push
            sim.set_wrench(link, force[s], torque[s], 'link', (0.1, 0.2, 0.3))
        sim.step(steps)
        yield s


def placed(batch):
    """Return what `set_states` takes."""
    return {
        name: getattr(batch, name)
        for name in (
            'positions', 'velocities', 'base_positions', 'base_quaternions', 'base_velocities'
        )
    }  # fmt: skip


@pytest.mark.parametrize('seed', [4, 8])
def test_links_are_pushed_in_their_own_axes_where_branches_lie_side_by_side(seed, rng):
    """There round tips are rows, which turns the frames of what carries them."""
    sim = ring()
    bare = random_tree(7, seed, kinds='revolute')
    model = with_wheels(rng, bare, [body.name for body in bare.bodies[1::2]])
    random_start(rng, model).add_to(sim, model, 'tree_')
    for body in bare.bodies:
        sim.set_wrench(f'tree_{body.name}', *rng.normal(size=(2, 3)), 'link', rng.normal(size=3))
    batch = sim.batch(2, cores=1)
    batch.step(STEPS)
    sim.step(STEPS)
    for velocities in batch.velocities:
        np.testing.assert_array_equal(velocities, sim.velocities)


@pytest.mark.parametrize('name', (*WORLDS, 'clasped'))
def test_each_state_is_a_simulator_stepped_alone_to_the_last_bit(name, rng):
    """Other efforts for each, at joints that close loops too, and another wrench."""
    sim = clasped() if name == 'clasped' else tied(name)
    link = 'link3' if name == 'clasped' else 'r2_link5'
    batch = sim.batch(np.int64(STATES), cores=2)
    efforts, force = driven(rng, sim.joint_names), rng.normal(size=(STATES, 3))
    batch.set_efforts(efforts)
    batch.set_wrench(link, force, 2 * force, 'link', (0.1, 0.2, 0.3))
    batch.step(STEPS)
    for s in each_alone(sim, efforts, STEPS, (link, force, 2 * force)):
        np.testing.assert_array_equal(batch.positions[s], sim.positions)
        np.testing.assert_array_equal(batch.velocities[s], sim.velocities)
        for got, expected in (
            (batch.pose(link).position[s], sim.pose(link).position),
            (batch.pose(link).quaternion[s], sim.pose(link).quaternion),
            (batch.twist(link).linear[s], sim.twist(link).linear),
            (batch.twist(link).angular[s], sim.twist(link).angular),
        ):
            np.testing.assert_array_equal(got, expected)
        now = sim.momentum()
        told = np.concatenate((now.linear, now.angular, [now.kinetic_energy]))
        ours = np.append(batch.momentum[s], batch.kinetic_energies()[s])
        np.testing.assert_allclose(ours, told, rtol=SUMS, atol=SUMS)
        assert batch.time == sim.time
    assert len({tuple(row) for row in batch.positions}) == STATES


@pytest.mark.parametrize('name', ('close_revolute', 'close_prismatic', 'close_spherical'))
def test_a_drive_at_the_joint_that_closes_a_loop_acts(name):
    """Nothing else differs between the states, and what none drives is as before."""
    sim = tied(name)
    joint = sim.joint_names[-1]
    batch, free = sim.batch(STATES), sim.batch(1)
    batch.set_efforts({joint: np.linspace(-4, 4, STATES)})
    batch.step(STEPS)
    free.step(STEPS)
    rates = batch.velocities[:, -1]
    assert (np.diff(rates) > 1e-4).all()
    np.testing.assert_array_equal(batch.positions[STATES // 2], free.positions[0])


def test_loops_stay_closed_and_momentum_stays_for_seconds(rng):
    """Two seconds, driven inside alone; the hinge is looked at from the two links it joins."""
    sim = ring()
    a, b = sim.pose('base'), sim.pose('link8')
    Ra, Rb = axes_of(a.quaternion), axes_of(b.quaternion)
    axis = np.array([1, 2, 0.5]) / np.linalg.norm([1, 2, 0.5])
    at_b, axis_b = Rb.T @ (a.position - b.position), Rb.T @ Ra @ axis
    batch = sim.batch(STATES)
    batch.set_efforts(driven(rng, sim.joint_names, 0.3))
    before = batch.momentum
    batch.step(2000)
    base, tip = batch.pose('base'), batch.pose('link8')
    for s in range(STATES):
        Ra, Rb = axes_of(base.quaternion[s]), axes_of(tip.quaternion[s])
        gap = tip.position[s] + Rb @ at_b - base.position[s]
        np.testing.assert_allclose(gap, 0, atol=CLOSED)
        np.testing.assert_allclose(Rb @ axis_b, Ra @ axis, atol=CLOSED)
        alone = sim.batch(1)
        alone.set_states(**{name: values[s] for name, values in placed(batch).items()})
        np.testing.assert_allclose(alone.momentum[0], before[s], rtol=1e-10, atol=1e-10)
    assert np.ptp(batch.positions, axis=0).max() > 0.1


def test_turns_of_a_hinge_that_closes_a_loop_are_counted():
    """Two hinges on one line turn alike, round and round, whatever is said about it between."""
    body = [Body(name, 1.0, np.zeros(3), np.eye(3)) for name in ('base', 'disc')]
    sim = Simulator(dt=0.01)
    sim.add(Model('disc', tuple(body), (Joint('spin', 'continuous', 'base', 'disc'),)))
    sim.attach('base', 'disc', joint='revolute', name='bond')
    batch = sim.batch(3)
    rates = np.array([-4.0, 3.0, 7.0])
    batch.set_states(velocities=np.repeat(rates[:, None], 2, axis=1))
    for _ in range(5):
        batch.step(100)
        batch.step(0)
    np.testing.assert_allclose(batch.positions, np.outer(5 * rates, (1, 1)), rtol=1e-9)


@pytest.mark.parametrize('friction', (0.0, 10.0))
@pytest.mark.parametrize('make', (ring, clasped))
@pytest.mark.parametrize('closed', (True, False))
def test_two_cores_give_the_numbers_of_one(closed, make, friction):
    """To the last bit, joints that stick and let go or not: no state feels the one before it."""
    sim = make(friction=friction)
    if not closed:
        sim.detach('bond')
    one, two, back = (sim.batch(19, cores) for cores in (1, 2, 1))
    for batch, way in ((one, 1), (two, 1), (back, -1)):
        batch.set_efforts({'joint2': np.linspace(-30, 30, 19)[::way]})
        batch.set_efforts({'joint5': np.linspace(2, -2, 19)[::way]})
        for _ in range(4):
            batch.step(30)
    assert (len(one._at_work), len(two._at_work)) == (1, 2)
    for expected, got, turned in zip(one._states, two._states, back._states, strict=True):
        np.testing.assert_array_equal(got, expected)
        np.testing.assert_array_equal(turned[::-1], expected)
    holding = one._states.hold.any(axis=1)
    assert (0 < holding.sum() < 19) if friction else not holding.any()


def test_joints_that_stick_in_a_loop_are_as_alone(rng):
    """Dry friction in a ring: what rests, slides and breaks away, state by state."""
    sim = ring(friction=10.0)
    batch, efforts = sim.batch(STATES), driven(rng, sim.joint_names, 8.0)
    force, torque = 3 * rng.normal(size=(2, STATES, 3))
    batch.set_efforts(efforts)
    batch.set_wrench('link4', force, torque, 'link', (0.1, 0.2, 0.3))
    batch.step(100)
    assert 0 < batch._states.hold.any(axis=1).sum() < STATES
    for s in each_alone(sim, efforts, 100, ('link4', force, torque)):
        np.testing.assert_allclose(batch.positions[s], sim.positions, atol=EVENTS)
        np.testing.assert_allclose(batch.velocities[s], sim.velocities, atol=EVENTS)


def test_states_set_anew_forget_what_they_rested_on():
    """Put back where they began, they go the same way again."""
    batch = ring(friction=10.0).batch(STATES)
    start = placed(batch)
    batch.step(200)
    assert batch._states.hold.any()
    first = batch.positions
    batch.set_states(**start)
    assert not batch._states.hold.any()
    batch.step(200)
    np.testing.assert_allclose(batch.positions, first, atol=EVENTS)
