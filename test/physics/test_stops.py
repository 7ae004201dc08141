# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Position limits: a plastic stop at the very place, missed by no step, that only pushes."""

import dataclasses

from free_flyer_dynamics import Simulator
from free_flyer_dynamics.generate import random_tree
import numpy as np
import pytest

from test.oracles import kkt_impact, relative, Twin
from test.worlds import random_start, Start, wheel_robot

pytestmark = pytest.mark.jit

BASE, WHEEL, STOP = 2.0, 0.5, 1.0
TOGETHER = BASE * WHEEL / (BASE + WHEEL)
# An event is found to 1e-13 of a position; bits of rounding come with the motion.
EVENT = 1e-9
# One factored system, solved by us and by Pinocchio's dense matrix.
IMPACT = 1e-10
MOMENTUM = 1e-12


def hinged(dt=1e-3, integrator='rk4', position=0.0, velocity=1.0, names=('wheel',), **limits):
    """Return wheels between stops, each with that start."""
    limits = limits or {'lower': -STOP, 'upper': STOP}
    model = wheel_robot(names, 'revolute', BASE, WHEEL, **limits)
    sim = Simulator(dt=dt, integrator=integrator)
    sim.add(
        model,
        joint_positions=dict.fromkeys(names, position),
        joint_velocities=dict.fromkeys(names, velocity),
        angular_velocity=(0, 0, 0.4),
    )
    return sim


@pytest.mark.parametrize('integrator', ['rk4', 'dop853'])
@pytest.mark.parametrize('sign', [1.0, -1.0])
@pytest.mark.parametrize('dt', [1e-3, 0.03, 0.7, 5.0])
def test_a_wheel_stops_at_its_limit_and_takes_the_base_along(dt, sign, integrator):
    """Exactly there, at rest, whatever the step; momentum is kept, the right energy lost."""
    sim = hinged(dt, integrator, velocity=sign)
    before = sim.momentum()
    sim.step(int(STOP / dt) + 2)
    assert (sim.positions[0], sim.velocities[0]) == (sign * STOP, 0.0)
    after = sim.momentum()
    assert relative(after.angular, before.angular) < MOMENTUM
    assert sim.twist('base').angular[2] == pytest.approx(before.angular[2] / (BASE + WHEEL))
    lost = before.kinetic_energy - after.kinetic_energy
    assert lost == pytest.approx(TOGETHER / 2, rel=EVENT)


def test_a_stop_holds_against_a_push_and_lets_go():
    """Pushed into it the joint stays; pushed away it leaves at once, from rest."""
    sim = hinged()
    sim.step(1500)
    sim.set_efforts({'wheel': 0.3})
    assert sim.joint_accelerations()[0] == 0.0
    sim.step(500)
    assert (sim.positions[0], sim.velocities[0]) == (STOP, 0.0)
    sim.set_efforts({'wheel': -0.3})
    assert sim.joint_accelerations()[0] == pytest.approx(-0.3 / TOGETHER)
    sim.step(1000)
    assert sim.positions[0] == pytest.approx(STOP - 0.3 / TOGETHER / 2, rel=EVENT)


@pytest.mark.parametrize('dt', [0.01, 1e-3, 0.1])
@pytest.mark.parametrize('over', [1e-6, 1e-10, -1e-6])
def test_a_bounce_inside_one_step_is_not_missed(over, dt):
    """Ends of the step tell nothing: the joint turns just beyond, or just before, its stop."""
    rate, speed = 1000.0, 1.0
    start = STOP + over - speed**2 / (2 * rate)
    sim = hinged(dt, position=start, velocity=speed)
    sim.set_efforts({'wheel': -rate * TOGETHER})
    sim.step()
    if over > 0:  # stopped on the way up, it falls from the stop
        at = speed / rate - np.sqrt(2 * over / rate)
        expected = STOP - rate / 2 * max(dt - at, 0) ** 2
    else:
        expected = start + speed * dt - rate / 2 * dt**2
    if expected > -STOP:
        assert sim.positions[0] == pytest.approx(expected, abs=EVENT)
    else:
        assert (sim.positions[0], sim.velocities[0]) == (-STOP, 0.0)


def test_two_joints_that_hit_together_stop_together():
    """The same instant to the bit, one impact after the other: as if both were one."""
    sim = hinged(0.013, names=('one', 'two'))
    before = sim.momentum()
    sim.step(120)
    np.testing.assert_array_equal(sim.positions, [STOP, STOP])
    np.testing.assert_array_equal(sim.velocities, [0.0, 0.0])
    assert relative(sim.momentum().angular, before.angular) < MOMENTUM


def test_a_joint_may_start_at_its_limit_and_be_still():
    """Nothing happens where nothing pushes."""
    sim = hinged(position=STOP, velocity=0.0)
    sim.step(10)
    assert (sim.positions[0], sim.velocities[0]) == (STOP, 0.0)


def at_stops(seed, count):
    """Return a random robot, some joints exactly at stops, its start and those stops."""
    rng = np.random.default_rng(seed)
    grown = random_tree(8, seed, kinds=('revolute', 'prismatic'))
    joints = [dataclasses.replace(joint, lower=-1.0, upper=1.0) for joint in grown.joints]
    model = dataclasses.replace(grown, joints=tuple(joints))
    start = random_start(rng, model)
    positions = {joint.name: float(rng.uniform(-0.9, 0.9)) for joint in joints}
    stops = {joints[k].name: rng.choice([-1.0, 1.0]) for k in rng.permutation(8)[:count]}
    positions.update(stops)
    rates = dict(start.joint_velocities)
    rates.update({name: rates[name] * 3 for name in stops})
    return (
        model,
        dataclasses.replace(start, joint_positions=positions, joint_velocities=rates),
        stops,
    )


@pytest.mark.parametrize('count', range(1, 6))
@pytest.mark.parametrize('seed', range(20))
def test_impacts_are_the_nearest_velocities_that_stops_allow(seed, count):
    """
    Joints at stops, some running into them, some leaving, some pushed by the others' impacts.

    v+ = argmin |v+ - v-| in Pinocchio's M among all that run into no stop; a step so short that
    nothing else moves.
    """
    model, start, stops = at_stops(seed, count)
    twin = Twin(model, start)
    names = list(twin.names)
    rows = [6 + names.index(name) for name in stops]
    expected = kkt_impact(twin.mass_matrix(), rows, list(stops.values()), twin.ours(twin.v))
    sim = Simulator(dt=1e-14)
    start.add_to(sim, model)
    before = sim.momentum()
    sim.step()
    after = sim.momentum()
    assert relative(sim.velocities, expected[6:], 1.0) < IMPACT
    assert relative(after.linear, before.linear, scale=100.0) < MOMENTUM
    assert relative(after.angular, before.angular, scale=100.0) < MOMENTUM
    assert after.kinetic_energy <= before.kinetic_energy * (1 + MOMENTUM)


@pytest.mark.parametrize('seed', range(8))
def test_a_rattling_robot_stays_within_its_limits_and_keeps_momentum(seed):
    """Driven from stop to stop for seconds, at a coarse step; undriven, energy never grows."""
    model, start, _ = at_stops(seed, 3)
    sim = Simulator(dt=0.01)
    start.add_to(sim, model)
    before, energy = sim.momentum(), np.inf
    for k in range(300):
        sim.step()
        assert (np.abs(sim.positions) <= 1.0).all()
        now = sim.momentum()
        assert now.kinetic_energy <= energy * (1 + 1e-5)  # what RK4 errs in a coarse step
        energy = now.kinetic_energy
        if k == 150:
            sim.set_efforts({name: 4.0 * (-1) ** i for i, name in enumerate(sim.joint_names)})
            energy = np.inf
        if k > 150:
            energy = np.inf
    assert relative(now.linear, before.linear, scale=100.0) < MOMENTUM
    assert relative(now.angular, before.angular, scale=100.0) < MOMENTUM


def test_limits_of_a_fixed_robot_stop_it_too():
    """The world takes the impulse."""
    model = wheel_robot(kind='revolute', base=BASE, wheel=WHEEL, lower=-STOP, upper=STOP)
    sim = Simulator()
    Start(joint_velocities={'wheel': 1.0}, fixed=True).add_to(sim, model)
    sim.step(1500)
    assert (sim.positions[0], sim.velocities[0]) == (STOP, 0.0)
    assert sim.momentum().kinetic_energy == 0.0
