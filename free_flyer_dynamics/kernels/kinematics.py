# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Where every node is, how it moves and how it accelerates."""

from free_flyer_dynamics.kernels._jit import inlined, kernel, out_of_line
from free_flyer_dynamics.kernels.blocks import plus, product, times
from free_flyer_dynamics.kernels.cut import cut
from free_flyer_dynamics.kernels.lanes import load, store, WIDE, width
from free_flyer_dynamics.kernels.rotation import matrix_from_quat
from free_flyer_dynamics.kernels.rows import matrix_of, set_matrix, set_vector, vector_of
from free_flyer_dynamics.kernels.spatial import compose, motion_transform, mul
from free_flyer_dynamics.kernels.trig import sine_cosine
from free_flyer_dynamics.tree import FREE, PRISMATIC, REVOLUTE, SPHERICAL


@kernel
def placement(tree, i, q, turned, E_out, r_out):
    """Orientation and origin of node i in its parent's frame, at coordinates q."""
    A, position, at = tree.rotation[i], tree.position[i], tree.q_at[i]
    s, c = sine_cosine(q[at]) if tree.kind[i] == REVOLUTE else (0.0, 1.0)
    _placement(tree.kind[i], A, position, q, at, c, s, turned, E_out, r_out)


@inlined
def _placement(kind, A, position, q, at, c, s, turned, E_out, r_out):
    if kind == FREE:
        matrix_from_quat(q[at + 3 : at + 7], E_out)
        for k in range(3):
            r_out[k] = q[at + k]
        return
    if kind == REVOLUTE:
        for k in range(3):
            E_out[k, 0] = c * A[k, 0] + s * A[k, 1]
            E_out[k, 1] = c * A[k, 1] - s * A[k, 0]
            E_out[k, 2] = A[k, 2]
            r_out[k] = position[k]
    elif kind == PRISMATIC:
        for k in range(3):
            for j in range(3):
                E_out[k, j] = A[k, j]
            r_out[k] = position[k] + A[k, 2] * q[at]
    else:  # SPHERICAL
        matrix_from_quat(q[at : at + 4], turned)
        compose(A, turned, E_out)
        for k in range(3):
            r_out[k] = position[k]


@inlined
def place_nodes(tree, q, ws):
    """
    Fill E, r, R and x: where nodes are in their parents' frames, and in world.

    All who ask where things are ask here, and are told the same to the last bit.
    """
    joints = tree.parent, tree.kind, tree.q_at, tree.rotation, tree.position
    _place_nodes(*joints, q, ws.E, ws.r, ws.R, ws.x, ws.turn)


@kernel
def _place_nodes(parent, kind, q_at, rotation, position, q, E_out, r_out, R_out, x_out, turn):
    out_of_line()
    n = len(parent)
    # All angles' cosines and sines at once, where matrices will be: no row is written before it
    # has been read. A register reads on into what comes behind, which is written later.
    cosine, sine = cut(E_out, 8 * n, (n,)), cut(R_out, 8 * n, (n,))
    for i in range(n):
        cosine[i] = q[q_at[i]] if kind[i] == REVOLUTE else 0.0
    for k in range((n + width(WIDE) - 1) // width(WIDE)):
        s, c = sine_cosine(load(cosine, 0, k, WIDE))
        store(cosine, 0, k, c)
        store(sine, 0, k, s)
    for i in range(n):
        p = parent[i]
        A, at, c, s = rotation[i], q_at[i], cosine[i], sine[i]
        _placement(kind[i], A, position[i], q, at, c, s, turn[1], E_out[i], r_out[i])
        E, r = matrix_of(E_out, i), vector_of(r_out, i, 0)
        if p >= 0:
            R = matrix_of(R_out, p)
            E, r = product(R, E), plus(vector_of(x_out, p, 0), times(R, r))
        set_matrix(R_out, i, E)
        set_vector(x_out, i, 0, r)


@kernel
def forward_kinematics(
    # model
    tree,
    # state
    q,
    vel,
    # output
    ws,
):
    """
    Fill E, r, X, R, x, v and c: transforms, poses in world, twists and velocity products.

    [RBDA] table 5.1, first loop; c is S qd crossed by the node's own twist.
    """
    out_of_line()
    place_nodes(tree, q, ws)
    for i in range(len(tree.parent)):
        p = tree.parent[i]
        kind = tree.kind[i]
        at = tree.v_at[i]
        v = ws.v[i]
        c = ws.c[i]
        motion_transform(ws.E[i], ws.r[i], ws.X[i])
        if p >= 0:
            mul(ws.X[i], ws.v[p], v)
        else:
            for k in range(6):
                v[k] = 0.0
        for k in range(6):
            c[k] = 0.0
        if kind == REVOLUTE:
            rate = vel[at]
            v[2] += rate
            c[0], c[1] = v[1] * rate, -v[0] * rate
            c[3], c[4] = v[4] * rate, -v[3] * rate
        elif kind == PRISMATIC:
            rate = vel[at]
            v[5] += rate
            c[3], c[4] = v[1] * rate, -v[0] * rate
        elif kind == SPHERICAL:
            wx, wy, wz = vel[at], vel[at + 1], vel[at + 2]
            v[0] += wx
            v[1] += wy
            v[2] += wz
            c[0], c[1], c[2] = v[1] * wz - v[2] * wy, v[2] * wx - v[0] * wz, v[0] * wy - v[1] * wx
            c[3], c[4], c[5] = v[4] * wz - v[5] * wy, v[5] * wx - v[3] * wz, v[3] * wy - v[4] * wx
        else:  # FREE: its twist is its velocity
            for k in range(6):
                v[k] = vel[at + k]


@kernel
def accelerations(
    # model
    tree,
    # input
    vdot,
    gravity,
    # workspace with X, R and c filled
    ws,
):
    """
    Fill a: spatial accelerations that follow from the rates of the velocities.

    Free roots carry their own in vdot; gravity enters as an acceleration of the world the other
    way, so that a is what a body feels less gravity.
    """
    for i in range(len(tree.parent)):
        p = tree.parent[i]
        kind = tree.kind[i]
        at = tree.v_at[i]
        a = ws.a[i]
        if kind == FREE:
            for k in range(6):
                a[k] = vdot[at + k]
            for k in range(3):
                for j in range(3):
                    a[3 + k] -= ws.R[i, j, k] * gravity[j]
            continue
        if p >= 0:
            mul(ws.X[i], ws.a[p], a)
        else:
            for k in range(3):
                a[k] = 0.0
                a[3 + k] = 0.0
                for j in range(3):
                    a[3 + k] -= ws.X[i, k, j] * gravity[j]
        for k in range(6):
            a[k] += ws.c[i, k]
        add_joint_rate(kind, vdot, at, a)


@kernel
def add_joint_rate(kind, rate, at, out):
    """Add S times the joint's own entries of rate to a motion vector."""
    if kind == REVOLUTE:
        out[2] += rate[at]
    elif kind == PRISMATIC:
        out[5] += rate[at]
    elif kind == SPHERICAL:
        for k in range(3):
            out[k] += rate[at + k]
    else:
        for k in range(6):
            out[k] += rate[at + k]


@kernel
def joint_force(kind, f, at, out):
    """Set the joint's own entries of out to S.T f."""
    if kind == REVOLUTE:
        out[at] = f[2]
    elif kind == PRISMATIC:
        out[at] = f[5]
    elif kind == SPHERICAL:
        for k in range(3):
            out[at + k] = f[k]
    else:
        for k in range(6):
            out[at + k] = f[k]


@kernel
def external_wrenches(
    # model
    tree,
    # input
    inputs,
    # workspace with R filled
    ws,
):
    """Fill f: the wrenches from outside on each node, about its origin, in its axes."""
    for i in range(len(tree.parent)):
        for k in range(6):
            ws.f[i, k] = 0.0
    force = ws.scratch[0, 0, :3]
    torque = ws.scratch[0, 1, :3]
    for j in range(len(inputs.wrench_node)):
        i = inputs.wrench_node[j]
        if i < 0:
            continue
        R = ws.R[i]
        for k in range(3):
            if inputs.wrench_in_world[j]:
                force[k] = 0.0
                torque[k] = 0.0
                for m in range(3):
                    force[k] += R[m, k] * inputs.wrench_force[j, m]
                    torque[k] += R[m, k] * inputs.wrench_torque[j, m]
            else:
                force[k] = inputs.wrench_force[j, k]
                torque[k] = inputs.wrench_torque[j, k]
        point = inputs.wrench_point[j]
        f = ws.f[i]
        f[0] += torque[0] + point[1] * force[2] - point[2] * force[1]
        f[1] += torque[1] + point[2] * force[0] - point[0] * force[2]
        f[2] += torque[2] + point[0] * force[1] - point[1] * force[0]
        for k in range(3):
            f[3 + k] += force[k]
