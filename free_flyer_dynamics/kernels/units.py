# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Unit wrenches at the ends of closed loops, led inward side by side along their ways alone.

They meet the tree's own factors: a joint feels u, gives way by D u and passes on the rest. So the
matrix of what loops give way, J M^-1 J.T, is the sum of u.T D u over joints and roots: symmetric
and never negative, however it is rounded.
"""

from free_flyer_dynamics.kernels._jit import inlined, kernel, out_of_line
from free_flyer_dynamics.kernels.blocks import (
    cross,
    Matrix,
    minus,
    plus,
    plus_cross,
    plus_diagonal,
    plus_form,
    Symmetric,
    times_transposed,
    Vector,
    vector_about_x,
    vector_about_z,
)
from free_flyer_dynamics.kernels.closures import (
    AT_ROOT,
    closures_of,
    FELT_BY,
    LOOP,
    LOOP_ROOT,
    ORIGIN,
    PLACE,
    ROOT_GIVES,
    ROW_CONSTANT,
    ROW_WORK,
    ROWS_OF_A,
    ROWS_OF_B,
    SHARED,
    START_A,
    START_B,
    STRIDE,
    TURN,
    UNITS,
    WAY,
)
from free_flyer_dynamics.kernels.inverses import solve_six
from free_flyer_dynamics.kernels.lanes import load, ONE, spread, STATES, store, WIDEST, width
from free_flyer_dynamics.kernels.layout import (
    BALL,
    BALL_GIVE,
    CONSTANTS,
    COS_ALPHA,
    COS_GAMMA,
    GAIN,
    HELD,
    MASS,
    MOMENT,
    SHIFT,
    SIN_ALPHA,
    SIN_GAMMA,
    SLIDING,
    SLOT,
)
from free_flyer_dynamics.kernels.roots import slot_blocks
from free_flyer_dynamics.kernels.tables import constant_vector, inertia_of, vector_at
from free_flyer_dynamics.kernels.ways import put_unit_wrench

UNIT = STATES.get(WIDEST, ONE)
WAYS_OF_ONE = 6  # motions


@inlined
def wrenches_at(table, at, c):
    """Moments and forces of the unit wrenches from the c-th on."""
    return (
        Vector(
            load(table, at + c, 0, UNIT),
            load(table, at + c + UNITS, 0, UNIT),
            load(table, at + c + 2 * UNITS, 0, UNIT),
        ),
        Vector(
            load(table, at + c + 3 * UNITS, 0, UNIT),
            load(table, at + c + 4 * UNITS, 0, UNIT),
            load(table, at + c + 5 * UNITS, 0, UNIT),
        ),
    )


@inlined
def _put_wrenches(table, at, c, n, f):
    store(table, at + c, 0, n.x)
    store(table, at + c + UNITS, 0, n.y)
    store(table, at + c + 2 * UNITS, 0, n.z)
    store(table, at + c + 3 * UNITS, 0, f.x)
    store(table, at + c + 4 * UNITS, 0, f.y)
    store(table, at + c + 5 * UNITS, 0, f.z)


@inlined
def _start_on_b(table, block):
    """Set the biases that six unit wrenches in frame a are to b."""
    E = block + TURN
    origin = vector_at(table, block + ORIGIN, 0, ONE)
    for k in range(3):
        axis = Vector(-table[E + 3 * k], -table[E + 3 * k + 1], -table[E + 3 * k + 2])
        put_unit_wrench(table, block + START_B, k, axis, cross(origin, axis))


@inlined
def _gain(reals, W, k, lanes):
    return reals[W + (GAIN + k) * lanes]


@kernel
def _lead(ints, reals, at, q, ways, first, count, table, start, felt, c):
    """Lead unit wrenches from the c-th on inward along rows of a way; start is where they are."""
    out_of_line()
    lanes = at.lanes
    n, f = wrenches_at(table, start, c)
    for i in range(count):
        entry = first + STRIDE * i
        place, K, W = ways[entry + PLACE], ways[entry + ROW_CONSTANT], ways[entry + ROW_WORK]
        what = ints[at.row + place]
        cos, sin = reals[at.cosine + place], reals[at.sine + place]
        rx, ry = reals[K + SHIFT * lanes], reals[K + (SHIFT + 1) * lanes]
        n, f = vector_about_z(n, cos, sin), vector_about_z(f, cos, sin)
        if what == 0:
            u = -n.z
            store(table, felt + UNITS * place + c, 0, u)
            nx, ny = n.x + _gain(reals, W, 0, lanes) * u, n.y + _gain(reals, W, 1, lanes) * u
            fx, fy = f.x + _gain(reals, W, 2, lanes) * u, f.y + _gain(reals, W, 3, lanes) * u
            fz = f.z + _gain(reals, W, 4, lanes) * u
            n = Vector(nx + ry * fz, ny - rx * fz, rx * fy - ry * fx)
            f = Vector(fx, fy, fz)
        else:
            n, f = _pass_mixed(ints, reals, at, place, W, what, table, felt, c, n, f)
            far = reals[K + (SHIFT + 2) * lanes] + (reals[q + place] if what & SLIDING else 0.0)
            n = plus(n, cross(Vector(rx, ry, far), f))
        cos, sin = reals[K + COS_ALPHA * lanes], reals[K + SIN_ALPHA * lanes]
        n, f = vector_about_x(n, cos, sin), vector_about_x(f, cos, sin)
        cos, sin = reals[K + COS_GAMMA * lanes], reals[K + SIN_GAMMA * lanes]
        n, f = vector_about_z(n, cos, sin), vector_about_z(f, cos, sin)
    _put_wrenches(table, start, c, n, f)


@inlined
def _pass_mixed(ints, reals, at, place, W, what, table, felt, c, n, f):
    """Let a joint of a row that is not all revolute feel unit wrenches; return what it passes."""
    lanes = at.lanes
    if what & BALL:
        own = felt + UNITS * ball_entry(ints, at, place) + c
        store(table, own, 0, -n.x)
        store(table, own + UNITS, 0, -n.y)
        store(table, own + 2 * UNITS, 0, -n.z)
        G = Matrix(
            _gain(reals, W, 3, lanes), _gain(reals, W, 4, lanes), _gain(reals, W, 5, lanes),
            _gain(reals, W, 6, lanes), _gain(reals, W, 7, lanes), _gain(reals, W, 8, lanes),
            _gain(reals, W, 9, lanes), _gain(reals, W, 10, lanes), _gain(reals, W, 11, lanes),
        )  # fmt: skip
        zero = spread(0.0, UNIT)
        return Vector(zero, zero, zero), minus(f, times_transposed(G, n))
    u = -f.z if what & SLIDING else -n.z
    store(table, felt + UNITS * place + c, 0, u)
    if what & HELD:
        return n, f
    return (
        Vector(
            n.x + _gain(reals, W, 0, lanes) * u,
            n.y + _gain(reals, W, 1, lanes) * u,
            n.z + _gain(reals, W, 2, lanes) * u,
        ),
        Vector(
            f.x + _gain(reals, W, 3, lanes) * u,
            f.y + _gain(reals, W, 4, lanes) * u,
            f.z + _gain(reals, W, 5, lanes) * u,
        ),
    )


@inlined
def ball_entry(ints, at, place):
    """Where a region has what a ball feels: behind all joints."""
    return at.joints + 3 * ints[at.ball + place]


@inlined
def ball_gives(reals, W, lanes):
    """Matrix by which a ball gives way, the inverse of its inertia."""
    return Symmetric(
        reals[W + BALL_GIVE * lanes],
        reals[W + (BALL_GIVE + 1) * lanes],
        reals[W + (BALL_GIVE + 2) * lanes],
        reals[W + (BALL_GIVE + 3) * lanes],
        reals[W + (BALL_GIVE + 4) * lanes],
        reals[W + (BALL_GIVE + 5) * lanes],
    )


@kernel
def _root_gives(reals, at, r, table, region, c):
    """Keep how a free root accelerates under unit wrenches, held wheels turning with it."""
    out_of_line()
    slot, K = at.slot + (1 + r) * SLOT, at.body + r * CONSTANTS
    A, B, C, _n, _f = slot_blocks(reals, slot, ONE)
    A = plus_form(A, inertia_of(reals, K, ONE))
    B = plus_cross(B, constant_vector(reals, K, MOMENT, ONE))
    C = plus_diagonal(C, reals[K + MASS])
    n, f = wrenches_at(table, region + AT_ROOT, c)
    alpha, a = solve_six(A, B, C, n, f)
    _put_wrenches(table, region + ROOT_GIVES, c, alpha, a)


@kernel
def lead_units(ints, reals, at, q, closures, m, region, ends):
    """
    Lead unit wrenches of loop m inward, and keep in a region what they meet.

    `ends` tells where they act: 1 on a, 2 on b, 3 on both.
    """
    out_of_line()
    loops = closures_of(closures)
    ways, table = loops.ways, loops.reals
    head, block = m * loops.way, m * LOOP
    of_a, of_b, shared = ways[head + ROWS_OF_A], ways[head + ROWS_OF_B], ways[head + SHARED]
    r = ways[head + LOOP_ROOT]
    start_a, start_b, felt = region + AT_ROOT, region + ROOT_GIVES, region + FELT_BY
    _start_on_b(table, block)
    zero = spread(0.0, UNIT)
    none = Vector(zero, zero, zero)
    for c in range(0, WAYS_OF_ONE, width(UNIT)):
        n, f = wrenches_at(table, block + START_A, c)
        if ends & 1 == 0:
            n, f = none, none
        _put_wrenches(table, start_a, c, n, f)
        first = head + WAY
        _lead(ints, reals, at, q, ways, first, of_a, table, start_a, felt, c)
        n, f = wrenches_at(table, block + START_B, c)
        if ends & 2 == 0:
            n, f = none, none
        _put_wrenches(table, start_b, c, n, f)
        first += STRIDE * of_a
        _lead(ints, reals, at, q, ways, first, of_b, table, start_b, felt, c)
        first += STRIDE * of_b
        n, f = wrenches_at(table, start_a, c)
        n_b, f_b = wrenches_at(table, start_b, c)
        _put_wrenches(table, start_a, c, plus(n, n_b), plus(f, f_b))
        _lead(ints, reals, at, q, ways, first, shared, table, start_a, felt, c)
        if r >= 0:
            _root_gives(reals, at, r, table, region, c)
