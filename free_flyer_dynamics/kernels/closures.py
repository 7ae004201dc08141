# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Joints that close loops, as the engine sees them: the rows between their ends, and their tables.

A loop's *way* lists rows from both ends inward: those of a alone, those of b alone, and those they
share, down to the root. What six unit wrenches meet on the way is kept in a *region*.
"""

from typing import NamedTuple

from free_flyer_dynamics.kernels._jit import inlined, kernel, out_of_line
from free_flyer_dynamics.kernels.blocks import cross, Vector
from free_flyer_dynamics.kernels.frames import turn_to_frame
from free_flyer_dynamics.kernels.layout import (
    CONSTANTS,
    GRAVITATES,
    HEAD,
    LAYOUT,
    Layout,
    layout_of,
    WORK,
    WRENCHES,
)
from free_flyer_dynamics.kernels.loop_motion import row_is_free
from free_flyer_dynamics.kernels.records import tree_of
from free_flyer_dynamics.tree import FREE
import numpy as np

# A loop in the integers: its kind, how many rows its way has of a, of b and of both, its root or
# -1, which end, 0 or 1, tells whether a row is but rounding, which motions it lets be, a bit each;
# then the way.
KIND, ROWS_OF_A, ROWS_OF_B, SHARED, LOOP_ROOT, FELT, LETS_BE, WAY = 0, 1, 2, 3, 4, 5, 6, 7
# A row of the way: its place among the joints, and where its constants and its work begin.
PLACE, ROW_CONSTANT, ROW_WORK = 0, 1, 2
STRIDE = 3

# Entries of a head that lead to what acts.
NOTHING_ACTS = tuple(Layout._fields.index(name) for name in ('drive', 'gravity', 'push'))
UNITS = 8  # room for six unit wrenches side by side
# A loop in the numbers. Its frames on the rows that carry them: axes, then origin.
FRAME_A, FRAME_B = 0, 12
LIGHT = 24  # inertia and mass of the end that is felt
EFFORT = 26
# How b stands to a and moves: axes of b's row and origin of a in them, the gap, and in frame a's
# axes velocity and acceleration.
TURN, ORIGIN, GAP, VELOCITY, ACCELERATION = 32, 41, 44, 47, 53
START_A, START_B = 64, 112  # unit wrenches at both ends
SHARE = 160  # how much of each acts
LOOP = 168
# A region: unit wrenches as they come to the root, what it gives way to them, and what each joint
# of the way feels of them; a ball's three parts come behind all joints.
AT_ROOT, ROOT_GIVES, FELT_BY = 0, 48, 96


class Closures(NamedTuple):
    """The joints that close a structure's loops."""

    count: int
    ways: np.ndarray  # integers
    way: int  # of each loop
    reals: np.ndarray  # loops, regions, one more region, and the matrix of what gives way
    region: int  # size of one
    zero: int  # where in the arena zeros lie
    calm: np.ndarray  # the arena's heads, where nothing gravitates
    still: np.ndarray  # and where nothing acts at all
    Y: np.ndarray  # (6 m, 6 m)
    F: np.ndarray
    scale: np.ndarray  # (6 m,)
    order: np.ndarray
    rank: np.ndarray  # (1,) int
    rhs: np.ndarray
    wrench: np.ndarray
    y: np.ndarray
    turn: np.ndarray  # (3, 3) scratch
    vector: np.ndarray  # (3,) scratch
    quat: np.ndarray  # (4,) scratch
    angle: np.ndarray  # (m,); of hinges, turns counted


@kernel
def _shared_node(tree, a, b):
    """Return the first node, or the world, that both ways inward come to."""
    while a != b:
        if a > b:
            a = tree.parent[a]
        else:
            b = tree.parent[b]
    return a


@kernel
def _list_rows(tree, i, last, ints, at, ways, first):
    """List the rows from node i inward, last excluded; return how many there are."""
    count = 0
    while i != last and i >= 0 and tree.kind[i] != FREE:
        place = ints[at.row_of + i]
        row, lane = place // at.lanes, place % at.lanes
        entry = first + STRIDE * count
        ways[entry + PLACE] = place
        ways[entry + ROW_CONSTANT] = at.constant + row * CONSTANTS * at.lanes + lane
        ways[entry + ROW_WORK] = at.work + row * WORK * at.lanes + lane
        count += 1
        i = tree.parent[i]
    return count


@kernel
def _place_frame(frames, node, rotation, position, reals, at, room):
    """Set twelve numbers to axes and origin of a frame given on a node, or on the world."""
    for k in range(4):
        column = position if k == 3 else rotation[:, k]
        if node < 0:
            for j in range(3):
                reals[room + j] = column[j]
        else:
            turn_to_frame(frames, node, column, 1.0 if k == 3 else 0.0, reals, room)
        for j in range(3):
            reals[at + (9 + j if k == 3 else 3 * j + k)] = reals[room + j]


@kernel
def _start_on_a(reals, at):
    """Set the biases that six unit wrenches on b are to a, which bears their opposites."""
    frame = at + FRAME_A
    origin = Vector(reals[frame + 9], reals[frame + 10], reals[frame + 11])
    for k in range(3):
        axis = Vector(reals[frame + k], reals[frame + 3 + k], reals[frame + 6 + k])
        put_unit_wrench(reals, at + START_A, k, axis, cross(origin, axis))


@inlined
def put_unit_wrench(reals, start, k, axis, arm):
    """Set the biases of the k-th unit moment and of the k-th unit force."""
    axes, moments = (axis.x, axis.y, axis.z), (arm.x, arm.y, arm.z)
    for j in range(3):
        moment, force = start + UNITS * j + k, start + UNITS * (3 + j) + k
        reals[moment], reals[moment + 3] = axes[j], moments[j]
        reals[force], reals[force + 3] = 0.0, axes[j]


@kernel
def put_efforts(ints, effort, closures):
    """Take the efforts at joints that close loops, and how the arena is headed now."""
    for m in range(closures.count):
        for k in range(3):
            closures.reals[m * LOOP + EFFORT + k] = effort[m, k]
    for head in (closures.calm, closures.still):
        for k in range(HEAD):
            head[k] = ints[k]
        head[LAYOUT + GRAVITATES] = 0
    closures.still[LAYOUT + WRENCHES] = 0
    for place in NOTHING_ACTS:
        closures.still[place] = closures.zero


@kernel
def furnish_closures(structure_ints, structure_reals, frames, ints, effort, closures):
    """Fill all that does not change with the state."""
    out_of_line()
    put_efforts(ints, effort, closures)
    tree = tree_of(structure_ints, structure_reals)
    at = layout_of(ints)
    loops, ways, reals = tree.loops, closures.ways, closures.reals
    for m in range(closures.count):
        head, block = m * closures.way, m * LOOP
        a, b = loops.a[m], loops.b[m]
        meet = _shared_node(tree, a, b)
        felt = b if b >= 0 else a
        first = head + WAY
        of_a = _list_rows(tree, a, meet, ints, at, ways, first)
        of_b = _list_rows(tree, b, meet, ints, at, ways, first + STRIDE * of_a)
        shared = _list_rows(tree, meet, -1, ints, at, ways, first + STRIDE * (of_a + of_b))
        ways[head + ROWS_OF_A], ways[head + ROWS_OF_B], ways[head + SHARED] = of_a, of_b, shared
        ways[head + KIND], ways[head + FELT] = loops.kind[m], b >= 0
        ways[head + LETS_BE] = 0
        for k in range(6):
            ways[head + LETS_BE] |= row_is_free(loops.kind[m], k) << k
        ways[head + LOOP_ROOT] = tree.root[felt] if felt >= 0 else -1
        A, B, room = block + FRAME_A, block + FRAME_B, block + GAP
        _place_frame(frames, a, loops.rotation_a[m], loops.position_a[m], reals, A, room)
        _place_frame(frames, b, loops.rotation_b[m], loops.position_b[m], reals, B, room)
        _start_on_a(reals, block)
        T = tree.inertia[felt]
        reals[block + LIGHT] = T[0, 0] + T[1, 1] + T[2, 2]
        reals[block + LIGHT + 1] = tree.mass[felt]
