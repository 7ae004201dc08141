# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Solving with symmetric matrices, definite or only semidefinite."""

import math

from free_flyer_dynamics.kernels._jit import kernel

DEPENDENT = 1e-12  # a scaled pivot below this is a row that others already give


@kernel
def cholesky(A, n, L_out):
    """Lower factor of a symmetric n by n matrix; tells whether it is positive definite."""
    for j in range(n):
        s = A[j, j]
        for k in range(j):
            s -= L_out[j, k] * L_out[j, k]
        if not s > 0:
            return False
        L_out[j, j] = math.sqrt(s)
        for i in range(j + 1, n):
            s = A[i, j]
            for k in range(j):
                s -= L_out[i, k] * L_out[j, k]
            L_out[i, j] = s / L_out[j, j]
    return True


@kernel
def cholesky_solve(L, n, x):
    """Overwrite x by the solution of L L.T y = x."""
    for i in range(n):
        for k in range(i):
            x[i] -= L[i, k] * x[k]
        x[i] /= L[i, i]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            x[i] -= L[k, i] * x[k]
        x[i] /= L[i, i]


@kernel
def pivoted_cholesky(A, scale, order, F_out):
    """
    Factor a symmetric semidefinite matrix, largest pivot first; return the rank.

    Rows come in threes of one unit, scaled together to a largest diagonal of one: a row that is
    only rounding beside its two companions stays so. Rows past the rank in the order follow from
    the others, or can't move at all.
    """
    size = len(A)
    for i in range(size):
        order[i] = i
        first = i - i % 3
        largest = max(A[first, first], A[first + 1, first + 1], A[first + 2, first + 2])
        scale[i] = 1 / math.sqrt(largest) if A[i, i] > 0.0 else 0.0
        F_out[i, i] = A[i, i] * scale[i] * scale[i]
    for k in range(size):
        best = k
        for i in range(k + 1, size):
            if F_out[i, i] > F_out[best, best]:
                best = i
        if not F_out[best, best] > DEPENDENT:
            return k
        if best != k:
            order[k], order[best] = order[best], order[k]
            F_out[k, k], F_out[best, best] = F_out[best, best], F_out[k, k]
            for j in range(k):
                F_out[k, j], F_out[best, j] = F_out[best, j], F_out[k, j]
        pivot, p = math.sqrt(F_out[k, k]), order[k]
        F_out[k, k] = pivot
        for i in range(k + 1, size):
            o = order[i]
            s = 0.5 * (A[o, p] + A[p, o]) * scale[o] * scale[p]
            for j in range(k):
                s -= F_out[i, j] * F_out[k, j]
            s /= pivot
            F_out[i, k] = s
            F_out[i, i] -= s * s
    return size


@kernel
def pivoted_solve(F, scale, order, rank, b, x_out, y):
    """Solve A x = b with the factor's first rank rows; the others' x is zero. y is scratch."""
    for k in range(len(b)):
        x_out[k] = 0.0
    for k in range(rank):
        s = b[order[k]] * scale[order[k]]
        for j in range(k):
            s -= F[k, j] * y[j]
        y[k] = s / F[k, k]
    for k in range(rank - 1, -1, -1):
        s = y[k]
        for j in range(k + 1, rank):
            s -= F[j, k] * y[j]
        y[k] = s / F[k, k]
    for k in range(rank):
        x_out[order[k]] = y[k] * scale[order[k]]
