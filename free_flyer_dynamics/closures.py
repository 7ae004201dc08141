# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Room for the closed loops of a structure that the engine steps."""

from __future__ import annotations

from free_flyer_dynamics.direct import Direct
from free_flyer_dynamics.kernels.closures import (
    Closures,
    FELT_BY,
    furnish_closures,
    LOOP,
    put_efforts,
    STRIDE,
    UNITS,
    WAY,
)
from free_flyer_dynamics.kernels.layout import HEAD, Layout
from free_flyer_dynamics.structure import Structure
import numpy as np

_furnish, _put_efforts = Direct(furnish_closures), Direct(put_efforts)
_SIZES = [Layout._fields.index(name) for name in ('joints', 'balls')]


def make_closures(
    structure: Structure,
    reals: np.ndarray,
    region: int,
    zero: int,
    ints: np.ndarray,
    frames: np.ndarray,
    effort: np.ndarray,
    angle: np.ndarray,
) -> Closures:
    """
    Return the tables of a structure's loops for an arena as it is laid out.

    `reals` are as many zeros as `closure_size` says; `region`, how many each loop takes of them;
    `zero`, where in the arena zeros lie; `effort`, that of the joints that close loops; `angle`,
    the state's, which is followed.
    """
    count, way = structure.loops, WAY + STRIDE * structure.nodes
    rows = 6 * count
    Y, F, scale, rhs, wrench, y, turn, vector, quat = _cut(
        reals, _tables(count, region), _to_solve(count)
    )
    integers = count * way, HEAD, HEAD, rows, 1
    ways, calm, still, order, rank = _cut(np.zeros(sum(integers), dtype=np.int64), 0, integers)
    rank[0] = -1
    closures = Closures(
        count,
        ways,
        way,
        reals,
        region,
        zero,
        calm,
        still,
        Y.reshape(rows, rows),
        F.reshape(rows, rows),
        scale,
        order,
        rank,
        rhs,
        wrench,
        y,
        turn.reshape(3, 3),
        vector,
        quat,
        angle,
    )
    _furnish(structure.ints, structure.reals, frames, ints, effort, closures)
    return closures


def _cut(flat: np.ndarray, at: int, sizes: tuple[int, ...]) -> list[np.ndarray]:
    """Return pieces of an array, one behind the other."""
    pieces = []
    for size in sizes:
        pieces.append(flat[at : at + size])
        at += size
    return pieces


def take_efforts(closures: Closures, ints: np.ndarray, effort: np.ndarray) -> None:
    """Take the efforts at joints that close loops, and how the arena is headed now."""
    _put_efforts(ints, effort, closures)


def loop_region(ints: np.ndarray) -> int:
    """Return how many numbers what six unit wrenches do takes, in an arena of that head."""
    joints, balls = (int(ints[place]) for place in _SIZES)
    return FELT_BY + UNITS * (joints + 3 * balls + 6)


def closure_size(count: int, region: int) -> int:
    """Return how many numbers so many loops take."""
    return _tables(count, region) + sum(_to_solve(count))


def _tables(count: int, region: int) -> int:
    return LOOP * count + region * (count + 1) + 6 * UNITS * count**2


def _to_solve(count: int) -> tuple[int, ...]:
    """Return the sizes of two matrices, of four columns, and of scratch for a turn."""
    rows = 6 * count
    return rows * rows, rows * rows, rows, rows, rows, rows, 9, 3, 4
