# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What can be read from a world as matrices: inertia, Jacobians, what a link feels like."""

from __future__ import annotations

from abc import ABC, abstractmethod

from free_flyer_dynamics import dynamics
from free_flyer_dynamics.errors import CommandError
from free_flyer_dynamics.papers.operational import operational_inertias
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import State
from free_flyer_dynamics.user_order import to_user
import numpy as np


class Matrices(ABC):
    """The matrices of a simulator at its present state."""

    _structure: Structure

    @property
    @abstractmethod
    def _state(self) -> State:
        """Return the state as it now is."""

    def _link(self, name: str) -> int:
        return self._structure.assembly.link(name, CommandError)

    def mass_matrix(self) -> np.ndarray:
        """
        Return the inertia matrix of what moves.

        Six rows for each free base first, angular then linear, at the base link's origin in its
        own axes; then the joints that move, in the order of `joint_names`.
        """
        return dynamics.user_mass_matrix(self._structure, self._state)

    def jacobian(self, link: str) -> np.ndarray:
        """Return the Jacobian of a link's origin, angular rows first; columns as `mass_matrix`."""
        J = dynamics.jacobian(self._structure, self._state, self._link(link))
        J = to_user(self._structure, self._state, J)
        return J[:, self._structure.free_columns]

    def generalized_jacobian(self, link: str) -> np.ndarray:
        """Return the Jacobian of a link whose free base answers: columns of the moving joints."""
        G = dynamics.generalized_jacobian(self._structure, self._state, self._link(link))
        G = to_user(self._structure, self._state, G)
        return G[:, self._structure.joint_v[self._structure.joint_v >= 0]]

    def operational_inertia(self, link: str) -> np.ndarray:
        """Return the 6 by 6 inertia felt at a link's origin, world axes, angular first."""
        index = self._link(link)
        structure, state = self._structure, self._state
        if len(structure.tree.loops.kind):  # of which P and S know nothing
            return dynamics.operational_inertia(structure, state, index)
        return operational_inertias(structure, state, np.array([index]))[0]

    def operational_inertias(self) -> dict[str, np.ndarray]:
        """Return that of every link by name: in one pass, or link by link with closed loops."""
        names = self._structure.assembly.link_index
        if len(self._structure.tree.loops.kind):
            return {name: self.operational_inertia(name) for name in names}
        inertias = operational_inertias(self._structure, self._state)
        return {name: inertias[index] for name, index in names.items()}
