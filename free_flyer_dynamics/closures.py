# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Room for the closed loops of a structure that the engine steps."""

from __future__ import annotations

from free_flyer_dynamics.direct import Direct
from free_flyer_dynamics.kernels.closures import (
    Closures,
    EFFORT,
    FELT_BY,
    furnish_closures,
    LOOP,
    STRIDE,
    UNITS,
    WAY,
)
from free_flyer_dynamics.kernels.layout import (
    GRAVITATES,
    HEAD,
    LAYOUT,
    Layout,
    WRENCHES,
)
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import Inputs
import numpy as np

_furnish = Direct(furnish_closures)
_NOTHING_ACTS = tuple(Layout._fields.index(name) for name in ('drive', 'gravity', 'push'))


def make_closures(
    structure: Structure, reals: np.ndarray, zero: int, ints: np.ndarray, frames, angle
) -> Closures:
    """
    Return the tables of a structure's loops for an arena as it is laid out.

    `reals` is room for numbers, at least `closure_size`; `zero`, where in the arena zeros lie;
    `angle`, the state's, which is followed.
    """
    count, way = structure.loops, WAY + STRIDE * structure.nodes
    rows = 6 * count
    Y, F = np.zeros((2, rows, rows))
    scale, rhs, wrench, y = np.zeros((4, rows))
    reals[:] = 0.0
    closures = Closures(
        count,
        np.zeros(count * way, dtype=np.int64),
        way,
        reals,
        _region(ints),
        zero,
        np.zeros(HEAD, dtype=np.int64),
        np.zeros(HEAD, dtype=np.int64),
        Y,
        F,
        scale,
        np.zeros(rows, dtype=np.int64),
        np.full(1, -1, dtype=np.int64),
        rhs,
        wrench,
        y,
        np.zeros((3, 3)),
        np.zeros(3),
        np.zeros(4),
        angle,
    )
    _furnish(structure.ints, structure.reals, frames, ints, closures)
    return closures


def take_inputs(closures: Closures, ints: np.ndarray, inputs: Inputs) -> None:
    """Take the efforts at joints that close loops, and how the arena is headed now."""
    loops = closures.reals[: LOOP * closures.count].reshape(closures.count, LOOP)
    loops[:, EFFORT : EFFORT + 3] = inputs.loop_effort
    for head in (closures.calm, closures.still):
        head[:] = ints[:HEAD]
        head[LAYOUT + GRAVITATES] = 0
    closures.still[LAYOUT + WRENCHES] = 0
    closures.still[list(_NOTHING_ACTS)] = closures.zero


def _region(ints: np.ndarray) -> int:
    head = Layout(*ints[:LAYOUT].tolist())
    return FELT_BY + UNITS * (head.joints + 3 * head.balls + 6)


def closure_size(structure: Structure, ints: np.ndarray) -> int:
    """Return how many numbers the loops of a structure take."""
    count = structure.loops
    return LOOP * count + _region(ints) * (count + 1) + 6 * UNITS * count**2
