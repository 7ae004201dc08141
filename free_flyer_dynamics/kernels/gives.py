# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What closed loops give way to the wrenches of one another: J M^-1 J.T, block by block."""

from typing import NamedTuple

from free_flyer_dynamics.kernels._jit import inlined, kernel, out_of_line
from free_flyer_dynamics.kernels.blocks import times_form, Vector
from free_flyer_dynamics.kernels.closures import (
    AT_ROOT,
    closures_of,
    FELT,
    FELT_BY,
    LETS_BE,
    LIGHT,
    LOOP,
    LOOP_ROOT,
    PLACE,
    ROOT_GIVES,
    ROW_WORK,
    ROWS_OF_A,
    ROWS_OF_B,
    SHARED,
    STRIDE,
    UNITS,
    WAY,
)
from free_flyer_dynamics.kernels.lanes import load, spread, store, width
from free_flyer_dynamics.kernels.layout import BALL, GIVE, HELD
from free_flyer_dynamics.kernels.linear import pivoted_cholesky
from free_flyer_dynamics.kernels.loops import IMMOBILE, SUSPICIOUS
from free_flyer_dynamics.kernels.units import ball_entry, ball_gives, lead_units, UNIT


class Rows(NamedTuple):
    """Six rows of a matrix, some of its columns side by side."""

    first: float
    second: float
    third: float
    fourth: float
    fifth: float
    sixth: float


@inlined
def _plus_outer(rows, table, at, gives):
    """Rows with those of a product added: six numbers, each times what gives."""
    return Rows(
        rows.first + table[at] * gives,
        rows.second + table[at + 1] * gives,
        rows.third + table[at + 2] * gives,
        rows.fourth + table[at + 3] * gives,
        rows.fifth + table[at + 4] * gives,
        rows.sixth + table[at + 5] * gives,
    )


@inlined
def way_length(ways, head):
    """How many rows a loop's way has."""
    return ways[head + ROWS_OF_A] + ways[head + ROWS_OF_B] + ways[head + SHARED]


@inlined
def region_of(loops, m):
    """Where the region of loop m is; that of none comes last."""
    return LOOP * loops.count + loops.region * m


@inlined
def matrix_of(loops):
    """Where the matrix of what gives way starts; a row is eight numbers for each loop."""
    return region_of(loops, loops.count + 1)


@kernel
def fill_block(ints, reals, at, closures, m, mine, other, same_root, out, row):
    """Fill six rows of the matrix: motions of loop m, whose region is `mine`, by the other's."""
    out_of_line()
    loops = closures_of(closures)
    ways, table = loops.ways, loops.reals
    head = m * loops.way
    zero = spread(0.0, UNIT)
    for c in range(0, 6, width(UNIT)):
        rows = Rows(zero, zero, zero, zero, zero, zero)
        for i in range(way_length(ways, head)):
            entry = head + WAY + STRIDE * i
            place, W = ways[entry + PLACE], ways[entry + ROW_WORK]
            what = ints[at.row + place]
            if what & BALL:
                own = UNITS * ball_entry(ints, at, place)
                theirs = other + FELT_BY + own + c
                gives = times_form(
                    ball_gives(reals, W, at.lanes),
                    Vector(
                        load(table, theirs, 0, UNIT),
                        load(table, theirs + UNITS, 0, UNIT),
                        load(table, theirs + 2 * UNITS, 0, UNIT),
                    ),
                )
                own += mine + FELT_BY
                rows = _plus_outer(rows, table, own, gives.x)
                rows = _plus_outer(rows, table, own + UNITS, gives.y)
                rows = _plus_outer(rows, table, own + 2 * UNITS, gives.z)
            elif what & HELD == 0:
                felt = FELT_BY + UNITS * place
                gives = reals[W + GIVE * at.lanes] * load(table, other + felt + c, 0, UNIT)
                rows = _plus_outer(rows, table, mine + felt, gives)
        if same_root:
            for k in range(0, 6 * UNITS, UNITS):
                gives = load(table, other + ROOT_GIVES + k + c, 0, UNIT)
                rows = _plus_outer(rows, table, mine + AT_ROOT + k, gives)
        store(table, out + c, 0, rows.first)
        store(table, out + row + c, 0, rows.second)
        store(table, out + 2 * row + c, 0, rows.third)
        store(table, out + 3 * row + c, 0, rows.fourth)
        store(table, out + 4 * row + c, 0, rows.fifth)
        store(table, out + 5 * row + c, 0, rows.sixth)


@kernel
def _is_immobile(ints, reals, at, q, closures, m, k, give):
    """
    Tell whether the k-th relative motion of a loop's ends is nothing but rounding.

    As in `loops.py`: beside it stands what a unit wrench on one end alone would move that end.
    Asked where the motion is small beside that of a lone body.
    """
    loops = closures_of(closures)
    ways, table = loops.ways, loops.reals
    head = m * loops.way
    spare = region_of(loops, loops.count)
    lead_units(ints, reals, at, q, closures, m, spare, 1 + ways[head + FELT])
    on_root = ways[head + LOOP_ROOT] >= 0
    out = spare + AT_ROOT + loops.region - 6 * UNITS
    fill_block(ints, reals, at, closures, m, spare, spare, on_root, out, UNITS)
    return not give > IMMOBILE * table[out + UNITS * k + k]


@kernel
def factor_closures(ints, reals, at, q, closures):
    """
    Fill the matrix of what all loops give way, and factor it; keep its rank.

    The tree's factors are known, and how the loops' ends stand to each other.
    """
    out_of_line()
    loops = closures_of(closures)
    ways, table, Y = loops.ways, loops.reals, loops.Y
    count = loops.count
    G, row = matrix_of(loops), UNITS * count
    for m in range(count):
        lead_units(ints, reals, at, q, closures, m, region_of(loops, m), 3)
    for m in range(count):
        r = ways[m * loops.way + LOOP_ROOT]
        for s in range(m + 1):
            same_root = r >= 0 and r == ways[s * loops.way + LOOP_ROOT]
            mine, other = region_of(loops, m), region_of(loops, s)
            out = G + 6 * m * row + UNITS * s
            fill_block(ints, reals, at, closures, m, mine, other, same_root, out, row)
            mirrored = G + 6 * s * row + UNITS * m
            mine, other = ways[m * loops.way + LETS_BE], ways[s * loops.way + LETS_BE]
            for k in range(6):
                for j in range(6):
                    give = table[out + k * row + j]
                    table[mirrored + j * row + k] = give
                    bound = ((mine >> k) | (other >> j)) & 1 == 0
                    Y[6 * m + k, 6 * s + j] = Y[6 * s + j, 6 * m + k] = give if bound else 0.0
    for m in range(count):
        for k in range(6):
            give = Y[6 * m + k, 6 * m + k]
            beside = give * table[m * LOOP + LIGHT + k // 3]
            if beside > SUSPICIOUS:
                continue
            if not beside > IMMOBILE or _is_immobile(ints, reals, at, q, closures, m, k, give):
                Y[6 * m + k, 6 * m + k] = 0.0
    loops.rank[0] = pivoted_cholesky(Y, loops.scale, loops.order, loops.F)
