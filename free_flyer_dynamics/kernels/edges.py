# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""All edges in two flat arrays, column behind column: cut, lengthened by one, shortened by one."""

import math

from free_flyer_dynamics.graph import Edges
from free_flyer_dynamics.kernels._jit import kernel, shared
from free_flyer_dynamics.kernels.cut import cut
from free_flyer_dynamics.kernels.joints import join_where_they_are
from free_flyer_dynamics.tree import SPHERICAL

# How many numbers of an edge stand in each column; the integers are one in each of three.
INTS = 3
WIDTHS = (9, 3, 9, 3, 1, 1, 1, 1, 1, 1)
REALS = 30


@shared
def edges_of(ints, reals):
    """Cut the columns."""
    n = len(ints) // INTS
    return Edges(
        kind=cut(ints, 0, (n,)),
        a=cut(ints, n, (n,)),
        b=cut(ints, 2 * n, (n,)),
        rotation_a=cut(reals, 0, (n, 3, 3)),
        position_a=cut(reals, 9 * n, (n, 3)),
        rotation_b=cut(reals, 12 * n, (n, 3, 3)),
        position_b=cut(reals, 21 * n, (n, 3)),
        damping=cut(reals, 24 * n, (n,)),
        friction=cut(reals, 25 * n, (n,)),
        lower=cut(reals, 26 * n, (n,)),
        upper=cut(reals, 27 * n, (n,)),
        effort_limit=cut(reals, 28 * n, (n,)),
        speed_limit=cut(reals, 29 * n, (n,)),
    )


@kernel
def _copy(table, at, rows, width, gone, out, to):
    """Copy rows of numbers from one place to another, less the one that is gone."""
    before = width * min(gone, rows)
    for k in range(before):
        out[to + k] = table[at + k]
    for k in range(before + width, width * rows):
        out[to + k - width] = table[at + k]


@kernel
def _copy_edges(ints, reals, coordinates, rates, gone, ints_out, reals_out, moved_out, rates_out):
    """Copy edges and their motion, less the one that is gone; none is, at their number."""
    n, m = len(ints) // INTS, len(ints_out) // INTS
    for c in range(INTS):
        _copy(ints, c * n, n, 1, gone, ints_out, c * m)
    at = to = 0
    for width in WIDTHS:
        _copy(reals, at, n, width, gone, reals_out, to)
        at += width * n
        to += width * m
    _copy(coordinates.reshape(4 * n), 0, n, 4, gone, moved_out.reshape(4 * m), 0)
    _copy(rates.reshape(3 * n), 0, n, 3, gone, rates_out.reshape(3 * m), 0)


@kernel
def drop_edge(ints, reals, coordinates, rates, e, ints_out, reals_out, moved_out, rates_out):
    """Copy all edges but one, with their coordinates and rates."""
    _copy_edges(ints, reals, coordinates, rates, e, ints_out, reals_out, moved_out, rates_out)


@kernel
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
    # scratch, (2, 3, 3)
    turns,
    # output, with a row more
    ints_out,
    reals_out,
    moved_out,
    rates_out,
):
    """Copy all edges and put one more behind them, that nothing limits or slows, at rest."""
    n = len(rates)
    _copy_edges(ints, reals, coordinates, rates, n, ints_out, reals_out, moved_out, rates_out)
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
