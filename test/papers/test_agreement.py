# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The papers' algorithms give the same accelerations as the others and as Pinocchio: oracles."""

from functools import lru_cache

from free_flyer_dynamics import CommandError, Simulator
from free_flyer_dynamics.algorithms import ALGORITHMS
from free_flyer_dynamics.generate import random_chain
from free_flyer_dynamics.model import Body, Joint, Model
import numpy as np
import pytest

from test.oracles import relative, Twin
from test.papers.scenes import chain, FIVE, PAPERS, parts, tree, with_spherical

pytestmark = pytest.mark.jit

AGREE = 1e-9  # what the issue asks; rounding times the condition of 120 joints is below 1e-11
LONG = 1e-6  # of a thousand links
LENGTHS = (1, 2, 3, 5, 8, 13, 21, 34, 120)


def twin_of(model, start, efforts, pushes, gravity):
    """Return Pinocchio's twin under the same loads."""
    twin = Twin(model, start, gravity)
    twin.drive(efforts)
    twin.pushes = pushes
    return twin


@pytest.mark.parametrize('algorithm', FIVE)
@pytest.mark.parametrize('joints', LENGTHS)
@pytest.mark.parametrize('grow', [chain, tree])
def test_oracle_all_five_agree_with_pinocchio(grow, joints, algorithm):
    """Free flyers that move, with wrenches, drives, damping, gravity and massless frames."""
    rng = np.random.default_rng(joints)
    gravity = rng.uniform(-3, 3, 3)
    sim, *loads = grow(rng, joints, gravity=gravity, damping=0.5, frames=3)
    twin = twin_of(*loads, gravity)
    expected = twin.ours(twin.rates())[6:]
    assert relative(sim.joint_accelerations(algorithm), expected) < AGREE


@lru_cache
def thousand():
    """Return a chain of a thousand links in motion and its accelerations by the dense matrix."""
    sim = chain(np.random.default_rng(1000), 1000, speed=0.1)[0]
    return sim, sim.joint_accelerations('mass_matrix')


@pytest.mark.parametrize('algorithm', [name for name in FIVE if name != 'mass_matrix'])
def test_oracle_a_thousand_links_agree(algorithm):
    """With Cholesky on 1006 columns; Pinocchio's Data would take 64 GB, its size being N^3."""
    sim, expected = thousand()
    assert relative(sim.joint_accelerations(algorithm), expected) < LONG


@pytest.mark.parametrize('algorithm', PAPERS)
def test_oracle_bases_accelerate_alike(algorithm, rng):
    """The six of the base as well as the joints."""
    structure, state, inputs = parts(tree(rng, 20)[0])
    expected = ALGORITHMS['mass_matrix'](structure, state, inputs)
    assert relative(ALGORITHMS[algorithm](structure, state, inputs), expected) < AGREE


@pytest.mark.parametrize('algorithm', PAPERS)
def test_oracle_spherical_joints(algorithm, rng):
    """Of three freedoms, walked either way."""
    sim = with_spherical(rng)
    expected = sim.joint_accelerations('mass_matrix')
    assert relative(sim.joint_accelerations(algorithm), expected) < AGREE


@pytest.mark.parametrize('algorithm', PAPERS)
def test_oracle_joints_that_are_held_do_not_accelerate(algorithm, rng):
    """At a stop or by friction they are hinges without freedom."""
    structure, state, inputs = parts(tree(rng, 15)[0])
    held = structure.tree.kind <= 1
    held[rng.permutation(len(held))[:8]] = False
    state.hold[held] = 1
    state.v[structure.tree.v_at[held]] = 0.0
    expected = ALGORITHMS['mass_matrix'](structure, state, inputs)
    rates = ALGORITHMS[algorithm](structure, state, inputs)
    assert not rates[structure.tree.v_at[held]].any()
    assert relative(rates, expected) < AGREE


@pytest.mark.parametrize('algorithm', PAPERS)
def test_closed_loops_are_refused(algorithm, rng):
    """By an error that says how many there are and what closes them; never by a number."""
    sim = chain(rng, 6)[0]
    sim.attach('link6', 'base', joint='revolute')
    with pytest.raises(CommandError, match='1 is closed'):
        sim.joint_accelerations(algorithm)


def test_constraint_force_refuses_a_link_without_mass():
    """It inverts every inertia; the others need none between two joints."""
    box = 0.1 * np.eye(3)
    bodies = (
        Body('base', 5.0, np.zeros(3), box),
        Body('cross'),
        Body('arm', 1.0, np.ones(3), box),
    )
    joints = (
        Joint('a', 'revolute', 'base', 'cross', axis=np.array([1.0, 0.0, 0.0])),
        Joint('b', 'revolute', 'cross', 'arm', axis=np.array([0.0, 1.0, 0.0])),
    )
    sim = Simulator()
    sim.add(Model('universal', bodies, joints), joint_velocities={'a': 0.3, 'b': -0.2})
    sim.set_efforts({'a': 1.0})
    with pytest.raises(CommandError, match="'cross' has none"):
        sim.joint_accelerations('constraint_force')
    expected = sim.joint_accelerations('mass_matrix')
    for algorithm in ('base_invariant', 'spatial_operator'):
        assert relative(sim.joint_accelerations(algorithm), expected) < AGREE
    sim.lock('a')  # folds the massless link into the base
    expected = sim.joint_accelerations('mass_matrix')
    assert relative(sim.joint_accelerations('constraint_force'), expected) < AGREE


def test_a_world_of_nothing_and_a_single_body():
    """No joints, no columns."""
    for algorithm in PAPERS:
        assert Simulator().joint_accelerations(algorithm).shape == (0,)
        sim = Simulator(gravity=(0.0, 0.0, -1.0))
        sim.add(random_chain(0, 1))
        assert sim.acceleration('base').linear == pytest.approx([0, 0, -1.0])
        assert ALGORITHMS[algorithm](*parts(sim)) == pytest.approx([0, 0, 0, 0, 0, -1.0])
