# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Links and edges in the compiled forest: where they are, how they move, what they carry."""

import math

from free_flyer_dynamics.graph import CUT
from free_flyer_dynamics.kernels._jit import inlined, kernel
from free_flyer_dynamics.kernels.poses import chain
from free_flyer_dynamics.kernels.rotation import quat_from_matrix, rotation_vector, swap_side
from free_flyer_dynamics.kernels.spatial import cross_add, rotate, rotate_back
from free_flyer_dynamics.tree import FIXED, PRISMATIC, REVOLUTE, SPHERICAL


@kernel
def link_pose(plan, link, ws, R_out, x_out):
    """Axes and origin of a link in world. Workspace has R and x."""
    i = plan.link_node[link]
    A, p = plan.link_rotation[link], plan.link_position[link]
    if i < 0:
        for k in range(3):
            x_out[k] = p[k]
            for j in range(3):
                R_out[k, j] = A[k, j]
    else:
        chain(ws.R[i], ws.x[i], A, p, R_out, x_out)


@kernel
def link_twist(plan, link, ws, twist_out):
    """Angular velocity and velocity of the link's origin, node axes. Workspace has v."""
    node_twist(plan, link, ws.v, twist_out)


@kernel
def node_twist(plan, link, v, twist_out):
    """Twist of a link's origin, node axes, from the nodes' twists."""
    i = plan.link_node[link]
    for k in range(6):
        twist_out[k] = 0.0 if i < 0 else v[i, k]
    if i >= 0:
        cross_add(v[i, :3], plan.link_position[link], twist_out[3:])


@kernel
def link_acceleration(plan, link, gravity, ws, out):
    """
    Angular acceleration and classical acceleration of the link's origin, node axes.

    Workspace has R, v and a, the latter less gravity.
    """
    i = plan.link_node[link]
    for k in range(6):
        out[k] = 0.0
    if i < 0:
        return
    v, a, p = ws.v[i], ws.a[i], plan.link_position[link]
    speed = ws.scratch[0, 0]
    link_twist(plan, link, ws, speed)
    for k in range(3):
        out[k] = a[k]
        out[3 + k] = a[3 + k]
        for j in range(3):
            out[3 + k] += ws.R[i, j, k] * gravity[j]
    cross_add(a[:3], p, out[3:])
    cross_add(v[:3], speed[3:], out[3:])


@kernel
def to_world(plan, link, vector, ws, out):
    """Turn both halves of a vector in the axes of the link's node into world axes."""
    i = plan.link_node[link]
    if i < 0:
        for k in range(6):
            out[k] = vector[k]
    else:
        rotate(ws.R[i], vector[:3], out[:3])
        rotate(ws.R[i], vector[3:], out[3:])


@kernel
def edge_frames(edges, e, b_side, R_link, x_link, R_out, x_out):
    """Joint frame of an edge on one of its links, in world."""
    if b_side:
        chain(R_link, x_link, edges.rotation_b[e], edges.position_b[e], R_out, x_out)
    else:
        chain(R_link, x_link, edges.rotation_a[e], edges.position_a[e], R_out, x_out)


@kernel
def cut_motion(edges, plan, e, ws, turns, shifts, coordinate_out, rate_out):
    """Coordinate and rate of an edge that closes a loop, from the frames it joins."""
    a, b = edges.a[e], edges.b[e]
    kind = edges.kind[e]
    link_pose(plan, a, ws, turns[0], shifts[0])
    edge_frames(edges, e, False, turns[0], shifts[0], turns[2], shifts[2])
    link_pose(plan, b, ws, turns[1], shifts[1])
    edge_frames(edges, e, True, turns[1], shifts[1], turns[3], shifts[3])
    # relative pose of b's joint frame in a's, into turns[0], shifts[0]
    for i in range(3):
        for j in range(3):
            turns[0, i, j] = 0.0
            for k in range(3):
                turns[0, i, j] += turns[2, k, i] * turns[3, k, j]
    for k in range(3):
        shifts[1, k] = shifts[3, k] - shifts[2, k]
    rotate_back(turns[2], shifts[1], shifts[0])
    twist_a, twist_b = ws.scratch[0, 0], ws.scratch[0, 1]
    point_twist(plan, a, shifts[3], ws, twist_a)
    point_twist(plan, b, shifts[3], ws, twist_b)
    relative = ws.scratch[0, 2]
    for k in range(6):
        relative[k] = twist_b[k] - twist_a[k]
    if kind == REVOLUTE:
        near = coordinate_out[0]  # the turn count is not in the frames: stay near the last angle
        angle = math.atan2(turns[0, 1, 0], turns[0, 0, 0])
        coordinate_out[0] = angle + 2 * math.pi * round((near - angle) / (2 * math.pi))
        rate_out[0] = 0.0
        for k in range(3):
            rate_out[0] += turns[2, k, 2] * relative[k]
    elif kind == PRISMATIC:
        coordinate_out[0] = shifts[0, 2]
        rate_out[0] = 0.0
        for k in range(3):
            rate_out[0] += turns[2, k, 2] * relative[3 + k]
    elif kind == SPHERICAL:
        quat_from_matrix(turns[0], coordinate_out)
        rotate_back(turns[3], relative[:3], rate_out)


@kernel
def point_twist(plan, link, point, ws, out):
    """Twist of a link at a point of the world, world axes."""
    i = plan.link_node[link]
    for k in range(6):
        out[k] = 0.0
    if i < 0:
        return
    rotate(ws.R[i], ws.v[i, :3], out[:3])
    rotate(ws.R[i], ws.v[i, 3:], out[3:])
    arm = ws.scratch[0, 4]
    for k in range(3):
        arm[k] = point[k] - ws.x[i, k]
    cross_add(out[:3], arm[:3], out[3:])


@inlined
def read_edges(
    # what is joined
    edges,
    plan,
    state,
    # workspace with R, x and v filled; scratch (4, 3, 3), (4, 3)
    ws,
    turns,
    shifts,
    # output, (e, 4) and (e, 3); coordinates keep those of rigid edges
    coordinates_out,
    rates_out,
):
    """Coordinates and rates of all edges, in the sense in which they were joined."""
    for e in range(len(edges.kind)):
        for k in range(3):
            rates_out[e, k] = 0.0
        if plan.edge_role[e] == CUT:
            m = plan.edge_loop[e]
            if m < 0 or plan.tree.loops.kind[m] == FIXED:  # rigid: it stays where it is
                continue
            if edges.kind[e] == REVOLUTE:
                coordinates_out[e, 0] = state.loop_angle[m]
            cut_motion(edges, plan, e, ws, turns, shifts, coordinates_out[e], rates_out[e])
            continue
        i = plan.edge_node[e]
        if i < 0:
            continue
        at_q, at_v = plan.tree.q_at[i], plan.tree.v_at[i]
        if edges.kind[e] != SPHERICAL:
            coordinates_out[e, 0] = state.q[at_q]
            rates_out[e, 0] = state.v[at_v]
            continue
        sign = -1.0 if plan.edge_reversed[e] else 1.0
        coordinates_out[e, 0] = state.q[at_q]
        for k in range(3):
            coordinates_out[e, 1 + k] = sign * state.q[at_q + 1 + k]
            rates_out[e, k] = state.v[at_v + k]
        if plan.edge_reversed[e]:  # of b against a, in b's axes: the node is on a's side
            swap_side(state.q[at_q : at_q + 4], rates_out[e])


@inlined
def write_edges(
    # what is joined
    edges,
    plan,
    coordinates,
    rates,
    # output: joints' entries of q and v
    q_out,
    vel_out,
):
    """Put the edges' coordinates and rates into the forest's state; the inverse of read_edges."""
    for e in range(len(edges.kind)):
        i = plan.edge_node[e]
        if plan.edge_role[e] == CUT or i < 0:
            continue
        at_q, at_v = plan.tree.q_at[i], plan.tree.v_at[i]
        if edges.kind[e] != SPHERICAL:
            q_out[at_q] = coordinates[e, 0]
            vel_out[at_v] = rates[e, 0]
            continue
        sign = -1.0 if plan.edge_reversed[e] else 1.0
        q_out[at_q] = coordinates[e, 0]
        for k in range(3):
            q_out[at_q + 1 + k] = sign * coordinates[e, 1 + k]
            vel_out[at_v + k] = rates[e, k]
        if plan.edge_reversed[e]:
            swap_side(coordinates[e], vel_out[at_v : at_v + 3])


@kernel
def read_joints(edges, joint_edge, joint_part, coordinates, rates, positions_out, velocities_out):
    """Public positions and velocities: an angle, a length, or a part of a rotation vector."""
    for j in range(len(joint_edge)):
        e, part = joint_edge[j], joint_part[j]
        velocities_out[j] = rates[e, part]
        if edges.kind[e] == SPHERICAL:
            if part == 0:
                rotation_vector(coordinates[e], positions_out[j : j + 3])
        else:
            positions_out[j] = coordinates[e, 0]
