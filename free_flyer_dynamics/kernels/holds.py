# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Which joints rest: on their stops, in their dry friction, or kept at their drives' top speed.

A hold is kept as long as its force is one that a stop, friction or the drive can give.
"""

import math

from free_flyer_dynamics.kernels._jit import kernel, out_of_line
from free_flyer_dynamics.kernels.aba import articulate
from free_flyer_dynamics.kernels.forward import forward_dynamics
from free_flyer_dynamics.kernels.integrate import joint_forces
from free_flyer_dynamics.kernels.kinematics import forward_kinematics
from free_flyer_dynamics.kernels.loops import nearest_velocities
from free_flyer_dynamics.kernels.spatial import body_momentum
from free_flyer_dynamics.tree import (
    AT_LOWER,
    AT_TOP_SPEED,
    AT_UPPER,
    MOVING,
    PRISMATIC,
    REVOLUTE,
    STUCK,
)

NEAR = 1e-13  # an event function below this is at its event [rad, m or their rates]


@kernel
def settle(tree, state, inputs, ws):
    """Decide which joints rest where they are and which are let go, at the present instant."""
    out_of_line()
    struck = False
    for i in range(len(tree.parent)):
        if tree.kind[i] > PRISMATIC:
            continue
        q, v = state.q[tree.q_at[i]], state.v[tree.v_at[i]]
        limit = tree.speed_limit[i]
        pushes = inputs.effort[tree.v_at[i]] * v > 0
        state.blocked[i] = pushes and abs(v) > limit
        if state.hold[i] == AT_TOP_SPEED and not (pushes and abs(v) == limit):
            state.hold[i] = MOVING
        elif state.hold[i] == MOVING and pushes and abs(v) == limit:
            state.hold[i] = AT_TOP_SPEED
        if state.hold[i] != MOVING:
            continue
        if q >= tree.upper[i] and v >= 0:
            state.hold[i] = AT_UPPER
            struck = struck or v != 0
            if q <= tree.upper[i] + NEAR:  # as near as it was looked for
                state.q[tree.q_at[i]] = tree.upper[i]
        elif q <= tree.lower[i] and v <= 0:
            state.hold[i] = AT_LOWER
            struck = struck or v != 0
            if q >= tree.lower[i] - NEAR:
                state.q[tree.q_at[i]] = tree.lower[i]
        elif tree.friction[i] > 0:
            if abs(v) > NEAR:
                state.slide[i] = math.copysign(1.0, v)
            elif state.slide[i] == 0:  # in a loop, what is left of a speed may be rounding
                state.v[tree.v_at[i]] = 0.0
                state.hold[i] = STUCK
    if struck:
        impact(tree, state, ws)
    for _change in range(2 * len(tree.parent)):
        if not _release_one(tree, state, inputs, ws) and not _catch_one(tree, state, inputs, ws):
            break


@kernel
def _release_one(tree, state, inputs, ws):
    """Let go the joint whose hold would have to pull, or exceed its friction, the most."""
    held = False
    for i in range(len(tree.parent)):
        if state.hold[i] != MOVING:
            held = True
            if state.hold[i] != AT_TOP_SPEED:
                state.slide[i] = 0.0
    if not held:
        return False
    joint_forces(tree, state.q, state.v, state.slide, state.blocked, inputs.effort, ws.tau)
    forward_dynamics(tree, state.q, state.v, state.hold, inputs, ws.tau, ws, ws.k[0])
    worst, most = -1, 0.0
    for i in range(len(tree.parent)):
        if state.hold[i] != MOVING and excess(tree, state, inputs, i, ws) > most:
            worst, most = i, excess(tree, state, inputs, i, ws)
    if worst < 0:
        return False
    let_go(tree, state, inputs, worst, ws)
    return True


@kernel
def excess(tree, state, inputs, i, ws):
    """By how much a hold would have to pull, or exceed its friction or what its drive is told."""
    needed = reaction(tree, i, ws) - ws.tau[tree.v_at[i]]
    if state.hold[i] == STUCK:
        return abs(needed) - tree.friction[i]
    if state.hold[i] == AT_TOP_SPEED:  # the drive gives between nothing and what it is told
        told = inputs.effort[tree.v_at[i]]
        more = math.copysign(1.0, told) * needed
        return max(more, -abs(told) - more)
    return (needed if state.hold[i] == AT_UPPER else -needed) - tree.friction[i]


@kernel
def let_go(tree, state, inputs, i, ws):
    """Let a hold go; workspace as for `excess`."""
    needed = reaction(tree, i, ws) - ws.tau[tree.v_at[i]]
    way = -math.copysign(1.0, needed)
    if state.hold[i] == AT_TOP_SPEED:
        # Too weak, it goes on pushing and slows down; not needed, it does not brake.
        state.blocked[i] = inputs.effort[tree.v_at[i]] * way > 0
    elif tree.friction[i] > 0:
        state.slide[i] = way
    state.hold[i] = MOVING


@kernel
def _catch_one(tree, state, inputs, ws):
    """Hold a joint that was let go at its stop but is pushed into it now that others are free."""
    at_stop = False
    for i in range(len(tree.parent)):
        at_stop = at_stop or _at_stop(tree, state, i)
    if not at_stop:
        return False
    joint_forces(tree, state.q, state.v, state.slide, state.blocked, inputs.effort, ws.tau)
    forward_dynamics(tree, state.q, state.v, state.hold, inputs, ws.tau, ws, ws.k[0])
    for i in range(len(tree.parent)):
        if _at_stop(tree, state, i):
            upper = state.q[tree.q_at[i]] >= tree.upper[i]
            rate = ws.k[0, tree.v_at[i]]
            if rate != 0 and (rate > 0) == upper:
                state.hold[i] = AT_UPPER if upper else AT_LOWER
                return True
    return False


@kernel
def _at_stop(tree, state, i):
    """Tell whether a joint rests at its stop without being held."""
    if tree.kind[i] > PRISMATIC or state.hold[i] != MOVING or state.v[tree.v_at[i]] != 0:
        return False
    q = state.q[tree.q_at[i]]
    return q >= tree.upper[i] or q <= tree.lower[i]


@kernel
def reaction(tree, i, ws):
    """Force along the joint that the node's motion takes; workspace after `respond`."""
    axis = 2 if tree.kind[i] == REVOLUTE else 5
    s = ws.pA[i, axis]
    for j in range(6):
        s += ws.IA[i, axis, j] * (ws.a[i, j] - ws.c[i, j])
    return s


@kernel
def impact(tree, state, ws):
    """
    Bring the velocities to the stops that hold, plastically: v+ = argmin |v - v-| in the inertia.

    The impulse comes from the momentum of the bodies alone, so what the robot has is kept. A stop
    only pushes: one that would pull lets go, one that is run into holds.
    """
    out_of_line()
    n = len(tree.parent)
    let_speed_go(tree, state)
    for i in range(n):
        if state.hold[i] == STUCK:  # dry friction resists forces, not impulses
            state.hold[i] = MOVING
    for _round in range(2 * n + 2):
        settled_velocities(tree, state, ws)
        worst, worst_pull = -1, 0.0
        for i in range(n):
            if state.hold[i] != MOVING:
                push = -reaction(tree, i, ws)
                pull = -push if state.hold[i] == AT_UPPER else push
                if pull > worst_pull:
                    worst, worst_pull = i, pull
        if worst >= 0:
            state.hold[worst] = MOVING
            continue
        again = False
        for i in range(n):
            if state.hold[i] == MOVING and tree.kind[i] <= PRISMATIC:
                q, v = state.q[tree.q_at[i]], ws.vel[tree.v_at[i]]
                if q >= tree.upper[i] and v > NEAR:
                    state.hold[i] = AT_UPPER
                    again = True
                elif q <= tree.lower[i] and v < -NEAR:
                    state.hold[i] = AT_LOWER
                    again = True
        if not again:
            break
    for j in range(len(state.v)):
        state.v[j] = ws.vel[j]
    for i in range(n):
        if tree.kind[i] <= PRISMATIC and tree.friction[i] > 0:
            v = state.v[tree.v_at[i]]
            state.slide[i] = math.copysign(1.0, v) if abs(v) > NEAR else 0.0


@kernel
def let_speed_go(tree, state):
    """Hold no speed: a drive gives no impulse."""
    for i in range(len(tree.parent)):
        if state.hold[i] == AT_TOP_SPEED:
            state.hold[i] = MOVING


@kernel
def settled_velocities(tree, state, ws):
    """Velocities nearest to the present ones with the held joints at rest, into vel."""
    forward_kinematics(tree, state.q, state.v, ws)
    articulate(tree, state.hold, ws)
    for i in range(len(tree.parent)):
        body_momentum(tree.mass[i], tree.moment[i], tree.inertia[i], ws.v[i], ws.pA[i])
        for k in range(6):
            ws.pA[i, k] = -ws.pA[i, k]
            ws.c[i, k] = 0.0  # `reaction` takes it off
    nearest_velocities(tree, state.hold, ws, ws.vel)
