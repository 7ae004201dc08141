# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What nature keeps, kept: momentum, energy, the length of a quaternion."""

from free_flyer_dynamics import Simulator
from free_flyer_dynamics.generate import random_chain, random_tree
import numpy as np
import pytest

from test.oracles import relative
from test.worlds import Push, random_case, random_push, random_start, simulator_of

pytestmark = pytest.mark.jit

# Momentum is not integrated but restored: what is left is the rounding of its reading.
MOMENTUM = 1e-12
FAR_OUT = 1e-11  # rounding of a lever arm of kilometres times the linear momentum
# RK4 at 1 kHz and 1 rad/s, joint rates up to five: h^4 per second and a minute of them.
ENERGY = 1e-9
# One division by the root of four squares.
UNIT = 4e-16
# The truncation of RK4 at 1 kHz under steady loads, for what momentum's law leaves to it.
STEP_ERROR = 1e-10

SHAPES = {'tree': random_tree, 'chain': random_chain}


def tumbling(shape, seed, dt):
    """Return a simulator of eight revolute joints, every rate up to 1 rad/s and 1 m/s."""
    model = SHAPES[shape](8, seed, kinds=('revolute', 'continuous'))
    sim = Simulator(dt=dt)
    random_start(np.random.default_rng(seed), model).add_to(sim, model)
    return sim


@pytest.mark.parametrize(('shape', 'seed'), [('tree', 0), ('tree', 1), ('chain', 0), ('chain', 1)])
def test_a_minute_of_tumbling_keeps_momentum_and_energy(shape, seed):
    """Sixty seconds at 1 kHz."""
    sim = tumbling(shape, seed, dt=1e-3)
    before = sim.momentum()
    sim.step(60_000)
    after = sim.momentum()
    assert relative(after.linear, before.linear) < MOMENTUM
    assert relative(after.angular, before.angular) < MOMENTUM
    assert relative(after.angular_about_center, before.angular_about_center) < MOMENTUM
    assert after.kinetic_energy == pytest.approx(before.kinetic_energy, rel=ENERGY)
    drift = after.center - before.center - before.linear / before.mass * sim.time
    assert np.max(np.abs(drift)) < ENERGY * np.linalg.norm(after.center - before.center)


@pytest.mark.parametrize('dt', [0.05, 0.2])
@pytest.mark.parametrize('shape', SHAPES)
def test_an_hour_keeps_momentum_whatever_the_step(shape, dt):
    """Even at steps that lose a tenth of the energy; the robot drifts kilometres meanwhile."""
    sim = tumbling(shape, 2, dt)
    before = sim.momentum()
    for _minute in range(60):
        sim.step(round(60 / dt))
        now = sim.momentum()
        assert relative(now.linear, before.linear) < MOMENTUM
        assert relative(now.angular, before.angular) < MOMENTUM
        assert relative(now.angular_about_center, before.angular_about_center) < FAR_OUT
        assert abs(np.linalg.norm(sim.pose('base').quaternion) - 1) <= UNIT


def test_momentum_of_each_robot_of_a_forest_is_its_own():
    """Drives, damping and dry friction are internal: they move no momentum anywhere."""
    rng = np.random.default_rng(5)
    cases = [random_case(rng, 6, f'r{k}_', damping=0.5, friction=0.5) for k in range(3)]
    cases = [type(case)(case.prefix, case.model, case.start, case.efforts, ()) for case in cases]
    sim = simulator_of(np.zeros(3), cases)
    before = [sim.momentum(case.prefix) for case in cases]
    sim.step(2000)
    for case, was in zip(cases, before, strict=True):
        now = sim.momentum(case.prefix)
        assert relative(now.linear, was.linear) < MOMENTUM
        assert relative(now.angular, was.angular) < MOMENTUM


def test_gravity_and_wrenches_change_momentum_by_their_law(rng):
    """A held torque turns L evenly, a held force p evenly; weight pulls at the centre of mass."""
    case = random_case(rng, 8)
    gravity, force, torque = rng.uniform(-2, 2, (3, 3))
    sim = simulator_of(gravity, [type(case)('', case.model, case.start, case.efforts, ())])
    Push('link1', np.zeros(3), torque, 'world', rng.uniform(-1, 1, 3)).on(sim)
    Push('link3', force, np.zeros(3), 'world', np.zeros(3)).on(sim)
    before, arm = sim.momentum(), sim.pose('link3').position
    moment = np.zeros(3)  # of the force and the weight, by Simpson's rule over the motion
    arms, centers = [arm], [before.center]
    for _step in range(500):
        sim.step()
        arms.append(sim.pose('link3').position)
        centers.append(sim.momentum().center)
    after, seconds = sim.momentum(), sim.time
    gained = (force + before.mass * gravity) * seconds
    assert relative(after.linear, before.linear + gained) < MOMENTUM
    moment = np.cross(simpson(arms, sim.dt), force)
    moment += np.cross(simpson(centers, sim.dt), before.mass * gravity) + torque * seconds
    assert relative(after.angular, before.angular + moment) < STEP_ERROR


def test_weight_turns_momentum_exactly_however_long_the_step(rng):
    """It acts at the centre of mass, which falls: L(t) has a closed form, which no step spoils."""
    case = random_case(rng, 8)
    gravity = rng.uniform(-2, 2, 3)
    sim = simulator_of(
        gravity, [type(case)('', case.model, case.start, case.efforts, ())], dt=0.02
    )
    before = sim.momentum()
    sim.step(50)
    after, t = sim.momentum(), sim.time
    weight = before.mass * gravity
    swept = before.center * t + before.linear / before.mass * t**2 / 2
    assert relative(after.linear, before.linear + weight * t) < MOMENTUM
    assert relative(after.angular, before.angular + np.cross(swept, weight)) < MOMENTUM
    fallen = before.center + before.linear / before.mass * t + gravity * t**2 / 2
    assert relative(after.center, fallen) < MOMENTUM


def simpson(samples, dt):
    """Return the integral of evenly spaced samples, an odd number of them."""
    samples = np.array(samples)
    inner = 4 * samples[1:-1:2].sum(0) + 2 * samples[2:-1:2].sum(0)
    return dt / 3 * (samples[0] + inner + samples[-1])


def test_the_work_of_drives_and_wrenches_is_the_energy_gained(rng):
    """Power summed along the motion: joint torques, wrenches in both frames, damping, weight."""
    case = random_case(rng, 8, damping=0.3)
    gravity = rng.uniform(-2, 2, 3)
    pushes = [random_push(rng, case.model) for _ in range(2)]
    sim = simulator_of(gravity, [type(case)('', case.model, case.start, case.efforts, pushes)])
    damping = np.array([joint.damping for joint in case.model.joints])
    start, power = sim.momentum(), []
    for step in range(1001):
        now = sim.momentum()
        total = (sim.efforts - damping * sim.velocities) @ sim.velocities
        total += gravity @ now.linear
        for push in sim._commands.wrenches.items():
            total += wrench_power(sim, *push)
        power.append(total)
        if step < 1000:
            sim.step()
    work = simpson(power, sim.dt)
    spent = np.sum(np.abs(power)) * sim.dt
    assert abs(now.kinetic_energy - start.kinetic_energy - work) < STEP_ERROR * spent


def wrench_power(sim, link, wrench):
    """Return force times the speed of its point plus torque times the rate."""
    x, y, z, w = sim.pose(link).quaternion
    v = np.array([x, y, z])

    def turned(a):
        return a + 2 * np.cross(v, np.cross(v, a) + w * a)

    force, torque, arm = wrench.force, wrench.torque, turned(wrench.point)
    if not wrench.in_world:
        force, torque = turned(force), turned(torque)
    twist = sim.twist(link)
    return force @ (twist.linear + np.cross(twist.angular, arm)) + torque @ twist.angular
