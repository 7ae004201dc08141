# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Links that each have their own pose and twist, seen as a forest again. [JainRodriguez] 3.3.1."""

import math

from free_flyer_dynamics.kernels._jit import kernel, out_of_line
from free_flyer_dynamics.kernels.aba import bias_forces
from free_flyer_dynamics.kernels.kinematics import external_wrenches, placement
from free_flyer_dynamics.kernels.rotation import quat_from_matrix
from free_flyer_dynamics.kernels.spatial import (
    compose,
    cross_add,
    motion_transform,
    mul,
    rotate_back,
)
from free_flyer_dynamics.tree import FREE, PRISMATIC, REVOLUTE, SPHERICAL


@kernel
def relative_pose(tree, i, R, x, E_out, r_out, scratch):
    """Orientation and origin of node i in its parent's frame, from poses in world."""
    p = tree.parent[i]
    for k in range(3):
        r_out[k] = x[i, k]
        for j in range(3):
            E_out[k, j] = R[i, k, j]
    if p < 0:
        return
    for k in range(3):
        scratch[0, k] = x[i, k] - x[p, k]
    rotate_back(R[p], scratch[0], r_out)
    for k in range(3):
        for j in range(3):
            scratch[k, j] = R[p, j, k]
    compose(scratch, R[i], E_out)


@kernel
def _in_joint(A, position, E, r, turned, moved):
    """Turn the parent's axes to those of the joint at zero."""
    for k in range(3):
        moved[k] = 0.0
        for j in range(3):
            moved[k] += A[j, k] * (r[j] - position[j])
            turned[k, j] = A[0, k] * E[0, j] + A[1, k] * E[1, j] + A[2, k] * E[2, j]


@kernel
def as_forest(tree, R, x, v, room, q_out, vel_out, ws):
    """
    Fill X, R, x, v and c from the links' own, and the hinges' coordinates and rates from them.

    q_out comes with the coordinates of a moment ago, by which turns are counted. Room is
    (4, 3, 3). Returns the largest gap of a hinge [m] and the largest turn off its axis [rad],
    the drift: only what the hinge forbids.
    """
    out_of_line()
    E, turned, scratch = room[0], room[1], room[2]
    r, moved = room[3, 0], room[3, 1]
    rate = ws.scratch[0, 0]
    gap, twist = 0.0, 0.0
    for i in range(len(tree.parent)):
        p, kind = tree.parent[i], tree.kind[i]
        at, to = tree.v_at[i], tree.q_at[i]
        for k in range(3):
            ws.x[i, k] = x[i, k]
            for j in range(3):
                ws.R[i, k, j] = R[i, k, j]
        relative_pose(tree, i, R, x, E, r, scratch)
        motion_transform(E, r, ws.X[i])
        for k in range(6):
            ws.v[i, k] = v[i, k]
            ws.c[i, k] = 0.0
            rate[k] = 0.0
        if p >= 0:
            mul(ws.X[i], v[p], rate)
        for k in range(6):
            rate[k] = v[i, k] - rate[k]
        if kind == FREE:
            for k in range(3):
                q_out[to + k] = x[i, k]
            quat_from_matrix(R[i], q_out[to + 3 : to + 7])
            for k in range(6):
                vel_out[at + k] = v[i, k]
            continue
        _in_joint(tree.rotation[i], tree.position[i], E, r, turned, moved)
        if kind == REVOLUTE:
            angle = math.atan2(turned[1, 0] - turned[0, 1], turned[0, 0] + turned[1, 1])
            ahead = angle - q_out[to]
            q_out[to] += ahead - 2 * math.pi * math.floor(ahead / (2 * math.pi) + 0.5)
            vel_out[at] = rate[2]
            for k in range(6):
                rate[k] = rate[k] if k == 2 else 0.0
        elif kind == PRISMATIC:
            q_out[to] = moved[2]
            vel_out[at] = rate[5]
            for k in range(5):
                rate[k] = 0.0
        elif kind == SPHERICAL:
            quat_from_matrix(turned, q_out[to : to + 4])
            for k in range(3):
                vel_out[at + k] = rate[k]
                rate[3 + k] = 0.0
        # a = v x (H* beta), of what the hinge allows
        cross_add(v[i, :3], rate[:3], ws.c[i, :3])
        cross_add(v[i, 3:], rate[:3], ws.c[i, 3:])
        cross_add(v[i, :3], rate[3:], ws.c[i, 3:])
        placement(tree, i, q_out, scratch, turned, moved)
        for k in range(3):
            gap = max(gap, abs(moved[k] - r[k]))
            for j in range(3):
                twist = max(twist, abs(turned[k, j] - E[k, j]))
    return gap, twist


@kernel
def outer_forces(tree, inputs, ws, b_out):
    """Fill b: gyroscopic forces less the wrenches from outside. Workspace has R and v."""
    out_of_line()
    external_wrenches(tree, inputs, ws)
    bias_forces(tree, ws)
    for i in range(len(tree.parent)):
        for k in range(6):
            b_out[i, k] = ws.pA[i, k]


@kernel
def own_rates(gravity, R, alpha, vdot_out):
    """Rates of the links' own twists: the spatial accelerations, and they fall."""
    for i in range(len(alpha)):
        for k in range(6):
            vdot_out[6 * i + k] = alpha[i, k]
        for k in range(3):
            for j in range(3):
                vdot_out[6 * i + 3 + k] += R[i, j, k] * gravity[j]
