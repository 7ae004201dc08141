# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What is told of an instant in one call: the joints, what drives them, and some links."""

from free_flyer_dynamics.kernels._jit import kernel, out_of_line
from free_flyer_dynamics.kernels.forward import forward_dynamics
from free_flyer_dynamics.kernels.holds import reaction, settle
from free_flyer_dynamics.kernels.integrate import joint_forces
from free_flyer_dynamics.kernels.kinematics import accelerations, forward_kinematics
from free_flyer_dynamics.kernels.links import (
    link_acceleration,
    link_pose,
    link_twist,
    read_edges,
    read_joints,
    to_world,
)
from free_flyer_dynamics.kernels.loop_motion import loop_transforms, position_errors
from free_flyer_dynamics.kernels.momentum import tree_momentum
from free_flyer_dynamics.kernels.rotation import quat_from_matrix
from free_flyer_dynamics.kernels.spatial import rotate_back
from free_flyer_dynamics.tree import AT_TOP_SPEED, PRISMATIC


@kernel
def observe(
    # what is joined
    edges,
    plan,
    locked,
    joint_edge,
    joint_part,
    joint_v,
    # state
    state,
    coordinates,
    # input
    inputs,
    # workspace; scratch (4, 3, 3), (4, 3), (e, 4), (e, 3)
    ws,
    turns,
    shifts,
    coordinate,
    rate,
    # which links
    links,
    # output, (3, joints): positions, velocities, efforts; (links, 13), (links, 6): see `tell_link`
    joints_out,
    frames_out,
    twists_out,
):
    """
    Positions, velocities and efforts of the joints, pose and twist of some links.

    The efforts are those told; where this says yes, `limit_efforts` has to look closer.
    """
    for j in range(len(joint_v)):
        loop = plan.edge_loop[joint_edge[j]]
        joints_out[2, j] = inputs.effort[joint_v[j]] if joint_v[j] >= 0 else 0.0
        if loop >= 0 and not locked[joint_edge[j]]:
            joints_out[2, j] = inputs.loop_effort[loop, joint_part[j]]
    forward_kinematics(plan.tree, state.q, state.v, ws)
    for e in range(len(coordinate)):
        for k in range(4):
            coordinate[e, k] = coordinates[e, k]
    read_edges(edges, plan, state, ws, turns, shifts, coordinate, rate)
    read_joints(edges, joint_edge, joint_part, coordinate, rate, joints_out[0], joints_out[1])
    for k in range(len(links)):
        tell_link(plan, links[k], ws, turns[0], frames_out[k], twists_out[k])
    return _drives_at_limit(plan.tree, state, inputs)


@kernel
def _drives_at_limit(tree, state, inputs):
    """Tell whether some drive pushes at its speed limit or past it, and gives less than told."""
    for i in range(len(tree.parent)):
        if tree.kind[i] <= PRISMATIC:
            v = state.v[tree.v_at[i]]
            if inputs.effort[tree.v_at[i]] * v > 0 and abs(v) >= tree.speed_limit[i]:
                return True
    return False


@kernel
def limit_efforts(tree, joint_v, state, inputs, ws, settled, effort, told_out):
    """Set the efforts of the tree's joints to what their drives give."""
    _given_efforts(tree, state, inputs, ws, settled, effort)
    for j in range(len(joint_v)):
        if joint_v[j] >= 0:
            told_out[j] = effort[joint_v[j]]


@kernel
def _given_efforts(tree, state, inputs, ws, settled, effort_out):
    """
    Find what the drives give once it is settled what rests, slides or is blocked.

    Past its speed limit a drive gives nothing; at the limit, what keeps the speed.
    """
    out_of_line()
    for j in range(len(state.q)):
        settled.q[j] = state.q[j]
    for j in range(len(state.v)):
        settled.v[j] = state.v[j]
        effort_out[j] = inputs.effort[j]
    for i in range(len(tree.parent)):
        settled.hold[i] = state.hold[i]
        settled.slide[i] = state.slide[i]
        settled.blocked[i] = state.blocked[i]
    settle(tree, settled, inputs, ws)
    limited = False
    for i in range(len(tree.parent)):
        if settled.blocked[i]:
            effort_out[tree.v_at[i]] = 0.0
        limited = limited or settled.hold[i] == AT_TOP_SPEED
    if limited:
        joint_forces(
            tree, settled.q, settled.v, settled.slide, settled.blocked, inputs.effort, ws.tau
        )
        forward_dynamics(tree, settled.q, settled.v, settled.hold, inputs, ws.tau, ws, ws.k[0])
        for i in range(len(tree.parent)):
            if settled.hold[i] == AT_TOP_SPEED:
                at = tree.v_at[i]
                effort_out[at] += reaction(tree, i, ws) - ws.tau[at]


@kernel
def tell_link(plan, link, ws, turned, out, twist_out):
    """
    Position, quaternion x, y, z, w, velocity of the origin and angular velocity, own axes.

    And the twist, angular first, in world axes.
    """
    quat, twist = ws.scratch[0, 0], ws.scratch[0, 1]
    link_pose(plan, link, ws, turned, out[:3])
    quat_from_matrix(turned, quat)
    for k in range(3):
        out[3 + k] = quat[1 + k]
    out[6] = quat[0]
    link_twist(plan, link, ws, twist)
    rotate_back(plan.link_rotation[link], twist[3:], out[7:10])
    rotate_back(plan.link_rotation[link], twist[:3], out[10:])
    to_world(plan, link, twist, ws, twist_out)


@kernel
def tell_acceleration(plan, link, q, vel, vdot, gravity, ws, out):
    """Angular and classical acceleration of a link's origin in world axes, at rates vdot."""
    forward_kinematics(plan.tree, q, vel, ws)
    accelerations(plan.tree, vdot, gravity, ws)
    own = ws.scratch[0, 1]
    link_acceleration(plan, link, gravity, ws, own)
    to_world(plan, link, own, ws, out)


@kernel
def astray(tree, q, vel, ws, momentum_out):
    """Momentum of each free tree as its bodies have it; return how far open the loops are."""
    forward_kinematics(tree, q, vel, ws)
    tree_momentum(tree, ws, momentum_out)
    loop_transforms(tree, ws)
    return position_errors(tree, ws)
