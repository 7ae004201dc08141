# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""How many freedoms closed loops take, where they are and a little elsewhere."""

from free_flyer_dynamics.kernels._jit import kernel, out_of_line
from free_flyer_dynamics.kernels.aba import articulate
from free_flyer_dynamics.kernels.forward import close_loops, displace
from free_flyer_dynamics.kernels.kinematics import forward_kinematics
from free_flyer_dynamics.kernels.loop_motion import loop_transforms
from free_flyer_dynamics.kernels.loops import factor_loops


@kernel
def factor_all(tree, q, vel, hold, ws):
    """Factor the rows of all loops at a state; return their rank."""
    out_of_line()
    forward_kinematics(tree, q, vel, ws)
    articulate(tree, hold, ws)
    loop_transforms(tree, ws)
    return factor_loops(tree, hold, ws, ws.delta)


@kernel
def rank_nearby(tree, q, shift, free, near, still, ws):
    """
    Return the rank at rest after a shift, with the loops closed and no joint held.

    near is room, free and still are zeros.
    """
    displace(tree, q, shift, near)
    close_loops(tree, free, near, still, ws)
    return factor_all(tree, near, still, free, ws)
