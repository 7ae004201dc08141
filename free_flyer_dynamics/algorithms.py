# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Forward dynamics by name: each gives the rates of v, (nv,), and closes loops or refuses."""

from __future__ import annotations

from collections.abc import Callable

from free_flyer_dynamics import dynamics
from free_flyer_dynamics.direct import Direct
from free_flyer_dynamics.errors import CommandError, unknown_name
from free_flyer_dynamics.kernels.forward import forward_dynamics
from free_flyer_dynamics.kernels.linear import cholesky_solve
from free_flyer_dynamics.papers.base_invariant import base_invariant
from free_flyer_dynamics.papers.constraint_force import constraint_force
from free_flyer_dynamics.papers.spatial_operator import spatial_operator
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import Inputs, State
import numpy as np

DEPENDENT = 1e-9  # a row this small beside the first pivot is one that others already give
Algorithm = Callable[[Structure, State, Inputs], np.ndarray]
_forward_dynamics = Direct(forward_dynamics)


def articulated_body(structure: Structure, state: State, inputs: Inputs) -> np.ndarray:
    """Return the rates by articulated-body inertias, loops by unit responses: [RBDA] table 7.1."""
    vdot = np.zeros(structure.nv)
    tau = dynamics.applied_forces(structure, state, inputs)
    _forward_dynamics(
        structure.tree, state.q, state.v, state.hold, inputs, tau, structure.workspace, vdot
    )
    return vdot


def mass_matrix(structure: Structure, state: State, inputs: Inputs) -> np.ndarray:
    """Return the rates from H vdot + c = tau + J.T wrench, J vdot + J' v = 0: [RBDA] (8.1)."""
    H, force, J, demanded, columns = _dense(structure, state, inputs)
    vdot = np.zeros(structure.nv)
    vdot[columns] = _solve(H, force)
    if len(J):
        response = _solve(H, J.T)
        wrench = np.linalg.lstsq(J @ response, demanded - J @ vdot[columns], rcond=1e-11)[0]
        vdot[columns] += response @ wrench
    return vdot


def independent_coordinates(structure: Structure, state: State, inputs: Inputs) -> np.ndarray:
    """
    Return the rates from the dynamics of the independent velocities alone, O(n^3).

    [Lampariello] (2) to (5), [Dimitrov] (2.40). Unlike [Lampariello]: the dependent velocities
    are chosen anew every time, by pivoting, so the choice never goes bad and the motion does not
    depend on what was chosen before.
    """
    from scipy.linalg import qr, solve_triangular

    H, force, J, demanded, columns = _dense(structure, state, inputs)
    vdot = np.zeros(structure.nv)
    rank, order = 0, np.arange(len(columns))
    if len(J):
        Q, R, order = qr(J, mode='economic', pivoting=True)
        pivots = np.abs(np.diagonal(R))
        rank = int((pivots > DEPENDENT * pivots[0]).sum())
    dependent, independent = order[:rank], order[rank:]
    # vdot = Pi (independent rates) + what the loops demand; Pi of [Lampariello] (5)
    Pi = np.zeros((len(columns), len(independent)))
    Pi[independent] = np.eye(len(independent))
    start = np.zeros(len(columns))
    if rank:
        Pi[dependent] = -solve_triangular(R[:rank, :rank], R[:rank, rank:])
        start[dependent] = solve_triangular(R[:rank, :rank], (Q.T @ demanded)[:rank])
    rates = _solve(Pi.T @ H @ Pi, Pi.T @ (force - H @ start))
    vdot[columns] = Pi @ rates + start
    return vdot


def _solve(H: np.ndarray, b: np.ndarray) -> np.ndarray:
    try:
        factor = np.linalg.cholesky(H)
    except np.linalg.LinAlgError:  # the motion is no longer finite: let it be seen
        return np.full_like(b, np.nan)
    columns = np.array(b.T, ndmin=2)
    for column in columns:
        cholesky_solve(factor, len(H), column)
    return columns.T.reshape(b.shape)


def _dense(structure: Structure, state: State, inputs: Inputs):
    """Return H, tau - c, the loops' J and -J' v, and the entries of v that joints leave moving."""
    force = dynamics.applied_forces(structure, state, inputs)
    force -= dynamics.generalized_forces(structure, state, inputs, np.zeros(structure.nv))
    J, demanded, drives = dynamics.loop_rows(structure, state, inputs)
    H = dynamics.mass_matrix(structure, state)
    moving = np.ones(structure.nv, dtype=bool)
    moving[structure.tree.v_at[state.hold != 0]] = False
    columns = np.flatnonzero(moving)
    return (
        H[np.ix_(columns, columns)],
        (force + drives)[columns],
        J[:, columns],
        demanded,
        columns,
    )


ALGORITHMS: dict[str, Algorithm] = {
    'articulated_body': articulated_body,
    'base_invariant': base_invariant,
    'constraint_force': constraint_force,
    'mass_matrix': mass_matrix,
    'independent_coordinates': independent_coordinates,
    'spatial_operator': spatial_operator,
}


def algorithm(name: str) -> Algorithm:
    """Return the forward dynamics of that name."""
    if not isinstance(name, str) or name not in ALGORITHMS:
        raise CommandError(unknown_name('algorithm', name, ALGORITHMS))
    return ALGORITHMS[name]
