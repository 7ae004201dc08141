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
_SIZES = [Layout._fields.index(name) for name in ('joints', 'balls')]
_NOTHING_ACTS = tuple(Layout._fields.index(name) for name in ('drive', 'gravity', 'push'))


def make_closures(
    structure: Structure,
    reals: np.ndarray,
    region: int,
    zero: int,
    ints: np.ndarray,
    frames,
    angle,
) -> Closures:
    """
    Return the tables of a structure's loops for an arena as it is laid out.

    `reals` are as many zeros as `closure_size` says; `region`, how many each loop takes of them;
    `zero`, where in the arena zeros lie; `angle`, the state's, which is followed.
    """
    count, way = structure.loops, WAY + STRIDE * structure.nodes
    rows = 6 * count
    Y, F = np.zeros((2, rows, rows))
    scale, rhs, wrench, y = np.zeros((4, rows))
    closures = Closures(
        count,
        np.zeros(count * way, dtype=np.int64),
        way,
        reals,
        region,
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
    for place in _NOTHING_ACTS:
        closures.still[place] = closures.zero


def loop_region(ints: np.ndarray) -> int:
    """Return how many numbers what six unit wrenches do takes, in an arena of that head."""
    joints, balls = ints[_SIZES].tolist()
    return FELT_BY + UNITS * (joints + 3 * balls + 6)


def closure_size(count: int, region: int) -> int:
    """Return how many numbers so many loops take."""
    return LOOP * count + region * (count + 1) + 6 * UNITS * count**2
