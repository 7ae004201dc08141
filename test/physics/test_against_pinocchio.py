# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Two hundred random worlds, each reading beside Pinocchio's.

1 to 40 joints of every kind, massless frames, forests, fixed robots, damping, dry friction,
gravity, drives, and wrenches in either frame.
"""

from functools import lru_cache

from free_flyer_dynamics import Simulator
from free_flyer_dynamics.algorithms import ALGORITHMS
import numpy as np
import pytest

from test.oracles import pin, relative, Twin
from test.worlds import random_world, simulator_of

pytestmark = pytest.mark.jit

WORLDS = range(200)
# Two sound algorithms agree to rounding times the condition of the robot: 1e4 at 40 joints.
EXACT = 1e-10
# The same sums, fused differently by the processor where rows of a table lie otherwise.
ALONE = 1e-12


@lru_cache(maxsize=len(WORLDS))
def world(seed):
    """Return the simulator of a world, and each robot's case and twin."""
    gravity, cases = random_world(seed)
    robots = []
    for case in cases:
        twin = Twin(case.model, case.start, gravity)
        twin.drive(case.efforts)
        twin.pushes = case.pushes
        robots.append((case, twin))
    return simulator_of(gravity, cases), tuple(robots)


def stacked(robots, of):
    """Return the joints' parts of vectors in our order, robot after robot."""
    return np.concatenate([of(twin)[twin.base :] for _, twin in robots])


def columns(robots, k):
    """Return where the entries of robot k are: all bases first, then all joints."""
    bases = sum(twin.base for _, twin in robots)
    sizes = [len(twin.columns) - twin.base for _, twin in robots]
    base = sum(twin.base for _, twin in robots[:k])
    first = bases + sum(sizes[:k])
    twin = robots[k][1]
    return np.array([*range(base, base + twin.base), *range(first, first + sizes[k])], dtype=int)


def a_link(seed, case):
    """Return the name of some link of a robot, any kind of it."""
    return case.model.bodies[(7 * seed) % len(case.model.bodies)].name


@pytest.mark.parametrize('algorithm', ALGORITHMS)
@pytest.mark.parametrize('seed', WORLDS)
def test_joints_accelerate_as_in_pinocchio(seed, algorithm):
    """Every algorithm of forward dynamics, damping and sliding friction included."""
    sim, robots = world(seed)
    expected = stacked(robots, lambda twin: twin.ours(twin.rates()))
    assert relative(sim.joint_accelerations(algorithm), expected) < EXACT


@pytest.mark.parametrize('seed', WORLDS)
def test_every_link_is_where_and_moves_as_in_pinocchio(seed):
    """Pose, twist and classical acceleration of all links, frames and the base included."""
    sim, robots = world(seed)
    for case, twin in robots:
        for body in case.model.bodies:
            name = case.prefix + body.name
            position, rotation = twin.pose(body.name)
            pose = sim.pose(name)
            turned = pin.Quaternion(pose.quaternion).toRotationMatrix()
            assert relative(pose.position, position, scale=1.0) < EXACT
            assert relative(turned, rotation) < EXACT
            twist, acceleration = twin.motion(body.name)
            ours = sim.twist(name)
            assert relative(np.r_[ours.angular, ours.linear], twist, scale=1.0) < EXACT
            ours = sim.acceleration(name)
            scale = np.max(np.abs(twin.rates()), initial=1.0)
            ours = np.r_[ours.angular, ours.linear]
            assert relative(ours, acceleration, scale) < EXACT


@pytest.mark.parametrize('seed', WORLDS)
def test_inverse_dynamics_leaves_the_base_free_as_in_pinocchio(seed):
    """The drives for rates drawn blindly, by Pinocchio's dense matrices."""
    sim, robots = world(seed)
    wanted = np.random.default_rng(seed).uniform(-3, 3, len(sim.joint_names))
    given, first = sim.inverse_dynamics(wanted), 0
    for _, twin in robots:
        part = slice(first, first + len(twin.names))
        assert relative(given[part], twin.inverse_dynamics(wanted[part])) < EXACT
        first = part.stop


@pytest.mark.parametrize('seed', WORLDS)
def test_inverse_dynamics_undoes_forward_dynamics(seed):
    """The drives of the accelerations are the drives."""
    sim, _ = world(seed)
    accelerations = sim.joint_accelerations()
    lever = np.max(np.abs(sim.mass_matrix())) * np.max(np.abs(accelerations), initial=1.0)
    assert relative(sim.inverse_dynamics(accelerations), sim.efforts, scale=lever) < EXACT


@pytest.mark.parametrize('seed', WORLDS)
def test_mass_matrix_is_pinocchios_bases_first(seed):
    """Base rows at the base link's origin in its axes, angular first; robots do not couple."""
    sim, robots = world(seed)
    H = sim.mass_matrix()
    expected = np.zeros_like(H)
    for k, (_, twin) in enumerate(robots):
        at = columns(robots, k)
        expected[np.ix_(at, at)] = twin.mass_matrix()
    assert relative(H, expected) < EXACT


@pytest.mark.parametrize('seed', WORLDS)
def test_momentum_and_energy_are_pinocchios(seed):
    """Of each robot alone, about the origin and the centre, and their sums."""
    sim, robots = world(seed)
    linear = np.zeros(3)
    for case, twin in robots:
        mass, center, p, about_origin, about_center, energy = twin.momentum()
        given = sim.momentum(case.prefix)
        scale = np.max(np.abs(about_center)) + np.max(np.abs(p)) * (1 + np.max(np.abs(center)))
        assert given.mass == pytest.approx(mass, rel=EXACT)
        assert relative(given.center, center, scale=1.0) < EXACT
        assert relative(given.linear, p, scale) < EXACT
        assert relative(given.angular, about_origin, scale) < EXACT
        assert relative(given.angular_about_center, about_center, scale) < EXACT
        assert given.kinetic_energy == pytest.approx(energy, rel=EXACT)
        linear = linear + p
    assert relative(sim.momentum().linear, linear, scale=1 + np.max(np.abs(linear))) < EXACT


@pytest.mark.parametrize('seed', WORLDS)
def test_jacobians_are_pinocchios(seed):
    """Of a link: plain, and generalized with the base answering."""
    sim, robots = world(seed)
    for k, (case, twin) in enumerate(robots):
        link, at = a_link(seed, case), columns(robots, k)
        expected = np.zeros((6, len(sim.mass_matrix())))
        expected[:, at] = twin.jacobian(link)
        assert relative(sim.jacobian(case.prefix + link), expected, scale=1.0) < EXACT
        bases = sum(other.base for _, other in robots)
        given = sim.generalized_jacobian(case.prefix + link)[:, at[twin.base :] - bases]
        assert relative(given, twin.generalized_jacobian(link), scale=1.0) < EXACT


@pytest.mark.parametrize('seed', WORLDS)
def test_operational_inertia_is_the_dense_formula(seed):
    """(J M^-1 J.T)^-1 with Pinocchio's J and M; of a free robot, whose links can move any way."""
    sim, robots = world(seed)
    for case, twin in robots:
        link = a_link(seed, case)
        if twin.base:
            expected = twin.operational_inertia(link)
            assert relative(sim.operational_inertia(case.prefix + link), expected) < EXACT


@pytest.mark.parametrize('seed', [s for s in WORLDS if s % 4 == 3 and s % 3 != 2])
def test_robots_of_a_forest_move_as_they_do_alone(seed):
    """
    After 20 steps: nothing of one robot enters another's numbers.

    Without dry friction, whose instants cut the step for all.
    """
    gravity, cases = random_world(seed)
    together = simulator_of(gravity, cases)
    together.step(20)
    for case in cases:
        alone = simulator_of(gravity, (case,))
        alone.step(20)
        mine = [name.startswith(case.prefix) for name in together.joint_names]
        assert relative(together.positions[mine], alone.positions, scale=1.0) < ALONE
        assert relative(together.velocities[mine], alone.velocities, scale=1.0) < ALONE
        for link in (case.model.root, a_link(seed, case)):
            one, other = (sim.pose(case.prefix + link) for sim in (together, alone))
            assert relative(one.position, other.position, scale=1.0) < ALONE
            assert relative(one.quaternion, other.quaternion) < ALONE


def test_a_world_of_nothing_reads_as_nothing():
    """No robots, no columns."""
    sim = Simulator()
    assert sim.mass_matrix().shape == (0, 0)
    assert sim.momentum().mass == 0.0
