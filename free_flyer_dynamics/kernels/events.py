# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
What breaks the smoothness of a step: stops, dry friction, drives at their speed limit.

Each is found inside the step, the step cut there, and the joint held, let go or blocked. No
springs and no smoothing, so nothing chatters.
"""

import math

from free_flyer_dynamics.kernels._jit import kernel
from free_flyer_dynamics.kernels.event_functions import (
    AT_SPEED,
    BORNE,
    CAME_TO_REST,
    distance,
    HIT_LOWER,
    HIT_UPPER,
    LET_GO,
    near,
    NO_EVENT,
    past,
    possible,
    top,
    weakest_hold,
)
from free_flyer_dynamics.kernels.holds import (
    impact,
    let_go,
    let_speed_go,
    NEAR,
    settle,
    settled_velocities,
)
from free_flyer_dynamics.kernels.integrate import accept, trial_step
from free_flyer_dynamics.tree import AT_LOWER, AT_TOP_SPEED, AT_UPPER, STUCK

MOST_EVENTS = 64  # cuts in one step before it is finished without looking for more
MOST_KNOCKS = 32  # cuts in one step before stops no longer knock each other off
MOST_TRIALS = 40  # of the search for the instant of an event


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
                accept(tree, state, ws)
            left -= h
    return count


@kernel
def _cut_at_first_event(tree, state, inputs, h, gently, ws):
    """Accept a trial step of length h up to its first event, which happens; return the length."""
    node, event, latest = _first_event(tree, state, inputs, h, ws)
    if event == NO_EVENT:
        accept(tree, state, ws)
        return h
    for _other in range(len(tree.parent) + 1):
        last_node, last_event = node, event
        h, found = _locate(tree, state, inputs, node, event, latest, ws)
        node, event, latest = _first_event(tree, state, inputs, h, ws)
        if event == NO_EVENT:  # else another joint's event lies before the one found first
            break
    accept(tree, state, ws)
    if found:
        _happen(tree, state, inputs, last_node, last_event, gently, ws)
    return h


@kernel
def _first_event(tree, state, inputs, h, ws):
    """Joint, event and an instant after it, of the event that seems the earliest in a trial."""
    node, kind, latest, earliest = -1, NO_EVENT, h, 2.0
    for i in range(len(tree.parent)):
        q0, q1 = state.q[tree.q_at[i]], ws.q[tree.q_at[i]]
        v0, v1 = state.v[tree.v_at[i]], ws.vel[tree.v_at[i]]
        for event in range(HIT_UPPER, AT_SPEED + 1):
            if not possible(tree, state, inputs, i, event):
                continue
            end = h
            g0 = distance(tree, state, inputs, i, event, q0, v0)
            g1 = distance(tree, state, inputs, i, event, q1, v1)
            if event <= HIT_LOWER:
                sign = 1.0 if event == HIT_UPPER else -1.0
                if g1 <= NEAR and g0 < 0 < sign * v0 and sign * v1 < 0:  # there and back?
                    end, g1 = top(g0, sign * v0, g1, sign * v1, h)
            if g1 > NEAR:
                guess = end / h * min(max(-g0 / (g1 - g0), 0.0), 1.0)
                if guess < earliest:
                    node, kind, latest, earliest = i, event, end, guess
    if node < 0:
        weakest, lacks = weakest_hold(tree, state, inputs, ws)
        if lacks > BORNE:
            node, kind, latest = weakest, LET_GO, h
    return node, kind, latest


@kernel
def may_happen(tree, state, inputs):
    """Tell whether any event can happen before the inputs change."""
    for i in range(len(tree.parent)):
        for event in range(HIT_UPPER, LET_GO + 1):
            if possible(tree, state, inputs, i, event):
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
    _happen(tree, state, inputs, node, event, gently, ws)


@kernel
def _furthest(tree, state, inputs, ws):
    node, furthest = weakest_hold(tree, state, inputs, ws)
    kind = LET_GO if node >= 0 else NO_EVENT
    for i in range(len(tree.parent)):
        q, v = ws.q[tree.q_at[i]], ws.vel[tree.v_at[i]]
        for event in range(HIT_UPPER, AT_SPEED + 1):
            if possible(tree, state, inputs, i, event):
                g = distance(tree, state, inputs, i, event, q, v)
                if g > furthest:
                    node, kind, furthest = i, event, g
    return node, kind, furthest


@kernel
def _locate(tree, state, inputs, i, event, latest, ws):
    """
    Length of the trial step that ends at the event, by the Illinois method, and whether it is one.

    The trial is left done. It is no event when the joint turned back just before.
    """
    at, close = tree.v_at[i], near(event)
    low, high = 0.0, latest
    trial_step(tree, state, inputs, high, ws)
    g_high = past(tree, state, inputs, i, event, ws)
    g_low = -g_high  # what holds bear at the start is known to be bearable, not how much it is
    if event != LET_GO:
        g_low = distance(tree, state, inputs, i, event, state.q[tree.q_at[i]], state.v[at])
    h, g = high, g_high  # of the trial that is left done
    if g_low >= -NEAR and g_high > NEAR and _leaves(state, i, event, at, ws):
        for _halving in range(MOST_TRIALS):  # back to where it has not come back yet
            h = 0.5 * high
            trial_step(tree, state, inputs, h, ws)
            g = past(tree, state, inputs, i, event, ws)
            if g < 0:
                low, g_low = h, g
                break
            high, g_high = h, g
    g_low = min(g_low, -NEAR)
    side = 0
    for _trial in range(MOST_TRIALS):
        arrived = abs(g) <= close and (
            event > HIT_LOWER or (ws.vel[at] > 0) == (event == HIT_UPPER)
        )
        if arrived or high - low <= 1e-16 * latest or g_high <= 0:
            break
        h = (low * g_high - high * g_low) / (g_high - g_low)
        trial_step(tree, state, inputs, h, ws)
        g = past(tree, state, inputs, i, event, ws)
        if g > 0:
            high, g_high = h, g
            g_low = 0.5 * g_low if side == 1 else g_low
            side = 1
        else:
            low, g_low = h, g
            g_high = 0.5 * g_high if side == -1 else g_high
            side = -1
    return h, g_high > 0 or abs(g) <= close


@kernel
def _leaves(state, i, event, at, ws):
    """Tell whether a joint that is at an event now moves away from it. Workspace after a trial."""
    if event == HIT_UPPER:
        return state.v[at] < 0
    if event == HIT_LOWER:
        return state.v[at] > 0
    return event == CAME_TO_REST and state.slide[i] * ws.k[0, at] > 0


@kernel
def _happen(tree, state, inputs, i, event, gently, ws):
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
    elif event == AT_SPEED:
        state.v[at] = math.copysign(tree.speed_limit[i], state.v[at])
        state.hold[i] = AT_TOP_SPEED
    else:
        let_go(tree, state, inputs, i, ws)
