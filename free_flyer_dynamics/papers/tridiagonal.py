# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Block tridiagonal systems with symmetric positive definite A: O(N) in a row, O(log N) deep.

`serial` eliminates one block after the other. Odd-even (cyclic) reduction eliminates every second
block of those left, level by level; within a level no block waits for another.
"""

from free_flyer_dynamics.kernels._jit import kernel, out_of_line
from free_flyer_dynamics.kernels.linear import cholesky, cholesky_solve


@kernel
def serial(count, C):
    """Overwrite r by the solution; D by the pivots' Cholesky factors, right by D^-1 E."""
    out_of_line()
    for m in range(count):
        if m > 0:
            _take(C.E[m - 1], C.right[m - 1], C.r[m - 1], C.D[m], C.r[m])
        _factor(C.D[m], C.left[m])
        if m + 1 < count:
            _solve_columns(C.left[m], C.E[m], C.right[m])
        cholesky_solve(C.left[m], 6, C.r[m])
    for m in range(count - 2, -1, -1):
        for k in range(6):
            for j in range(6):
                C.r[m, k] -= C.right[m, k, j] * C.r[m + 1, j]


@kernel
def _factor(A, L_out):
    for k in range(6):
        for j in range(6):
            L_out[k, j] = 0.0
    cholesky(A, 6, L_out)


@kernel
def _solve_columns(L, B, out):
    """Set out = (L L.T)^-1 B."""
    for i in range(6):
        for j in range(6):
            s = B[i, j]
            for k in range(i):
                s -= L[i, k] * out[k, j]
            out[i, j] = s / L[i, i]
    for i in range(5, -1, -1):
        for j in range(6):
            s = out[i, j]
            for k in range(i + 1, 6):
                s -= L[k, i] * out[k, j]
            out[i, j] = s / L[i, i]


@kernel
def _take(E, solved, y, D, r):
    """Take E.T (D^-1 E) and E.T (D^-1 r) of an eliminated block off the one after it."""
    for k in range(6):
        for j in range(6):
            s = 0.0
            for q in range(6):
                s += E[q, k] * solved[q, j]
            D[k, j] -= s
        for q in range(6):
            r[k] -= E[q, k] * y[q]


@kernel
def eliminate(count, stride, low, high, C, L):
    """
    Solve the odd blocks of a level: stride (2 k + 1) for k from low to high - 1.

    left and right become D^-1 times the blocks to either side, r becomes D^-1 r. L is room for
    6 by 6.
    """
    out_of_line()
    for k in range(low, high):
        j = stride * (2 * k + 1)
        if j >= count:
            break
        _factor(C.D[j], L)
        for r in range(6):  # to the block before: the transpose of its E
            for q in range(6):
                C.D[j, r, q] = C.E[j - stride, q, r]
        _solve_columns(L, C.D[j], C.left[j])
        if j + stride < count:
            _solve_columns(L, C.E[j], C.right[j])
        cholesky_solve(L, 6, C.r[j])


@kernel
def reduce(count, stride, low, high, C):
    """
    Take the odd blocks off the even ones of a level: 2 stride k for k from low to high - 1.

    Each even block reads its two neighbours and writes itself alone: its E is the block to the
    next even one. The odd one's D holds the block to the one before it, transposed E.
    """
    out_of_line()
    for k in range(low, high):
        i = 2 * stride * k
        if i >= count:
            break
        D, r, E = C.D[i], C.r[i], C.E[i]
        j = i - stride
        if j >= 0:
            _take(C.E[j], C.right[j], C.r[j], D, r)
        j = i + stride
        if j >= count:
            continue
        _take(C.D[j], C.left[j], C.r[j], D, r)
        if j + stride < count:
            for p in range(6):
                for q in range(6):
                    s = 0.0
                    for m in range(6):
                        s -= C.D[j, m, p] * C.right[j, m, q]
                    E[p, q] = s


@kernel
def restore(count, stride, low, high, C):
    """Find the odd blocks of a level from the even ones beside them."""
    out_of_line()
    for k in range(low, high):
        j = stride * (2 * k + 1)
        if j >= count:
            break
        for r in range(6):
            for q in range(6):
                C.r[j, r] -= C.left[j, r, q] * C.r[j - stride, q]
            if j + stride < count:
                for q in range(6):
                    C.r[j, r] -= C.right[j, r, q] * C.r[j + stride, q]


@kernel
def last_one(C, L):
    """Solve the one block that is left."""
    _factor(C.D[0], L)
    cholesky_solve(L, 6, C.r[0])


@kernel
def odd_even(count, C, L):
    """Overwrite r by the solution, level by level; return how many levels it took."""
    out_of_line()
    levels = 0
    stride = 1
    while stride < count:
        eliminate(count, stride, 0, count, C, L)
        reduce(count, stride, 0, count, C)
        stride *= 2
        levels += 1
    last_one(C, L)
    while stride > 1:
        stride //= 2
        restore(count, stride, 0, count, C)
    return levels
