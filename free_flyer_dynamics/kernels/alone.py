# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Many states of one structure, stepped one after the other: with closed loops, balls or holds."""

from free_flyer_dynamics.kernels._jit import kernel, out_of_line
from free_flyer_dynamics.kernels.batch import put_wrenches
from free_flyer_dynamics.kernels.claims import claim
from free_flyer_dynamics.kernels.closures import closures_of, EFFORT, LOOP
from free_flyer_dynamics.kernels.course import take_steps
from free_flyer_dynamics.kernels.lanes import BRANCHES, ONE
from free_flyer_dynamics.kernels.layout import course_of, layout_of


@kernel
def _enter(ints, reals, closures, states, turns, s):
    """Put a state, and what acts on it, into the arena of a single one."""
    out_of_line()
    at, course = layout_of(ints), course_of(ints)
    for k in range(states.q.shape[1]):
        reals[course.user_q + k] = states.q[s, k]
    for k in range(states.v.shape[1]):
        reals[course.user_v + k] = states.v[s, k]
        reals[course.effort + k] = states.effort[s, k]
    for k in range(6 * at.roots):
        reals[course.momentum + k] = states.momentum[s, k]
        reals[course.center + k] = states.center[s, k]
    for i in range(course.nodes):
        ints[course.hold + i] = states.hold[s, i]
        ints[course.blocked + i] = states.blocked[s, i]
        reals[course.slide + i] = states.slide[s, i]
    put_wrenches(reals, course, states, turns, s, 0, 1)
    if closures is not None:
        loops = closures_of(closures)
        for m in range(loops.count):
            loops.angle[m] = states.loop_angle[s, m]
            for k in range(3):
                loops.reals[LOOP * m + EFFORT + k] = states.loop_effort[s, 3 * m + k]


@kernel
def _leave(ints, reals, closures, states, s):
    """Take a state out again: what smooth steps change of it."""
    out_of_line()
    at, course = layout_of(ints), course_of(ints)
    for k in range(states.q.shape[1]):
        states.q[s, k] = reals[course.user_q + k]
    for k in range(states.v.shape[1]):
        states.v[s, k] = reals[course.user_v + k]
    for k in range(6 * at.roots):
        states.momentum[s, k] = reals[course.momentum + k]
        states.center[s, k] = reals[course.center + k]
    if closures is not None:
        loops = closures_of(closures)
        for m in range(loops.count):
            states.loop_angle[s, m] = loops.angle[m]


def for_lanes(lane):
    """Return the kernel for an arena whose rows are of so many lanes."""

    @kernel
    def run_each(ints, reals, closures, states, turns, ranges, own, dt, count, done_out):
        """
        Take up to count steps of all states that can be claimed, one after the other.

        Fills how many of each were done: a state stops before the first that may hold an event.
        `closures` is None where there are no loops.
        """
        for turn in range(len(ranges.first)):
            s, last = claim(ranges, own, turn, 1)
            while s < last:
                _enter(ints, reals, closures, states, turns, s)
                done = take_steps(ints, reals, closures, dt, count, lane)
                done_out[s] = done if done >= 0 else -1 - done
                _leave(ints, reals, closures, states, s)
                s, last = claim(ranges, own, turn, 1)

    return run_each


ONE_BY_ONE = {1: for_lanes(ONE), **{count: for_lanes(lane) for count, lane in BRANCHES.items()}}
