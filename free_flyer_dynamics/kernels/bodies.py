# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What the nodes of a compiled forest are made of: numbers, merged bodies, loops."""

import math

from free_flyer_dynamics.graph import CUT
from free_flyer_dynamics.kernels._jit import kernel
from free_flyer_dynamics.kernels.poses import chain, edge_transform, joint_frame
from free_flyer_dynamics.kernels.spatial import compose, rotate
from free_flyer_dynamics.tree import FIXED, FREE, SPHERICAL


@kernel
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


@kernel
def merge_bodies(links, nodes, turns, shifts, plan):
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
    h = shifts[0]
    T, turned = turns[1], turns[2]
    for b in range(1, len(links.mass)):
        i = plan.link_node[b]
        m = links.mass[b]
        if i < 0 or m == 0.0:
            continue
        R, p = plan.link_rotation[b], plan.link_position[b]
        rotate(R, links.moment[b], h)
        compose(R, links.inertia[b], T)
        for k in range(3):
            for j in range(3):
                turned[k, j] = T[k, 0] * R[j, 0] + T[k, 1] * R[j, 1] + T[k, 2] * R[j, 2]
        spread = 0.0
        for k in range(3):
            spread += (2 * h[k] + m * p[k]) * p[k]
        tree.mass[i] += m
        for k in range(3):
            tree.moment[i, k] += h[k] + m * p[k]
            tree.inertia[i, k, k] += spread
            for j in range(3):
                shift = h[k] * p[j] + p[k] * h[j] + m * p[k] * p[j]
                tree.inertia[i, k, j] += turned[k, j] - shift
    massless = 0
    for i in range(nodes):
        massless += tree.mass[i] == 0.0
    return massless


@kernel
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
