# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Vectors and matrices in the rows of a structure's arrays: read into registers, and put back."""

from free_flyer_dynamics.kernels._jit import inlined
from free_flyer_dynamics.kernels.blocks import Matrix, Vector


@inlined
def vector_of(table, i, k):
    """Three numbers of a row."""
    return Vector(table[i, k], table[i, k + 1], table[i, k + 2])


@inlined
def set_vector(table, i, k, v):
    """Set three numbers of a row."""
    table[i, k], table[i, k + 1], table[i, k + 2] = v.x, v.y, v.z


@inlined
def matrix_of(table, i):
    """Matrix of a row."""
    return Matrix(
        table[i, 0, 0],
        table[i, 0, 1],
        table[i, 0, 2],
        table[i, 1, 0],
        table[i, 1, 1],
        table[i, 1, 2],
        table[i, 2, 0],
        table[i, 2, 1],
        table[i, 2, 2],
    )


@inlined
def set_matrix(table, i, A):
    """Set the matrix of a row."""
    table[i, 0, 0], table[i, 0, 1], table[i, 0, 2] = A.xx, A.xy, A.xz
    table[i, 1, 0], table[i, 1, 1], table[i, 1, 2] = A.yx, A.yy, A.yz
    table[i, 2, 0], table[i, 2, 1], table[i, 2, 2] = A.zx, A.zy, A.zz
