# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""State across a change of structure: by link, poses continuous, momentum conserved."""

from __future__ import annotations

from dataclasses import dataclass

from free_flyer_dynamics.direct import Direct
from free_flyer_dynamics.kernels import transfer
from free_flyer_dynamics.kernels.room import bodies_of, BODY
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import State
import numpy as np

_survey, _place = Direct(transfer.survey), Direct(transfer.place)
_take_over = Direct(transfer.take_over)


@dataclass(eq=False, slots=True)
class Motion:
    """Where all links are and how they move, and the coordinates of all edges."""

    bodies: np.ndarray  # (18 l,); what the properties below are cut from
    coordinates: np.ndarray  # (e, 4)
    rates: np.ndarray  # (e, 3)

    def _cut(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return bodies_of(self.bodies, len(self.bodies) // BODY)

    @property
    def rotation(self) -> np.ndarray:
        """Return the links' axes in world, (l, 3, 3)."""
        return self._cut()[0]

    @property
    def position(self) -> np.ndarray:
        """Return the links' origins in world, (l, 3) [m]."""
        return self._cut()[1]

    @property
    def twist(self) -> np.ndarray:
        """Return the twists of the links' origins, (l, 6); link axes, angular first."""
        return self._cut()[2]

    def beside(self, edges: int) -> Motion:
        """Return the same links with room for the motion of so many edges."""
        return Motion(self.bodies, np.empty((edges, 4)), np.empty((edges, 3)))

    def without_last(self) -> Motion:
        """Return the motion of all links and of all edges but the last."""
        return Motion(self.bodies, self.coordinates[:-1], self.rates[:-1])

    def grown(self, links: int, edges: int) -> Motion:
        """Return this with more rows: links at the world's origin, edges at zero, at rest."""
        bodies = self.bodies
        if links:
            start = np.tile(np.eye(3), (links, 1, 1)), np.zeros((links, 3)), np.zeros((links, 6))
            parts = zip(self._cut(), start, strict=True)
            bodies = np.concatenate([part.ravel() for pair in parts for part in pair])
        return Motion(
            bodies,
            np.concatenate((self.coordinates, np.zeros((edges, 4)))),
            np.concatenate((self.rates, np.zeros((edges, 3)))),
        )


def motion_of(structure: Structure, state: State, coordinates: np.ndarray) -> Motion:
    """Return how everything moves; coordinates of rigid edges are those given."""
    table = structure.assembly.edge_table
    links = len(structure.assembly.links.mass)
    motion = Motion(np.empty(BODY * links), coordinates.copy(), np.empty((len(table), 3)))
    _survey(
        table.ints,
        table.reals,
        structure.ints,
        structure.reals,
        state.q,
        state.v,
        state.loop_angle,
        structure.passage,
        motion.bodies,
        motion.coordinates,
        motion.rates,
    )
    return motion


def take_over(structure: Structure, motion: Motion, state: State) -> None:
    """Fill a state, which comes as new, with a motion of which the structure binds nothing."""
    table = structure.assembly.edge_table
    _take_over(
        table.ints,
        table.reals,
        structure.ints,
        structure.reals,
        structure.passage,
        motion.bodies,
        motion.coordinates,
        motion.rates,
        state.q,
        state.v,
        state.momentum,
        state.center,
        state.loop_angle,
    )


def state_from(structure: Structure, motion: Motion) -> State:
    """Return the state of a structure that binds nothing of a motion."""
    state = structure.new_state()
    take_over(structure, motion, state)
    return state


def move(structure: Structure, motion: Motion, state: State) -> None:
    """Let a state's coordinates and velocities be those of a motion; all else stays."""
    table = structure.assembly.edge_table
    record = table.ints, table.reals, structure.ints, structure.reals
    _place(*record, motion.bodies, motion.coordinates, motion.rates, state.q, state.v)
