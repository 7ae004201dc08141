# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Closed loops: forces that keep two frames joined, at O(n) a row from the tree's own factors.

All relative quantities of a loop are in its frame a. There the constraint forces of every kind of
joint are unit vectors, fixed as a moves: [RBDA] sections 8.2 and 8.3.
"""

import math

from free_flyer_dynamics.kernels._jit import kernel, out_of_line
from free_flyer_dynamics.kernels.aba import respond
from free_flyer_dynamics.kernels.rotation import quat_from_matrix, rotation_vector
from free_flyer_dynamics.kernels.spatial import (
    compose,
    cross_add,
    motion_transform,
    mul_add,
    mul_transposed_add,
    rotate,
    rotate_back,
)
from free_flyer_dynamics.tree import PRISMATIC, REVOLUTE, SPHERICAL

DEPENDENT = 1e-11  # a scaled pivot below this is a row that others already give
IMMOBILE = 1e-13  # so is one whose ends, beside what each could move alone, do not move apart
SUSPICIOUS = 1e-5  # a row is not looked at for that while it gives way as much as one light body


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
        _frame(loops.a[m], loops.rotation_a[m], loops.position_a[m], ws, Ra, xa)
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
def _frame(node, rotation, position, ws, R_out, x_out):
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
def apply_loop_wrench(tree, m, wrench, ws):
    """Let a wrench in frame a act on b, and its opposite on a, as bias forces pA."""
    loops = tree.loops
    if loops.b[m] >= 0:
        for k in range(6):
            wrench[k] = -wrench[k]
        mul_transposed_add(ws.Xb[m], wrench, ws.pA[loops.b[m]])
        for k in range(6):
            wrench[k] = -wrench[k]
    if loops.a[m] >= 0:
        mul_transposed_add(ws.Xa[m], wrench, ws.pA[loops.a[m]])


@kernel
def drive_loops(tree, effort, ws):
    """Let the drives of joints that close loops act on both sides. Workspace has Xa and pA."""
    loops = tree.loops
    for m in range(len(loops.kind)):
        wrench = ws.loop_drive[m]
        for k in range(6):
            wrench[k] = 0.0
        if loops.kind[m] == REVOLUTE:
            wrench[2] = effort[m, 0]
        elif loops.kind[m] == PRISMATIC:
            wrench[5] = effort[m, 0]
        elif loops.kind[m] == SPHERICAL:  # given in frame b's axes
            turned, R = ws.scratch[1, 3], ws.turn[0]
            compose_loop_rotation(tree, m, ws, R)
            rotate(R, effort[m], turned)
            for k in range(3):
                wrench[k] = turned[k]
        else:
            continue
        apply_loop_wrench(tree, m, wrench, ws)


@kernel
def compose_loop_rotation(tree, m, ws, R_out):
    """Rotation of frame b's axes to frame a's."""
    for i in range(3):  # Xb turns node b's axes to a's; frame b is fixed on node b
        for j in range(3):
            R_out[i, j] = 0.0
            for k in range(3):
                R_out[i, j] += ws.Xb[m, i, k] * tree.loops.rotation_b[m, k, j]


@kernel
def factor_loops(tree, hold, ws, vdot_scratch):
    """
    Fill Y = J M^-1 J.T for all rows of all loops and factor it; return its rank.

    Workspace has X, Xa, Xb and the tree's factors. Uses up pA and a.
    """
    out_of_line()
    loops = tree.loops
    n = len(tree.parent)
    unit, relative = ws.scratch[1, 3], ws.scratch[1, 4]
    for m in range(len(loops.kind)):
        for k in range(6):
            row = 6 * m + k
            if row_is_free(loops.kind[m], k):
                for s in range(len(ws.Y)):
                    ws.Y[s, row] = 0.0
                continue
            for i in range(n):
                for j in range(6):
                    ws.pA[i, j] = 0.0
            for j in range(6):
                unit[j] = 1.0 if j == k else 0.0
            apply_loop_wrench(tree, m, unit, ws)
            respond(tree, hold, ws.zero_tau, ws.zero_c, ws.nothing, ws, vdot_scratch)
            for s in range(len(loops.kind)):
                relative_motion(tree, s, ws.a, ws.nothing, ws, relative)
                for j in range(6):
                    ws.Y[6 * s + j, row] = 0.0 if row_is_free(loops.kind[s], j) else relative[j]
            if _is_immobile(tree, hold, m, k, ws.Y[row, row], ws, vdot_scratch):
                ws.Y[row, row] = 0.0
    return pivoted_cholesky(ws.Y, ws.scale, ws.order, ws.F)


@kernel
def _is_immobile(tree, hold, m, k, give, ws, vdot_scratch):
    """
    Tell whether the k-th relative motion of a loop's ends is nothing but rounding.

    So it is where the tree's own joints forbid it: a ball on the axis of a hinge between the same
    two links. Beside it stands what a unit wrench on one end alone would move that end.
    """
    b = tree.loops.b[m]
    node = b if b >= 0 else tree.loops.a[m]
    if node < 0:
        return True
    T = tree.inertia[node]
    light = tree.mass[node] if k > 2 else T[0, 0] + T[1, 1] + T[2, 2]
    if give * light > SUSPICIOUS:
        return False
    unit, moved = ws.scratch[1, 3], ws.scratch[1, 4]
    for i in range(len(tree.parent)):
        for j in range(6):
            ws.pA[i, j] = 0.0
    for j in range(6):
        unit[j] = -1.0 if j == k else 0.0
        moved[j] = 0.0
    X = ws.Xb[m] if b >= 0 else ws.Xa[m]
    mul_transposed_add(X, unit, ws.pA[node])
    respond(tree, hold, ws.zero_tau, ws.zero_c, ws.nothing, ws, vdot_scratch)
    mul_add(X, ws.a[node], moved)
    return not give > IMMOBILE * moved[k]


@kernel
def pivoted_cholesky(A, scale, order, F_out):
    """
    Factor a symmetric semidefinite matrix, rows scaled to unit diagonal, largest pivot first.

    Returns the rank: rows past it in the order follow from the others, or can't move at all.
    """
    size = len(A)
    for i in range(size):
        order[i] = i
        scale[i] = 1 / math.sqrt(A[i, i]) if A[i, i] > 0.0 else 0.0
    for i in range(size):
        for j in range(size):
            F_out[i, j] = 0.5 * (A[i, j] + A[j, i]) * scale[i] * scale[j]
    for k in range(size):
        best = k
        for i in range(k + 1, size):
            if F_out[i, i] > F_out[best, best]:
                best = i
        if not F_out[best, best] > DEPENDENT:
            return k
        if best != k:
            order[k], order[best] = order[best], order[k]
            for j in range(size):
                F_out[k, j], F_out[best, j] = F_out[best, j], F_out[k, j]
            for i in range(size):
                F_out[i, k], F_out[i, best] = F_out[i, best], F_out[i, k]
        F_out[k, k] = math.sqrt(F_out[k, k])
        for i in range(k + 1, size):
            F_out[i, k] /= F_out[k, k]
        for j in range(k + 1, size):
            for i in range(j, size):
                F_out[i, j] -= F_out[i, k] * F_out[j, k]
                F_out[j, i] = F_out[i, j]
    return size


@kernel
def pivoted_solve(F, scale, order, rank, b, x_out, y):
    """Solve A x = b with the factor's first rank rows; the others' x is zero. y is scratch."""
    for k in range(len(b)):
        x_out[k] = 0.0
    for k in range(rank):
        s = b[order[k]] * scale[order[k]]
        for j in range(k):
            s -= F[k, j] * y[j]
        y[k] = s / F[k, k]
    for k in range(rank - 1, -1, -1):
        s = y[k]
        for j in range(k + 1, rank):
            s -= F[j, k] * y[j]
        y[k] = s / F[k, k]
    for k in range(rank):
        x_out[order[k]] = y[k] * scale[order[k]]


@kernel
def loop_forces(tree, rank, ws):
    """Fill the loops' wrenches from what they must undo, in rhs."""
    pivoted_solve(ws.F, ws.scale, ws.order, rank, ws.rhs, ws.wrench, ws.y)
    for m in range(len(tree.loops.kind)):
        for k in range(6):
            ws.loop_wrench[m, k] = ws.wrench[6 * m + k]


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
        _frame(loops.a[m], loops.rotation_a[m], loops.position_a[m], ws, Ra, xa)
        _frame(loops.b[m], loops.rotation_b[m], loops.position_b[m], ws, R, xb)
        for k in range(3):
            xb[k] -= xa[k]
        rotate_back(Ra, xb, gap)
        compose_loop_rotation(tree, m, ws, R)
        if loops.kind[m] == REVOLUTE:  # how far b's axis leans
            theta[0], theta[1], theta[2] = -R[1, 2], R[0, 2], 0.0
        else:
            quat_from_matrix(R, quat)
            rotation_vector(quat, theta)
        for k in range(6):
            e = theta[k] if k < 3 else gap[k - 3]
            if row_is_free(loops.kind[m], k):
                e = 0.0
            ws.rhs[6 * m + k] = -e
            worst = max(worst, abs(e))
    return worst


@kernel
def loop_wrench_in_world(tree, m, ws, out):
    """Wrench of a loop on b, about the world origin, world axes. Workspace has R and x."""
    R, x = ws.turn[0], ws.scratch[1, 0, :3]
    _frame(tree.loops.a[m], tree.loops.rotation_a[m], tree.loops.position_a[m], ws, R, x)
    rotate(R, ws.loop_wrench[m, :3], out[:3])
    rotate(R, ws.loop_wrench[m, 3:], out[3:])
    cross_add(x, out[3:], out[:3])


@kernel
def keep_bias(ws):
    """Keep pA, which a response uses up, for the response with the loops' wrenches."""
    for i in range(len(ws.pA)):
        for k in range(6):
            ws.bias[i, k] = ws.pA[i, k]


@kernel
def clear_bias(ws):
    """Let nothing act on the nodes, and keep that."""
    for i in range(len(ws.pA)):
        for k in range(6):
            ws.pA[i, k] = 0.0
            ws.bias[i, k] = 0.0


@kernel
def respond_closed(
    # model
    tree,
    # state
    hold,
    # input
    tau,
    c,
    gravity,
    # workspace with X, R, x, Xa, Xb, bias, rhs and the factors filled
    ws,
    # output
    vdot_out,
):
    """Do what `respond` does, with loop wrenches that undo rhs; return the loops' rank."""
    rank = factor_loops(tree, hold, ws, vdot_out)
    loop_forces(tree, rank, ws)
    for i in range(len(tree.parent)):
        for k in range(6):
            ws.pA[i, k] = ws.bias[i, k]
    for m in range(len(tree.loops.kind)):
        apply_loop_wrench(tree, m, ws.loop_wrench[m], ws)
    respond(tree, hold, tau, c, gravity, ws, vdot_out)
    return rank


@kernel
def nearest_velocities(tree, hold, ws, vel_out):
    """
    Velocities that the impulses -pA give to a forest at rest whose loops stay closed.

    With minus the bodies' momenta in pA they are the ones nearest to the bodies' own in the
    inertia metric. Workspace has X, R, x and the factors; `a` is left with the twists.
    """
    keep_bias(ws)
    respond(tree, hold, ws.zero_tau, ws.zero_c, ws.nothing, ws, vel_out)
    if len(tree.loops.kind) > 0:
        loop_transforms(tree, ws)
        velocity_errors(tree, ws.a, ws)
        respond_closed(tree, hold, ws.zero_tau, ws.zero_c, ws.nothing, ws, vel_out)
