# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Articulated inertias in three blocks, and the few moves they make from a link to its parent.

An articulated inertia [A, B; B.T, C] maps the accelerations of a frame's origin, angular first, to
moment n and force f: n = A alpha + B a, f = B.T alpha + C a. A and C are symmetric: 21 numbers. A
link's frame differs from its parent's by planar rotations and shifts alone, so each move is a
handful of plane rotations. Entries may be plain numbers or lanes.
"""

from typing import NamedTuple

from free_flyer_dynamics.kernels._jit import inlined
from free_flyer_dynamics.kernels.lanes import fused


class Vector(NamedTuple):
    """Three components."""

    x: float
    y: float
    z: float


class Symmetric(NamedTuple):
    """Six entries of a symmetric 3 by 3 matrix."""

    xx: float
    xy: float
    xz: float
    yy: float
    yz: float
    zz: float


class Matrix(NamedTuple):
    """Nine entries of a 3 by 3 matrix."""

    xx: float
    xy: float
    xz: float
    yx: float
    yy: float
    yz: float
    zx: float
    zy: float
    zz: float


@inlined
def turn(x, y, c, s):
    """Rotate a plane vector by the angle whose cosine and sine are c and s."""
    return c * x - s * y, s * x + c * y


@inlined
def turn_back(x, y, c, s):
    """Rotate a plane vector the other way."""
    return c * x + s * y, c * y - s * x


@inlined
def turn_form(a, b, d, ss, cs):
    """R [a b; b d] R.T, given the products s s and c s of the angle: 4 products instead of 8."""
    e = a - d
    t = ss * e + (cs + cs) * b
    return a - t, cs * e + (b - (ss + ss) * b), d + t


@inlined
def turn_square(a, b, e, d, ss, cs):
    """R [a b; e d] R.T."""
    x = a - d
    p = b + e
    t = ss * x + cs * p
    u = cs * x - ss * p
    return a - t, b + u, e + u, d + t


@inlined
def form_about_z(A, c, s, ss, cs):
    """Rz A Rz.T, A symmetric."""
    xx, xy, yy = turn_form(A.xx, A.xy, A.yy, ss, cs)
    xz, yz = turn(A.xz, A.yz, c, s)
    return Symmetric(xx, xy, xz, yy, yz, A.zz)


@inlined
def square_about_z(B, c, s, ss, cs):
    """Rz B Rz.T."""
    xx, xy, yx, yy = turn_square(B.xx, B.xy, B.yx, B.yy, ss, cs)
    xz, yz = turn(B.xz, B.yz, c, s)
    zx, zy = turn(B.zx, B.zy, c, s)
    return Matrix(xx, xy, xz, yx, yy, yz, zx, zy, B.zz)


@inlined
def form_about_x(A, c, s, ss, cs):
    """Rx A Rx.T, A symmetric."""
    yy, yz, zz = turn_form(A.yy, A.yz, A.zz, ss, cs)
    xy, xz = turn(A.xy, A.xz, c, s)
    return Symmetric(A.xx, xy, xz, yy, yz, zz)


@inlined
def vector_about_z(v, c, s):
    """Rz v."""
    x, y = turn(v.x, v.y, c, s)
    return Vector(x, y, v.z)


@inlined
def vector_about_x(v, c, s):
    """Rx v."""
    y, z = turn(v.y, v.z, c, s)
    return Vector(v.x, y, z)


@inlined
def cross(a, b):
    """Vector product."""
    return Vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)


@inlined
def exact_cross(a, b):
    """Vector product to the last digit though its terms be far larger: Kahan's differences."""
    return Vector(
        _difference(a.y, b.z, a.z, b.y),
        _difference(a.z, b.x, a.x, b.z),
        _difference(a.x, b.y, a.y, b.x),
    )


@inlined
def _difference(a, b, c, d):
    """Difference a b - c d, the rounding of c d given back."""
    w = c * d
    return fused(a, b, -w) + fused(-c, d, w)


@inlined
def dot(a, b):
    """Scalar product."""
    return a.x * b.x + a.y * b.y + a.z * b.z


@inlined
def plus(a, b):
    """Sum of two vectors."""
    return Vector(a.x + b.x, a.y + b.y, a.z + b.z)


@inlined
def scaled(s, a):
    """Vector a times a number."""
    return Vector(s * a.x, s * a.y, s * a.z)


@inlined
def plus_scaled(a, s, b):
    """Sum a + s b."""
    return Vector(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z)


@inlined
def minus(a, b):
    """Difference of two vectors."""
    return Vector(a.x - b.x, a.y - b.y, a.z - b.z)


@inlined
def plus_form(A, J):
    """Sum of two symmetric matrices."""
    return Symmetric(A.xx + J.xx, A.xy + J.xy, A.xz + J.xz, A.yy + J.yy, A.yz + J.yz, A.zz + J.zz)


@inlined
def plus_cross(B, h):
    """Matrix B with the matrix of the vector product h x added."""
    return Matrix(
        B.xx, B.xy - h.z, B.xz + h.y, B.yx + h.z, B.yy, B.yz - h.x, B.zx - h.y, B.zy + h.x, B.zz
    )


@inlined
def plus_diagonal(C, m):
    """Symmetric matrix with m added on its diagonal."""
    return Symmetric(C.xx + m, C.xy, C.xz, C.yy + m, C.yz, C.zz + m)


@inlined
def times_form(A, v):
    """Product A v, A symmetric."""
    return Vector(
        A.xx * v.x + A.xy * v.y + A.xz * v.z,
        A.xy * v.x + A.yy * v.y + A.yz * v.z,
        A.xz * v.x + A.yz * v.y + A.zz * v.z,
    )


@inlined
def times(B, v):
    """B v."""
    return Vector(
        B.xx * v.x + B.xy * v.y + B.xz * v.z,
        B.yx * v.x + B.yy * v.y + B.yz * v.z,
        B.zx * v.x + B.zy * v.y + B.zz * v.z,
    )


@inlined
def product(A, B):
    """Product A B."""
    x = times(A, Vector(B.xx, B.yx, B.zx))
    y = times(A, Vector(B.xy, B.yy, B.zy))
    z = times(A, Vector(B.xz, B.yz, B.zz))
    return Matrix(x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z)


@inlined
def times_transposed(B, v):
    """B.T v."""
    return Vector(
        B.xx * v.x + B.yx * v.y + B.zx * v.z,
        B.xy * v.x + B.yy * v.y + B.zy * v.z,
        B.xz * v.x + B.yz * v.y + B.zz * v.z,
    )


@inlined
def transposed(B):
    """B.T."""
    return Matrix(B.xx, B.yx, B.zx, B.xy, B.yy, B.zy, B.xz, B.yz, B.zz)


@inlined
def shifted(A, B, C, r):
    """Blocks B' = B + r x C and A' = A - B r x + r x B'.T about a point that sees the old at r."""
    Bn = Matrix(
        B.xx + (r.y * C.xz - r.z * C.xy),
        B.xy + (r.y * C.yz - r.z * C.yy),
        B.xz + (r.y * C.zz - r.z * C.yz),
        B.yx + (r.z * C.xx - r.x * C.xz),
        B.yy + (r.z * C.xy - r.x * C.yz),
        B.yz + (r.z * C.xz - r.x * C.zz),
        B.zx + (r.x * C.xy - r.y * C.xx),
        B.zy + (r.x * C.yy - r.y * C.xy),
        B.zz + (r.x * C.yz - r.y * C.xz),
    )
    An = Symmetric(
        A.xx + (r.y * B.xz - r.z * B.xy) + (r.y * Bn.xz - r.z * Bn.xy),
        A.xy + (r.z * B.xx - r.x * B.xz) + (r.y * Bn.yz - r.z * Bn.yy),
        A.xz + (r.x * B.xy - r.y * B.xx) + (r.y * Bn.zz - r.z * Bn.zy),
        A.yy + (r.z * B.yx - r.x * B.yz) + (r.z * Bn.yx - r.x * Bn.yz),
        A.yz + (r.x * B.yy - r.y * B.yx) + (r.z * Bn.zx - r.x * Bn.zz),
        A.zz + (r.x * B.zy - r.y * B.zx) + (r.x * Bn.zy - r.y * Bn.zx),
    )
    return An, Bn
