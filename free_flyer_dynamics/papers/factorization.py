# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
The innovations factorisation, applied link by link at O(n). [TianWu] (13), (14), (20).

M = (I + H phi K) D (I + H phi K)* and M^-1 = (I - H psi K)* D^-1 (I - H psi K) hold as printed.
The free base is a hinge of six freedoms: (21), (22) after the dynamics of a fixed base are not.
"""

from free_flyer_dynamics.kernels._jit import kernel, out_of_line
from free_flyer_dynamics.kernels.spatial import mul, mul_transposed_add
from free_flyer_dynamics.papers.recursion import hinge, inertias, load, residuals, smooth


@kernel
def forward(tree, q, vel, hold, inputs, tau, stop, ws, A, beta_out):
    """
    Find the rates by the operators, O(n).

    Corrected [JainRodriguez] (2.11): beta' = (I - H psi K)* D^-1 [T - H psi (K T + P a + b)]
    - K* psi* a.
    """
    out_of_line()
    load(tree, q, vel, inputs, ws, A)
    inertias(tree, hold, stop, ws, A)
    residuals(tree, hold, stop, tau, A.b, ws.c, ws, A)
    smooth(tree, hold, stop, inputs.gravity, ws.c, ws, A, beta_out)


@kernel
def apply_inverse(tree, hold, x, stop, ws, A, y_out):
    """Set y = M^-1 x. The recursion has P, G and D; the workspace X and zeros."""
    out_of_line()
    residuals(tree, hold, stop, x, ws.zero_c, ws.zero_c, ws, A)
    smooth(tree, hold, stop, ws.nothing, ws.zero_c, ws, A, y_out)


@kernel
def apply(tree, hold, x, ws, A, y_out):
    """Set y = M x. The recursion has P, G and D; the workspace X."""
    out_of_line()
    n = len(tree.parent)
    scratch = A.scratch[0, 0]
    for i in range(n):  # nu = (I + H phi K)* x, base to tip: x + G* phi* V
        first, size = hinge(tree.kind[i], hold[i] != 0)
        at, V = tree.v_at[i], A.alpha[i]
        for k in range(6):
            V[k] = 0.0
        if tree.parent[i] >= 0:
            mul(ws.X[i], A.alpha[tree.parent[i]], V)
        for k in range(size):
            s = x[at + k]
            for j in range(6):
                s += A.G[i, j, k] * V[j]
            A.nu[i, k] = s
        for k in range(size):
            V[first + k] += x[at + k]
    for i in range(n):
        for k in range(6):
            A.z[i, k] = 0.0
    for i in range(n - 1, -1, -1):  # (I + H phi K) D nu, tip to base
        first, size = hinge(tree.kind[i], hold[i] != 0)
        at, z = tree.v_at[i], A.z[i]
        if size == 0:
            y_out[at] = 0.0
        for k in range(size):  # D nu = L L.T nu
            scratch[k] = 0.0
            for j in range(k, size):
                scratch[k] += A.L[i, j, k] * A.nu[i, j]
        for k in range(size - 1, -1, -1):
            s = 0.0
            for j in range(k + 1):
                s += A.L[i, k, j] * scratch[j]
            A.eps[i, k] = s
        for k in range(size):
            y_out[at + k] = A.eps[i, k] + z[first + k]
        for j in range(6):
            for k in range(size):
                z[j] += A.G[i, j, k] * A.eps[i, k]
        if tree.parent[i] >= 0:
            mul_transposed_add(ws.X[i], z, A.z[tree.parent[i]])
