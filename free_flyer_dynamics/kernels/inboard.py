# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
The last move of an articulated inertia to a link's parent: about x, onto the parent's own body.

What is there already is where each sum starts: it costs nothing where a product is added to it.
"""

from free_flyer_dynamics.kernels._jit import inlined
from free_flyer_dynamics.kernels.blocks import Matrix, Symmetric, Vector
from free_flyer_dynamics.kernels.lanes import constant, constant_width, width
from free_flyer_dynamics.kernels.layout import (
    BIAS,
    CONSTANTS,
    COS_ALPHA,
    COS_SIN,
    MASS,
    MOMENT,
    SIN_ALPHA,
    SIN_SIN,
    SLOT,
    WORK,
)
from free_flyer_dynamics.kernels.tables import constant_vector, inertia_of, vector_at


@inlined
def inboard(at, row, first, lane, root):
    """
    Where constants and work of the row inboard are; a run's first has nobody inboard.

    By products, not by a branch: every run ends with one, which the processor would guess wrong.
    """
    nobody, there = at.slot + at.slots * SLOT * width(root), row > first
    K = at.constant + (row - 1) * CONSTANTS * constant_width(lane)
    W = at.work + (row - 1) * WORK * width(lane)
    return nobody + there * (K - nobody), nobody + there * (W - nobody)


@inlined
def turn_onto(x, y, c, s, a, b):
    """Rotate a plane vector, a and b added to it."""
    return c * x + (a - s * y), s * x + (b + c * y)


@inlined
def form_onto(A, J, c, s, ss, cs):
    """Rx A Rx.T + J, both symmetric."""
    e = A.yy - A.zz
    t = ss * e + (cs + cs) * A.yz
    xy, xz = turn_onto(A.xy, A.xz, c, s, J.xy, J.xz)
    yz = cs * e + ((1.0 - 2.0 * ss) * A.yz + J.yz)
    return Symmetric(A.xx + J.xx, xy, xz, (A.yy + J.yy) - t, yz, (A.zz + J.zz) + t)


@inlined
def vector_onto(v, a, c, s):
    """Rx v + a."""
    y, z = turn_onto(v.y, v.z, c, s, a.y, a.z)
    return Vector(v.x + a.x, y, z)


@inlined
def forces_onto(reals, W, n, f, c, s, lane):
    """Moment and force about x, the bias of a row's body added."""
    return (
        vector_onto(n, vector_at(reals, W, BIAS, lane), c, s),
        vector_onto(f, vector_at(reals, W, BIAS + 3, lane), c, s),
    )


@inlined
def onto_body(reals, K, body, work, A, B, C, n, f, lane):
    """Turn blocks and forces about a row's x, and add the body of the row inboard."""
    c, s = constant(reals, K, COS_ALPHA, lane), constant(reals, K, SIN_ALPHA, lane)
    ss, cs = constant(reals, K, SIN_SIN, lane), constant(reals, K, COS_SIN, lane)
    m, h = constant(reals, body, MASS, lane), constant_vector(reals, body, MOMENT, lane)
    A = form_onto(A, inertia_of(reals, body, lane), c, s, ss, cs)
    # B with h x added
    x, p = B.yy - B.zz, B.yz + B.zy
    t, u = ss * x + cs * p, cs * x - ss * p
    xy, xz = turn_onto(B.xy, B.xz, c, s, -h.z, h.y)
    yx, zx = turn_onto(B.yx, B.zx, c, s, h.z, -h.y)
    B = Matrix(B.xx, xy, xz, yx, B.yy - t, B.yz + (u - h.x), zx, B.zy + (u + h.x), B.zz + t)
    # C with m on its diagonal
    e = C.yy - C.zz
    t = ss * e + (cs + cs) * C.yz
    xy, xz = c * C.xy - s * C.xz, s * C.xy + c * C.xz
    yz = cs * e + (1.0 - 2.0 * ss) * C.yz
    C = Symmetric(C.xx + m, xy, xz, (C.yy + m) - t, yz, (C.zz + m) + t)
    n, f = forces_onto(reals, work, n, f, c, s, lane)
    return A, B, C, n, f
