# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Y of every link where S is infinite: what is anchored to the world. [JainRodriguez] (4.7)."""

from free_flyer_dynamics.kernels._jit import kernel, out_of_line
from free_flyer_dynamics.kernels.linear import cholesky_solve
from free_flyer_dynamics.papers.recursion import hinge


@kernel
def inverse_inertias(tree, hold, ws, A, Y_out):
    """
    Find Y of every link by (4.7), base to tip: what stands for lemma 4.1 where S is infinite.

    Y is singular where an anchored link cannot go.
    """
    out_of_line()
    tau, product = A.scratch[0], A.scratch[1]
    plus = A.scratch[2]
    for i in range(len(tree.parent)):
        p = tree.parent[i]
        first, size = hinge(tree.kind[i], hold[i] != 0)
        for r in range(6):
            for j in range(6):
                plus[r, j] = 0.0
        if p >= 0:
            sandwich(ws.X[i], Y_out[p], product, plus)
        for r in range(6):  # tau* = (I - G H)*
            for j in range(6):
                tau[r, j] = 1.0 if r == j else 0.0
                if first <= r < first + size:
                    tau[r, j] -= A.G[i, j, r - first]
        for r in range(6):
            for j in range(6):
                Y_out[i, r, j] = 0.0
        sandwich(tau, plus, product, Y_out[i])
        for k in range(size):
            column = A.scratch[3, 0]
            for j in range(size):
                column[j] = 1.0 if j == k else 0.0
            cholesky_solve(A.L[i], size, column)
            for j in range(size):
                Y_out[i, first + j, first + k] += column[j]


@kernel
def sandwich(A, B, scratch, out):
    """Add A B A.T, any 6 by 6."""
    for r in range(6):
        for j in range(6):
            s = 0.0
            for k in range(6):
                s += B[r, k] * A[j, k]
            scratch[r, j] = s
    for r in range(6):
        for j in range(6):
            s = 0.0
            for k in range(6):
                s += A[r, k] * scratch[k, j]
            out[r, j] += s
