# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
What breaks the smoothness of a step: stops, dry friction, drives at their speed limit.

Each is found inside the step, the step cut there, and the joint held, let go or blocked. No
springs and no smoothing, so nothing chatters and nothing depends on the step's length.
"""

import math

from free_flyer_dynamics.kernels._jit import kernel, out_of_line
from free_flyer_dynamics.kernels.aba import articulate
from free_flyer_dynamics.kernels.forward import forward_dynamics
from free_flyer_dynamics.kernels.integrate import accept, joint_forces, trial_step
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

MOST_EVENTS = 64  # cuts in one step before it is finished without looking for more
MOST_KNOCKS = 32  # cuts in one step before stops no longer knock each other off
MOST_TRIALS = 40  # of the search for the instant of an event
NEAR = 1e-13  # an event function below this is at its event [rad, m or their rates]
NO_EVENT, HIT_UPPER, HIT_LOWER, CAME_TO_REST, AT_SPEED = 0, 1, 2, 3, 4


@kernel
def step(tree, state, inputs, dt, count, ws):
    """Advance by count steps of dt; return how many were done: fewer when the next went bad."""
    for n in range(count):
        left = dt
        cuts = 0
        while left > 0:
            settle(tree, state, inputs, ws)
            trial_step(tree, state, inputs, left, ws)
            for j in range(len(state.v)):
                if not math.isfinite(ws.vel[j]):
                    return n
            h = left
            if cuts < MOST_EVENTS:
                h = _cut_at_first_event(tree, state, inputs, left, cuts >= MOST_KNOCKS, ws)
                cuts += 1
            else:
                accept(state, ws)
            left -= h
    return count


@kernel
def _cut_at_first_event(tree, state, inputs, h, gently, ws):
    """Accept a trial step of length h up to its first event, which happens; return the length."""
    node, event, latest = _first_event(tree, state, inputs, h, ws)
    if event == NO_EVENT:
        accept(state, ws)
        return h
    for _other in range(len(tree.parent) + 1):
        last_node, last_event = node, event
        h, found = _locate(tree, state, inputs, node, event, latest, ws)
        node, event, latest = _first_event(tree, state, inputs, h, ws)
        if event == NO_EVENT:  # else another joint's event lies before the one found first
            break
    accept(state, ws)
    if found:
        _happen(tree, state, last_node, last_event, gently, ws)
    return h


@kernel
def _distance(tree, state, inputs, i, event, q, v):
    """How far past an event joint i is: negative before it, zero at it."""
    if event == HIT_UPPER:
        return q - tree.upper[i]
    if event == HIT_LOWER:
        return tree.lower[i] - q
    if event == CAME_TO_REST:
        return -state.slide[i] * v
    return (v if inputs.effort[tree.v_at[i]] > 0 else -v) - tree.speed_limit[i]


@kernel
def _top(g0, d0, g1, d1, h):
    """Instant and height of the inner maximum of the cubic through two values and slopes."""
    a = 3 * (d0 + d1) * h - 6 * (g1 - g0)
    b = 6 * (g1 - g0) - (4 * d0 + 2 * d1) * h
    c = d0 * h
    root = math.sqrt(max(b * b - 4 * a * c, 0.0))
    s = -2 * c / (b - root) if b - root != 0 else 0.5
    s = min(max(s, 0.0), 1.0)
    g = g0 + s * (c + s * (0.5 * b + s * a / 3))
    return s * h, g


@kernel
def _possible(tree, state, inputs, i, event):
    """Tell whether an event can happen to joint i as it stands."""
    if tree.kind[i] > PRISMATIC:
        return False
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
def _first_event(tree, state, inputs, h, ws):
    """Joint, event and an instant after it, of the event that seems the earliest in a trial."""
    node, kind, latest, earliest = -1, NO_EVENT, h, 2.0
    for i in range(len(tree.parent)):
        q0, q1 = state.q[tree.q_at[i]], ws.q[tree.q_at[i]]
        v0, v1 = state.v[tree.v_at[i]], ws.vel[tree.v_at[i]]
        for event in range(HIT_UPPER, AT_SPEED + 1):
            if not _possible(tree, state, inputs, i, event):
                continue
            end = h
            g0 = _distance(tree, state, inputs, i, event, q0, v0)
            g1 = _distance(tree, state, inputs, i, event, q1, v1)
            if event <= HIT_LOWER:
                sign = 1.0 if event == HIT_UPPER else -1.0
                if g1 <= NEAR and g0 < 0 < sign * v0 and sign * v1 < 0:  # there and back?
                    end, g1 = _top(g0, sign * v0, g1, sign * v1, h)
            if g1 > NEAR:
                guess = end / h * min(max(-g0 / (g1 - g0), 0.0), 1.0)
                if guess < earliest:
                    node, kind, latest, earliest = i, event, end, guess
    return node, kind, latest


@kernel
def may_happen(tree, state, inputs):
    """Tell whether any event can happen before the inputs change."""
    for i in range(len(tree.parent)):
        for event in range(HIT_UPPER, AT_SPEED + 1):
            if _possible(tree, state, inputs, i, event):
                return True
    return False


@kernel
def nearest_event(tree, state, inputs, ws):
    """Distance past the event that is furthest past, at the workspace's q and vel."""
    return _furthest(tree, state, inputs, ws)[2]


@kernel
def happen_nearest(tree, state, inputs, gently, ws):
    """Let the event happen that `nearest_event` found."""
    node, event, _distance_past = _furthest(tree, state, inputs, ws)
    _happen(tree, state, node, event, gently, ws)


@kernel
def _furthest(tree, state, inputs, ws):
    node, kind, furthest = -1, NO_EVENT, -math.inf
    for i in range(len(tree.parent)):
        q, v = ws.q[tree.q_at[i]], ws.vel[tree.v_at[i]]
        for event in range(HIT_UPPER, AT_SPEED + 1):
            if _possible(tree, state, inputs, i, event):
                g = _distance(tree, state, inputs, i, event, q, v)
                if g > furthest:
                    node, kind, furthest = i, event, g
    return node, kind, furthest


@kernel
def _locate(tree, state, inputs, i, event, latest, ws):
    """
    Length of the trial step that ends at the event, by the Illinois method, and whether it is one.

    The trial is left done. It is no event when the joint turned back just before.
    """
    at_q, at_v = tree.q_at[i], tree.v_at[i]
    low, high = 0.0, latest
    g_low = _distance(tree, state, inputs, i, event, state.q[at_q], state.v[at_v])
    trial_step(tree, state, inputs, high, ws)
    g_high = _distance(tree, state, inputs, i, event, ws.q[at_q], ws.vel[at_v])
    if g_low >= -NEAR and g_high > NEAR and _leaves(state, i, event, at_v, ws):
        for _halving in range(MOST_TRIALS):  # back to where it has not come back yet
            h = 0.5 * high
            trial_step(tree, state, inputs, h, ws)
            g = _distance(tree, state, inputs, i, event, ws.q[at_q], ws.vel[at_v])
            if g < 0:
                low, g_low = h, g
                break
            high, g_high = h, g
    g_low = min(g_low, -NEAR)
    h = high
    g = g_high
    side = 0
    for _trial in range(MOST_TRIALS):
        arrived = abs(g) <= NEAR and (
            event > HIT_LOWER or (ws.vel[at_v] > 0) == (event == HIT_UPPER)
        )
        if arrived or high - low <= 1e-16 * latest or g_high <= 0:
            break
        h = (low * g_high - high * g_low) / (g_high - g_low)
        trial_step(tree, state, inputs, h, ws)
        g = _distance(tree, state, inputs, i, event, ws.q[at_q], ws.vel[at_v])
        if g > 0:
            high, g_high = h, g
            g_low = 0.5 * g_low if side == 1 else g_low
            side = 1
        else:
            low, g_low = h, g
            g_high = 0.5 * g_high if side == -1 else g_high
            side = -1
    return h, g_high > 0 or abs(g) <= NEAR


@kernel
def _leaves(state, i, event, at, ws):
    """Tell whether a joint that is at an event now moves away from it. Workspace after a trial."""
    if event == HIT_UPPER:
        return state.v[at] < 0
    if event == HIT_LOWER:
        return state.v[at] > 0
    return event == CAME_TO_REST and state.slide[i] * ws.k[0, at] > 0


@kernel
def _happen(tree, state, i, event, gently, ws):
    """Put joint i exactly at its event and hold, rest or block it; gently: knock no other off."""
    at = tree.v_at[i]
    if event in (HIT_UPPER, HIT_LOWER):
        state.q[tree.q_at[i]] = tree.upper[i] if event == HIT_UPPER else tree.lower[i]
        side = AT_UPPER if event == HIT_UPPER else AT_LOWER
        if gently or state.v[at] ** 2 <= 2 * NEAR * abs(ws.k[0, at]):
            # It would not leave the stop by more than NEAR: two that knock each other off do so
            # without end, faster and faster. It comes to rest and knocks nobody off.
            state.hold[i] = side
            _let_speed_go(tree, state)
            _settled_velocities(tree, state, ws)
            for j in range(len(state.v)):
                state.v[j] = ws.vel[j]
        elif (state.v[at] > 0) == (event == HIT_UPPER):
            state.hold[i] = side
            impact(tree, state, ws)
    elif event == CAME_TO_REST:
        state.v[at] = 0.0
        state.slide[i] = 0.0
        state.hold[i] = STUCK
    else:
        state.v[at] = math.copysign(tree.speed_limit[i], state.v[at])
        state.hold[i] = AT_TOP_SPEED


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
            if v != 0:
                state.slide[i] = math.copysign(1.0, v)
            elif state.slide[i] == 0:
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
    worst, worst_excess, way = -1, 0.0, 0.0
    for i in range(len(tree.parent)):
        if state.hold[i] == MOVING:
            continue
        needed = reaction(tree, i, ws) - ws.tau[tree.v_at[i]]
        excess = needed if state.hold[i] == AT_UPPER else -needed
        if state.hold[i] == STUCK:
            excess = abs(needed)
        if state.hold[i] == AT_TOP_SPEED:  # the drive gives between nothing and what it is told
            told = inputs.effort[tree.v_at[i]]
            more = math.copysign(1.0, told) * needed
            excess = max(more, -abs(told) - more)
        else:
            excess -= tree.friction[i]
        if excess > worst_excess:
            worst, worst_excess, way = i, excess, -math.copysign(1.0, needed)
    if worst < 0:
        return False
    if state.hold[worst] == AT_TOP_SPEED:
        # Too weak, it goes on pushing and slows down; not needed, it does not brake.
        state.blocked[worst] = inputs.effort[tree.v_at[worst]] * way > 0
    elif tree.friction[worst] > 0:
        state.slide[worst] = way
    state.hold[worst] = MOVING
    return True


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
    _let_speed_go(tree, state)
    for i in range(n):
        if state.hold[i] == STUCK:  # dry friction resists forces, not impulses
            state.hold[i] = MOVING
    for _round in range(2 * n + 2):
        _settled_velocities(tree, state, ws)
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
            state.slide[i] = math.copysign(1.0, v) if v != 0 else 0.0


@kernel
def _let_speed_go(tree, state):
    """Hold no speed: a drive gives no impulse."""
    for i in range(len(tree.parent)):
        if state.hold[i] == AT_TOP_SPEED:
            state.hold[i] = MOVING


@kernel
def _settled_velocities(tree, state, ws):
    """Velocities nearest to the present ones with the held joints at rest, into vel."""
    forward_kinematics(tree, state.q, state.v, ws)
    articulate(tree, state.hold, ws)
    for i in range(len(tree.parent)):
        body_momentum(tree.mass[i], tree.moment[i], tree.inertia[i], ws.v[i], ws.pA[i])
        for k in range(6):
            ws.pA[i, k] = -ws.pA[i, k]
            ws.c[i, k] = 0.0  # `reaction` takes it off
    nearest_velocities(tree, state.hold, ws, ws.vel)
