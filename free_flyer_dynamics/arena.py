# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Room for an arena, and the doors that lay it out and furnish it."""

from __future__ import annotations

from ctypes import addressof, c_char

from free_flyer_dynamics.direct import Direct
from free_flyer_dynamics.kernels.arrange import lay_out
from free_flyer_dynamics.kernels.fill import furnish
from free_flyer_dynamics.kernels.frames import FRAME
from free_flyer_dynamics.kernels.layout import HEAD, PATH_STEP, WRENCH_HEAD
from free_flyer_dynamics.kernels.runs import RUN
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import Inputs
import numpy as np

ALIGNMENT = 8  # numbers: a full register starts on a cache line
LAY_OUT, FURNISH = Direct(lay_out), Direct(furnish)


def aligned(size: int) -> np.ndarray:
    """Return so many zeros that start on a cache line."""
    raw = np.zeros(size + ALIGNMENT)
    skip = -(addressof(c_char.from_buffer(raw.data)) // raw.itemsize) % ALIGNMENT
    return raw[skip : skip + size]


def arena_room(n: int, wrenches: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return room for the table of runs, for frames, and for all integers of n nodes."""
    integers = HEAD + 64 + 24 * n + 5 * (4 * n + 64) + wrenches * (WRENCH_HEAD + PATH_STEP * n)
    table = np.empty((3 + n, max(n, RUN)), dtype=np.int64)  # written whole, as are the frames
    return table, np.empty((n, FRAME)), np.zeros(integers, dtype=np.int64)


def batch_arena(
    structure: Structure, inputs: Inputs, states: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """
    Return the arena in which so many states of a structure are worked on side by side.

    Integers, numbers, and how each node's frame lies in it: see `frames.py`.
    """
    wrenches = len(inputs.wrench_node)
    record = structure.ints, structure.reals
    table, frames, ints = arena_room(structure.nodes, wrenches)
    runs, size = LAY_OUT(*record, inputs, 1, states, wrenches, table, frames, ints)
    reals = aligned(size)
    FURNISH(*record, inputs, states, table, frames, runs, ints, reals)
    return ints, reals, frames
