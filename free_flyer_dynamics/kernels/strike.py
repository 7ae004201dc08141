# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
The plastic impact of a structure change, by one evaluation in the engine's arena.

An impulse is to velocities what a force is to their rates: with nothing else acting and all at
rest, the passes that find accelerations find the jump, v+ = argmin |v - v-| in the inertia.

"""

from free_flyer_dynamics.kernels._jit import inlined, kernel, out_of_line
from free_flyer_dynamics.kernels.closing import bear
from free_flyer_dynamics.kernels.closures import closures_of, VELOCITY
from free_flyer_dynamics.kernels.ends import rates_to_undo, relate
from free_flyer_dynamics.kernels.gives import factor_closures
from free_flyer_dynamics.kernels.lanes import ONE, WIDE
from free_flyer_dynamics.kernels.layout import (
    course_of,
    GRAVITATES,
    LAYOUT,
    layout_of,
    POSE,
    WRENCHES,
)
from free_flyer_dynamics.kernels.stages import place_stage, stage_rates


@inlined
def _take(ints, reals, at, course, impulse):
    """Put the users' coordinates into the arena, at rest, and the joints' and roots' impulses."""
    for j in range(at.joints):
        if ints[course.q_index + j] >= 0:
            reals[course.q + j] = reals[course.user_q + ints[course.q_index + j]]
            reals[at.drive + j] = impulse[ints[course.v_index + j]]
    for t in range(at.roots + at.balls):
        first = 0 if t < at.roots else 3
        for k in range(first, POSE):
            index = course.user_q + ints[course.turner_q + t] + k - first
            reals[course.pose + POSE * t + k] = reals[index]
    for k in range(at.entries):
        reals[course.v + k] = 0.0


@inlined
def _push(ints, reals, at, course, impulse):
    """Let the impulses on roots and balls act: on a ball's own side, in its axes."""
    for t in range(at.roots + at.balls):
        first = ints[course.turner_v + t]
        if t < at.roots:
            for k in range(6):
                reals[at.push + 6 * t + k] = impulse[first + k]
        else:
            for k in range(3):
                reals[at.drive + at.joints + 6 * t + 3 + k] = impulse[first + k]


@inlined
def _jump(ints, reals, at, course):
    """Add the jump, where rates are left, to the users' velocities."""
    for j in range(at.joints):
        if ints[course.v_index + j] >= 0:
            reals[course.user_v + ints[course.v_index + j]] += reals[course.rate + j]
    for t in range(at.roots + at.balls):
        turner, to = course.rate + at.joints + 6 * t, course.user_v + ints[course.turner_v + t]
        for k in range(6 if t < at.roots else 3):
            reals[to + k] += reals[turner + k]


@inlined
def _close(ints, reals, at, course, closures, again, lane):
    """Let the loops bear what keeps them closed at the velocities that the jump leads to."""
    for j in range(at.joints):
        place = reals[course.rate + j]
        if ints[course.v_index + j] >= 0:
            place += reals[course.user_v + ints[course.v_index + j]]
        reals[course.stage_v + j] = place
    for t in range(at.roots + at.balls):
        turner, of = at.joints + 6 * t, course.user_v + ints[course.turner_v + t]
        for k in range(6 if t < at.roots else 3):
            reals[course.stage_v + turner + k] = reals[course.rate + turner + k] + reals[of + k]
    rest, rate = course.v, course.rate
    relate(ints, reals, at, course.q, course.stage_v, rest, closures)
    rates_to_undo(closures_of(closures), VELOCITY)
    if not again:
        factor_closures(ints, reals, at, course.q, closures)
    bear(ints, ints, reals, course.q, rest, rate, closures, False, lane)


@kernel
def strike(ints, reals, closures, impulse, moves, again, lane):
    """
    Find the jump that an impulse on each joint and root makes, and make it if it moves.

    Struck `again` where it stands, sines and what closed loops give way are known. Returns the
    smallest pivot of the loops, 1 at best.
    """
    out_of_line()
    at, course = layout_of(ints), course_of(ints)
    acting = ints[LAYOUT + WRENCHES], ints[LAYOUT + GRAVITATES]
    weight = reals[at.gravity], reals[at.gravity + 1], reals[at.gravity + 2]
    ints[LAYOUT + WRENCHES] = ints[LAYOUT + GRAVITATES] = 0
    for k in range(3):
        reals[at.gravity + k] = 0.0
    _take(ints, reals, at, course, impulse)
    if not again:
        place_stage(ints, reals, 0.0, 0, ONE, WIDE)
    _push(ints, reals, at, course, impulse)
    stage_rates(ints, ints, reals, course.q, course.pose, course.v, 0, lane, ONE, WIDE)
    margin = 1.0
    if closures is not None:
        _close(ints, reals, at, course, closures, again, lane)
        loops = closures_of(closures)
        for k in range(loops.rank[0]):
            margin = min(margin, loops.F[k, k] * loops.F[k, k])
    if moves:
        _jump(ints, reals, at, course)
    for k in range(6 * at.roots):
        reals[at.push + k] = 0.0
    for k in range(3):
        reals[at.gravity + k] = weight[k]
    ints[LAYOUT + WRENCHES], ints[LAYOUT + GRAVITATES] = acting
    return margin
