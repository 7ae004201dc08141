# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A motion that comes to a new structure: taken over, struck where it binds, and told."""

from __future__ import annotations

from typing import NamedTuple

from free_flyer_dynamics.direct import Direct
from free_flyer_dynamics.engine import Engine
from free_flyer_dynamics.kernels.impact import GAINED, halt, LOST, TOLD
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.transfer import Motion, take_over
from free_flyer_dynamics.tree import State
import numpy as np

_halt = Direct(halt)
_NO_EDGES, _NOTHING_TOLD = np.zeros(0, dtype=np.int64), np.zeros(TOLD)


class Arrival(NamedTuple):
    """
    A motion taken over by a structure.

    Parameters
    ----------
    state : State
    energy_lost : float
        [J]
    momentum_gained : ndarray, shape (6,)
        After less before, angular first.
    impulses : ndarray, shape (k, 6)
        On the edges that were to be told of, angular first.
    rank : int
        Of the loops' rows.
    margin : float
        The smallest pivot that these were factored with, 1 at best.

    """

    state: State
    energy_lost: float
    momentum_gained: np.ndarray
    impulses: np.ndarray
    rank: int
    margin: float


def arrive(
    structure: Structure,
    motion: Motion,
    binds: bool,
    engine: Engine | None,
    edges: np.ndarray = _NO_EDGES,
) -> Arrival:
    """
    Take a motion over into the engine of a structure, new both, and tell what that cost.

    Where the structure binds what moved freely, velocities jump to the nearest ones in the inertia
    metric, and the impulses on these edges are told; where it only frees, they are those of the
    motion. A structure without nodes has no engine.
    """
    rank, margin, told = 0, 1.0, _NOTHING_TOLD
    if engine:
        state = engine.state
        rank, margin, told = engine.receive(motion, binds, edges)
    else:
        state = structure.new_state()
        if binds:
            told = _halted(structure, motion, edges)
        else:
            take_over(structure, motion, state)
    impulses = told[TOLD:].reshape(-1, 6)
    return Arrival(state, float(told[LOST]), told[GAINED:TOLD], impulses, rank, margin)


def _halted(structure: Structure, motion: Motion, edges: np.ndarray) -> np.ndarray:
    """Return what is told of a motion that comes to a structure without nodes."""
    table, told = structure.assembly.edge_table, np.zeros(TOLD + 6 * len(edges))
    _halt(
        structure.assembly.links,
        table.ints,
        table.reals,
        structure.ints,
        structure.reals,
        structure.passage,
        motion.bodies,
        edges,
        told,
    )
    return told
