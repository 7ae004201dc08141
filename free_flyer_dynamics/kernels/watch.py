# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Whether a step was smooth: whether every joint stays what it was, moving, held or blocked.

What might be an event is left to `events.step`, which finds its instant and lets it happen. These
checks err on the careful side: a step that only might have touched a stop is taken again there.
"""

import math

from free_flyer_dynamics.kernels._jit import inlined
from free_flyer_dynamics.kernels.lanes import constant, load, spread, total, where_above, width
from free_flyer_dynamics.kernels.layout import CONSTANTS, DAMPING, WHEEL, WHEEL_DAMPING
from free_flyer_dynamics.tree import AT_LOWER, AT_TOP_SPEED, AT_UPPER, MOVING, STUCK


@inlined
def _damping(reals, at, j):
    if j >= at.joints - at.wheel_room:
        wheel = j - (at.joints - at.wheel_room)
        return reals[at.wheel_constant + wheel * WHEEL + WHEEL_DAMPING]
    row, lane = j // at.lanes, j % at.lanes
    return reals[at.constant + (row * CONSTANTS + DAMPING) * at.lanes + lane]


@inlined
def holds_last(ints, reals, at, course, velocities, borne):
    """Tell whether all that is held may be, by an evaluation's reactions, to what is borne."""
    for i in range(course.nodes):
        hold = ints[course.hold + i]
        if hold == MOVING:
            continue
        j = ints[at.node + i]
        v = reals[velocities + j]
        told = reals[course.effort + ints[course.v_index + j]]
        if ints[course.blocked + i]:
            return False
        needed = reals[at.reaction + j] - (reals[at.drive + j] - _damping(reals, at, j) * v)
        if hold == AT_TOP_SPEED:
            # the drive gives between nothing and what it is told
            more = math.copysign(1.0, told) * needed
            if not (told * v > 0 and abs(v) == reals[course.speed_limit + j]):
                return False
            excess = max(more, -abs(told) - more)
        else:
            if reals[course.slide + i] != 0:
                return False
            excess = needed if hold == AT_UPPER else -needed
            if hold == STUCK:
                excess = abs(needed)
            excess -= reals[course.friction + j]
        if not excess <= borne:
            return False
    return True


@inlined
def plainly_smooth(reals, at, course, h, root, wide):
    """
    Tell whether the step that has just been tried, of all states, ends far from any stop.

    As many joints, or states, at a time as there are lanes. Where this says no, `stays_smooth`
    looks closer.
    """
    doubts = spread(0.0, wide)
    for i in range(at.joints * width(root) // width(wide)):
        q0, q1 = load(reals, course.q, i, wide), load(reals, course.stage_q, i, wide)
        v0 = load(reals, course.v, i, wide)
        # there and back within the step is not further than its first velocity leads
        swing = h * where_above(v0, 0.0, v0, -v0)
        high, low = where_above(q0, q1, q0, q1) + swing, where_above(q0, q1, q1, q0) - swing
        upper, lower = (
            constant(reals, course.upper, i, wide),
            constant(reals, course.lower, i, wide),
        )
        beyond = where_above(upper, high, 0.0, 1.0) + where_above(low, lower, 0.0, 1.0)
        # a number that is not finite is no number when nothing is made of it
        doubts = doubts + (beyond + 0.0 * load(reals, course.stage_v, i, wide))
    spoiled = spread(0.0, root)
    for t in range(at.roots + at.balls):
        V = course.stage_v + (at.joints + 6 * t) * width(root)
        for k in range(6):
            spoiled = spoiled + 0.0 * load(reals, V, k, root)
    return total(doubts) + total(spoiled) == 0.0


@inlined
def stays_smooth(ints, reals, at, course, h, states, s):
    """Tell whether no event can have happened in the step that has just been tried, of state s."""
    spoiled = 0.0
    for k in range(at.entries):
        spoiled += 0.0 * reals[course.stage_v + k * states + s]
    if spoiled != 0.0:  # something is not finite
        return False
    if not _only_held_touch(ints, reals, at, course, h, states, s):
        return False
    return course.resisted == 0 or _resistance_stays(ints, reals, at, course, states, s)


@inlined
def _only_held_touch(ints, reals, at, course, h, states, s):
    """Tell whether the joints that may touch their stops are all held there."""
    for j in range(at.joints):
        i = ints[course.joint_node + j]
        if i < 0 or ints[course.hold + i] in (AT_UPPER, AT_LOWER, STUCK):
            continue
        v0 = reals[course.v + j * states + s]
        q0, q1 = reals[course.q + j * states + s], reals[course.stage_q + j * states + s]
        upper, lower = reals[course.upper + j], reals[course.lower + j]
        # there and back within the step is not further than its first velocity leads
        if q1 > upper or (v0 >= 0 and max(q0, q1) + h * v0 >= upper):
            return False
        if q1 < lower or (v0 <= 0 and min(q0, q1) + h * v0 <= lower):
            return False
    return True


@inlined
def _resistance_stays(ints, reals, at, course, states, s):
    """Tell whether what slides goes on sliding, and drives at their speed limits stay as told."""
    for j in range(at.joints):
        i = ints[course.joint_node + j]
        if i < 0:
            continue
        hold, blocked = ints[course.hold + i], ints[course.blocked + i]
        v0, v1 = reals[course.v + j * states + s], reals[course.stage_v + j * states + s]
        slide = reals[course.slide + i * states + s]
        slides = reals[course.friction + j] > 0 and hold in (MOVING, AT_TOP_SPEED)
        if slides and not (slide * v0 > 0 and slide * v1 > 0):
            return False
        limit = reals[course.speed_limit + j]
        if limit == math.inf or hold != MOVING:
            continue
        told = reals[course.effort + ints[course.v_index + j] * states + s]
        if blocked:
            if not (told * v0 > 0 and abs(v0) > limit):
                return False
        elif (told * v0 > 0 and abs(v0) >= limit) or (told * v1 > 0 and abs(v1) >= limit):
            return False
    return True
