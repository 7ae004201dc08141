# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""An eye on closed loops: says so when they come to a configuration where their forces blur."""

from __future__ import annotations

import warnings

from free_flyer_dynamics import dynamics
from free_flyer_dynamics.kernels.ranks import rank_nearby
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import FIXED, FREE, PRISMATIC, REVOLUTE, SPHERICAL, State
import numpy as np

NEARLY_SINGULAR = 1e-6  # the smallest pivot of the scaled loops, 1 at best
NEARBY = 0.02  # [rad, m]
WELL_AGAIN = 1e-5  # it has to grow past this before it is told of again
_ROWS = {REVOLUTE: 5, PRISMATIC: 5, SPHERICAL: 3, FIXED: 6}  # that a loop of a kind binds


class LoopWarning(UserWarning):
    """Closed loops are at or near a singular configuration."""


class LoopWatch:
    """What has been seen and told of one structure's loops."""

    def __init__(self) -> None:
        self.rank = 0  # where it was last looked at
        self._usual = -1  # not known yet: what it is nearly everywhere
        self._told = False

    def look(
        self, structure: Structure, state: State, seen: tuple[int, float] | None = None
    ) -> None:
        """
        Warn, once until they are well again, when the loops are nearly singular.

        `seen` is their rank and margin at this state, where that is known.
        """
        if not structure.loops:
            return
        rank, margin = seen or dynamics.loop_margin(structure, state)
        self.rank = rank
        if self._usual < 0:  # more than all rows there can't be anywhere
            full = rank == sum(_ROWS[kind] for kind in structure.loop_kinds)
            self._usual = rank if full else _rank_nearby(structure, state)
        lost, self._usual = rank < self._usual, max(rank, self._usual)
        if (lost or margin < NEARLY_SINGULAR) and not self._told:
            self._told = True
            names = ', '.join(structure.assembly.edge_names[e] for e in structure.plan.loop_edge)
            warnings.warn(
                f'The loops closed by {names} are nearly singular (rank {rank} of {self._usual}, '
                f'smallest pivot {margin:.1e}): some of their forces are large or undetermined. '
                'They stay closed; move away from this configuration, or open a loop.',
                LoopWarning,
                stacklevel=4,
            )
        elif not lost and margin > WELL_AGAIN:
            self._told = False


def _rank_nearby(structure: Structure, state: State) -> int:
    """
    Return the loops' rank with the joints a little elsewhere, where none is singular.

    Elsewhere with the loops closed: some rows, as those of a ball joint on a hinge's own line,
    are redundant wherever closed loops can be, and no singularity.
    """
    joints = np.ones(structure.nv)
    for at in structure.tree.v_at[structure.tree.kind == FREE]:
        joints[at : at + 6] = 0.0
    shift = NEARBY * joints * np.random.default_rng(0).uniform(-1, 1, structure.nv)
    free, room = np.zeros_like(state.hold), (np.zeros(structure.nq), np.zeros(structure.nv))
    return int(rank_nearby(structure.tree, state.q, shift, free, *room, structure.workspace))
