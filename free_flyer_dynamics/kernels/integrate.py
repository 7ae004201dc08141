# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Fourth-order Runge-Kutta on SE(3) and the joints, momentum by its own law."""

from free_flyer_dynamics.kernels._jit import kernel, out_of_line
from free_flyer_dynamics.kernels.forward import close_loops, displace, forward_dynamics
from free_flyer_dynamics.kernels.kinematics import forward_kinematics
from free_flyer_dynamics.kernels.loop_motion import count_turns
from free_flyer_dynamics.kernels.momentum import momentum_rate, restore_centers, restore_momentum
from free_flyer_dynamics.kernels.rotation import rotation_vector_rate, swap_side_back
from free_flyer_dynamics.kernels.spatial import rotate
from free_flyer_dynamics.tree import FREE, PRISMATIC, REVOLUTE, SPHERICAL


@kernel
def joint_forces(tree, q, vel, slide, blocked, effort, tau_out):
    """Sum the forces at the joints: drives, less damping, less dry friction against the slide."""
    for i in range(len(tree.parent)):
        at = tree.v_at[i]
        kind = tree.kind[i]
        if kind in (REVOLUTE, PRISMATIC):
            drive = 0.0 if blocked[i] else effort[at]
            tau_out[at] = drive - tree.damping[i] * vel[at] - tree.friction[i] * slide[i]
        elif kind == SPHERICAL:
            for k in range(3):
                tau_out[at + k] = effort[at + k]
            if tree.reverse[i]:  # given on the parent's side, in its axes
                to = tree.q_at[i]
                swap_side_back(q[to : to + 4], tau_out[at : at + 3])
        else:
            for k in range(6):
                tau_out[at + k] = 0.0


@kernel
def displacement_rate(tree, delta, vel, ws, rate_out):
    """Rate of delta that belongs to velocities vel. Workspace has R."""
    for i in range(len(tree.parent)):
        at = tree.v_at[i]
        kind = tree.kind[i]
        if kind in (FREE, SPHERICAL):
            rotation_vector_rate(delta[at : at + 3], vel[at : at + 3], rate_out[at : at + 3])
            if kind == FREE:
                rotate(ws.R[i], vel[at + 3 : at + 6], rate_out[at + 3 : at + 6])
        else:
            rate_out[at] = vel[at]


@kernel
def rates(tree, state, inputs, ws, stage):
    """Fill the stage's rates at the workspace's q, vel and delta."""
    joint_forces(tree, ws.q, ws.vel, state.slide, state.blocked, inputs.effort, ws.tau)
    forward_dynamics(tree, ws.q, ws.vel, state.hold, inputs, ws.tau, ws, ws.k[stage])
    displacement_rate(tree, ws.delta, ws.vel, ws, ws.d[stage])
    momentum_rate(tree, inputs.gravity, ws, ws.w[stage])


@kernel
def trial_step(tree, state, inputs, h, ws):
    """Advance by h into the workspace's q, vel and momentum; the state stays as it is."""
    out_of_line()
    nv = len(state.v)
    for stage in range(4):
        reach = 0.0 if stage == 0 else (h if stage == 3 else 0.5 * h)
        before = max(stage - 1, 0)
        for j in range(nv):
            ws.delta[j] = reach * ws.d[before, j] if stage else 0.0
            ws.vel[j] = state.v[j] + reach * ws.k[before, j] if stage else state.v[j]
        displace(tree, state.q, ws.delta, ws.q)
        rates(tree, state, inputs, ws, stage)
    for j in range(nv):
        ws.delta[j] = h / 6 * (ws.d[0, j] + 2 * (ws.d[1, j] + ws.d[2, j]) + ws.d[3, j])
        ws.vel[j] = state.v[j] + h / 6 * (ws.k[0, j] + 2 * (ws.k[1, j] + ws.k[2, j]) + ws.k[3, j])
    displace(tree, state.q, ws.delta, ws.q)
    for r in range(len(state.momentum)):
        for j in range(6):
            gain = ws.w[0, r, j] + 2 * (ws.w[1, r, j] + ws.w[2, r, j]) + ws.w[3, r, j]
            ws.momentum[r, j] = state.momentum[r, j] + h / 6 * gain
        for j in range(3):
            gain = ws.w[0, r, 3 + j] + ws.w[1, r, 3 + j] + ws.w[2, r, 3 + j]
            # Kahan's sum: over an hour of steps the rounding of a plain one would show.
            travel = h * (state.momentum[r, 3 + j] + h / 6 * gain) - state.center[r, 3 + j]
            ws.center[r, j] = state.center[r, j] + travel
            ws.center[r, 3 + j] = (ws.center[r, j] - state.center[r, j]) - travel
    end_of_step(tree, state.hold, ws)


@kernel
def end_of_step(tree, hold, ws):
    """Bring a trial step's end onto the loops, and to the centre and momentum it should have."""
    forward_kinematics(tree, ws.q, ws.vel, ws)
    close_loops(tree, hold, ws.q, ws.vel, ws)
    restore_centers(tree, ws.center, ws, ws.q)
    restore_momentum(tree, ws.momentum, ws, ws.vel)


@kernel
def accept(tree, state, ws):
    """Make the trial step's end the state."""
    for j in range(len(state.q)):
        state.q[j] = ws.q[j]
    for j in range(len(state.v)):
        state.v[j] = ws.vel[j]
    for r in range(len(state.momentum)):
        for j in range(6):
            state.momentum[r, j] = ws.momentum[r, j]
            state.center[r, j] = ws.center[r, j]
    count_turns(tree, ws, state.loop_angle)
