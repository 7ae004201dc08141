# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What Fijany claims: a Schur complement, block tridiagonal, O(N) in a row and log2 N deep."""

from concurrent.futures import ThreadPoolExecutor
import math

from free_flyer_dynamics import CommandError, dynamics, Simulator
from free_flyer_dynamics.generate import random_chain
from free_flyer_dynamics.papers import constraint_force as algorithm
from free_flyer_dynamics.papers import spatial_operators
from free_flyer_dynamics.papers.constraint_force import solved
import numpy as np
import pytest

from test.oracles import relative
from test.papers.scenes import chain, parts, tree, with_spherical
from test.worlds import random_start

pytestmark = pytest.mark.jit

EXACT = 1e-9
LENGTHS = (1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 100)


@pytest.mark.parametrize('joints', [1, 2, 9])
def test_oracle_the_schur_complement_is_the_inverse_of_the_mass_matrix(joints, rng):
    """
    M^-1 = C - B* A'^-1 B, block tridiagonal; a free base changes the last block of A alone.

    Corrected: A and B are block tridiagonal, not block diagonal, and W is 6 N by 5 N.
    """
    o = spatial_operators(chain(rng, joints)[0])
    base = slice(6 * joints, 6 * joints + 6)
    W = np.eye(len(o.M))[:, ~o.H.any(axis=0)]
    assert W.shape == (6 * (joints + 1), 5 * joints)
    shift = o.identity - o.E_phi
    mobility = np.linalg.inv(o.M)
    middle = shift.T @ mobility @ shift
    A, B, C = W.T @ middle @ W, W.T @ middle @ o.H.T, o.H @ middle @ o.H.T
    assert relative(C - B.T @ np.linalg.solve(A, B), np.linalg.inv(o.mass_matrix)) < EXACT
    block = np.arange(5 * joints) // 5
    assert not A[np.abs(block[:, None] - block) > 1].any()
    mobility[base, base] = 0.0  # a base that is held
    change = A - W.T @ shift.T @ mobility @ shift @ W
    assert np.abs(change[-5:, -5:]).max() > 0
    assert np.abs(change[:-5]).max(initial=0.0) < 1e-14 * np.abs(A).max()


@pytest.mark.parametrize('joints', LENGTHS)
def test_odd_even_reduction_takes_exactly_log2_n_levels(joints, rng):
    """Counted as they are run, and the answer is that of one block after the other."""
    scene = parts(chain(rng, joints)[0])
    expected, in_a_row = solved(*scene)
    given, count = solved(*scene, solver='odd_even')
    assert (in_a_row.blocks, in_a_row.depth) == (joints, joints)
    assert (count.blocks, count.depth) == (joints, math.ceil(math.log2(joints)))
    assert relative(given, expected) < EXACT


@pytest.mark.parametrize('solver', ['serial', 'odd_even'])
@pytest.mark.parametrize('grow', [chain, tree])
def test_threads_change_nothing(grow, solver, rng, monkeypatch):
    """Within a level no block waits for another: the same sums, to the last bit."""
    monkeypatch.setattr(algorithm, 'GRAIN', 4)
    scene = parts(grow(rng, 77)[0])
    expected, alone = solved(*scene, solver=solver)
    with ThreadPoolExecutor(2) as threads:
        given, count = solved(*scene, solver=solver, threads=threads)
    assert np.array_equal(given, expected)
    assert count == alone


def test_side_branches_lie_on_the_longest_chain(rng):
    """Only the longest chain is counted; the branches are folded onto it, and none is refused."""
    sim = tree(rng, 30)[0]
    structure, state, inputs = parts(sim)
    parent, height = structure.tree.parent, 0
    for i in range(len(parent)):
        node, up = i, 0
        while parent[node] >= 0:
            node, up = parent[node], up + 1
        height = max(height, up)
    rates, count = solved(structure, state, inputs)
    assert count.blocks == height < 30
    rows = sim.joint_accelerations('mass_matrix')
    assert relative(sim.joint_accelerations('constraint_force'), rows) < EXACT
    assert np.isfinite(rates).all()


def test_an_anchored_chain_is_the_papers_fixed_base(rng):
    """No rank-one change: the base has no mobility."""
    model = random_chain(12, 4)
    sim = Simulator(gravity=(0.0, 0.0, -9.8))
    random_start(rng, model, fixed=True).add_to(sim, model)
    expected = sim.joint_accelerations('mass_matrix')
    assert relative(sim.joint_accelerations('constraint_force'), expected) < EXACT


@pytest.mark.parametrize('solver', ['serial', 'odd_even'])
def test_a_forest_with_spherical_joints(solver, rng):
    """Chains side by side, W of three, five and no columns."""
    structure, state, inputs = parts(with_spherical(rng))
    tau = dynamics.applied_forces(structure, state, inputs)
    rates, _ = solved(structure, state, inputs, solver=solver)
    needed = dynamics.generalized_forces(structure, state, inputs, rates)
    assert relative(needed, tau, scale=np.abs(tau).max()) < EXACT


def test_an_unknown_solver_is_refused(rng):
    """And the known ones are listed."""
    with pytest.raises(CommandError, match='odd_even, serial'):
        solved(*parts(chain(rng, 3)[0]), solver='even')
