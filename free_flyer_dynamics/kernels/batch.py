# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Many states of one structure, stepped side by side: a lane is a state."""

from typing import NamedTuple

from free_flyer_dynamics.kernels._jit import inlined, kernel, out_of_line
from free_flyer_dynamics.kernels.advance import accept_step, try_step
from free_flyer_dynamics.kernels.blocks import turn_back
from free_flyer_dynamics.kernels.claims import claim
from free_flyer_dynamics.kernels.kinematics import forward_kinematics
from free_flyer_dynamics.kernels.lanes import ONE, STATES, WIDEST, width
from free_flyer_dynamics.kernels.layout import course_of, layout_of, POSE, WRENCH
from free_flyer_dynamics.kernels.momentum import tree_centers, tree_momentum
from free_flyer_dynamics.kernels.stages import place_stage, stage_rates
from free_flyer_dynamics.kernels.watch import plainly_smooth, stays_smooth
from free_flyer_dynamics.tree import MOVING
import numpy as np

ABREAST = STATES.get(WIDEST, ONE)


class States(NamedTuple):
    """What `State` is, a row for each state; and what acts on it, but gravity."""

    q: np.ndarray  # (k, nq)
    v: np.ndarray  # (k, nv)
    momentum: np.ndarray  # (k, 6 roots)
    center: np.ndarray  # (k, 6 roots)
    hold: np.ndarray  # (k, n) int
    slide: np.ndarray  # (k, n)
    blocked: np.ndarray  # (k, n) int
    loop_angle: np.ndarray  # (k, m)
    effort: np.ndarray  # (k, nv)
    loop_effort: np.ndarray  # (k, 3 m)
    wrench: np.ndarray  # (k, 6 w); force and torque, node or world axes


@inlined
def put_wrenches(reals, course, states, turns, s, lane, lanes):
    """Fill one lane of the arena's wrenches from a state; turns take node axes to the arena's."""
    for j in range(course.wrenches):
        for part in (0, 3):
            given, to = 6 * j + part, course.wrench_value + (j * WRENCH + 3 + part) * lanes + lane
            x, y = states.wrench[s, given], states.wrench[s, given + 1]
            reals[to], reals[to + lanes] = turn_back(x, y, turns[j, 0], turns[j, 1])
            reals[to + 2 * lanes] = states.wrench[s, given + 2]


@kernel
def _take(ints, reals, states, turns, start, last):
    """Fill the arena from states, number by number; lanes beyond the last repeat it."""
    out_of_line()
    at, course = layout_of(ints), course_of(ints)
    lanes = width(ABREAST)
    for j in range(at.joints):
        i = ints[course.joint_node + j]
        if i < 0:
            continue
        place, to, own = j * lanes, ints[course.v_index + j], ints[course.q_index + j]
        friction = reals[course.friction + j]
        for lane in range(lanes):
            s = min(start + lane, last - 1)
            reals[course.q + place + lane] = states.q[s, own]
            reals[course.v + place + lane] = states.v[s, to]
            told, slide = states.effort[s, to], states.slide[s, i]
            reals[course.effort + to * lanes + lane] = told
            reals[course.slide + i * lanes + lane] = slide
            reals[at.drive + place + lane] = told - friction * slide
    for lane in range(lanes):
        s = min(start + lane, last - 1)
        for r in range(at.roots):
            for k in range(POSE):
                place = course.pose + (POSE * r + k) * lanes + lane
                reals[place] = states.q[s, ints[course.turner_q + r] + k]
            for k in range(6):
                place = course.v + (at.joints + 6 * r + k) * lanes + lane
                reals[place] = states.v[s, ints[course.turner_v + r] + k]
        for k in range(6 * at.roots):
            reals[course.momentum + k * lanes + lane] = states.momentum[s, k]
            reals[course.center + k * lanes + lane] = states.center[s, k]
        put_wrenches(reals, course, states, turns, s, lane, lanes)


@inlined
def _is_free(states, course, s):
    """Tell whether nothing is held in a state: it may be stepped side by side with others."""
    held = 0
    for i in range(course.nodes):
        held |= (states.hold[s, i] - MOVING) | states.blocked[s, i]
    return held == 0


@kernel
def _give(ints, reals, states, start, last):
    """Fill states from their lanes of the arena."""
    out_of_line()
    at, course = layout_of(ints), course_of(ints)
    lanes = width(ABREAST)
    count = min(lanes, last - start)
    for j in range(at.joints):
        if ints[course.joint_node + j] >= 0:
            own, to = ints[course.q_index + j], ints[course.v_index + j]
            for lane in range(count):
                states.q[start + lane, own] = reals[course.q + j * lanes + lane]
                states.v[start + lane, to] = reals[course.v + j * lanes + lane]
    for lane in range(count):
        s = start + lane
        for r in range(at.roots):
            for k in range(POSE):
                place = course.pose + (POSE * r + k) * lanes + lane
                states.q[s, ints[course.turner_q + r] + k] = reals[place]
            for k in range(6):
                place = course.v + (at.joints + 6 * r + k) * lanes + lane
                states.v[s, ints[course.turner_v + r] + k] = reals[place]
        for k in range(6 * at.roots):
            states.momentum[s, k] = reals[course.momentum + k * lanes + lane]
            states.center[s, k] = reals[course.center + k * lanes + lane]


@kernel
def _keep(ints, reals, lane, lanes):
    """Let the lane of a state that waits for an event end its step where it began it."""
    out_of_line()
    at, course = layout_of(ints), course_of(ints)
    for j in range(at.joints):
        reals[course.stage_q + j * lanes + lane] = reals[course.q + j * lanes + lane]
    for k in range(at.entries):
        reals[course.stage_v + k * lanes + lane] = reals[course.v + k * lanes + lane]
    for k in range(POSE * at.roots):
        reals[course.stage_pose + k * lanes + lane] = reals[course.pose + k * lanes + lane]
    for k in range(6 * at.roots):
        reals[course.new_momentum + k * lanes + lane] = reals[course.momentum + k * lanes + lane]
        reals[course.new_center + k * lanes + lane] = reals[course.center + k * lanes + lane]


@inlined
def _run_abreast(ints, reals, states, turns, start, last, dt, count, done_out):
    """Take up to count steps of the states from `start` on, as many as there are lanes."""
    at, course = layout_of(ints), course_of(ints)
    lanes = width(ABREAST)
    waiting = 0
    _take(ints, reals, states, turns, start, last)
    for s in range(start, min(start + lanes, last)):
        ready = _is_free(states, course, s)
        done_out[s] = count if ready else 0
        waiting += not ready
    place_stage(ints, reals, dt, 0, ABREAST, ABREAST)
    for step in range(count):
        if waiting == min(lanes, last - start):
            break
        q, pose, v = course.q, course.pose, course.v
        stage_rates(ints, ints, reals, q, pose, v, 0, ABREAST, ABREAST, ABREAST)
        try_step(ints, reals, None, dt, ABREAST, ABREAST, ABREAST)
        smooth = plainly_smooth(reals, at, course, dt, ABREAST, ABREAST)
        if waiting or course.resisted or not smooth:
            for s in range(start, min(start + lanes, last)):
                stops = done_out[s] <= step
                if not (stops or stays_smooth(ints, reals, at, course, dt, lanes, s - start)):
                    done_out[s] = step
                    waiting += 1
                    stops = True
                if stops:
                    _keep(ints, reals, s - start, lanes)
        accept_step(reals, at, course, ABREAST, ABREAST)
    _give(ints, reals, states, start, last)


@kernel
def run_states(ints, reals, states, turns, ranges, own, dt, count, done_out):
    """
    Take up to count steps of all states that can be claimed, as many at once as there are lanes.

    Fills how many steps of each were done: a state stops before the first that may hold an event,
    while those beside it go on.
    """
    lanes = width(ABREAST)
    for turn in range(len(ranges.first)):
        start, last = claim(ranges, own, turn, lanes)
        while start < last:
            _run_abreast(ints, reals, states, turns, start, last, dt, count, done_out)
            start, last = claim(ranges, own, turn, lanes)


@kernel
def weigh_states(tree, ws, states):
    """Fill momentum and centre of all states from their coordinates and velocities."""
    for s in range(len(states.q)):
        forward_kinematics(tree, states.q[s], states.v[s], ws)
        tree_momentum(tree, ws, ws.pA)
        for k in range(states.momentum.shape[1]):
            states.momentum[s, k] = ws.pA[k // 6, k % 6]
        tree_centers(tree, ws, ws.pA)
        for k in range(states.center.shape[1]):
            states.center[s, k] = ws.pA[k // 6, k % 6] if k % 6 < 3 else 0.0
