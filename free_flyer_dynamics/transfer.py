# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""State across a change of structure: by link, poses continuous, momentum conserved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from free_flyer_dynamics.direct import Direct
from free_flyer_dynamics.kernels.room import bodies_of, BODY
from free_flyer_dynamics.kernels.transfer import (
    GAINED,
    LOST,
    MARGIN,
    place,
    survey,
    TOLD,
    transfer,
)
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import State
import numpy as np

_survey, _transfer, _place = Direct(survey), Direct(transfer), Direct(place)
_NO_EDGES = np.zeros(0, dtype=np.int64)


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


class Arrival(NamedTuple):
    """
    A motion taken over by a structure.

    Parameters
    ----------
    state : State
    told : ndarray
        Energy lost, momentum gained, and the smallest pivot of the loops' rows.
    impulses : ndarray, shape (k, 6)
        On the edges that were to be told of, angular first.
    rank : int
        Of the loops' rows.

    """

    state: State
    told: np.ndarray
    impulses: np.ndarray
    rank: int

    @property
    def energy_lost(self) -> float:
        """Return the energy lost [J]."""
        return float(self.told[LOST])

    @property
    def momentum_gained(self) -> np.ndarray:
        """Return momentum after less before, angular first."""
        return self.told[GAINED : GAINED + 6]

    @property
    def margin(self) -> float:
        """Return the smallest pivot that the loops' rows were factored with, 1 at best."""
        return float(self.told[MARGIN])


def motion_of(structure: Structure, state: State, coordinates: np.ndarray) -> Motion:
    """Return how everything moves; coordinates of rigid edges are those given."""
    links = len(structure.assembly.links.mass)
    motion = Motion(np.empty(BODY * links), coordinates.copy(), np.empty((len(coordinates), 3)))
    _survey(
        structure.assembly.edges,
        structure.ints,
        structure.reals,
        state,
        structure.room,
        motion.bodies,
        motion.coordinates,
        motion.rates,
    )
    return motion


def arrive(
    structure: Structure, motion: Motion, binds: bool, edges: np.ndarray = _NO_EDGES
) -> Arrival:
    """
    Return the state of a structure whose links come with that motion, and what that cost.

    Where the structure binds what moved freely, velocities jump to the nearest ones in the inertia
    metric; where it only frees, they are those of the motion.
    """
    state, told = structure.new_state(), np.zeros(TOLD)
    impulses = np.zeros((len(edges), 6))
    rank = _transfer(
        structure.assembly.links,
        structure.assembly.edges,
        structure.ints,
        structure.reals,
        structure.room,
        motion.bodies,
        motion.coordinates,
        motion.rates,
        binds,
        edges,
        state,
        impulses,
        told,
    )
    return Arrival(state, told, impulses, rank)


def state_from(structure: Structure, motion: Motion, binds: bool) -> State:
    """Return the state alone; see `arrive`."""
    return arrive(structure, motion, binds).state


def move(structure: Structure, motion: Motion, state: State) -> None:
    """Let a state's coordinates and velocities be those of a motion; all else stays."""
    edges, record = structure.assembly.edges, (structure.ints, structure.reals)
    _place(edges, *record, motion.bodies, motion.coordinates, motion.rates, state.q, state.v)
