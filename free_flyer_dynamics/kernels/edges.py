# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""All edges in two flat arrays, column behind column: cut, lengthened by one, shortened by one."""

import math

from free_flyer_dynamics.graph import Edges
from free_flyer_dynamics.kernels._jit import brief, inlined, kernel, shared
from free_flyer_dynamics.kernels.cut import cut
from free_flyer_dynamics.kernels.joints import join_where_they_are
from free_flyer_dynamics.tree import FIXED, SPHERICAL

# How many numbers of an edge stand in each column; the integers are one in each of three, behind
# one that tells how many edges there are. Columns have room for more.
INTS = 3
WIDTHS = (9, 3, 9, 3, 1, 1, 1, 1, 1, 1)
REALS = 30


@shared
def edges_of(ints, reals):
    """Cut the columns."""
    n, room = ints[0], len(ints) // INTS
    return Edges(
        kind=cut(ints, 1, (n,)),
        a=cut(ints, 1 + room, (n,)),
        b=cut(ints, 1 + 2 * room, (n,)),
        rotation_a=cut(reals, 0, (n, 3, 3)),
        position_a=cut(reals, 9 * room, (n, 3)),
        rotation_b=cut(reals, 12 * room, (n, 3, 3)),
        position_b=cut(reals, 21 * room, (n, 3)),
        damping=cut(reals, 24 * room, (n,)),
        friction=cut(reals, 25 * room, (n,)),
        lower=cut(reals, 26 * room, (n,)),
        upper=cut(reals, 27 * room, (n,)),
        effort_limit=cut(reals, 28 * room, (n,)),
        speed_limit=cut(reals, 29 * room, (n,)),
    )


@kernel
def _copy(table, at, rows, width, gone, out, to):
    """Copy rows of numbers from one place to another, less the one that is gone."""
    before = width * min(gone, rows)
    after = max(width * rows - before - width, 0)
    _copy_numbers(table, at, before, out, to)
    _copy_numbers(table, at + before + width, after, out, to + before)


@inlined
def _copy_numbers(table, at, count, out, to):
    """Copy as many numbers as a register holds at a time: cut, no index can be below zero."""
    given, taken = cut(table, at, (count,)), cut(out, to, (count,))
    for k in range(count):
        taken[k] = given[k]


@kernel
def _copy_edges(ints, reals, coordinates, rates, gone, ints_out, reals_out, moved_out, rates_out):
    """Copy edges and their motion, less the one that is gone; none is, at their number."""
    n, of, to = ints[0], len(ints) // INTS, len(ints_out) // INTS
    if gone == n and of == to:  # as they lie
        _copy_numbers(ints, 0, len(ints), ints_out, 0)
        _copy_numbers(reals, 0, len(reals), reals_out, 0)
    else:
        for c in range(INTS):
            _copy(ints, 1 + c * of, n, 1, gone, ints_out, 1 + c * to)
        before = 0
        for width in WIDTHS:
            _copy(reals, before * of, n, width, gone, reals_out, before * to)
            before += width
    for column, width, out in ((coordinates, 4, moved_out), (rates, 3, rates_out)):
        _copy(cut(column, 0, (width * n,)), 0, n, width, gone, cut(out, 0, (out.size,)), 0)


@inlined
def _are_welded(edges, one, other, found):
    """Tell whether two links are one rigid body whatever joints are locked."""
    for link in range(len(found)):
        found[link] = 0
    found[one] = 1
    grows = True
    while grows and not found[other]:
        grows = False
        for e in range(len(edges.kind)):
            a, b = edges.a[e], edges.b[e]
            if edges.kind[e] == FIXED and found[a] != found[b]:
                found[a] = found[b] = 1
                grows = True
    return found[other] == 1


@brief
def drop_edge(ints, reals, coordinates, rates, e, ints_out, reals_out, moved_out, rates_out):
    """Copy all edges but one, with their coordinates and rates."""
    ints_out[0] = ints[0] - 1
    _copy_edges(ints, reals, coordinates, rates, e, ints_out, reals_out, moved_out, rates_out)


@brief
def join_edge(
    # the edges, their coordinates and rates
    ints,
    reals,
    coordinates,
    rates,
    # where the links are; of the new edge its kind, its links and its axes
    bodies,
    links,
    kind,
    a,
    b,
    turned,
    # scratch, (2, 3, 3), and a number for each link
    turns,
    found,
    # output, with a row more
    ints_out,
    reals_out,
    moved_out,
    rates_out,
):
    """
    Copy all edges and put one more behind them, that nothing limits or slows, at rest.

    Tells whether it could: not if the two links are one rigid body whatever joints are locked.
    """
    if _are_welded(edges_of(ints, reals), a, b, found):
        return False
    n = len(rates)
    _copy_edges(ints, reals, coordinates, rates, n, ints_out, reals_out, moved_out, rates_out)
    ints_out[0] = n + 1
    edges = edges_of(ints_out, reals_out)
    edges.kind[n], edges.a[n], edges.b[n] = kind, a, b
    edges.damping[n] = edges.friction[n] = 0.0
    edges.lower[n], edges.upper[n] = -math.inf, math.inf
    edges.effort_limit[n] = edges.speed_limit[n] = math.inf
    join_where_they_are(
        bodies,
        links,
        a,
        b,
        turned,
        turns,
        edges.rotation_a[n],
        edges.position_a[n],
        edges.rotation_b[n],
        edges.position_b[n],
    )
    for k in range(4):
        moved_out[n, k] = 1.0 if k == 0 and kind == SPHERICAL else 0.0
    for k in range(3):
        rates_out[n, k] = 0.0
    return True
