# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A simulator steps by the algorithm it is given, events and all."""

from free_flyer_dynamics import CommandError, Simulator
from free_flyer_dynamics.algorithms import ALGORITHMS
from free_flyer_dynamics.generate import random_chain, random_tree
from free_flyer_dynamics.integrators import integrator as integrator_named
from free_flyer_dynamics.motions import motion
import numpy as np
import pytest

from test.papers.scenes import MOVING, PAPERS
from test.worlds import random_start, wheel_robot

pytestmark = pytest.mark.jit

SAME = 1e-10  # after a second, of the same stages with the same rates but for rounding
OTHERS = [name for name in ALGORITHMS if name != 'articulated_body']


def run(algorithm, integrator='rk4', seconds=0.5, gravity=(0.0, 0.3, 0.0)):
    """Return the end of a loaded tree's motion, and the simulator."""
    sim = Simulator(dt=0.01, gravity=gravity, integrator=integrator, algorithm=algorithm)
    model = random_tree(7, 2, kinds=MOVING, damping=0.3)
    random_start(np.random.default_rng(2), model, speed=0.5).add_to(sim, model)
    sim.set_efforts({'joint2': 0.5, 'joint5': -0.5})
    sim.set_wrench('link3', force=(1.0, 2.0, 0.0), torque=(0.0, 0.1, 0.0), frame='link')
    sim.step(round(seconds / sim.dt))
    pose = sim.pose('base')
    return np.r_[pose.position, pose.quaternion, sim.positions, sim.velocities], sim


@pytest.mark.parametrize('integrator', ['rk4', 'dop853'])
@pytest.mark.parametrize('algorithm', OTHERS)
def test_every_algorithm_steps_alike(algorithm, integrator):
    """Loads, damping and gravity: the motion is that of the compiled step."""
    seconds = 0.5 if integrator == 'rk4' else 0.05
    expected, _ = run('articulated_body', integrator, seconds)
    given, _ = run(algorithm, integrator, seconds)
    assert np.abs(given - expected).max() < SAME


@pytest.mark.parametrize('algorithm', OTHERS)
def test_it_is_that_algorithm_that_steps(algorithm, monkeypatch):
    """Four evaluations a step, and no other."""
    calls = []

    def counted(*arguments, real=ALGORITHMS[algorithm]):
        calls.append(arguments)
        return real(*arguments)

    monkeypatch.setitem(ALGORITHMS, algorithm, counted)
    sim = Simulator(algorithm=algorithm)
    sim.add(random_chain(3, 1), joint_velocities={'joint1': 0.2})
    sim.step(5)
    assert len(calls) == 20


@pytest.mark.parametrize('algorithm', PAPERS)
def test_momentum_is_kept(algorithm):
    """To the last digit, as by the compiled step."""
    sim = Simulator(dt=0.02, algorithm=algorithm)
    model = random_tree(6, 4, kinds=MOVING)
    random_start(np.random.default_rng(4), model, speed=0.4).add_to(sim, model)
    before = sim.momentum()
    sim.step(100)
    after = sim.momentum()
    assert np.abs(after.linear - before.linear).max() < 1e-11
    assert np.abs(after.angular - before.angular).max() < 1e-11


@pytest.mark.parametrize('dt', [0.01, 0.7])
@pytest.mark.parametrize('algorithm', PAPERS)
def test_stops_are_found_within_the_step(algorithm, dt):
    """A joint comes to rest at its stop exactly, and lets go when driven off it."""
    ends = []
    for name in ('articulated_body', algorithm):
        sim = Simulator(dt=dt, algorithm=name)
        model = wheel_robot(lower=-0.4, upper=0.4)
        sim.add(model, joint_velocities={'wheel': 1.0})
        sim.step(round(1.4 / dt))
        assert sim.positions[0] == 0.4
        assert sim.velocities[0] == 0.0
        sim.set_efforts({'wheel': -0.2})
        sim.step(2)
        ends.append(np.r_[sim.positions, sim.velocities, sim.pose('base').quaternion])
    assert ends[1][0] < 0.4
    assert np.abs(ends[1] - ends[0]).max() < 1e-9


@pytest.mark.parametrize('algorithm', PAPERS)
def test_dry_friction_brings_to_rest_within_the_step(algorithm):
    """At the instant of the formula, and it stays."""
    ends = []
    for name in ('articulated_body', algorithm):
        sim = Simulator(dt=0.3, algorithm=name)
        sim.add(wheel_robot(friction=0.5), joint_velocities={'wheel': 1.0})
        sim.step(10)
        assert sim.velocities[0] == 0.0
        ends.append(sim.positions[0])
    assert ends[1] == pytest.approx(ends[0], abs=1e-10)


@pytest.mark.parametrize('algorithm', ['mass_matrix', 'independent_coordinates'])
def test_those_that_close_loops_step_them(algorithm):
    """And the papers' refuse, with nothing changed."""
    ends = []
    for name in ('articulated_body', algorithm):
        sim = Simulator(dt=0.01, algorithm=name)
        sim.add(random_chain(5, 3, kinds=('revolute',)), joint_velocities={'joint2': 0.1})
        sim.attach('link5', 'base', joint='spherical')
        sim.set_efforts({'joint3': 0.1})
        sim.step(20)
        ends.append(sim.positions)
    assert np.abs(ends[1] - ends[0]).max() < 1e-8
    chosen = integrator_named('rk4', 'base_invariant')
    sim._motion = motion(chosen, sim._structure, sim._state, sim._inputs)
    before = sim.positions
    with pytest.raises(CommandError, match='closed'):
        sim.step()
    assert np.array_equal(sim.positions, before)


@pytest.mark.parametrize('algorithm', OTHERS)
def test_structure_changes_on_the_way(algorithm):
    """Caught, locked, rebased and let go: the motion is that of the compiled step."""
    ends = []
    for name in ('articulated_body', algorithm):
        sim = Simulator(dt=0.01, algorithm=name)
        for seed, prefix in ((2, ''), (3, 'target_')):
            model = random_tree(5, seed, kinds=MOVING)
            random_start(np.random.default_rng(seed), model, speed=0.3).add_to(sim, model, prefix)
        sim.step(5)
        sim.attach('link3', 'target_link2', joint='spherical', name='grip')
        sim.step(5)
        sim.change([('lock', 'joint1'), ('rebase', 'target_link4')])
        sim.step(5)
        sim.detach('grip')
        sim.unlock('joint1')
        sim.step(5)
        ends.append(np.r_[sim.positions, sim.velocities, sim.pose('target_base').position])
    assert np.abs(ends[1] - ends[0]).max() < SAME
