# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Forward dynamics of forests with closed loops: the list of its parts."""

from free_flyer_dynamics.kernels._jit import kernel, out_of_line
from free_flyer_dynamics.kernels.aba import articulate, bias_forces, respond
from free_flyer_dynamics.kernels.kinematics import external_wrenches, forward_kinematics
from free_flyer_dynamics.kernels.loop_motion import (
    acceleration_errors,
    loop_transforms,
    position_errors,
    velocity_errors,
)
from free_flyer_dynamics.kernels.loops import clear_bias, drive_loops, keep_bias, respond_closed
from free_flyer_dynamics.kernels.rotation import turn
from free_flyer_dynamics.kernels.spatial import rotate
from free_flyer_dynamics.tree import FREE, SPHERICAL

CLOSED = 1e-13  # a loop is not corrected below this [m, rad]
MOST_CORRECTIONS = 8


@kernel
def forward_dynamics(
    # model
    tree,
    # state
    q,
    vel,
    hold,
    # input
    inputs,
    tau,
    # workspace
    ws,
    # output
    vdot_out,
):
    """
    Rates of the velocities under the forces tau at the joints and the inputs' wrenches.

    Joints with a hold do not accelerate, loops stay closed, gravity acts on every node. Returns
    the rank of the loops.
    """
    out_of_line()
    forward_kinematics(tree, q, vel, ws)
    external_wrenches(tree, inputs, ws)
    bias_forces(tree, ws)
    articulate(tree, hold, ws)
    if len(tree.loops.kind) == 0:
        respond(tree, hold, tau, ws.c, inputs.gravity, ws, vdot_out)
        return 0
    loop_transforms(tree, ws)
    drive_loops(tree, inputs.loop_effort, ws)
    keep_bias(ws)
    respond(tree, hold, tau, ws.c, inputs.gravity, ws, vdot_out)
    acceleration_errors(tree, inputs.gravity, ws)
    rank = respond_closed(tree, hold, tau, ws.c, inputs.gravity, ws, vdot_out)
    for m in range(len(tree.loops.kind)):
        for k in range(6):
            ws.loop_wrench[m, k] += ws.loop_drive[m, k]
    return rank


@kernel
def displace(tree, q, delta, q_out):
    """Move coordinates q by delta: joints add, orientations turn about their own axes."""
    for i in range(len(tree.parent)):
        at, to = tree.v_at[i], tree.q_at[i]
        kind = tree.kind[i]
        if kind == FREE:
            turn(q[to + 3 : to + 7], delta[at : at + 3], q_out[to + 3 : to + 7])
            for k in range(3):
                q_out[to + k] = q[to + k] + delta[at + 3 + k]
        elif kind == SPHERICAL:
            turn(q[to : to + 4], delta[at : at + 3], q_out[to : to + 4])
        else:
            q_out[to] = q[to] + delta[at]


@kernel
def close_loops(tree, hold, q, vel, ws):
    """
    Bring coordinates and velocities back onto the loops, by the shortest way in the inertia.

    The forces that would do it are internal, so the centre of mass stays and momentum is kept.
    Leaves the workspace at the new coordinates and velocities.
    """
    out_of_line()
    if len(tree.loops.kind) == 0:
        return
    shift = ws.scratch[1, 5, :3]
    for _round in range(MOST_CORRECTIONS):
        forward_kinematics(tree, q, vel, ws)
        loop_transforms(tree, ws)
        if not position_errors(tree, ws) > CLOSED:
            break
        articulate(tree, hold, ws)
        clear_bias(ws)
        respond_closed(tree, hold, ws.zero_tau, ws.zero_c, ws.nothing, ws, ws.delta)
        for i in range(len(tree.parent)):
            if tree.kind[i] == FREE:  # a displacement of the origin is in world axes
                at = tree.v_at[i] + 3
                rotate(ws.R[i], ws.delta[at : at + 3], shift)
                for k in range(3):
                    ws.delta[at + k] = shift[k]
        displace(tree, q, ws.delta, q)
    articulate(tree, hold, ws)
    clear_bias(ws)
    velocity_errors(tree, ws.v, ws)
    respond_closed(tree, hold, ws.zero_tau, ws.zero_c, ws.nothing, ws, ws.delta)
    for j in range(len(vel)):
        vel[j] += ws.delta[j]
    forward_kinematics(tree, q, vel, ws)
