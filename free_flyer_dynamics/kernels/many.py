# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Many states of one structure, read and set: joints by name, links, sums, how far loops gape."""

from free_flyer_dynamics.kernels._jit import kernel, out_of_line
from free_flyer_dynamics.kernels.kinematics import forward_kinematics
from free_flyer_dynamics.kernels.links import (
    link_pose,
    link_twist,
    read_edges,
    read_joints,
    to_world,
    write_edges,
)
from free_flyer_dynamics.kernels.loop_motion import (
    loop_transforms,
    position_errors,
    velocity_errors,
)
from free_flyer_dynamics.kernels.momentum import links_momentum
from free_flyer_dynamics.kernels.rotation import quat_from_matrix, rotation_vector, turn
from free_flyer_dynamics.tree import REVOLUTE, SPHERICAL

POSITION, VELOCITY = 0, 1  # rows of joints, and of what loops are open by


@kernel
def _joints_of(edges, plan, coordinates, states, s, room, ws):
    """Fill the room's coordinates and rates with those of a state's edges."""
    out_of_line()
    state, turns, shifts, coordinate, rate = room
    for k in range(len(state.q)):
        state.q[k] = states.q[s, k]
    for k in range(len(state.v)):
        state.v[k] = states.v[s, k]
    for m in range(len(state.loop_angle)):
        state.loop_angle[m] = states.loop_angle[s, m]
    for e in range(len(coordinate)):
        for k in range(4):
            coordinate[e, k] = coordinates[e, k]
    if len(state.loop_angle):  # joints that close loops are read off the links they join
        forward_kinematics(plan.tree, state.q, state.v, ws)
    read_edges(edges, plan, state, ws, turns, shifts, coordinate, rate)


@kernel
def read_states(edges, plan, joint_edge, joint_part, coordinates, states, room, ws, joints_out):
    """Fill the joints' positions and velocities of all states, (k, 2, joints)."""
    for s in range(len(states.q)):
        _joints_of(edges, plan, coordinates, states, s, room, ws)
        _state, _turns, _shifts, coordinate, rate = room
        out = joints_out[s]
        read_joints(edges, joint_edge, joint_part, coordinate, rate, out[POSITION], out[VELOCITY])


@kernel
def set_states(
    # what is joined
    edges,
    plan,
    joint_edge,
    joint_part,
    coordinates,
    # (k, 2, joints); which of the two are given
    given,
    gives,
    # room
    room,
    ws,
    # changed: q, v and the angles of loops
    states,
    # output: how far each joint is from what was given, (k, 2, joints); how far loops are open
    astray_out,
    gaps_out,
):
    """Put the joints where they are told, and tell which cannot be there: loops decide, locks."""
    state, _turns, _shifts, coordinate, rate = room
    for s in range(len(states.q)):
        if gives[POSITION] or gives[VELOCITY]:
            _joints_of(edges, plan, coordinates, states, s, room, ws)
            for j in range(len(joint_edge)):
                e, part = joint_edge[j], joint_part[j]
                if gives[VELOCITY]:
                    rate[e, part] = given[s, VELOCITY, j]
                if not gives[POSITION]:
                    continue
                if edges.kind[e] != SPHERICAL:
                    coordinate[e, 0] = given[s, POSITION, j]
                elif part == 0:
                    _turn_by(given[s, POSITION, j : j + 3], coordinate[e])
                m = plan.edge_loop[e]
                if m >= 0 and plan.tree.loops.kind[m] == REVOLUTE:
                    states.loop_angle[s, m] = given[s, POSITION, j]
            write_edges(edges, plan, coordinate, rate, states.q[s], states.v[s])
        _joints_of(edges, plan, coordinates, states, s, room, ws)
        for m in range(len(state.loop_angle)):  # the nearest there is, turns counted
            e = plan.loop_edge[m]
            if plan.tree.loops.kind[m] == REVOLUTE:
                states.loop_angle[s, m] = coordinate[e, 0]
        for j in range(len(joint_edge)):
            e, part = joint_edge[j], joint_part[j]
            astray_out[s, POSITION, j] = astray_out[s, VELOCITY, j] = 0.0
            if gives[VELOCITY]:
                astray_out[s, VELOCITY, j] = abs(rate[e, part] - given[s, VELOCITY, j])
            if gives[POSITION] and edges.kind[e] != SPHERICAL:
                astray_out[s, POSITION, j] = abs(coordinate[e, 0] - given[s, POSITION, j])
            elif gives[POSITION] and part == 0:
                astray_out[s, POSITION, j] = _angle_to(
                    coordinate[e], given[s, POSITION, j : j + 3]
                )
        gaps_out[s, POSITION] = gaps_out[s, VELOCITY] = 0.0
        if len(state.loop_angle):
            loop_transforms(plan.tree, ws)
            gaps_out[s, POSITION] = position_errors(plan.tree, ws)
            gaps_out[s, VELOCITY] = velocity_errors(plan.tree, ws.v, ws)


@kernel
def _turn_by(theta, quat_out):
    """Set a quaternion to that of a rotation vector of any length."""
    quat_out[0], quat_out[1], quat_out[2], quat_out[3] = 1.0, 0.0, 0.0, 0.0
    turn(quat_out, theta, quat_out)


@kernel
def _angle_to(quat, theta):
    """Return the angle between a rotation and that of a rotation vector; quat is used up."""
    for k in range(3):
        quat[1 + k] = -quat[1 + k]
    turn(quat, theta, quat)
    rotation_vector(quat, quat[1:4])
    return max(abs(quat[1]), abs(quat[2]), abs(quat[3]))


@kernel
def see_link(plan, link, states, room, ws, frames_out):
    """Fill a link's position and quaternion, w first, and its twist in world axes, (k, 13)."""
    _state, turns, _shifts, _coordinate, _rate = room
    twist = ws.scratch[0, 5]
    for s in range(len(states.q)):
        forward_kinematics(plan.tree, states.q[s], states.v[s], ws)
        link_pose(plan, link, ws, turns[0], frames_out[s, :3])
        quat_from_matrix(turns[0], frames_out[s, 3:7])
        link_twist(plan, link, ws, twist)
        to_world(plan, link, twist, ws, frames_out[s, 7:])


@kernel
def sum_states(links, plan, states, ws, sums_out):
    """Fill mass, mass times centre, momentum about the origin and energy of all, (k, 11)."""
    for s in range(len(states.q)):
        forward_kinematics(plan.tree, states.q[s], states.v[s], ws)
        links_momentum(links, plan, 1, len(links.mass), ws, sums_out[s])
