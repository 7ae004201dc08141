# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Jacobians of any link, the thesis's generalized one, and operational-space inertia."""

from free_flyer_dynamics.kernels._jit import kernel
from free_flyer_dynamics.kernels.linear import cholesky, cholesky_solve
from free_flyer_dynamics.kernels.links import link_pose
from free_flyer_dynamics.kernels.loops import nearest_velocities
from free_flyer_dynamics.kernels.spatial import cross_add, rotate_back
from free_flyer_dynamics.tree import FREE, PRISMATIC, REVOLUTE


@kernel
def point_jacobian(tree, node, point, ws, J_out):
    """
    Jacobian of a point of a node, (6, nv), angular rows first, world axes. J_out comes zeroed.

    Workspace has R and x; the point is given in world.
    """
    i = node
    while i >= 0:
        R = ws.R[i]
        at = tree.v_at[i]
        kind = tree.kind[i]
        arm = ws.scratch[0, 0]
        for k in range(3):
            arm[k] = point[k] - ws.x[i, k]
        if kind == PRISMATIC:
            for k in range(3):
                J_out[3 + k, at] = R[k, 2]
        else:
            first = 2 if kind == REVOLUTE else 0
            for c in range(first, 3):
                column = at + c - first
                for k in range(3):
                    J_out[k, column] = R[k, c]
                w = J_out[:3, column]
                cross_add(w, arm[:3], J_out[3:, column])
        if kind == FREE:
            for c in range(3):
                for k in range(3):
                    J_out[3 + k, at + 3 + c] = R[k, c]
        i = tree.parent[i]


@kernel
def fold_base(tree, base, H, J, L, x, G_out):
    """
    Generalized Jacobian: what the joints do to the point once the base answers with no momentum.

    J_m - J_b H_b^-1 H_bm of [Dimitrov] (E.7), in all columns of v but the base's own; L and x are
    scratch, (6, 6) and (6,).
    """
    at = tree.v_at[base]
    cholesky(H[at : at + 6, at : at + 6], 6, L)
    for column in range(len(H)):
        for k in range(6):
            x[k] = H[at + k, column]
        cholesky_solve(L, 6, x)
        for i in range(6):
            G_out[i, column] = J[i, column]
            for k in range(6):
                G_out[i, column] -= J[i, at + k] * x[k]


@kernel
def unit_responses(plan, link, hold, ws, turns, shifts, vdot_out, Y_out):
    """
    Accelerations of a link under unit wrenches on it: Y = J M^-1 J.T at its origin, world axes.

    O(n): each is a response of the factored forest, loops closed. Workspace has X, R, x and the
    factors.
    """
    tree = plan.tree
    node = plan.link_node[link]
    n = len(tree.parent)
    R, x = turns[0], shifts[0]
    link_pose(plan, link, ws, R, x)
    arm = shifts[1]
    for k in range(3):
        shifts[2, k] = x[k] - ws.x[node, k]
    rotate_back(ws.R[node], shifts[2], arm)  # the link's origin in node axes
    for column in range(6):
        for i in range(n):
            for k in range(6):
                ws.pA[i, k] = 0.0
        f = ws.pA[node]
        half = 3 * (column // 3)
        for k in range(3):
            f[half + k] = -ws.R[node, column - half, k]
        if half == 3:
            cross_add(arm, f[3:], f[:3])
        nearest_velocities(tree, hold, ws, vdot_out)
        a = ws.a[node]
        cross_add(a[:3], arm, a[3:])
        for i in range(3):
            Y_out[i, column] = 0.0
            Y_out[3 + i, column] = 0.0
            for k in range(3):
                Y_out[i, column] += ws.R[node, i, k] * a[k]
                Y_out[3 + i, column] += ws.R[node, i, k] * a[3 + k]
