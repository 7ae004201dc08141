# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Inverses of symmetric matrices 3 by 3 by their adjugates, and what six equations take."""

from free_flyer_dynamics.kernels._jit import inlined
from free_flyer_dynamics.kernels.blocks import (
    Matrix,
    plus_scaled,
    scaled,
    Symmetric,
    times,
    times_form,
    times_transposed,
)


@inlined
def adjugate_form(A):
    """Adjugate of a symmetric matrix: its inverse times its determinant."""
    return Symmetric(
        A.yy * A.zz - A.yz * A.yz,
        A.xz * A.yz - A.xy * A.zz,
        A.xy * A.yz - A.xz * A.yy,
        A.xx * A.zz - A.xz * A.xz,
        A.xy * A.xz - A.xx * A.yz,
        A.xx * A.yy - A.xy * A.xy,
    )


@inlined
def determinant(A, adjugate):
    """Return the determinant of a symmetric matrix, its adjugate given."""
    return A.xx * adjugate.xx + A.xy * adjugate.xy + A.xz * adjugate.xz


@inlined
def inverse_form(A):
    """Inverse of a symmetric matrix: one division."""
    J = adjugate_form(A)
    k = 1.0 / determinant(A, J)
    return Symmetric(k * J.xx, k * J.xy, k * J.xz, k * J.yy, k * J.yz, k * J.zz)


@inlined
def product_with_form(B, C):
    """B C, C symmetric."""
    return Matrix(
        B.xx * C.xx + B.xy * C.xy + B.xz * C.xz,
        B.xx * C.xy + B.xy * C.yy + B.xz * C.yz,
        B.xx * C.xz + B.xy * C.yz + B.xz * C.zz,
        B.yx * C.xx + B.yy * C.xy + B.yz * C.xz,
        B.yx * C.xy + B.yy * C.yy + B.yz * C.yz,
        B.yx * C.xz + B.yy * C.yz + B.yz * C.zz,
        B.zx * C.xx + B.zy * C.xy + B.zz * C.xz,
        B.zx * C.xy + B.zy * C.yy + B.zz * C.yz,
        B.zx * C.xz + B.zy * C.yz + B.zz * C.zz,
    )


@inlined
def less_product(A, k, Y, B):
    """Difference A - k Y B.T, known to be symmetric."""
    return Symmetric(
        A.xx - k * (Y.xx * B.xx + Y.xy * B.xy + Y.xz * B.xz),
        A.xy - k * (Y.xx * B.yx + Y.xy * B.yy + Y.xz * B.yz),
        A.xz - k * (Y.xx * B.zx + Y.xy * B.zy + Y.xz * B.zz),
        A.yy - k * (Y.yx * B.yx + Y.yy * B.yy + Y.yz * B.yz),
        A.yz - k * (Y.yx * B.zx + Y.yy * B.zy + Y.yz * B.zz),
        A.zz - k * (Y.zx * B.zx + Y.zy * B.zy + Y.zz * B.zz),
    )


@inlined
def solve_six(A, B, C, n, f):
    """
    Return alpha and a with A alpha + B a = n and B.T alpha + C a = f: two inverses 3 by 3.

    What the adjugates alone can be multiplied with does not wait for the two divisions.
    """
    adjugate = adjugate_form(C)
    Y = product_with_form(B, adjugate)
    k = 1.0 / determinant(C, adjugate)
    S = less_product(A, k, Y, B)
    adjugate_S = adjugate_form(S)
    turned = times_form(adjugate_S, plus_scaled(n, -k, times(Y, f)))
    j = 1.0 / determinant(S, adjugate_S)
    moved = scaled(k, times_form(adjugate, f))
    return scaled(j, turned), plus_scaled(moved, -(k * j), times_transposed(Y, turned))
