# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Dry friction: constant against the slide, rest at the right instant, no chatter."""

import dataclasses

from free_flyer_dynamics import Simulator
from free_flyer_dynamics.model import Body, Joint, Model
import numpy as np
import pytest

from test.oracles import relative
from test.worlds import random_case, simulator_of, wheel_robot

pytestmark = pytest.mark.jit

BASE, WHEEL, FRICTION, SPEED = 2.0, 0.5, 0.2, 1.0
TOGETHER = BASE * WHEEL / (BASE + WHEEL)
REST = SPEED * TOGETHER / FRICTION  # when the wheel comes to rest [s]
# Where an event lies is found to 1e-13 of a speed; a second passes at most per event.
EVENT = 1e-9
# Momentum is restored, not integrated.
MOMENTUM = 1e-12
# RK4 at 1 ms against the reference, the step cut at every event.
TRAJECTORY = 1e-8
# Half a second after breaking away, RK4 at 40 ms: (0.04)^4 of what there is.
BREAK = 1e-6


def rubbing(dt=1e-3, sign=1.0, integrator='rk4', speed=SPEED):
    """Return a wheel that slides, spun to a side."""
    sim = Simulator(dt=dt, integrator=integrator)
    model = wheel_robot(base=BASE, wheel=WHEEL, friction=FRICTION)
    sim.add(model, joint_velocities={'wheel': sign * speed}, angular_velocity=(0, 0, 0.3))
    return sim


@pytest.mark.parametrize('integrator', ['rk4', 'dop853'])
@pytest.mark.parametrize('sign', [1.0, -1.0])
@pytest.mark.parametrize('dt', [1e-3, 0.013, 0.3, 5.0])
def test_a_sliding_wheel_comes_to_rest_where_it_should(dt, sign, integrator):
    """At v^2 I / 2 f, whatever the step; then it stays at exactly zero, bit for bit."""
    sim = rubbing(dt, sign, integrator)
    sim.step(int(REST / dt) + 1)
    assert sim.velocities[0] == 0.0
    assert sim.positions[0] == pytest.approx(sign * SPEED * REST / 2, rel=EVENT)
    at = sim.positions[0]
    for _step in range(3):
        sim.step()
        assert (sim.positions[0], sim.velocities[0]) == (at, 0.0)


@pytest.mark.parametrize('integrator', ['rk4', 'dop853'])
def test_rest_comes_at_its_instant(integrator):
    """A billionth of a second before it still slides, after it rests."""
    before = rubbing(REST - EVENT, integrator=integrator)
    before.step()
    assert 0 < before.velocities[0] < 10 * EVENT / TOGETHER
    after = rubbing(REST + EVENT, integrator=integrator)
    after.step()
    assert after.velocities[0] == 0.0


def test_friction_slows_evenly():
    """The speed falls in a straight line."""
    sim = rubbing()
    sim.step(1000)
    assert sim.velocities[0] == pytest.approx(SPEED - FRICTION / TOGETHER, rel=EVENT)
    assert sim.joint_accelerations()[0] == pytest.approx(-FRICTION / TOGETHER, rel=EVENT)


@pytest.mark.parametrize('effort', [0.5 * FRICTION, -FRICTION, 0.999999 * FRICTION])
def test_a_joint_at_rest_stays_while_friction_can_hold_it(effort):
    """Up to friction itself, to both sides, and acceleration reads zero."""
    sim = rubbing(speed=0.0)
    sim.set_efforts({'wheel': effort})
    assert sim.joint_accelerations()[0] == 0.0
    sim.step(1000)
    assert (sim.positions[0], sim.velocities[0]) == (0.0, 0.0)


@pytest.mark.parametrize('sign', [1.0, -1.0])
@pytest.mark.parametrize('dt', [1e-3, 0.25])
def test_a_joint_breaks_away_when_pushed_harder(dt, sign):
    """What is above friction accelerates it, read and moved alike; and it stops again."""
    sim = rubbing(dt, speed=0.0)
    sim.step()
    sim.set_efforts({'wheel': sign * 1.5 * FRICTION})
    rate = sign * 0.5 * FRICTION / TOGETHER
    assert sim.joint_accelerations()[0] == pytest.approx(rate, rel=EVENT)
    sim.step(round(1.0 / dt))
    assert sim.velocities[0] == pytest.approx(rate, rel=EVENT)
    sim.set_efforts({'wheel': 0.0})
    sim.step(round(1.0 / dt))
    assert sim.velocities[0] == 0.0
    stop = rate / 2 + rate * rate * TOGETHER / (2 * FRICTION) * sign
    assert sim.positions[0] == pytest.approx(stop, rel=EVENT)


@pytest.mark.parametrize('sign', [1.0, -1.0])
def test_a_drive_that_reverses_the_slide_passes_through_rest(sign):
    """Friction turns with the slide: two parabolas, one step."""
    sim = rubbing(dt=4.0, sign=sign)
    sim.set_efforts({'wheel': -sign * 2 * FRICTION})
    sim.step()
    turned = SPEED * TOGETHER / (3 * FRICTION)
    after = 4.0 - turned
    assert sim.velocities[0] == pytest.approx(-sign * FRICTION / TOGETHER * after, rel=EVENT)
    way = SPEED * turned / 2 - FRICTION / TOGETHER * after**2 / 2
    assert sim.positions[0] == pytest.approx(sign * way, rel=EVENT)


def rubbing_robot(seed, drive):
    """Return a random robot whose every joint rubs, without loads from outside."""
    case = random_case(np.random.default_rng(seed), 6, friction=2.0)
    efforts = {name: drive * value for name, value in case.efforts.items()}
    return dataclasses.replace(case, efforts=efforts, pushes=())


@pytest.mark.parametrize('seed', range(6))
def test_friction_between_many_joints_is_independent_of_the_step(seed):
    """Sliding and sticking joints of a driven robot, beside the reference."""
    case = rubbing_robot(seed, drive=0.5)
    ends = []
    for dt, integrator in ((1e-3, 'rk4'), (4e-3, 'rk4'), (1e-2, 'dop853')):
        sim = simulator_of(np.zeros(3), [case], dt=dt, integrator=integrator)
        sim.step(round(0.6 / dt))
        ends.append(np.r_[sim.positions, sim.velocities])
    assert relative(ends[0], ends[2], 1.0) < TRAJECTORY
    assert relative(ends[1], ends[2], 1.0) < TRAJECTORY


@pytest.mark.parametrize('seed', [2, 3, 4, 5])
def test_rubbing_joints_come_to_rest_and_keep_momentum(seed):
    """Energy only falls; in the end the robot tumbles as one rigid body, joints exactly still."""
    case = rubbing_robot(seed, drive=0.0)
    sim = simulator_of(np.zeros(3), [case], dt=0.01)
    before, energy = sim.momentum(), np.inf
    for _second in range(60):
        sim.step(100)
        now = sim.momentum()
        assert now.kinetic_energy <= energy * (1 + EVENT)
        energy = now.kinetic_energy
    assert relative(now.linear, before.linear) < MOMENTUM
    assert relative(now.angular, before.angular) < MOMENTUM
    assert (sim.velocities == 0.0).all()


@pytest.mark.parametrize('dt', [1e-2, 1e-3])
def test_a_slider_breaks_away_as_the_spin_grows(dt):
    """
    A base spun up by a torque throws a slider out once friction cannot hold it.

    Unlike other events, breaking away is looked for at the steps' ends: at most dt late, when what
    is over friction is still of the order of dt, so the motion is right to its square.
    """
    sim, fine = (spun_slider(step) for step in (dt, 1e-4))
    for one in (sim, fine):
        one.step(round(2.0 / one.dt))
    assert fine.positions[0] > 0.04
    assert relative(sim.positions, fine.positions) < 10 * dt**2


def spun_slider(dt):
    """Return a base under a torque about z and a slider along x, off the axis, that rubs."""
    bodies = (
        Body('base', 20.0, np.zeros(3), 5.0 * np.eye(3)),
        Body('mass', 1.0, np.zeros(3), 0.1 * np.eye(3)),
    )
    way = {'position': np.array([0.5, 0, 0]), 'axis': np.array([1.0, 0, 0]), 'friction': 0.2}
    model = Model('slider', bodies, (Joint('slide', 'prismatic', 'base', 'mass', **way),))
    sim = Simulator(dt=dt)
    sim.add(model)
    sim.set_wrench('base', torque=(0, 0, 3.0))
    return sim


def spinning_up(dt, friction, integrator):
    """Return a slider on a base that a torque spins up, until it has broken away."""
    inertia = np.diag([1.0, 1.0, 1.0])
    model = Model(
        'spinner',
        (Body('base', 10.0, (0, 0, 0), inertia), Body('mass', 1.0, (0, 0, 0), inertia / 10)),
        (
            Joint(
                'slide',
                'prismatic',
                'base',
                'mass',
                position=(1.0, 0, 0),
                axis=(1.0, 0, 0),
                lower=0.0,
                upper=9.0,
                friction=friction,
            ),
        ),
    )
    sim = Simulator(dt=dt, integrator=integrator)
    sim.add(model)
    sim.set_wrench('base', torque=(0, 0, 2.0))
    if not friction:
        sim.set_efforts({'slide': -1.0})  # on its stop
    return sim


@pytest.mark.parametrize('integrator', ['rk4', 'dop853'])
@pytest.mark.parametrize('friction', [1.0, 0.0])
def test_a_joint_breaks_away_within_the_step_at_the_force_it_can_bear(friction, integrator):
    """Of a slider that spins up: when friction, or what holds it on its stop, is outgrown."""
    together, reduced = 1.1 + 10 / 11, 10 / 11  # moment about the common centre, reduced mass
    breaks = np.sqrt(1.0 / reduced) / (2.0 / together)  # reduced * rate^2 is what it bears
    sim = spinning_up(breaks - 1e-9, friction, integrator)
    sim.step()
    assert sim.velocities[0] == 0.0
    long, short = (spinning_up(dt, friction, integrator) for dt in (0.04, 0.005))
    long.step(50)
    short.step(400)
    assert long.velocities[0] > 0.1
    assert long.positions == pytest.approx(short.positions, rel=BREAK)
    assert long.velocities == pytest.approx(short.velocities, rel=BREAK)
