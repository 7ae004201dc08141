# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What the nodes of a compiled forest are made of: numbers, merged bodies, loops."""

import math

from free_flyer_dynamics.graph import CUT
from free_flyer_dynamics.kernels._jit import inlined
from free_flyer_dynamics.kernels.blocks import (
    dot,
    plus,
    plus_scaled,
    product,
    Symmetric,
    times,
    Vector,
)
from free_flyer_dynamics.kernels.poses import chain, edge_transform, joint_frame
from free_flyer_dynamics.kernels.rows import matrix_of, set_vector, vector_of
from free_flyer_dynamics.tree import FIXED, FREE, SPHERICAL


@inlined
def number_nodes(tree, nodes):
    """Give every node its place in q and v; return the lengths of these."""
    q_at = 0
    v_at = 0
    for i in range(nodes):
        tree.q_at[i] = q_at
        tree.v_at[i] = v_at
        kind = tree.kind[i]
        if kind == FREE:
            tree.damping[i] = 0.0
            tree.friction[i] = 0.0
            tree.lower[i] = -math.inf
            tree.upper[i] = math.inf
            tree.speed_limit[i] = math.inf
        q_at += 7 if kind == FREE else (4 if kind == SPHERICAL else 1)
        v_at += 6 if kind == FREE else (3 if kind == SPHERICAL else 1)
    return q_at, v_at


@inlined
def _turned(R, inertia):
    """Inertia in other axes, R inertia R.T: six of its nine numbers."""
    M = product(R, inertia)
    return Symmetric(
        M.xx * R.xx + M.xy * R.xy + M.xz * R.xz,
        M.xx * R.yx + M.xy * R.yy + M.xz * R.yz,
        M.xx * R.zx + M.xy * R.zy + M.xz * R.zz,
        M.yx * R.yx + M.yy * R.yy + M.yz * R.yz,
        M.yx * R.zx + M.yy * R.zy + M.yz * R.zz,
        M.zx * R.zx + M.zy * R.zy + M.zz * R.zz,
    )


@inlined
def merge_bodies(links, nodes, plan):
    """
    Sum the links' inertias at their nodes' origins: composite of [Walker & Orin 1982].

    Returns how many nodes have no mass.
    """
    tree = plan.tree
    for i in range(nodes):
        tree.mass[i] = 0.0
        for k in range(3):
            tree.moment[i, k] = 0.0
            for j in range(3):
                tree.inertia[i, k, j] = 0.0
    for b in range(1, len(links.mass)):
        i = plan.link_node[b]
        m = links.mass[b]
        if i < 0 or m == 0.0:
            continue
        R, p = matrix_of(plan.link_rotation, b), vector_of(plan.link_position, b, 0)
        h = times(R, vector_of(links.moment, b, 0))
        J = _turned(R, matrix_of(links.inertia, b))
        twice = Vector(2 * h.x + m * p.x, 2 * h.y + m * p.y, 2 * h.z + m * p.z)
        spread = dot(twice, p)
        tree.mass[i] += m
        T = tree.inertia[i]
        xy = T[0, 1] + J.xy - (h.x * p.y + p.x * h.y + m * p.x * p.y)
        xz = T[0, 2] + J.xz - (h.x * p.z + p.x * h.z + m * p.x * p.z)
        yz = T[1, 2] + J.yz - (h.y * p.z + p.y * h.z + m * p.y * p.z)
        T[0, 0] += J.xx + (spread - p.x * twice.x)
        T[1, 1] += J.yy + (spread - p.y * twice.y)
        T[2, 2] += J.zz + (spread - p.z * twice.z)
        T[0, 1], T[0, 2], T[1, 2] = xy, xz, yz
        T[1, 0], T[2, 0], T[2, 1] = xy, xz, yz
        moment = plus(vector_of(tree.moment, i, 0), plus_scaled(h, m, p))
        set_vector(tree.moment, i, 0, moment)
    massless = 0
    for i in range(nodes):
        massless += tree.mass[i] == 0.0
    return massless


@inlined
def list_loops(edges, locked, coordinates, turns, shifts, plan):
    """Give every cut edge between two different nodes its loop; a locked one is rigid as it is."""
    loops = plan.tree.loops
    count = 0
    for e in range(len(edges.kind)):
        plan.edge_loop[e] = -1
        a, b = edges.a[e], edges.b[e]
        if plan.edge_role[e] != CUT or plan.link_node[a] == plan.link_node[b]:
            continue
        plan.edge_loop[e] = count
        plan.loop_edge[count] = e
        loops.kind[count] = FIXED if locked[e] else edges.kind[e]
        loops.a[count] = plan.link_node[a]
        loops.b[count] = plan.link_node[b]
        joint_frame(edges, e, False, False, turns[0], shifts[0])
        if locked[e]:
            edge_transform(edges.kind[e], coordinates[e], turns[1], shifts[1])
            chain(turns[0], shifts[0], turns[1], shifts[1], turns[2], shifts[2])
            for i in range(3):
                shifts[0, i] = shifts[2, i]
                for j in range(3):
                    turns[0, i, j] = turns[2, i, j]
        chain(
            plan.link_rotation[a],
            plan.link_position[a],
            turns[0],
            shifts[0],
            loops.rotation_a[count],
            loops.position_a[count],
        )
        joint_frame(edges, e, True, False, turns[0], shifts[0])
        chain(
            plan.link_rotation[b],
            plan.link_position[b],
            turns[0],
            shifts[0],
            loops.rotation_b[count],
            loops.position_b[count],
        )
        count += 1
    return count
