# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Inertia matrix by composite rigid bodies. [RBDA] table 6.2."""

from free_flyer_dynamics.kernels._jit import kernel
from free_flyer_dynamics.kernels.kinematics import joint_force
from free_flyer_dynamics.kernels.spatial import congruence_add, inertia_matrix, mul_transposed_add
from free_flyer_dynamics.tree import FREE, PRISMATIC, REVOLUTE, SPHERICAL


@kernel
def composite_inertias(tree, ws):
    """Fill IA with the inertia of each node and all outboard of it, rigid. Workspace has X."""
    n = len(tree.parent)
    for i in range(n):
        inertia_matrix(tree.mass[i], tree.moment[i], tree.inertia[i], ws.IA[i])
    for i in range(n - 1, -1, -1):
        p = tree.parent[i]
        if p >= 0:
            congruence_add(ws.X[i], ws.IA[i], ws.scratch[0], ws.IA[p])


@kernel
def mass_matrix(tree, ws, H_out):
    """Inertia matrix in the order of v; H_out comes zeroed. Workspace has X."""
    composite_inertias(tree, ws)
    f = ws.scratch[0, 0]
    g = ws.scratch[0, 1]
    for i in range(len(tree.parent)):
        first, size = _columns(tree.kind[i])
        for k in range(size):
            for j in range(6):
                f[j] = ws.IA[i, j, first + k]
            column = H_out[tree.v_at[i] + k]
            node = i
            while True:
                joint_force(tree.kind[node], f, tree.v_at[node], column)
                parent = tree.parent[node]
                if parent < 0:
                    break
                for j in range(6):
                    g[j] = 0.0
                mul_transposed_add(ws.X[node], f, g)
                for j in range(6):
                    f[j] = g[j]
                node = parent
    n = len(H_out)
    for i in range(n):
        for j in range(i):  # rows hold what lies inboard, and v is in node order
            H_out[j, i] = H_out[i, j]


@kernel
def _columns(kind):
    """First entry and number of the unit motions a joint allows."""
    if kind == REVOLUTE:
        return 2, 1
    if kind == PRISMATIC:
        return 5, 1
    if kind == SPHERICAL:
        return 0, 3
    return 0, 6 if kind == FREE else 0
