# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What Tian and Wu claim: three identities, two factorisations, products at O(n), a short run."""

from pathlib import Path
import time

import free_flyer_dynamics as ffd
from free_flyer_dynamics import dynamics
from free_flyer_dynamics.generate import random_tree
from free_flyer_dynamics.papers import inertia_operator, spatial_operators
import numpy as np
import pytest

from test.oracles import relative
from test.papers.scenes import chain, tree, with_spherical
from test.worlds import random_start

pytestmark = pytest.mark.jit

EXACT = 1e-11
THREE_JOINT = Path(__file__).parents[2] / 'urdf' / 'tian_wu_three_joint.urdf'
TORQUES = {'J1': -0.5, 'J2': -0.3, 'J3': -0.1}  # printed; which end T(1) is at is assumed
ANGLES = {'J1': np.pi / 2, 'J2': 0.0, 'J3': np.pi / 2}  # printed
PRINTED_SECONDS = 20.2  # of theirs for 5 s of motion; ADAMS took 31.5


@pytest.fixture(params=[chain, tree, with_spherical])
def sim(request, rng):
    """Return a chain, a tree and a forest with spherical joints."""
    if request.param is with_spherical:
        return with_spherical(rng)
    return request.param(rng, 7)[0]


def test_identity_1(sim):
    """Phi psi^-1 = I + phi K H."""
    o = spatial_operators(sim)
    assert relative(o.phi @ np.linalg.inv(o.psi), o.identity + o.phi @ o.K @ o.H) < EXACT


def test_identity_2(sim):
    """(I + H phi K)^-1 = I - H psi K."""
    o = spatial_operators(sim)
    assert relative(np.linalg.inv(o.innovations), np.eye(len(o.H)) - o.H @ o.psi @ o.K) < EXACT


def test_identity_3_and_the_corrected_sign_of_its_proof(sim):
    """Phi M phi* = P + phi~ P + P phi~* + phi K D K* phi*; M = P - E_phi P E_phi* + K D K*."""
    o = spatial_operators(sim)
    shifted = o.phi - o.identity
    total = o.P + shifted @ o.P + o.P @ shifted.T + o.phi @ o.K @ o.D @ o.K.T @ o.phi.T
    assert relative(o.phi @ o.M @ o.phi.T, total) < EXACT
    assert relative(o.P - o.E_phi @ o.P @ o.E_phi.T + o.K @ o.D @ o.K.T, o.M) < EXACT


def test_corrected_riccati_equation(sim):
    """M = P - E_psi P E_psi* = P - E_psi P E_phi*: (2.8)."""
    o = spatial_operators(sim)
    assert relative(o.P - o.E_psi @ o.P @ o.E_phi.T, o.M) < EXACT
    assert relative(o.P - o.E_psi @ o.P @ o.E_psi.T, o.M) < EXACT


def test_corrected_smoother_of_a_chain(rng):
    """Omega = Y + psi~* Y + Y psi~, psi~ = psi - I (4.6): of chains; branches have more blocks."""
    o = spatial_operators(chain(rng, 7)[0])
    Omega = o.psi.T @ o.H.T @ np.linalg.solve(o.D, o.H @ o.psi)
    Y = Omega * np.kron(np.eye(len(o.links)), np.ones((6, 6)))
    bent = o.psi - o.identity
    assert relative(Y + bent.T @ Y + Y @ bent, Omega) < EXACT


def test_oracle_both_factorisations_are_the_mass_matrix(sim):
    """H phi M phi* H* and (I + H phi K) D (I + H phi K)*, by composite bodies too."""
    o = spatial_operators(sim)
    at = sim._structure.free_columns[o.columns]
    expected = dynamics.mass_matrix(sim._structure, sim._state)[np.ix_(at, at)]
    assert relative(o.mass_matrix, expected) < EXACT
    assert relative(o.innovations @ o.D @ o.innovations.T, expected) < EXACT
    right = np.eye(len(o.H)) - o.H @ o.psi @ o.K
    assert relative(right.T @ np.linalg.solve(o.D, right) @ expected, np.eye(len(o.H))) < 1e-9


def test_phi_is_lower_triangular_and_the_base_is_last():
    """As the papers number their links."""
    sim = ffd.Simulator()
    sim.add(ffd.load_urdf(THREE_JOINT), joint_positions=ANGLES)
    o = spatial_operators(sim)
    assert o.links == ('link3', 'link2', 'link1', 'base')
    assert o.H.shape == (9, 24)
    assert not np.triu(o.phi, 6).any()


def test_oracle_products_without_a_matrix(sim, rng):
    """M x and M^-1 x for any x, and back again."""
    H = sim.mass_matrix()
    M = inertia_operator(sim)
    for x in rng.normal(size=(5, len(H))):
        assert relative(M.dot(x), H @ x) < EXACT
        assert relative(M.solve(x), np.linalg.solve(H, x)) < 1e-9
        assert relative(M.solve(M.dot(x)), x) < 1e-9


def test_oracle_products_are_in_the_users_order():
    """That of `mass_matrix`: bases first, joints as the file lists them, whatever is walked."""
    sim, rng = ffd.Simulator(), np.random.default_rng(3)
    given = random_tree(6, 2)
    shuffled = ffd.Model('shuffled', given.bodies, given.joints[::-1])
    for prefix in ('', 'other_'):
        random_start(rng, shuffled).add_to(sim, shuffled, prefix)
    sim.attach('link3', 'other_link2', joint='spherical')
    sim.rebase('link4')
    H, M, x = sim.mass_matrix(), inertia_operator(sim), rng.normal(size=21)
    assert (sim._structure.free_columns != np.arange(21)).any()
    assert relative(M.dot(x), H @ x) < EXACT
    assert relative(M.solve(x), np.linalg.solve(H, x)) < 1e-9
    sim.detach(sim.connectivity().attachments[0])
    o, H = spatial_operators(sim), sim.mass_matrix()
    assert relative(o.mass_matrix, H[np.ix_(o.columns, o.columns)]) < EXACT


def test_products_with_a_vector_of_another_length_are_refused(sim):
    """By its shape."""
    with pytest.raises(ValueError, match='shape'):
        inertia_operator(sim).dot(np.zeros(2))


def three_joint(algorithm):
    """Return the state after the paper's five seconds, and the seconds they took."""
    sim = ffd.Simulator(dt=1e-3, algorithm=algorithm)
    sim.add(ffd.load_urdf(THREE_JOINT), joint_positions=ANGLES)
    sim.set_efforts(TORQUES)
    sim.warm_up()
    start = time.perf_counter()
    sim.step(5000)
    took = time.perf_counter() - start
    pose = sim.pose('base')
    return np.r_[pose.position, pose.quaternion, sim.positions, sim.velocities], took, sim


def test_assumed_three_joint_case_runs_its_five_seconds():
    """
    Faster than the paper printed, the same as by articulated bodies, momentum at zero.

    The geometry is assumed: where it ends is a regression value and in no figure of the paper.
    """
    end, took, sim = three_joint('spatial_operator')
    expected = three_joint('articulated_body')[0]
    assert np.abs(end - expected).max() < 1e-8
    assert took < PRINTED_SECONDS
    assert np.abs(sim.momentum().linear).max() < 1e-12
    assert np.abs(sim.momentum().angular).max() < 1e-12
