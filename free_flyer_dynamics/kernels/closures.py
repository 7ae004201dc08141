# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Joints that close loops, as the engine sees them: the rows between their ends, and their tables.

A loop's *way* lists rows from both ends inward: those of a alone, those of b alone, and those they
share, down to the root. What six unit wrenches meet on the way is kept in a *region*.
"""

from typing import NamedTuple

from free_flyer_dynamics.kernels._jit import shared
from free_flyer_dynamics.kernels.cut import cut
from free_flyer_dynamics.kernels.layout import (
    HEAD,
    Layout,
)
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


# The head of the integers: how many loops there are, the sizes of a way and of a region, where in
# the arena zeros lie, and the rank of the loops' rows, -1: not known.
COUNT, WAY_SIZE, REGION, ZERO, RANK = 0, 1, 2, 3, 4
LOOPS_HEAD = 5


class Closures(NamedTuple):
    """The joints that close a structure's loops, as kernels hand them on."""

    ints: np.ndarray
    reals: np.ndarray


class ClosureTables(NamedTuple):
    """What is cut from these."""

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


@shared
def closure_sizes(count, nodes, region):
    """Return how many integers and numbers so many loops take."""
    rows = 6 * count
    ints = LOOPS_HEAD + count * (WAY + STRIDE * nodes) + 2 * HEAD + rows
    return ints, _tables(count, region) + 2 * rows * rows + 4 * rows + 16 + count


@shared
def loop_region(joints, balls):
    """Return how many numbers what six unit wrenches do takes, in an arena of so many joints."""
    return FELT_BY + UNITS * (joints + 3 * balls + 6)


@shared
def _tables(count, region):
    """Return how many numbers loops, regions and their matrix take."""
    return LOOP * count + region * (count + 1) + 6 * UNITS * count * count


@shared
def closures_of(closures):
    """Cut the tables."""
    ints, reals = closures.ints, closures.reals
    m, way, region = ints[COUNT], ints[WAY_SIZE], ints[REGION]
    rows = 6 * m
    heads = LOOPS_HEAD + m * way
    at = _tables(m, region)
    columns = at + 2 * rows * rows
    scratch = columns + 4 * rows
    return ClosureTables(
        count=m,
        ways=cut(ints, LOOPS_HEAD, (m * way,)),
        way=way,
        reals=reals,
        region=region,
        zero=ints[ZERO],
        calm=cut(ints, heads, (HEAD,)),
        still=cut(ints, heads + HEAD, (HEAD,)),
        Y=cut(reals, at, (rows, rows)),
        F=cut(reals, at + rows * rows, (rows, rows)),
        scale=cut(reals, columns, (rows,)),
        order=cut(ints, heads + 2 * HEAD, (rows,)),
        rank=cut(ints, RANK, (1,)),
        rhs=cut(reals, columns + rows, (rows,)),
        wrench=cut(reals, columns + 2 * rows, (rows,)),
        y=cut(reals, columns + 3 * rows, (rows,)),
        turn=cut(reals, scratch, (3, 3)),
        vector=cut(reals, scratch + 9, (3,)),
        quat=cut(reals, scratch + 12, (4,)),
        angle=cut(reals, scratch + 16, (m,)),
    )
