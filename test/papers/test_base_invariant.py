# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What Jain and Rodriguez claim: no base chosen, P + S at every link, links on their own."""

from concurrent.futures import ThreadPoolExecutor

from free_flyer_dynamics import CommandError, dynamics, Simulator
from free_flyer_dynamics.algorithms import ALGORITHMS
from free_flyer_dynamics.generate import random_chain, random_tree
from free_flyer_dynamics.papers import links_apart
from free_flyer_dynamics.papers.base_invariant import decoupled, depth
from free_flyer_dynamics.papers.meeting import met
from free_flyer_dynamics.papers.operational import both_recursions
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
    index = sim._structure.assembly.link_index
    assert list(every) == list(index)
    for link, inertia in every.items():
        expected = dynamics.operational_inertia(sim._structure, sim._state, index[link])
        assert relative(inertia, expected) < EXACT
        assert np.array_equal(inertia, sim.operational_inertia(link))


def test_oracle_operational_inertias_of_what_is_anchored(rng):
    """Where S is infinite, Y by (4.7); directions in which a link cannot go have none."""
    sim = Simulator()
    model = random_tree(12, 5, kinds=MOVING)
    random_start(rng, model, fixed=True).add_to(sim, model)
    model = random_chain(4, 6, kinds=MOVING)
    random_start(rng, model).add_to(sim, model, 'free_')
    index = sim._structure.assembly.link_index
    for link, inertia in sim.operational_inertias().items():
        expected = dynamics.operational_inertia(sim._structure, sim._state, index[link])
        assert relative(inertia, expected, scale=max(1.0, np.abs(expected).max())) < 1e-8


def test_oracle_operational_inertias_with_loops(rng):
    """The one pass knows no loops; what it cannot say is found link by link."""
    sim = chain(rng, 6)[0]
    sim.attach('link6', 'base', joint='spherical')
    for link, inertia in sim.operational_inertias().items():
        expected = sim.operational_inertia(link)
        assert np.array_equal(inertia, expected)
        J, H = sim.jacobian(link), sim.mass_matrix()
        open_one = np.linalg.inv(J @ np.linalg.solve(H, J.T))
        if link == 'link6':
            assert relative(inertia, open_one) > 1e-3  # P + S of the tree would be wrong


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


@pytest.mark.parametrize('joints', [0, 1, 2, 3, 8, 21, 120])
@GROW
def test_oracle_recursions_that_meet_half_way_say_the_same(grow, joints):
    """Passing every link once, P or S; on threads to the last bit."""
    rng = np.random.default_rng(joints)
    scene = parts(grow(rng, joints, gravity=rng.uniform(-3, 3, 3))[0])
    rates, hinges = met(*scene)
    assert relative(rates, ALGORITHMS['mass_matrix'](*scene)) < 1e-9
    assert hinges <= (joints + 1) // 2
    with ThreadPoolExecutor(2) as threads:
        given, again = met(*scene, threads)
    assert np.array_equal(given, rates)
    assert again == hinges


def test_oracle_meeting_in_forests(rng):
    """Spherical joints, three robots in one, and others that are anchored or a single body."""
    sim = with_spherical(rng)
    model = random_tree(9, 5, kinds=MOVING)
    random_start(rng, model, fixed=True).add_to(sim, model, 'anchored_')
    random_start(rng, random_chain(0, 1)).add_to(sim, random_chain(0, 1), 'alone_')
    scene = parts(sim)
    assert relative(met(*scene)[0], ALGORITHMS['mass_matrix'](*scene)) < 1e-9


def test_oracle_meeting_with_joints_that_are_held(rng):
    """Hinges without freedom, on either way."""
    structure, state, inputs = parts(chain(rng, 15)[0])
    held = [2, 3, 7, 8, 12]
    state.hold[held] = 1
    state.v[structure.tree.v_at[held]] = 0.0
    rates = met(structure, state, inputs)[0]
    assert not rates[structure.tree.v_at[held]].any()
    assert relative(rates, ALGORITHMS['mass_matrix'](structure, state, inputs)) < 1e-9


@pytest.mark.parametrize('links', [2, 4, 5, 64, 1001])
def test_counted_depth_of_recursions_that_meet_is_half_the_chain(links):
    """N / 2 hinges one after another; articulated bodies pass N - 1, and then all of them back."""
    sim = Simulator()
    sim.add(random_chain(links - 1, 1))
    assert met(*parts(sim))[1] == links // 2


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
    links = links_apart(sim)
    for _ in range(round(seconds / dt)):
        links.step(dt)
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


@pytest.mark.parametrize('options', [{'friction': 1.0}, {'limits': True}])
def test_links_on_their_own_pass_no_stop_and_no_friction(options):
    """They would not notice: refused, as by the integrator; and a step is a number."""
    sim = Simulator()
    sim.add(random_chain(3, 1, **options), joint_velocities={'joint1': 0.5})
    with pytest.raises(CommandError, match='stops, dry friction and speed limits'):
        links_apart(sim)
    sim = Simulator()
    sim.add(random_chain(3, 1))
    links = links_apart(sim)
    assert len(repr(links)) < 100
    with pytest.raises(CommandError, match='finite'):
        links.step(float('nan'))


def test_spherical_joints_link_by_link(rng):
    """Three freedoms: only the gap is forbidden."""
    sim = with_spherical(rng)
    links = links_apart(sim)
    for _ in range(2):
        links.step(1e-3)
    links.momentum()
    sim.step(2)
    assert max(links.drift) < 1e-9
    assert relative(links.state.q, sim._state.q, scale=1.0) < 1e-8
