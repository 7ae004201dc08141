# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The drives of joints that close loops: wrenches like those that keep the loops closed."""

from free_flyer_dynamics.kernels._jit import inlined, kernel
from free_flyer_dynamics.kernels.closures import EFFORT, KIND, LOOP, SHARE, UNITS
from free_flyer_dynamics.kernels.ends import loop_turn
from free_flyer_dynamics.kernels.gives import matrix_of
from free_flyer_dynamics.kernels.lanes import load, ONE, total, width
from free_flyer_dynamics.kernels.loop_motion import row_is_free
from free_flyer_dynamics.kernels.tables import vector_at
from free_flyer_dynamics.kernels.units import UNIT
from free_flyer_dynamics.tree import PRISMATIC, REVOLUTE, SPHERICAL


@inlined
def dot_units(table, a, b):
    """Scalar product of two rows of numbers, one for each unit wrench."""
    s = 0.0
    for c in range(0, UNITS, width(UNIT)):
        s += total(load(table, a + c, 0, UNIT) * load(table, b + c, 0, UNIT))
    return s


@kernel
def take_drives(loops):
    """Let the drives of joints that close loops be the wrenches' shares; tell if any pushes."""
    table, pushes = loops.reals, False
    for m in range(loops.count):
        block, kind = m * LOOP, loops.ways[m * loops.way + KIND]
        for k in range(UNITS):
            table[block + SHARE + k] = 0.0
        effort = vector_at(table, block + EFFORT, 0, ONE)
        if effort.x == 0.0 and effort.y == 0.0 and effort.z == 0.0:
            continue
        pushes = True
        if kind == REVOLUTE:
            table[block + SHARE + 2] = effort.x
        elif kind == PRISMATIC:
            table[block + SHARE + 5] = effort.x
        elif kind == SPHERICAL:  # given in frame b's axes
            loop_turn(loops, m)
            R, given = loops.turn, (effort.x, effort.y, effort.z)
            for k in range(3):
                for j in range(3):
                    table[block + SHARE + k] += R[k, j] * given[j]
    return pushes


@kernel
def undo_drives(loops):
    """Take off what is to be undone what the drives alone would do to the loops' ends."""
    table, row = loops.reals, UNITS * loops.count
    for m in range(loops.count):
        kind = loops.ways[m * loops.way + KIND]
        for k in range(6):
            if row_is_free(kind, k):
                continue
            at = matrix_of(loops) + (6 * m + k) * row
            for s in range(loops.count):
                loops.rhs[6 * m + k] -= dot_units(table, at + UNITS * s, s * LOOP + SHARE)
