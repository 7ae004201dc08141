# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Many steps in one call: the users' state into the arena's order, steps, and back."""

from free_flyer_dynamics.kernels._jit import inlined, kernel, out_of_line
from free_flyer_dynamics.kernels.advance import accept_step, any_rates, try_step
from free_flyer_dynamics.kernels.blocks import exact_cross, plus, times
from free_flyer_dynamics.kernels.ends import follow_turns
from free_flyer_dynamics.kernels.event_functions import BORNE
from free_flyer_dynamics.kernels.kinds import mark_holds
from free_flyer_dynamics.kernels.lanes import BRANCHES, ONE, WIDE
from free_flyer_dynamics.kernels.layout import course_of, layout_of, POSE
from free_flyer_dynamics.kernels.stages import place_stage
from free_flyer_dynamics.kernels.sums import collect, root_sums
from free_flyer_dynamics.kernels.tables import matrix_at, vector_at
from free_flyer_dynamics.kernels.watch import holds_last, plainly_smooth, stays_smooth


@kernel
def take_state(ints, reals):
    """Fill the arena's state and drives from the users'."""
    out_of_line()
    at, course = layout_of(ints), course_of(ints)
    for j in range(at.joints):
        if ints[course.q_index + j] >= 0:
            to = ints[course.v_index + j]
            reals[course.q + j] = reals[course.user_q + ints[course.q_index + j]]
            reals[course.v + j] = reals[course.user_v + to]
            reals[at.drive + j] = reals[course.effort + to]
            if course.resisted:
                i = ints[course.joint_node + j]
                told = 0.0 if ints[course.blocked + i] else reals[course.effort + to]
                reals[at.drive + j] = told - reals[course.friction + j] * reals[course.slide + i]
    for t in range(at.roots + at.balls):
        first, size = (0, 6) if t < at.roots else (3, 3)
        for k in range(first, POSE):
            index = course.user_q + ints[course.turner_q + t] + k - first
            reals[course.pose + POSE * t + k] = reals[index]
        for k in range(size):
            index = ints[course.turner_v + t] + k
            reals[course.v + at.joints + 6 * t + k] = reals[course.user_v + index]
            if t >= at.roots:
                reals[at.drive + at.joints + 6 * t + k] = reals[course.effort + index]


@kernel
def give_state(ints, reals):
    """Fill the users' state from the arena's."""
    out_of_line()
    at, course = layout_of(ints), course_of(ints)
    for j in range(at.joints):
        if ints[course.q_index + j] >= 0:
            reals[course.user_q + ints[course.q_index + j]] = reals[course.q + j]
            reals[course.user_v + ints[course.v_index + j]] = reals[course.v + j]
    for t in range(at.roots + at.balls):
        first, size = (0, 6) if t < at.roots else (3, 3)
        for k in range(first, POSE):
            index = course.user_q + ints[course.turner_q + t] + k - first
            reals[index] = reals[course.pose + POSE * t + k]
        for k in range(size):
            index = course.user_v + ints[course.turner_v + t] + k
            reals[index] = reals[course.v + at.joints + 6 * t + k]


@inlined
def take_steps(ints, reals, closures, dt, count, lane):
    """Take up to count steps; return how many were, or -1 less them where an event may be next."""
    at, course = layout_of(ints), course_of(ints)
    held = mark_holds(ints, reals)
    take_state(ints, reals)
    place_stage(ints, reals, dt, 0, ONE, WIDE)
    q, pose, v = course.q, course.pose, course.v
    done = 0
    rough = False
    while done < count:
        any_rates(ints, reals, closures, q, pose, v, 0, lane, ONE, WIDE)
        if held > 0 and not holds_last(ints, reals, at, course, v, 0.0):
            rough = True
            break
        if not try_step(ints, reals, closures, dt, lane, ONE, WIDE):
            rough = True
            break
        plain = course.resisted == 0 and plainly_smooth(reals, at, course, dt, ONE, WIDE)
        if not (plain or stays_smooth(ints, reals, at, course, dt, 1, 0)):
            rough = True
            break
        if held > 0:  # a hold that is too weak at the step's end has let go within it
            end = (course.stage_q, course.stage_pose, course.stage_v)
            any_rates(ints, reals, closures, end[0], end[1], end[2], 3, lane, ONE, WIDE)
            if not holds_last(ints, reals, at, course, course.stage_v, BORNE):
                rough = True
                break
        accept_step(reals, at, course, ONE, WIDE)
        if closures is not None:
            follow_turns(closures)
        done += 1
    give_state(ints, reals)
    return -1 - done if rough else done


@inlined
def _rates(ints, reals, closures, vdot_out, count, lane):
    """
    Evaluate forward dynamics count times, each after the one before; rates in users' order.

    A millionth of a millionth of the first rate is added to the first velocity each time, so
    that no evaluation starts before the one before has ended.
    """
    at, course = layout_of(ints), course_of(ints)
    mark_holds(ints, reals)
    take_state(ints, reals)
    for _ in range(count):
        place_stage(ints, reals, 0.0, 0, ONE, WIDE)
        any_rates(ints, reals, closures, course.q, course.pose, course.v, 0, lane, ONE, WIDE)
        reals[course.v] += 1e-12 * reals[course.rate]
    for j in range(at.joints):
        if ints[course.v_index + j] >= 0:
            vdot_out[ints[course.v_index + j]] = reals[course.rate + j]
    for t in range(at.roots + at.balls):
        turner = course.rate + at.joints + 6 * t
        for k in range(6 if t < at.roots else 3):
            vdot_out[ints[course.turner_v + t] + k] = reals[turner + k]


def for_closed_lanes(lane):
    """Return the kernels that step and evaluate with closed loops; arguments as of `for_lanes`."""

    @kernel
    def run(closures, ints, reals, dt, count):
        return take_steps(ints, reals, closures, dt, count, lane)

    @kernel
    def rates(closures, ints, reals, vdot_out, count):
        _rates(ints, reals, closures, vdot_out, count, lane)

    return run, rates


def for_lanes(lane):
    """Return the kernels that step, evaluate and weigh, for rows of so many lanes."""

    @kernel
    def run(ints, reals, dt, count):
        """Take up to count steps; return how many were, or what is below zero."""
        return take_steps(ints, reals, None, dt, count, lane)

    @kernel
    def rates(ints, reals, vdot_out, count):
        """Evaluate forward dynamics count times, each after the one before, see `_rates`."""
        _rates(ints, reals, None, vdot_out, count, lane)

    @kernel
    def weigh(ints, reals, sums_out):
        """Mass, mass times centre, momentum of all free trees about the world's origin, (10,)."""
        at, course = layout_of(ints), course_of(ints)
        mark_holds(ints, reals)
        take_state(ints, reals)
        place_stage(ints, reals, 0.0, 0, ONE, WIDE)
        collect(ints, reals, at, course.q, course.v, lane, ONE)
        for k in range(10):
            sums_out[k] = 0.0
        for r in range(at.roots):
            m, h, _J, L, P = root_sums(reals, at, r, course.v, ONE)
            R = matrix_at(reals, at.axes + 9 * r, 0, ONE)
            x = vector_at(reals, course.pose + POSE * r, 0, ONE)
            h, L, P = times(R, h), times(R, L), times(R, P)
            L = plus(L, exact_cross(x, P))
            sums = (m, h.x + m * x.x, h.y + m * x.y, h.z + m * x.z, L.x, L.y, L.z, P.x, P.y, P.z)
            for k in range(10):
                sums_out[k] += sums[k]

    return run, rates, weigh


KERNELS = {1: for_lanes(ONE), **{count: for_lanes(lane) for count, lane in BRANCHES.items()}}
CLOSED_KERNELS = {
    1: for_closed_lanes(ONE),
    **{count: for_closed_lanes(lane) for count, lane in BRANCHES.items()},
}
