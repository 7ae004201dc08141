# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Recursive Newton-Euler inverse dynamics. [RBDA] table 5.1."""

from free_flyer_dynamics.kernels._jit import kernel
from free_flyer_dynamics.kernels.kinematics import (
    accelerations,
    external_wrenches,
    forward_kinematics,
    joint_force,
)
from free_flyer_dynamics.kernels.spatial import body_momentum, cross_force, mul_transposed_add


@kernel
def inverse_dynamics(
    # model
    tree,
    # state
    q,
    vel,
    # input
    inputs,
    vdot,
    # workspace
    ws,
    # output
    tau_out,
):
    """Find the forces at joints, and wrenches at free roots, that the rates vdot take."""
    forward_kinematics(tree, q, vel, ws)
    external_wrenches(tree, inputs, ws)
    accelerations(tree, vdot, inputs.gravity, ws)
    n = len(tree.parent)
    h = ws.scratch[0, 0]
    for i in range(n):
        # f = I a + v x* I v - (wrench from outside)
        f = ws.pA[i]
        body_momentum(tree.mass[i], tree.moment[i], tree.inertia[i], ws.v[i], h)
        cross_force(ws.v[i], h, f)
        body_momentum(tree.mass[i], tree.moment[i], tree.inertia[i], ws.a[i], h)
        for k in range(6):
            f[k] += h[k] - ws.f[i, k]
    for i in range(n - 1, -1, -1):
        joint_force(tree.kind[i], ws.pA[i], tree.v_at[i], tau_out)
        if tree.parent[i] >= 0:
            mul_transposed_add(ws.X[i], ws.pA[i], ws.pA[tree.parent[i]])
