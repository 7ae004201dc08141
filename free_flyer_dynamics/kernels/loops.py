# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Closed loops: forces that keep two frames joined, at O(n) a row from the tree's own factors."""

from free_flyer_dynamics.kernels._jit import kernel, out_of_line
from free_flyer_dynamics.kernels.aba import respond
from free_flyer_dynamics.kernels.linear import pivoted_cholesky, pivoted_solve
from free_flyer_dynamics.kernels.loop_motion import (
    compose_loop_rotation,
    frame_in_world,
    loop_transforms,
    relative_motion,
    row_is_free,
    velocity_errors,
)
from free_flyer_dynamics.kernels.spatial import cross_add, mul_add, mul_transposed_add, rotate
from free_flyer_dynamics.tree import PRISMATIC, REVOLUTE, SPHERICAL

# A row follows from the tree where its ends, beside what each could move alone or what a lone body
# would, do not move apart. Scaled up with the others, its rounding would pass for a motion.
IMMOBILE = 1e-13
SUSPICIOUS = 1e-5  # not looked at for that while it gives way as much as one light body


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
    if not give * light > IMMOBILE:  # on an anchored end both are rounding
        return True
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
def loop_forces(tree, rank, ws):
    """Fill the loops' wrenches from what they must undo, in rhs."""
    pivoted_solve(ws.F, ws.scale, ws.order, rank, ws.rhs, ws.wrench, ws.y)
    for m in range(len(tree.loops.kind)):
        for k in range(6):
            ws.loop_wrench[m, k] = ws.wrench[6 * m + k]


@kernel
def loop_wrench_in_world(tree, m, ws, out):
    """Wrench of a loop on b, about the world origin, world axes. Workspace has R and x."""
    R, x = ws.turn[0], ws.scratch[1, 0, :3]
    frame_in_world(tree.loops.a[m], tree.loops.rotation_a[m], tree.loops.position_a[m], ws, R, x)
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
def restore_bias(ws):
    """Fill pA with what was kept."""
    for i in range(len(ws.pA)):
        for k in range(6):
            ws.pA[i, k] = ws.bias[i, k]


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
    respond_factored(tree, hold, rank, tau, c, gravity, ws, vdot_out)
    return rank


@kernel
def respond_factored(tree, hold, rank, tau, c, gravity, ws, vdot_out):
    """Do what `respond_closed` does, the loops' rows factored before."""
    loop_forces(tree, rank, ws)
    restore_bias(ws)
    for m in range(len(tree.loops.kind)):
        apply_loop_wrench(tree, m, ws.loop_wrench[m], ws)
    respond(tree, hold, tau, c, gravity, ws, vdot_out)


@kernel
def factor_all_loops(tree, hold, ws, vdot_scratch):
    """Factor the rows of the loops where they now are; return their rank."""
    if len(tree.loops.kind) == 0:
        return 0
    loop_transforms(tree, ws)
    return factor_loops(tree, hold, ws, vdot_scratch)


@kernel
def nearest_velocities(tree, hold, ws, vel_out):
    """
    Velocities that the impulses -pA give to a forest at rest whose loops stay closed.

    With minus the bodies' momenta in pA they are the ones nearest to the bodies' own in the
    inertia metric. Workspace has X, R, x and the factors; `a` is left with the twists.
    """
    keep_bias(ws)
    rank = factor_all_loops(tree, hold, ws, vel_out)
    restore_bias(ws)
    nearest_factored(tree, hold, rank, ws, vel_out)


@kernel
def nearest_factored(tree, hold, rank, ws, vel_out):
    """Do what `nearest_velocities` does, the loops' rows factored before."""
    keep_bias(ws)
    respond(tree, hold, ws.zero_tau, ws.zero_c, ws.nothing, ws, vel_out)
    if len(tree.loops.kind) > 0:
        velocity_errors(tree, ws.a, ws)
        respond_factored(tree, hold, rank, ws.zero_tau, ws.zero_c, ws.nothing, ws, vel_out)
