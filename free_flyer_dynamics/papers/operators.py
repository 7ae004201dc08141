# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
The spatial operators of a small robot, written out to be looked at. [TianWu], [JainRodriguez] 2.

Links are numbered as in the papers, from the tips to the base, so that phi is lower triangular;
of links that branch, phi has zeros where neither is outboard of the other. Every block is in its
own link's axes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from free_flyer_dynamics import dynamics
from free_flyer_dynamics.papers.doors import no_loops, of_world
from free_flyer_dynamics.papers.spatial_operator import InertiaOperator
from free_flyer_dynamics.tree import FREE, PRISMATIC, REVOLUTE, SPHERICAL
import numpy as np

if TYPE_CHECKING:
    from free_flyer_dynamics.readings import Readings

_FREEDOMS = {REVOLUTE: [2], PRISMATIC: [5], SPHERICAL: [0, 1, 2], FREE: [0, 1, 2, 3, 4, 5]}


@dataclass(frozen=True, eq=False)
class SpatialOperators:
    """
    The operators of a robot of n moving links and N freedoms.

    Parameters
    ----------
    links : tuple of str
        The link at each hinge, from the tips to the base.
    columns : ndarray, shape (N,)
        Where each freedom is in the order of `Simulator.mass_matrix`.
    E_phi, M : ndarray, shape (6 n, 6 n)
        One link's phi*(k + 1, k) and spatial inertia, transposed where the paper has it so.
    H : ndarray, shape (N, 6 n)

    """

    links: tuple[str, ...]
    columns: np.ndarray
    E_phi: np.ndarray
    H: np.ndarray
    M: np.ndarray

    @property
    def identity(self) -> np.ndarray:
        """Return the identity of the links' space."""
        return np.eye(len(self.M))

    @cached_property
    def phi(self) -> np.ndarray:
        """Return (I - E_phi)^-1."""
        return np.linalg.inv(self.identity - self.E_phi)

    @cached_property
    def P(self) -> np.ndarray:
        """Return the articulated inertias: P = M + E_psi P E_phi*, corrected (2.8), tips first."""
        n = len(self.M) // 6
        P = self.M.copy()
        for k in range(n):
            block = slice(6 * k, 6 * k + 6)
            H = self._hinge(k)
            PH = P[block, block] @ H.T
            plus = P[block, block] - PH @ np.linalg.solve(H @ PH, PH.T)
            shift = self.E_phi[:, block]
            P += shift @ plus @ shift.T
        return P

    def _hinge(self, k: int) -> np.ndarray:
        rows = self.H[:, 6 * k : 6 * k + 6]
        return rows[rows.any(axis=1)]

    @cached_property
    def D(self) -> np.ndarray:
        """Return H P H*, block diagonal."""
        return self.H @ self.P @ self.H.T

    @cached_property
    def G(self) -> np.ndarray:
        """Return P H* D^-1, the Kalman gain."""
        return self.P @ self.H.T @ np.linalg.inv(self.D)

    @property
    def K(self) -> np.ndarray:
        """Return E_phi G, the gain shifted to the next link."""
        return self.E_phi @ self.G

    @property
    def E_psi(self) -> np.ndarray:
        """Return E_phi - K H."""
        return self.E_phi - self.K @ self.H

    @cached_property
    def psi(self) -> np.ndarray:
        """Return (I - E_psi)^-1: shifts past hinges that move freely."""
        return np.linalg.inv(self.identity - self.E_psi)

    @property
    def mass_matrix(self) -> np.ndarray:
        """Return H phi M phi* H*, the Newton-Euler factorisation: [TianWu] (12)."""
        return self.H @ self.phi @ self.M @ self.phi.T @ self.H.T

    @property
    def innovations(self) -> np.ndarray:
        """Return I + H phi K, the factor of (13); its inverse is I - H psi K."""
        return np.eye(len(self.H)) + self.H @ self.phi @ self.K


def spatial_operators(sim: Readings) -> SpatialOperators:
    """Return the operators of all that moves in a world, at its present state, to look at."""
    structure, state = of_world(sim)
    no_loops(structure, 'spatial_operators')
    dynamics.refresh(structure, state)
    tree, ws, n = structure.tree, structure.workspace, len(structure.tree.parent)
    order = np.arange(n)[::-1]
    place = n - 1 - np.arange(n)
    E_phi, M = np.zeros((6 * n, 6 * n)), np.zeros((6 * n, 6 * n))
    rows, columns = [], []
    for i in order:
        at = slice(6 * place[i], 6 * place[i] + 6)
        x, y, z = tree.moment[i]
        cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        M[at, at] = np.block([[tree.inertia[i], cross], [-cross, tree.mass[i] * np.eye(3)]])
        p = tree.parent[i]
        if p >= 0:
            E_phi[6 * place[p] : 6 * place[p] + 6, at] = ws.X[i].T
        freedoms = [] if state.hold[i] else _FREEDOMS[int(tree.kind[i])]
        for k, axis in enumerate(freedoms):
            row = np.zeros(6 * n)
            row[at.start + axis] = 1.0
            rows.append(row)
            columns.append(tree.v_at[i] + k)
    place_of = np.argsort(structure.free_columns)
    links = tuple(structure.assembly.link_name(int(structure.plan.node_link[i])) for i in order)
    H = np.array(rows).reshape(len(rows), 6 * n)
    return SpatialOperators(links, place_of[np.array(columns, dtype=np.int64)], E_phi, H, M)


def inertia_operator(sim: Readings) -> InertiaOperator:
    """Return M of all that moves in a world, matrix-free: `dot` and `solve` at O(n)."""
    return InertiaOperator(*of_world(sim))
