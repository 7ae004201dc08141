# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
What breaks the smoothness of a step: stops, dry friction, drives at their speed limit.

Each is found inside the step, the step cut there, and the joint held, let go or blocked. No
springs and no smoothing, so nothing chatters and nothing depends on the step's length.
"""

import math

from free_flyer_dynamics.kernels._jit import kernel
from free_flyer_dynamics.kernels.holds import (
    impact,
    let_speed_go,
    NEAR,
    settle,
    settled_velocities,
)
from free_flyer_dynamics.kernels.integrate import accept, trial_step
from free_flyer_dynamics.tree import AT_LOWER, AT_TOP_SPEED, AT_UPPER, MOVING, PRISMATIC, STUCK

MOST_EVENTS = 64  # cuts in one step before it is finished without looking for more
MOST_KNOCKS = 32  # cuts in one step before stops no longer knock each other off
MOST_TRIALS = 40  # of the search for the instant of an event
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
            let_speed_go(tree, state)
            settled_velocities(tree, state, ws)
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
