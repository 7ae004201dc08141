# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Algorithm against algorithm, on small forests; compiled or not."""

from free_flyer_dynamics import algorithms, dynamics, Simulator
from free_flyer_dynamics.generate import random_tree
from free_flyer_dynamics.kernels.forward import displace
from free_flyer_dynamics.tree import FREE
import numpy as np
import pytest

from test.worlds import random_start

FORESTS = [(1,), (3,), (2, 1)]
# Two recursions over a handful of bodies of similar mass.
AGREE = 1e-11
# Central differences of a smooth matrix at a step of 1e-5.
DIFFERENCE = 1e-7


@pytest.fixture(params=FORESTS, ids=str)
def forest(request, rng):
    """Return structure, state, inputs of a simulator, loaded and moving."""
    sim = Simulator(gravity=rng.uniform(-2, 2, 3))
    for k, joints in enumerate(request.param):
        model = random_tree(joints, seed=k, damping=0.5)
        random_start(rng, model).add_to(sim, model, f'r{k}_')
        sim.set_wrench(f'r{k}_link1', *rng.normal(size=(2, 3)), 'link', rng.normal(size=3))
    sim.set_efforts({name: float(rng.normal()) for name in sim.joint_names})
    return sim._structure, sim._state, sim._inputs


def test_newton_euler_recovers_the_torques(forest):
    """Forward then inverse dynamics is the identity, and free roots carry no load."""
    structure, state, inputs = forest
    vdot = algorithms.articulated_body(*forest)
    tau = dynamics.generalized_forces(structure, state, inputs, vdot)
    np.testing.assert_allclose(tau, dynamics.applied_forces(*forest), atol=AGREE * 100)


def test_every_algorithm_gives_the_same_accelerations(forest):
    """All that are registered."""
    expected = algorithms.articulated_body(*forest)
    for name in algorithms.ALGORITHMS:
        np.testing.assert_allclose(algorithms.algorithm(name)(*forest), expected, rtol=1e-9)


def test_inertia_matrix_is_columns_of_newton_euler(forest):
    """H e_j is what acceleration e_j takes beyond none."""
    structure, state, inputs = forest
    H = dynamics.mass_matrix(structure, state)
    bias = dynamics.generalized_forces(structure, state, inputs, np.zeros(structure.nv))
    for j, unit in enumerate(np.eye(structure.nv)):
        column = dynamics.generalized_forces(structure, state, inputs, unit) - bias
        np.testing.assert_allclose(column, H[:, j], atol=AGREE * np.max(H))
    np.testing.assert_array_equal(H, H.T)
    assert (np.linalg.eigvalsh(H) > 0).all()


def test_energy_and_momentum_are_those_of_the_inertia_matrix(forest):
    """Half v.T H v, and J.T of a root's own rows."""
    structure, state, _ = forest
    H = dynamics.mass_matrix(structure, state)
    links = len(structure.assembly.links.mass)
    energy = dynamics.momentum(structure, state, 1, links).kinetic_energy
    assert energy == pytest.approx(0.5 * state.v @ H @ state.v, rel=AGREE)


def test_power_in_is_the_rate_of_kinetic_energy(forest):
    """Finite differences of the energy along the motion: Hdot - 2 C is skew."""
    structure, state, inputs = forest
    vdot = algorithms.articulated_body(*forest)
    bias = dynamics.generalized_forces(structure, state, inputs, np.zeros(structure.nv))
    at_rest = state._replace(v=np.zeros(structure.nv))
    static = dynamics.generalized_forces(structure, at_rest, inputs, np.zeros(structure.nv))
    power = state.v @ (dynamics.applied_forces(*forest) - static)
    H = dynamics.mass_matrix(structure, state)
    rate = state.v @ H @ vdot + 0.5 * state.v @ _h_dot(structure, state) @ state.v
    assert rate == pytest.approx(power, abs=DIFFERENCE * (1 + abs(power)) * 100)
    coriolis = state.v @ (bias - static)
    expected = 0.5 * state.v @ _h_dot(structure, state) @ state.v
    assert coriolis == pytest.approx(expected, abs=DIFFERENCE * (1 + abs(coriolis)) * 100)


def _h_dot(structure, state):
    h, matrices = 1e-5, []
    for sign in (1, -1):
        delta = sign * h * state.v
        for i in np.flatnonzero(structure.tree.kind == FREE):
            at = structure.tree.v_at[i]
            dynamics.refresh(structure, state)
            delta[at + 3 : at + 6] = structure.workspace.R[i] @ delta[at + 3 : at + 6]
        q = state.q.copy()
        displace(structure.tree, state.q, delta, q)
        matrices.append(dynamics.mass_matrix(structure, state._replace(q=q)))
    return (matrices[0] - matrices[1]) / (2 * h)
