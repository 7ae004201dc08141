# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Closed loops in the engine: forces that keep two frames joined, and steps that end on the loops.

A tree's evaluation comes first, as if its loops were open. What their ends do then is undone by
wrenches, which reach the joints through what each of their way feels of a unit wrench.
"""

from free_flyer_dynamics.kernels._jit import inlined, kernel, out_of_line
from free_flyer_dynamics.kernels.blocks import times, times_form, Vector
from free_flyer_dynamics.kernels.closures import (
    ACCELERATION,
    closures_of,
    FELT_BY,
    LOOP,
    LOOP_ROOT,
    PLACE,
    ROOT_GIVES,
    ROW_WORK,
    SHARE,
    STRIDE,
    UNITS,
    VELOCITY,
    WAY,
)
from free_flyer_dynamics.kernels.ends import (
    gaps_to_undo,
    rates_to_undo,
    relate,
)
from free_flyer_dynamics.kernels.evaluate import outward_again
from free_flyer_dynamics.kernels.forward import CLOSED, MOST_CORRECTIONS
from free_flyer_dynamics.kernels.gives import (
    factor_closures,
    region_of,
    way_length,
)
from free_flyer_dynamics.kernels.lanes import ONE
from free_flyer_dynamics.kernels.layout import (
    ACCELERATION as SLOT_ACCELERATION,
)
from free_flyer_dynamics.kernels.layout import (
    BALL,
    course_of,
    GAIN,
    GIVE,
    HELD,
    layout_of,
    POSE,
    SLOT,
)
from free_flyer_dynamics.kernels.linear import pivoted_solve
from free_flyer_dynamics.kernels.loop_drives import dot_units, take_drives, undo_drives
from free_flyer_dynamics.kernels.outward import trigonometry
from free_flyer_dynamics.kernels.stages import fall, stage_rates
from free_flyer_dynamics.kernels.tables import matrix_at, vector_at
from free_flyer_dynamics.kernels.turners import displace_turner, place_balls, turner_axes
from free_flyer_dynamics.kernels.units import ball_entry, ball_gives
from free_flyer_dynamics.kernels.wheels import turn_wheels


@inlined
def _let_row_feel(ints, reals, at, what, place, W, table, felt, share):
    """Add what a row feels of the loops' wrenches to what its joint does alone."""
    if what & BALL:
        own = felt + UNITS * ball_entry(ints, at, place)
        u = Vector(
            dot_units(table, own, share),
            dot_units(table, own + UNITS, share),
            dot_units(table, own + 2 * UNITS, share),
        )
        more = times_form(ball_gives(reals, W, at.lanes), u)
        reals[W + GAIN * at.lanes] += more.x
        reals[W + (GAIN + 1) * at.lanes] += more.y
        reals[W + (GAIN + 2) * at.lanes] += more.z
        return
    u = dot_units(table, felt + UNITS * place, share)
    if what & HELD:
        reals[W + (GAIN + 6) * at.lanes] -= u
    elif what:
        reals[W + (GAIN + 6) * at.lanes] += reals[W + GIVE * at.lanes] * u
    else:
        reals[W + (GAIN + 5) * at.lanes] += reals[W + GIVE * at.lanes] * u


@inlined
def _let_root_feel(reals, at, r, vdot, table, gives, share):
    """Add what a root gives way to the loops' wrenches to its acceleration."""
    slot, turner = at.slot + (1 + r) * SLOT + SLOT_ACCELERATION, vdot + at.joints + 6 * r
    for k in range(6):
        less = dot_units(table, gives + UNITS * k, share)
        reals[slot + k] -= less
        reals[turner + k] -= less


@kernel
def bear(head, ints, reals, q, v, vdot, closures, driven, lane):
    """
    Let the loops bear wrenches that undo rhs, their drives' with them; vdot is what follows.

    What they give way is factored already.
    """
    out_of_line()
    loops = closures_of(closures)
    at = layout_of(head)
    ways, table = loops.ways, loops.reals
    if driven:
        undo_drives(loops)
    pivoted_solve(
        loops.F,
        loops.scale,
        loops.order,
        loops.rank[0],
        loops.rhs,
        loops.wrench,
        loops.y,
    )
    for m in range(loops.count):
        head, region, share = m * loops.way, region_of(loops, m), m * LOOP + SHARE
        for k in range(6):
            more = loops.wrench[6 * m + k]
            table[share + k] = table[share + k] + more if driven else more
        for i in range(way_length(ways, head)):
            entry = head + WAY + STRIDE * i
            place, W = ways[entry + PLACE], ways[entry + ROW_WORK]
            what = ints[at.row + place]
            _let_row_feel(ints, reals, at, what, place, W, table, region + FELT_BY, share)
        r = ways[head + LOOP_ROOT]
        if r >= 0:
            _let_root_feel(reals, at, r, vdot, table, region + ROOT_GIVES, share)
    outward_again(ints, reals, at, q, vdot, lane, ONE)
    turn_wheels(ints, reals, at, v, vdot, ONE)


@kernel
def closed_rates(ints, reals, closures, q, pose, v, stage, lane, wide):
    """Do what `stage_rates` does, with loops that stay closed."""
    out_of_line()
    loops = closures_of(closures)
    at, course = layout_of(ints), course_of(ints)
    vdot = course.rate + at.entries * stage
    stage_rates(loops.calm, ints, reals, q, pose, v, stage, lane, ONE, wide)
    relate(ints, reals, at, q, v, vdot, closures)
    rates_to_undo(loops, ACCELERATION)
    driven = take_drives(loops)
    factor_closures(ints, reals, at, q, closures)
    bear(ints, ints, reals, q, v, vdot, closures, driven, lane)
    if course.gravitates:
        fall(reals, at, vdot, ONE)


@kernel
def close_step(ints, reals, closures, lane, wide):
    """
    Bring a tried step's end back onto the loops, by the shortest way in the inertia.

    As `close_loops` does it; tells whether they could be closed.
    """
    out_of_line()
    loops = closures_of(closures)
    at, course = layout_of(ints), course_of(ints)
    q, pose, v, zero, delta = (
        course.stage_q,
        course.stage_pose,
        course.stage_v,
        loops.zero,
        course.rate,
    )
    still = loops.still
    closed = False
    for _round in range(MOST_CORRECTIONS):
        relate(ints, reals, at, q, v, zero, closures)
        if not gaps_to_undo(closures) > CLOSED:
            closed = True
            break
        stage_rates(still, ints, reals, q, pose, zero, 0, lane, ONE, wide)
        factor_closures(ints, reals, at, q, closures)
        bear(still, ints, reals, q, zero, delta, closures, False, lane)
        _displace(reals, at, q, pose, delta)
        trigonometry(reals, at, q, at.rows * at.lanes, wide)
        turner_axes(reals, at, pose, ONE)
        place_balls(ints, reals, at)
    rates_to_undo(loops, VELOCITY)
    stage_rates(still, ints, reals, q, pose, zero, 0, lane, ONE, wide)
    factor_closures(ints, reals, at, q, closures)
    bear(still, ints, reals, q, zero, delta, closures, False, lane)
    for k in range(at.entries):
        reals[v + k] += reals[delta + k]
    return closed


@inlined
def _displace(reals, at, q, pose, delta):
    """Move coordinates and poses; a root's shift comes in its own axes."""
    for j in range(at.joints):
        reals[q + j] += reals[delta + j]
    for t in range(at.roots + at.balls):
        D, P = delta + at.joints + 6 * t, pose + POSE * t
        shift = times(matrix_at(reals, at.axes + 9 * t, 0, ONE), vector_at(reals, D, 3, ONE))
        displace_turner(reals, P, vector_at(reals, D, 0, ONE), shift, P, ONE)
