# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
How the ends of closed loops stand to each other and move, by the joints between them alone.

What both ends share, moves them as one body and plays no part: each end is walked to from where
their ways meet. [RBDA] section 8.2.
"""

from typing import NamedTuple

from free_flyer_dynamics.kernels._jit import inlined, kernel, out_of_line
from free_flyer_dynamics.kernels.blocks import (
    cross,
    Matrix,
    minus,
    plus,
    product,
    times,
    times_transposed,
    turn_back,
    Vector,
)
from free_flyer_dynamics.kernels.closures import (
    ACCELERATION,
    closures_of,
    FRAME_A,
    FRAME_B,
    GAP,
    KIND,
    LOOP,
    ORIGIN,
    PLACE,
    ROW_CONSTANT,
    ROWS_OF_A,
    ROWS_OF_B,
    STRIDE,
    TURN,
    VELOCITY,
    WAY,
)
from free_flyer_dynamics.kernels.lanes import ONE
from free_flyer_dynamics.kernels.layout import (
    BALL,
    COS_ALPHA,
    COS_GAMMA,
    SHIFT,
    SIN_ALPHA,
    SIN_GAMMA,
    SLIDING,
)
from free_flyer_dynamics.kernels.loop_motion import near_turn, opening, row_is_free
from free_flyer_dynamics.kernels.tables import matrix_at, put_matrix, put_vector, vector_at
from free_flyer_dynamics.tree import REVOLUTE


class End(NamedTuple):
    """Pose and motion of a row's frame, seen from where two ways meet, in its axes."""

    R: Matrix
    x: Vector
    w: Vector
    u: Vector
    alpha: Vector
    a: Vector


@inlined
def _columns_about_z(R, c, s):
    """R Rz."""
    xx, xy = turn_back(R.xx, R.xy, c, s)
    yx, yy = turn_back(R.yx, R.yy, c, s)
    zx, zy = turn_back(R.zx, R.zy, c, s)
    return Matrix(xx, xy, R.xz, yx, yy, R.yz, zx, zy, R.zz)


@inlined
def _columns_about_x(R, c, s):
    """R Rx."""
    xy, xz = turn_back(R.xy, R.xz, c, s)
    yy, yz = turn_back(R.yy, R.yz, c, s)
    zy, zz = turn_back(R.zy, R.zz, c, s)
    return Matrix(R.xx, xy, xz, R.yx, yy, yz, R.zx, zy, zz)


@inlined
def _scaled(a, k):
    return Vector(k * a.x, k * a.y, k * a.z)


@inlined
def _walk(ints, reals, at, q, v, vdot, ways, first, count):
    """Walk outward along rows of a way that are listed inward."""
    R = Matrix(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    zero = Vector(0.0, 0.0, 0.0)
    x, w, u, alpha, a = zero, zero, zero, zero, zero
    lanes = at.lanes
    for i in range(count - 1, -1, -1):
        entry = first + STRIDE * i
        place, K = ways[entry + PLACE], ways[entry + ROW_CONSTANT]
        what = ints[at.row + place]
        R = _columns_about_z(R, reals[K + COS_GAMMA * lanes], reals[K + SIN_GAMMA * lanes])
        R = _columns_about_x(R, reals[K + COS_ALPHA * lanes], reals[K + SIN_ALPHA * lanes])
        shift = Vector(
            reals[K + SHIFT * lanes],
            reals[K + (SHIFT + 1) * lanes],
            reals[K + (SHIFT + 2) * lanes] + (reals[q + place] if what & SLIDING else 0.0),
        )
        arm = times(R, shift)
        x = plus(x, arm)
        spin = cross(w, arm)
        u = plus(u, spin)
        a = plus(a, plus(cross(alpha, arm), cross(w, spin)))
        R = _columns_about_z(R, reals[at.cosine + place], reals[at.sine + place])
        z = Vector(R.xz, R.yz, R.zz)
        if what & SLIDING:
            moved = _scaled(z, reals[v + place])
            u = plus(u, moved)
            a = plus(a, plus(_scaled(z, reals[vdot + place]), _scaled(cross(w, moved), 2.0)))
        else:
            turned, faster = _scaled(z, reals[v + place]), _scaled(z, reals[vdot + place])
            if what & BALL:
                turner = at.joints + 6 * (at.roots + ints[at.ball + place])
                turned = times(R, vector_at(reals, v + turner, 0, ONE))
                faster = times(R, vector_at(reals, vdot + turner, 0, ONE))
            alpha = plus(alpha, plus(faster, cross(w, turned)))
            w = plus(w, turned)
    return End(R, x, w, u, alpha, a)


@kernel
def relate(ints, reals, at, q, v, vdot, closures):
    """
    Fill how b stands to a, and velocity and acceleration of it as one sees them who moves with a.

    All at the origin of frame a and in its axes, as [RBDA] has them. Cosines and sines are known.
    """
    out_of_line()
    loops = closures_of(closures)
    ways, table = loops.ways, loops.reals
    for m in range(loops.count):
        head, block = m * loops.way, m * LOOP
        of_a, of_b = ways[head + ROWS_OF_A], ways[head + ROWS_OF_B]
        first = head + WAY
        A = _walk(ints, reals, at, q, v, vdot, ways, first, of_a)
        B = _walk(ints, reals, at, q, v, vdot, ways, first + STRIDE * of_a, of_b)
        axes = product(A.R, matrix_at(table, block + FRAME_A, 0, ONE))
        e = times(A.R, vector_at(table, block + FRAME_A, 9, ONE))
        spin = cross(A.w, e)
        u = plus(A.u, spin)
        a = plus(A.a, plus(cross(A.alpha, e), cross(A.w, spin)))
        d = minus(plus(A.x, e), B.x)
        put_matrix(table, block + TURN, _transposed_product(axes, B.R))
        put_vector(table, block + ORIGIN, 0, times_transposed(B.R, d))
        gap = minus(times(B.R, vector_at(table, block + FRAME_B, 9, ONE)), d)
        put_vector(table, block + GAP, 0, times_transposed(axes, gap))
        turned = minus(B.w, A.w)
        moved = minus(plus(B.u, cross(B.w, d)), u)
        put_vector(table, block + VELOCITY, 0, times_transposed(axes, turned))
        put_vector(table, block + VELOCITY, 3, times_transposed(axes, moved))
        alpha = minus(minus(B.alpha, A.alpha), cross(A.w, turned))
        far = plus(cross(B.alpha, d), cross(B.w, minus(u, B.u)))
        a = minus(minus(plus(B.a, far), a), cross(A.w, moved))
        put_vector(table, block + ACCELERATION, 0, times_transposed(axes, alpha))
        put_vector(table, block + ACCELERATION, 3, times_transposed(axes, a))


@inlined
def _transposed_product(A, B):
    """Product A.T B."""
    x = times_transposed(A, Vector(B.xx, B.yx, B.zx))
    y = times_transposed(A, Vector(B.xy, B.yy, B.zy))
    z = times_transposed(A, Vector(B.xz, B.yz, B.zz))
    return Matrix(x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z)


@kernel
def rates_to_undo(loops, what):
    """Fill rhs with minus the velocities, or accelerations, that the loops forbid."""
    for m in range(loops.count):
        kind = loops.ways[m * loops.way + KIND]
        for k in range(6):
            rate = loops.reals[m * LOOP + what + k]
            loops.rhs[6 * m + k] = 0.0 if row_is_free(kind, k) else -rate


@kernel
def loop_turn(loops, m):
    """Fill the scratch matrix with the rotation of frame b's axes to frame a's."""
    block, R = m * LOOP, loops.turn
    found = product(
        matrix_at(loops.reals, block + TURN, 0, ONE),
        matrix_at(loops.reals, block + FRAME_B, 0, ONE),
    )
    R[0, 0], R[0, 1], R[0, 2] = found.xx, found.xy, found.xz
    R[1, 0], R[1, 1], R[1, 2] = found.yx, found.yy, found.yz
    R[2, 0], R[2, 1], R[2, 2] = found.zx, found.zy, found.zz


@kernel
def gaps_to_undo(closures):
    """Fill rhs with minus the gaps and angles by which loops are open; return the largest."""
    out_of_line()
    loops = closures_of(closures)
    worst = 0.0
    for m in range(loops.count):
        gap, rhs = m * LOOP + GAP, loops.rhs[6 * m : 6 * m + 6]
        loop_turn(loops, m)
        e = opening(
            loops.ways[m * loops.way + KIND],
            loops.turn,
            loops.reals[gap : gap + 3],
            loops.quat,
            loops.vector,
            rhs,
        )
        worst = max(worst, e)
    return worst


@kernel
def follow_turns(closures):
    """Follow the angles of hinges that close loops, by less than half a turn at a time."""
    out_of_line()
    loops = closures_of(closures)
    for m in range(loops.count):
        if loops.ways[m * loops.way + KIND] == REVOLUTE:
            loop_turn(loops, m)
            loops.angle[m] = near_turn(loops.turn, loops.angle[m])
