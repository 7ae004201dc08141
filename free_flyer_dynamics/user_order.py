# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Entries of v as users see them, and as the walk does."""

from __future__ import annotations

from free_flyer_dynamics.kernels.rotation import swap_side, swap_side_back
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import State
import numpy as np


def _ball_turns(structure: Structure, state: State):
    """Yield the entries of v and the quaternion of each spherical joint walked from b to a."""
    tree = structure.tree
    for i in structure.swapped_balls:
        at, to = tree.v_at[i], tree.q_at[i]
        yield slice(at, at + 3), state.q[to : to + 4]


def to_user(structure: Structure, state: State, values: np.ndarray) -> np.ndarray:
    """
    Return rates, forces or rows of matrices in the order of v as users see them.

    They differ from the walk's at spherical joints walked from b to a alone: users see b's
    velocity in b's axes, the walk that of a.
    """
    out = values.copy()
    for entries, quat in _ball_turns(structure, state):
        for row in np.atleast_2d(out):
            swap_side(quat, row[entries])
    return out


def from_user(structure: Structure, state: State, values: np.ndarray) -> np.ndarray:
    """Return rates or forces in the order of v as the walk sees them: undoes `to_user`."""
    out = values.copy()
    for entries, quat in _ball_turns(structure, state):
        swap_side_back(quat, out[entries])
    return out
