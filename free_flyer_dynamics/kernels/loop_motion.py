# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
How closed loops move, and by how much they are open.

All relative quantities of a loop are in its frame a. There the constraint forces of every kind of
joint are unit vectors, fixed as a moves: [RBDA] sections 8.2 and 8.3.
"""

import math

from free_flyer_dynamics.kernels._jit import kernel
from free_flyer_dynamics.kernels.rotation import quat_from_matrix, rotation_vector
from free_flyer_dynamics.kernels.spatial import (
    compose,
    cross_add,
    motion_transform,
    mul_add,
    rotate,
    rotate_back,
)
from free_flyer_dynamics.tree import PRISMATIC, REVOLUTE, SPHERICAL


@kernel
def row_is_free(kind, k):
    """Tell whether a joint of that kind lets the k-th relative motion be."""
    if kind == REVOLUTE:
        return k == 2
    if kind == PRISMATIC:
        return k == 5
    return kind == SPHERICAL and k < 3


@kernel
def loop_transforms(tree, ws):
    """Fill Xa and Xb: node, or world, coordinates of a motion to frame a's. Workspace has R, x."""
    loops = tree.loops
    E, Ra, Rt = ws.turn[0], ws.turn[1], ws.turn[2]
    r, xa, d = ws.scratch[1, 0, :3], ws.scratch[1, 1, :3], ws.scratch[1, 2, :3]
    for m in range(len(loops.kind)):
        motion_transform(loops.rotation_a[m], loops.position_a[m], ws.Xa[m])
        frame_in_world(loops.a[m], loops.rotation_a[m], loops.position_a[m], ws, Ra, xa)
        b = loops.b[m]
        for i in range(3):
            for j in range(3):
                if b >= 0:
                    Rt[i, j] = ws.R[b, j, i]
                else:
                    Rt[i, j] = 1.0 if i == j else 0.0
            d[i] = xa[i] - (ws.x[b, i] if b >= 0 else 0.0)
        compose(Rt, Ra, E)
        rotate(Rt, d, r)
        motion_transform(E, r, ws.Xb[m])


@kernel
def frame_in_world(node, rotation, position, ws, R_out, x_out):
    """World axes and origin of a frame given on a node, or on the world."""
    if node < 0:
        for i in range(3):
            x_out[i] = position[i]
            for j in range(3):
                R_out[i, j] = rotation[i, j]
        return
    compose(ws.R[node], rotation, R_out)
    rotate(ws.R[node], position, x_out)
    for i in range(3):
        x_out[i] += ws.x[node, i]


@kernel
def compose_loop_rotation(tree, m, ws, R_out):
    """Rotation of frame b's axes to frame a's."""
    for i in range(3):  # Xb turns node b's axes to a's; frame b is fixed on node b
        for j in range(3):
            R_out[i, j] = 0.0
            for k in range(3):
                R_out[i, j] += ws.Xb[m, i, k] * tree.loops.rotation_b[m, k, j]


@kernel
def count_turns(tree, ws, angle):
    """Follow the angles of the hinges that close loops, by less than half a turn at a time."""
    R = ws.turn[0]
    for m in range(len(tree.loops.kind)):
        if tree.loops.kind[m] == REVOLUTE:
            compose_loop_rotation(tree, m, ws, R)
            angle[m] = near_turn(R, angle[m])


@kernel
def near_turn(R, angle):
    """Angle about z of a rotation, of all that are the same the one nearest to a given one."""
    now = math.atan2(R[1, 0], R[0, 0])
    return now + 2 * math.pi * round((angle - now) / (2 * math.pi))


@kernel
def relative_motion(tree, m, motion, gravity, ws, out):
    """
    Set out to the motion of b less that of a, in frame a.

    For accelerations less gravity the world's own is minus gravity; elsewhere gravity is zero.
    """
    loops = tree.loops
    world = ws.scratch[1, 5]
    for k in range(6):
        out[k] = 0.0
        world[k] = -gravity[k - 3] if k > 2 else 0.0
    if loops.a[m] >= 0:
        mul_add(ws.Xa[m], motion[loops.a[m]], out)
    else:
        mul_add(ws.Xa[m], world, out)
    for k in range(6):
        out[k] = -out[k]
    if loops.b[m] >= 0:
        mul_add(ws.Xb[m], motion[loops.b[m]], out)
    else:
        mul_add(ws.Xb[m], world, out)


@kernel
def loop_motions(tree, ws, out):
    """All six parts of the loops' relative motions, (m, 6), for the twists in v."""
    for m in range(len(tree.loops.kind)):
        relative_motion(tree, m, ws.v, ws.nothing, ws, out[m])


@kernel
def velocity_errors(tree, motion, ws):
    """Fill rhs with minus the relative velocities that the loops forbid; return the largest."""
    loops = tree.loops
    relative = ws.scratch[1, 0]
    worst = 0.0
    for m in range(len(loops.kind)):
        relative_motion(tree, m, motion, ws.nothing, ws, relative)
        for k in range(6):
            e = 0.0 if row_is_free(loops.kind[m], k) else relative[k]
            ws.rhs[6 * m + k] = -e
            worst = max(worst, abs(e))
    return worst


@kernel
def position_errors(tree, ws):
    """Fill rhs with minus the gaps and angles by which the loops are open; return the largest."""
    loops = tree.loops
    R, quat = ws.turn[0], ws.scratch[1, 0, :4]
    theta, gap, Ra, xa, xb = (
        ws.scratch[1, 1, :3],
        ws.scratch[1, 2, :3],
        ws.turn[1],
        ws.scratch[1, 3, :3],
        ws.scratch[1, 4, :3],
    )
    worst = 0.0
    for m in range(len(loops.kind)):
        frame_in_world(loops.a[m], loops.rotation_a[m], loops.position_a[m], ws, Ra, xa)
        frame_in_world(loops.b[m], loops.rotation_b[m], loops.position_b[m], ws, R, xb)
        for k in range(3):
            xb[k] -= xa[k]
        rotate_back(Ra, xb, gap)
        compose_loop_rotation(tree, m, ws, R)
        worst = max(worst, opening(loops.kind[m], R, gap, quat, theta, ws.rhs[6 * m : 6 * m + 6]))
    return worst


@kernel
def opening(kind, R, gap, quat, theta, rhs_out):
    """
    Set rhs to minus the angles and the gap by which one loop is open; return the largest.

    R turns frame b's axes to frame a's, in which the gap is; quat and theta are scratch.
    """
    if kind == REVOLUTE:  # how far b's axis leans
        theta[0], theta[1], theta[2] = -R[1, 2], R[0, 2], 0.0
    else:
        quat_from_matrix(R, quat)
        rotation_vector(quat, theta)
    worst = 0.0
    for k in range(6):
        e = theta[k] if k < 3 else gap[k - 3]
        if row_is_free(kind, k):
            e = 0.0
        rhs_out[k] = -e
        worst = max(worst, abs(e))
    return worst


@kernel
def relative_acceleration(tree, m, gravity, ws, out):
    """
    Set out to the rate of the motion of b less that of a, as one sees it who moves with frame a.

    Workspace has v, and a less gravity.
    """
    loops = tree.loops
    speed, mine = ws.scratch[1, 1], ws.scratch[1, 2]
    relative_motion(tree, m, ws.v, ws.nothing, ws, speed)
    relative_motion(tree, m, ws.a, gravity, ws, out)
    for k in range(6):
        mine[k] = 0.0
        speed[k] = -speed[k]
    if loops.a[m] >= 0:
        mul_add(ws.Xa[m], ws.v[loops.a[m]], mine)
    cross_add(mine[:3], speed[:3], out[:3])
    cross_add(mine[:3], speed[3:], out[3:])
    cross_add(mine[3:], speed[:3], out[3:])


@kernel
def acceleration_errors(tree, gravity, ws):
    """Fill rhs with minus the relative accelerations that the loops forbid. Workspace has v, a."""
    relative = ws.scratch[1, 0]
    for m in range(len(tree.loops.kind)):
        relative_acceleration(tree, m, gravity, ws, relative)
        for k in range(6):
            ws.rhs[6 * m + k] = 0.0 if row_is_free(tree.loops.kind[m], k) else -relative[k]


@kernel
def free_accelerations(tree, gravity, ws, out):
    """Accelerations of the coordinates that joints closing loops leave free; out is (m, 3)."""
    relative, R = ws.scratch[1, 0], ws.turn[0]
    for m in range(len(tree.loops.kind)):
        kind = tree.loops.kind[m]
        relative_acceleration(tree, m, gravity, ws, relative)
        if kind == SPHERICAL:  # in frame b's axes
            compose_loop_rotation(tree, m, ws, R)
            rotate_back(R, relative[:3], out[m])
        else:
            for k in range(3):
                out[m, k] = 0.0
            if kind == REVOLUTE:
                out[m, 0] = relative[2]
            elif kind == PRISMATIC:
                out[m, 0] = relative[5]
