# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Articulated-body forward dynamics, in parts that other solvers share.

`articulate` factors the inertia of the forest, `respond` applies its inverse to any forces;
together they are [RBDA] table 7.1 with floating bases as in section 9.4.
"""

from free_flyer_dynamics.kernels._jit import kernel, out_of_line
from free_flyer_dynamics.kernels.kinematics import add_joint_rate
from free_flyer_dynamics.kernels.linear import cholesky, cholesky_solve
from free_flyer_dynamics.kernels.spatial import (
    body_momentum,
    congruence_add,
    cross_force,
    inertia_matrix,
    mul,
    mul_add,
    mul_transposed_add,
)
from free_flyer_dynamics.tree import FREE, PRISMATIC, REVOLUTE, SPHERICAL


@kernel
def bias_forces(tree, ws):
    """Fill pA with v x* I v - f, f the external wrench; workspace has v and f."""
    h = ws.scratch[0, 0]
    for i in range(len(tree.parent)):
        body_momentum(tree.mass[i], tree.moment[i], tree.inertia[i], ws.v[i], h)
        cross_force(ws.v[i], h, ws.pA[i])
        for k in range(6):
            ws.pA[i, k] -= ws.f[i, k]


@kernel
def articulate(tree, hold, ws):
    """
    Fill IA, U, D and L: articulated inertias and what their inverse needs. Workspace has X.

    D holds the inverse. A held joint transmits its node's whole inertia.
    """
    out_of_line()
    n = len(tree.parent)
    for i in range(n):
        inertia_matrix(tree.mass[i], tree.moment[i], tree.inertia[i], ws.IA[i])
    for i in range(n - 1, -1, -1):
        kind = tree.kind[i]
        IA = ws.IA[i]
        if kind == FREE:
            cholesky(IA, 6, ws.L[i])
            continue
        if hold[i] == 0:
            _project(kind, IA, ws.U[i], ws.D[i], ws.scratch[1])
        p = tree.parent[i]
        if p >= 0:
            congruence_add(ws.X[i], IA, ws.scratch[0], ws.IA[p])


@kernel
def _project(kind, IA, U, D, scratch):
    """Fill U = IA S and D = (S.T IA S)^-1, and take U D U.T out of IA."""
    if kind == SPHERICAL:
        for k in range(3):
            for j in range(6):
                U[j, k] = IA[j, k]
        _invert_3(IA, D)
        for i in range(6):
            for j in range(6):
                for k in range(3):
                    for m in range(3):
                        IA[i, j] -= U[i, k] * D[k, m] * U[j, m]
        return
    axis = 2 if kind == REVOLUTE else 5
    for j in range(6):
        U[j, 0] = IA[j, axis]
    D[0, 0] = 1 / IA[axis, axis]
    for i in range(6):
        s = U[i, 0] * D[0, 0]
        for j in range(6):
            IA[i, j] -= s * U[j, 0]


@kernel
def _invert_3(A, out):
    """Inverse of the symmetric upper left 3 by 3 block of A."""
    a, b, c, d, e, f = A[0, 0], A[0, 1], A[0, 2], A[1, 1], A[1, 2], A[2, 2]
    p, q, r = d * f - e * e, c * e - b * f, b * e - c * d
    s = 1 / (a * p + b * q + c * r)
    out[0, 0], out[0, 1], out[0, 2] = p * s, q * s, r * s
    out[1, 0], out[1, 1], out[1, 2] = q * s, (a * f - c * c) * s, (b * c - a * e) * s
    out[2, 0], out[2, 1], out[2, 2] = r * s, (b * c - a * e) * s, (a * d - b * b) * s


@kernel
def respond(
    # model
    tree,
    # state
    hold,
    # input
    tau,
    c,
    gravity,
    # workspace with X, R, pA and the factors filled; pA is used up
    ws,
    # output
    vdot_out,
):
    """
    Rates of the velocities for forces tau at the joints, bias forces pA and products c.

    Passes 2 and 3 of [RBDA] table 7.1; `a` is left filled, less gravity.
    """
    out_of_line()
    n = len(tree.parent)
    for i in range(n - 1, -1, -1):
        kind = tree.kind[i]
        p = tree.parent[i]
        pA = ws.pA[i]
        if kind == FREE:
            continue
        # IA has U D U.T taken out: IA c + U D u is what [RBDA] calls Ia c + U D^-1 u.
        mul_add(ws.IA[i], c[i], pA)
        if hold[i] == 0:
            _joint_bias(kind, tau, tree.v_at[i], pA, ws.U[i], ws.D[i], ws.u[i])
        if p >= 0:
            mul_transposed_add(ws.X[i], pA, ws.pA[p])
    for i in range(n):
        kind = tree.kind[i]
        p = tree.parent[i]
        at = tree.v_at[i]
        a = ws.a[i]
        if kind == FREE:
            for k in range(6):
                a[k] = tau[at + k] - ws.pA[i, k]
            cholesky_solve(ws.L[i], 6, a)
            for k in range(6):
                vdot_out[at + k] = a[k]
            for k in range(3):
                for j in range(3):
                    vdot_out[at + 3 + k] += ws.R[i, j, k] * gravity[j]
            continue
        if p >= 0:
            mul(ws.X[i], ws.a[p], a)
        else:
            for k in range(3):
                a[k] = 0.0
                a[3 + k] = 0.0
                for j in range(3):
                    a[3 + k] -= ws.X[i, k, j] * gravity[j]
        for k in range(6):
            a[k] += c[i, k]
        if hold[i] == 0:
            _joint_rate(kind, a, ws.U[i], ws.D[i], ws.u[i], at, vdot_out)
        else:
            vdot_out[at] = 0.0
        add_joint_rate(kind, vdot_out, at, a)


@kernel
def _joint_bias(kind, tau, at, pA, U, D, u):
    """Fill u = tau - S.T pA and add U D u to pA."""
    size = 3 if kind == SPHERICAL else 1
    first = 2 if kind == REVOLUTE else (5 if kind == PRISMATIC else 0)
    for k in range(size):
        u[k] = tau[at + k] - pA[first + k]
    for k in range(size):
        s = 0.0
        for m in range(size):
            s += D[k, m] * u[m]
        for j in range(6):
            pA[j] += U[j, k] * s


@kernel
def _joint_rate(kind, a, U, D, u, at, vdot_out):
    """Set the joint's acceleration, D (u - U.T a), from its node's acceleration without it."""
    size = 3 if kind == SPHERICAL else 1
    for k in range(size):
        s = 0.0
        for m in range(size):
            t = u[m]
            for j in range(6):
                t -= U[j, m] * a[j]
            s += D[k, m] * t
        vdot_out[at + k] = s
