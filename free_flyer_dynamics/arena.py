# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Room for an arena, and the doors that lay it out and furnish it."""

from __future__ import annotations

from ctypes import addressof, c_char
from typing import NamedTuple

from free_flyer_dynamics.assembly import Assembly
from free_flyer_dynamics.direct import Direct
from free_flyer_dynamics.kernels.anew import compile_and_lay
from free_flyer_dynamics.kernels.arrange import lay_out
from free_flyer_dynamics.kernels.closures import Closures
from free_flyer_dynamics.kernels.frames import FRAME
from free_flyer_dynamics.kernels.furnish import furnish
from free_flyer_dynamics.kernels.lanes import WIDEST
from free_flyer_dynamics.kernels.layout import HEAD, LAYOUT, PATH_STEP, USERS, WRENCH_HEAD
from free_flyer_dynamics.kernels.runs import RUN, RUNS
from free_flyer_dynamics.structure import given, Structure, structure_of
from free_flyer_dynamics.tree import Inputs, State
import numpy as np

ALIGNMENT = 8  # numbers: a full register starts on a cache line
_SPARE_WRENCHES = 4
_PLACES = slice(LAYOUT + USERS, LAYOUT + USERS + 8)  # of the users' state and efforts
_NO_ANGLES = np.zeros(0)
LAY_OUT, FURNISH = Direct(lay_out), Direct(furnish)
_compile_and_lay = Direct(compile_and_lay)


class Laid(NamedTuple):
    """An arena laid out, to be furnished."""

    wrenches: int  # how many there is room for
    table: np.ndarray  # of runs
    frames: np.ndarray
    ints: np.ndarray
    runs: int
    size: int  # numbers
    region: int  # those that a closed loop takes


def lay(structure: Structure, pushed: np.ndarray) -> Laid:
    """Lay tables for branches side by side, where these nodes are pushed."""
    wrenches = len(pushed) + _SPARE_WRENCHES
    room = arena_room(structure.nodes, wrenches)
    laid = LAY_OUT(structure.ints, structure.reals, pushed, WIDEST, 1, wrenches, *room)
    return Laid(wrenches, *room, *laid)


def compile_to_step(
    assembly: Assembly, coordinates: np.ndarray, pushed: np.ndarray
) -> tuple[Structure, Laid]:
    """
    Return the structure of what is joined, and an arena laid out for it; these links are pushed.

    Nothing is laid for a structure without nodes.
    """
    joined, ints, reals = given(assembly, coordinates)
    wrenches = len(pushed) + _SPARE_WRENCHES
    room = arena_room(len(assembly.links.mass) - 1, wrenches)
    nodes = np.empty(len(pushed), dtype=np.int64)
    laid = _compile_and_lay(*joined, pushed, WIDEST, wrenches, ints, reals, nodes, *room)
    return structure_of(assembly, ints, reals), Laid(wrenches, *room, *laid)


def aligned(size: int) -> np.ndarray:
    """Return so many zeros that start on a cache line."""
    raw = np.zeros(size + ALIGNMENT)
    skip = -(addressof(c_char.from_buffer(raw.data)) // raw.itemsize) % ALIGNMENT
    return raw[skip : skip + size]


def arena_room(n: int, wrenches: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return room for the table of runs, for frames, and for all integers of n nodes."""
    integers = HEAD + 64 + 24 * n + 5 * (4 * n + 64) + wrenches * (WRENCH_HEAD + PATH_STEP * n)
    table = np.empty((RUNS + RUN, n), dtype=np.int64)  # written whole, as are the frames
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
    layers = inputs.wrench_node, 1, states, wrenches
    runs, size, _region = LAY_OUT(*record, *layers, table, frames, ints)
    reals = aligned(size)
    FURNISH(*record, inputs, states, table, frames, runs, ints, reals)
    return ints, reals, frames


def state_in(
    structure: Structure, ints: np.ndarray, reals: np.ndarray, closures: Closures | None
) -> State:
    """Return the state that an arena holds: views of it, always the same ones."""
    q, v, momentum, center, slide, _effort, hold, blocked = ints[_PLACES].tolist()
    n, roots, loops = structure.nodes, structure.roots, structure.loops
    return State(
        q=reals[q : q + structure.nq],
        v=reals[v : v + structure.nv],
        momentum=reals[momentum : momentum + 6 * roots].reshape(roots, 6),
        center=reals[center : center + 6 * roots].reshape(roots, 6),
        hold=ints[hold : hold + n],
        slide=reals[slide : slide + n],
        blocked=ints[blocked : blocked + n],
        loop_angle=closures.reals[-loops:] if closures else _NO_ANGLES,
    )
