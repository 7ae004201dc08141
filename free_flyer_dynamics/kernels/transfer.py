# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The state carried from one structure to the next: by link, momentum conserved."""

from free_flyer_dynamics.kernels._jit import kernel
from free_flyer_dynamics.kernels.aba import articulate
from free_flyer_dynamics.kernels.kinematics import forward_kinematics
from free_flyer_dynamics.kernels.links import link_pose, link_twist, read_edges, write_edges
from free_flyer_dynamics.kernels.loops import nearest_velocities
from free_flyer_dynamics.kernels.rotation import quat_from_matrix
from free_flyer_dynamics.kernels.spatial import body_momentum, cross_add, rotate, rotate_back
from free_flyer_dynamics.tree import FREE


@kernel
def survey(
    # what is joined
    edges,
    plan,
    state,
    # workspace; scratch (4, 3, 3), (4, 3)
    ws,
    turns,
    shifts,
    # output: (l, 3, 3), (l, 3), (l, 6), (e, 4), (e, 3)
    rotation_out,
    position_out,
    twist_out,
    coordinates_out,
    rates_out,
):
    """Poses of all links in world, twists of their origins in link axes, and the edges' motion."""
    forward_kinematics(plan.tree, state.q, state.v, ws)
    speed = ws.scratch[0, 0]
    for b in range(len(plan.link_node)):
        link_pose(plan, b, ws, rotation_out[b], position_out[b])
        link_twist(plan, b, ws, speed)
        rotate_back(plan.link_rotation[b], speed[:3], twist_out[b, :3])
        rotate_back(plan.link_rotation[b], speed[3:], twist_out[b, 3:])
    read_edges(edges, plan, state, ws, turns, shifts, coordinates_out, rates_out)


@kernel
def place(edges, plan, rotation, position, twist, coordinates, rates, q_out, vel_out):
    """Give a new structure the links' poses and, as far as its joints can, their velocities."""
    tree = plan.tree
    for i in range(len(tree.parent)):
        if tree.kind[i] != FREE:
            continue
        base = plan.node_link[i]
        at = tree.q_at[i]
        quat_from_matrix(rotation[base], q_out[at + 3 : at + 7])
        for k in range(3):
            q_out[at + k] = position[base, k]
        for k in range(6):
            vel_out[tree.v_at[i] + k] = twist[base, k]
    write_edges(edges, plan, coordinates, rates, q_out, vel_out)


@kernel
def project(
    # what is joined
    links,
    plan,
    # the links' twists before
    twist,
    # the new state: coordinates, and how joints rest
    q,
    hold,
    # workspace
    ws,
    # output
    vel_out,
):
    """
    Find the velocities nearest to the links' in the inertia: v+ = argmin |v - v-|.

    The momentum of each link acts as an impulse on the new structure, at O(n) cost.
    """
    tree = plan.tree
    forward_kinematics(tree, q, ws.zero_tau, ws)
    articulate(tree, hold, ws)
    for i in range(len(tree.parent)):
        for k in range(6):
            ws.pA[i, k] = 0.0
    h, turned = ws.scratch[0, 0], ws.scratch[0, 1]
    for b in range(len(links.mass)):
        i = plan.link_node[b]
        if i < 0 or links.mass[b] == 0.0:
            continue
        body_momentum(links.mass[b], links.moment[b], links.inertia[b], twist[b], h)
        rotate(plan.link_rotation[b], h[:3], turned[:3])
        rotate(plan.link_rotation[b], h[3:], turned[3:])
        cross_add(plan.link_position[b], turned[3:], turned[:3])
        for k in range(6):
            ws.pA[i, k] -= turned[k]
    nearest_velocities(tree, hold, ws, vel_out)
