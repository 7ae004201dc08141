# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What joints are, row by row: which rows are all revolute and moving, and which are mixed."""

from free_flyer_dynamics.kernels._jit import kernel, out_of_line
from free_flyer_dynamics.kernels.layout import (
    BESIDE,
    course_of,
    FIRST,
    HELD,
    LAST,
    LAYOUT,
    layout_of,
    MARKED,
    MIXED,
    PACK,
)
from free_flyer_dynamics.tree import MOVING


@kernel
def mix_rows(ints, at):
    """Note of each row and pack what its joints are, and of each joint what stands beside it."""
    out_of_line()
    lanes = at.lanes
    for p in range(at.packs):
        pack = at.pack + p * (PACK + 2 * lanes)
        ints[pack + MIXED] = 0
        for row in range(ints[pack + FIRST], ints[pack + LAST]):
            mixed = 0
            for place in range(row * lanes, (row + 1) * lanes):
                mixed |= ints[at.row + place] & ~BESIDE
            for place in range(row * lanes, (row + 1) * lanes):
                what = ints[at.row + place] & ~BESIDE
                ints[at.row + place] = what | BESIDE if mixed else what
            ints[at.mixed + row] = mixed
            ints[pack + MIXED] |= mixed


@kernel
def mark_holds(ints, reals):
    """Mark joints and wheels that are held; return how many are."""
    out_of_line()
    at, course = layout_of(ints), course_of(ints)
    held = 0
    for i in range(course.nodes):
        held += ints[course.hold + i] != MOVING
    if held == 0 and course.marked == 0:
        return 0
    ints[LAYOUT + MARKED] = held
    changed = False
    for i in range(course.nodes):
        j, place = ints[at.node + i], ints[at.row_of + i]
        holds = ints[course.hold + i] != MOVING
        if place >= at.rows * at.lanes:
            ints[at.wheel + 2 * (j - (at.joints - at.wheel_room)) + 1] = holds
        elif place >= 0:  # no free root
            what = ints[at.row + place] & ~HELD
            what = what | HELD if holds else what
            if what != ints[at.row + place]:
                ints[at.row + place] = what
                reals[at.free + place] = 0.0 if holds else 1.0
                changed = True
    if changed:
        mix_rows(ints, at)
    return held
