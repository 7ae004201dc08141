# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0


"""What can break the smoothness of a step at a joint, and how far past it the joint is."""

import math

from free_flyer_dynamics.kernels._jit import kernel
from free_flyer_dynamics.kernels.forward import forward_dynamics
from free_flyer_dynamics.kernels.holds import excess, NEAR
from free_flyer_dynamics.kernels.integrate import joint_forces
from free_flyer_dynamics.tree import AT_TOP_SPEED, MOVING, PRISMATIC

BORNE = 1e-11  # a hold that lacks less than this is let go there [N m or N]
NO_EVENT, HIT_UPPER, HIT_LOWER, CAME_TO_REST, AT_SPEED, LET_GO = 0, 1, 2, 3, 4, 5


@kernel
def possible(tree, state, inputs, i, event):
    """Tell whether an event can happen to joint i as it stands."""
    if tree.kind[i] > PRISMATIC:
        return False
    if event == LET_GO:
        return state.hold[i] != MOVING
    if state.hold[i] != MOVING and (state.hold[i] != AT_TOP_SPEED or event > HIT_LOWER):
        return False
    if event == HIT_UPPER:
        return tree.upper[i] < math.inf
    if event == HIT_LOWER:
        return tree.lower[i] > -math.inf
    if event == CAME_TO_REST:
        return state.slide[i] != 0.0
    limited = tree.speed_limit[i] < math.inf and not state.blocked[i]
    return limited and inputs.effort[tree.v_at[i]] != 0.0


@kernel
def distance(tree, state, inputs, i, event, q, v):
    """How far past an event of its motion joint i is: negative before it, zero at it."""
    if event == HIT_UPPER:
        return q - tree.upper[i]
    if event == HIT_LOWER:
        return tree.lower[i] - q
    if event == CAME_TO_REST:
        return -state.slide[i] * v
    return (v if inputs.effort[tree.v_at[i]] > 0 else -v) - tree.speed_limit[i]


@kernel
def near(event):
    """Below what a distance is at its event."""
    return BORNE if event == LET_GO else NEAR


@kernel
def bear(tree, state, inputs, ws):
    """Find what holds must bear at the workspace's q and vel, for `excess`."""
    joint_forces(tree, ws.q, ws.vel, state.slide, state.blocked, inputs.effort, ws.tau)
    forward_dynamics(tree, ws.q, ws.vel, state.hold, inputs, ws.tau, ws, ws.delta)


@kernel
def weakest_hold(tree, state, inputs, ws):
    """Find the hold that lacks the most at the workspace's q and vel, and how much; -1: none."""
    node, most = -1, -math.inf
    for i in range(len(tree.parent)):
        if state.hold[i] != MOVING:
            if node < 0:
                bear(tree, state, inputs, ws)
            g = excess(tree, state, inputs, i, ws)
            if node < 0 or g > most:
                node, most = i, g
    return node, most


@kernel
def past(tree, state, inputs, i, event, ws):
    """How far past any event joint i is at the workspace's q and vel."""
    if event == LET_GO:
        bear(tree, state, inputs, ws)
        return excess(tree, state, inputs, i, ws)
    return distance(tree, state, inputs, i, event, ws.q[tree.q_at[i]], ws.vel[tree.v_at[i]])


@kernel
def top(g0, d0, g1, d1, h):
    """Instant and height of the inner maximum of the cubic through two values and slopes."""
    a = 3 * (d0 + d1) * h - 6 * (g1 - g0)
    b = 6 * (g1 - g0) - (4 * d0 + 2 * d1) * h
    c = d0 * h
    root = math.sqrt(max(b * b - 4 * a * c, 0.0))
    s = -2 * c / (b - root) if b - root != 0 else 0.5
    s = min(max(s, 0.0), 1.0)
    g = g0 + s * (c + s * (0.5 * b + s * a / 3))
    return s * h, g
