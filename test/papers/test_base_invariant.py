# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What Jain and Rodriguez claim: no base chosen, P + S at every link, links on their own."""

from concurrent.futures import ThreadPoolExecutor

from free_flyer_dynamics import CommandError, Simulator
from free_flyer_dynamics.algorithms import ALGORITHMS
from free_flyer_dynamics.generate import random_chain, random_tree
from free_flyer_dynamics.papers.base_invariant import both_recursions, decoupled, depth
from free_flyer_dynamics.papers.link_by_link import Links
from free_flyer_dynamics.tree import State
import numpy as np
import pytest

from test.oracles import relative
from test.papers.scenes import chain, MOVING, parts, tree, with_spherical
from test.worlds import random_start

pytestmark = pytest.mark.jit

EXACT = 1e-10
GROW = pytest.mark.parametrize('grow', [chain, tree])


@GROW
def test_oracle_operational_inertia_of_every_link_in_one_pass(grow, rng):
    """Y^-1 = P + S is what unit responses give link by link, massless frames included."""
    sim = grow(rng, 25, frames=4)[0]
    every = sim.operational_inertias()
    assert list(every) == list(sim._structure.assembly.link_index)
    for link, inertia in every.items():
        assert relative(inertia, sim.operational_inertia(link)) < EXACT


def test_oracle_operational_inertias_of_what_is_anchored(rng):
    """Where S is infinite, Y by (4.7); directions in which a link cannot go have none."""
    sim = Simulator()
    model = random_tree(12, 5, kinds=MOVING)
    random_start(rng, model, fixed=True).add_to(sim, model)
    model = random_chain(4, 6, kinds=MOVING)
    random_start(rng, model).add_to(sim, model, 'free_')
    for link, inertia in sim.operational_inertias().items():
        expected = sim.operational_inertia(link)
        assert relative(inertia, expected, scale=max(1.0, np.abs(expected).max())) < 1e-8


def test_oracle_operational_inertias_with_loops(rng):
    """The one pass knows no loops; what it cannot say is found link by link."""
    sim = chain(rng, 6)[0]
    sim.attach('link6', 'base', joint='spherical')
    for link, inertia in sim.operational_inertias().items():
        assert np.array_equal(inertia, sim.operational_inertia(link))


@GROW
def test_lemma_4_1_at_the_ends(grow, rng):
    """At the base S is nothing; at every link P + S is symmetric and positive definite."""
    structure, state, _ = parts(grow(rng, 15)[0])
    A, B = both_recursions(structure, state)
    assert not B.S[0].any()
    for inertia in A.P + B.S:
        assert relative(inertia, inertia.T) < 1e-12
        assert np.linalg.eigvalsh(inertia)[0] > 0


def test_accelerations_are_the_same_from_every_base(rng):
    """Rebased to each link in turn, no joint notices."""
    sim = tree(rng, 9)[0]
    expected = sim.joint_accelerations('base_invariant')
    for k in range(1, 10):
        sim.rebase(f'link{k}')
        assert relative(sim.joint_accelerations('base_invariant'), expected) < EXACT


@GROW
def test_threads_change_nothing(grow, rng):
    """To the last bit: the same sums in the same order."""
    structure, state, inputs = parts(grow(rng, 40)[0])
    expected = ALGORITHMS['base_invariant'](structure, state, inputs)
    with ThreadPoolExecutor(2) as threads:
        given = decoupled(structure, state, inputs, threads)
    assert np.array_equal(given, expected)


@pytest.mark.parametrize('links', [4, 5, 64, 1001])
def test_counted_depth_is_half_the_chain_to_the_first_link_and_the_chain_to_the_last(links):
    """Both recursions meet in the middle; articulated bodies go there and back, 2 N."""
    sim = Simulator()
    sim.add(random_chain(links - 1, 1))
    first, last = depth(sim._structure)
    assert abs(first - links / 2) <= 1
    assert last == links


def drifted(dt, seconds, grow=random_tree):
    """Return links on their own after that time, and the same by rk4."""
    model = grow(6, 3, kinds=MOVING)
    start = random_start(np.random.default_rng(8), model)
    sim = Simulator(dt=dt, gravity=(0.0, 0.0, -0.5))
    start.add_to(sim, model)
    sim.set_efforts({'joint2': 0.5})
    sim.set_wrench('base', force=(1.0, 0.0, 0.0), torque=(0.0, 0.2, 0.0))
    links = Links(sim._structure, State(*(column.copy() for column in sim._state)))
    for _ in range(round(seconds / dt)):
        links.step(sim._inputs, dt)
    links.momentum()
    sim.step(round(seconds / dt))
    return links, sim


@pytest.mark.parametrize('grow', [random_chain, random_tree])
def test_algorithm_7_moves_as_the_joints_do(grow):
    """To the integrator's error: two seconds at a millisecond."""
    links, sim = drifted(1e-3, 2.0, grow)
    assert np.abs(links.state.q - sim._state.q).max() < 1e-7
    assert relative(links.momentum(), sim._state.momentum) < 1e-8


def test_algorithm_7_drifts_and_less_with_smaller_steps():
    """Hinges gape, as nothing holds them: by the fourth order of the step."""
    gaps = [drifted(dt, 1.0)[0].drift[0] for dt in (0.02, 0.01, 0.005)]
    assert gaps[0] > 1e-9
    assert np.log2(gaps[0] / gaps[1]) > 3.5
    assert np.log2(gaps[1] / gaps[2]) > 3.5


def test_link_by_link_is_an_integrator(rng):
    """Of base_invariant; stops, friction and loops are refused, and so are others' rates."""
    model = random_tree(6, 3, kinds=MOVING)
    start = random_start(rng, model, speed=0.3)
    ends = []
    for options in ({}, {'integrator': 'link_by_link', 'algorithm': 'base_invariant'}):
        sim = Simulator(dt=1e-3, **options)
        start.add_to(sim, model)
        sim.step(500)
        ends.append(np.r_[sim.positions, sim.velocities, sim.pose('base').quaternion])
    assert np.abs(ends[0] - ends[1]).max() < 1e-8
    sim = Simulator(integrator='link_by_link')
    sim.add(random_chain(3, 1, friction=1.0))
    with pytest.raises(CommandError, match='friction'):
        sim.step()
    with pytest.raises(CommandError, match='way of base_invariant'):
        Simulator(integrator='link_by_link', algorithm='mass_matrix')


def test_spherical_joints_link_by_link(rng):
    """Three freedoms: only the gap is forbidden."""
    sim = with_spherical(rng)
    links = Links(sim._structure, State(*(column.copy() for column in sim._state)))
    for _ in range(2):
        links.step(sim._inputs, 1e-3)
    links.momentum()
    sim.step(2)
    assert max(links.drift) < 1e-9
    assert relative(links.state.q, sim._state.q, scale=1.0) < 1e-8
