# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Momentum, energy and mass of each robot, and the twist that brings momentum to its law."""

from free_flyer_dynamics.kernels._jit import kernel, out_of_line
from free_flyer_dynamics.kernels.crba import composite_inertias
from free_flyer_dynamics.kernels.linear import cholesky, cholesky_solve
from free_flyer_dynamics.kernels.links import link_twist
from free_flyer_dynamics.kernels.spatial import body_momentum, cross_add, rotate, rotate_back
from free_flyer_dynamics.tree import FREE


@kernel
def node_momentum(tree, i, ws, h_out):
    """Momentum of node i about the world origin, world axes. Workspace has R, x and v."""
    h = ws.scratch[0, 0]
    body_momentum(tree.mass[i], tree.moment[i], tree.inertia[i], ws.v[i], h)
    rotate(ws.R[i], h[:3], h_out[:3])
    rotate(ws.R[i], h[3:], h_out[3:])
    cross_add(ws.x[i], h_out[3:], h_out[:3])


@kernel
def tree_momentum(tree, ws, h_out):
    """Momentum of every free tree about the world origin; h_out is (roots, 6)."""
    n = len(tree.parent)
    for i in range(n):
        if tree.kind[i] == FREE:
            for j in range(6):
                h_out[tree.root[i], j] = 0.0
    h = ws.scratch[0, 1]
    for i in range(n):
        k = tree.root[i]
        if k >= 0:
            node_momentum(tree, i, ws, h)
            for j in range(6):
                h_out[k, j] += h[j]


@kernel
def kinetic_energy(tree, ws):
    """Kinetic energy of the whole forest [J]. Workspace has v."""
    h = ws.scratch[0, 0]
    total = 0.0
    for i in range(len(tree.parent)):
        body_momentum(tree.mass[i], tree.moment[i], tree.inertia[i], ws.v[i], h)
        for k in range(6):
            total += 0.5 * h[k] * ws.v[i, k]
    return total


@kernel
def momentum_rate(
    # model
    tree,
    # input
    gravity,
    # workspace with R, x and the external wrenches f filled
    ws,
    # output
    rate_out,
):
    """Rate of every free tree's momentum about the world origin: wrenches and weight."""
    for k in range(len(rate_out)):
        for j in range(6):
            rate_out[k, j] = 0.0
    f = ws.scratch[0, 0]
    c = ws.scratch[0, 1]
    for i in range(len(tree.parent)):
        root = tree.root[i]
        if root < 0:
            continue
        rotate(ws.R[i], ws.f[i, :3], f[:3])
        rotate(ws.R[i], ws.f[i, 3:], f[3:])
        rotate(ws.R[i], tree.moment[i], c[:3])
        cross_add(c[:3], gravity, f[:3])
        for k in range(3):
            f[3 + k] += tree.mass[i] * gravity[k]
        cross_add(ws.x[i], f[3:], f[:3])
        for k in range(6):
            rate_out[root, k] += f[k]


@kernel
def tree_centers(tree, ws, out):
    """Mass times centre, and mass, of every free tree; out is (roots, 4). Workspace has R, x."""
    for i in range(len(tree.parent)):
        if tree.kind[i] == FREE:
            for k in range(4):
                out[tree.root[i], k] = 0.0
    turned = ws.scratch[0, 0, :3]
    for i in range(len(tree.parent)):
        root = tree.root[i]
        if root < 0:
            continue
        rotate(ws.R[i], tree.moment[i], turned)
        for k in range(3):
            out[root, k] += turned[k] + tree.mass[i] * ws.x[i, k]
        out[root, 3] += tree.mass[i]


@kernel
def restore_centers(
    # model
    tree,
    # input
    center,
    # workspace with R and x filled; pA is used up
    ws,
    # output
    q_out,
):
    """
    Shift each free tree as one rigid body so that its centre of mass is where it should be.

    The centre moves by the law of a point mass, whose integral is exact where no force acts.
    """
    now = ws.pA
    tree_centers(tree, ws, now)
    for i in range(len(tree.parent)):
        root = tree.root[i]
        if root < 0:
            continue
        for k in range(3):
            shift = (center[root, k] - now[root, k]) / now[root, 3]
            ws.x[i, k] += shift
            if tree.kind[i] == FREE:
                q_out[tree.q_at[i] + k] += shift


@kernel
def restore_momentum(
    # model
    tree,
    # input
    momentum,
    # workspace with X, R, x and v filled; f, pA, IA and L are used up
    ws,
    # output
    vel_out,
):
    """
    Turn and shift each free tree as one rigid body so that its momentum is what it should be.

    An integrator keeps momentum to its order only. What it misses is far below its own error, so
    giving it back as a twist of the root leaves the order and makes the law hold to the last
    digit.
    """
    out_of_line()
    tree_momentum(tree, ws, ws.pA)
    composite_inertias(tree, ws)
    for i in range(len(tree.parent)):
        if tree.kind[i] != FREE:
            continue
        # What is missing, about the root's origin, in root axes.
        missing = ws.pA[tree.root[i]]
        for k in range(6):
            missing[k] = momentum[tree.root[i], k] - missing[k]
        cross_add(missing[3:], ws.x[i], missing[:3])
        twist = ws.f[i]
        rotate_back(ws.R[i], missing[:3], twist[:3])
        rotate_back(ws.R[i], missing[3:], twist[3:])
        cholesky(ws.IA[i], 6, ws.L[i])
        cholesky_solve(ws.L[i], 6, twist)
        for k in range(6):
            vel_out[tree.v_at[i] + k] += twist[k]


@kernel
def links_momentum(links, plan, first, last, ws, sums_out):
    """
    Sum over links first to last - 1: mass, mass times centre, momentum about the origin, energy.

    World axes; sums_out is (11,). Links that are merged or locked count as themselves.
    """
    for k in range(11):
        sums_out[k] = 0.0
    v, h, w = ws.scratch[0, 0], ws.scratch[0, 1], ws.scratch[0, 2]
    x, c = ws.scratch[0, 3], ws.scratch[0, 4]
    for b in range(first, last):
        m = links.mass[b]
        if m == 0.0:
            continue
        i = plan.link_node[b]
        A, p = plan.link_rotation[b], plan.link_position[b]
        link_twist(plan, b, ws, w)
        rotate_back(A, w[:3], v[:3])
        rotate_back(A, w[3:], v[3:])
        body_momentum(m, links.moment[b], links.inertia[b], v, h)
        for k in range(6):
            sums_out[10] += 0.5 * h[k] * v[k]
        # link axes to node axes to world axes, the origin along
        rotate(A, h[:3], w[:3])
        rotate(A, h[3:], w[3:])
        cross_add(p, w[3:], w[:3])
        rotate(A, links.moment[b], c[:3])
        for k in range(3):
            x[k] = c[k] + m * p[k]
        sums_out[0] += m
        if i < 0:  # part of the world: at rest
            for k in range(3):
                sums_out[1 + k] += x[k]
            continue
        rotate(ws.R[i], w[:3], h[:3])
        rotate(ws.R[i], w[3:], h[3:])
        cross_add(ws.x[i], h[3:], h[:3])
        rotate(ws.R[i], x[:3], c[:3])
        for k in range(3):
            sums_out[1 + k] += c[k] + m * ws.x[i, k]
        for k in range(6):
            sums_out[4 + k] += h[k]
