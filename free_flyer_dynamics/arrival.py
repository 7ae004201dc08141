# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A motion that comes to a new structure: taken over, struck where it binds, and told."""

from __future__ import annotations

from typing import NamedTuple

from free_flyer_dynamics.direct import Direct
from free_flyer_dynamics.engine import Engine
from free_flyer_dynamics.kernels.transfer import GAINED, LOST, tell, TOLD
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.transfer import Motion, take_over
from free_flyer_dynamics.tree import State
import numpy as np

_tell = Direct(tell)
_NO_EDGES, _NO_LOOPS = np.zeros(0, dtype=np.int64), np.zeros(0)


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
    state = engine.state if engine else structure.new_state()
    take_over(structure, motion, binds, state)
    rank, margin, wrench = 0, 1.0, _NO_LOOPS
    if engine and (binds or structure.loops):
        rank, margin, wrench = engine.strike(binds, binds, motion.bodies)
    table = structure.assembly.edge_table
    told, impulses = np.zeros(TOLD), np.zeros((len(edges), 6))
    if binds:
        _tell(
            structure.assembly.links,
            table.ints,
            table.reals,
            structure.ints,
            structure.reals,
            structure.passage,
            motion.bodies,
            wrench,
            edges,
            state.v,
            state.momentum,
            state.center,
            impulses,
            told,
        )
    gained = told[GAINED : GAINED + 6]
    return Arrival(state, float(told[LOST]), gained, impulses, rank, margin)
