# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Spatial operator algebra, matrix-free: rates, M^-1 x and M x at O(n). [TianWu]."""

from __future__ import annotations

from free_flyer_dynamics import dynamics
from free_flyer_dynamics.papers import factorization
from free_flyer_dynamics.papers.doors import no_loops, room_of
from free_flyer_dynamics.papers.recursion import inertias, make_recursion
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import Inputs, State
from free_flyer_dynamics.user_order import from_user, to_user
import numpy as np


def spatial_operator(structure: Structure, state: State, inputs: Inputs) -> np.ndarray:
    """Return the rates by the innovations factorisation of M^-1: [TianWu] (20)."""
    no_loops(structure, 'spatial_operator')
    n = len(structure.tree.parent)
    rates = np.zeros(structure.nv)
    factorization.forward(
        structure.tree,
        state.q,
        state.v,
        state.hold,
        inputs,
        dynamics.applied_forces(structure, state, inputs),
        np.zeros(n, dtype=np.int64),
        structure.workspace,
        room_of(structure, 'P', lambda: make_recursion(n)),
        rates,
    )
    return rates


class InertiaOperator:
    """
    The inertia matrix of the forest at a state, never written out: products with any x at O(n).

    In the order of `Simulator.mass_matrix`; rows and columns of joints held at a stop or by
    friction are left out, and answer zero. Loops are not seen: this is M of the spanning forest.
    """

    def __init__(self, structure: Structure, state: State) -> None:
        self._structure = structure
        self._state = State(*(column.copy() for column in state))
        self._columns = structure.free_columns
        self._stop = np.zeros(len(structure.tree.parent), dtype=np.int64)
        self._recursion = make_recursion(len(structure.tree.parent))
        dynamics.refresh(structure, state)
        self._X = structure.workspace.X.copy()
        workspace = structure.workspace._replace(X=self._X)
        self._workspace = workspace
        inertias(structure.tree, state.hold, self._stop, workspace, self._recursion)

    @property
    def shape(self) -> tuple[int, int]:
        """Return the size of the matrix it stands for."""
        return self._structure.nv, self._structure.nv

    def dot(self, x: np.ndarray) -> np.ndarray:
        """Return M x = (I + H phi K) D (I + H phi K)* x: [TianWu] (13)."""
        tree, hold, out = self._structure.tree, self._state.hold, np.zeros(self._structure.nv)
        x = self._from_user(x)
        factorization.apply(tree, hold, x, self._workspace, self._recursion, out)
        return to_user(self._structure, self._state, out)[self._columns]

    def solve(self, x: np.ndarray) -> np.ndarray:
        """Return M^-1 x = (I - H psi K)* D^-1 (I - H psi K) x: [TianWu] (14)."""
        tree, hold, out = self._structure.tree, self._state.hold, np.zeros(self._structure.nv)
        x = self._from_user(x)
        factorization.apply_inverse(
            tree, hold, x, self._stop, self._workspace, self._recursion, out
        )
        return to_user(self._structure, self._state, out)[self._columns]

    def _from_user(self, x: np.ndarray) -> np.ndarray:
        x = np.asarray(x, dtype=float)
        if x.shape != (self._structure.nv,):
            raise ValueError(f'x must have shape ({self._structure.nv},), got {x.shape}.')
        walked = np.zeros_like(x)
        walked[self._columns] = x
        return from_user(self._structure, self._state, walked)
