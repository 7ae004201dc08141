# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""One step of the fourth-order Runge-Kutta method in the engine's arena, momentum by its law."""

from free_flyer_dynamics.kernels._jit import inlined, kernel, out_of_line
from free_flyer_dynamics.kernels.closing import close_step, closed_rates
from free_flyer_dynamics.kernels.lanes import load, spread, store, width
from free_flyer_dynamics.kernels.laws import collect, momenta, restore
from free_flyer_dynamics.kernels.layout import POSE
from free_flyer_dynamics.kernels.outward import trigonometry
from free_flyer_dynamics.kernels.stages import stage_rates
from free_flyer_dynamics.kernels.turners import (
    displace_turners,
    place_balls,
    turner_axes,
    turner_rates,
)


@inlined
def any_rates(ints, reals, at, course, closures, stage, lane, root, wide):
    """Rates at a stage, of a forest without closed loops or with them."""
    if closures is None:
        stage_rates(ints, reals, at, course, stage, lane, root, wide)
    else:
        closed_rates(ints, reals, at, course, closures, stage, lane, wide)


@kernel
def try_step(ints, reals, at, course, closures, h, lane, root, wide):
    """
    Advance by h into the stages' room; the state stays. The first stage's rates are there.

    Tells whether the loops, if there are any, could be closed.
    """
    out_of_line()
    turning = 6 * (at.roots + at.balls)
    q, v, pose, delta = course.stage_q, course.stage_v, course.stage_pose, at.displacement
    for k in range(turning):
        store(reals, delta, k, spread(0.0, root))
    turner_rates(reals, at, delta, course.v, course.turning, root)
    before = course.v
    for stage in range(1, 4):
        reach = h if stage == 3 else 0.5 * h
        rate = course.rate + at.entries * (stage - 1) * width(root)
        for i in range(at.joints * width(root) // width(wide)):
            moved = load(reals, course.q, i, wide) + reach * load(reals, before, i, wide)
            store(reals, q, i, moved)
        for i in range(at.entries * width(root) // width(wide)):
            store(reals, v, i, load(reals, course.v, i, wide) + reach * load(reals, rate, i, wide))
        d = course.turning + turning * (stage - 1) * width(root)
        for k in range(turning):
            store(reals, delta, k, reach * load(reals, d, k, root))
        displace_turners(reals, at, course.pose, delta, pose, root)
        here = (q, pose, v, stage)
        any_rates(ints, reals, at, course, closures, here, lane, root, wide)
        turner_rates(reals, at, delta, v, d + turning * width(root), root)
        before = v
    _combine(reals, at, course, h, root, wide)
    _follow_laws(reals, at, course, h, root)
    closed = True
    if closures is not None:
        closed = close_step(ints, reals, at, course, closures, lane, wide)
    trigonometry(reals, at, q, at.rows * at.lanes * width(root), wide)
    turner_axes(reals, at, pose, root)
    place_balls(ints, reals, at)
    momenta(ints, reals, at, q, v, lane, root)
    collect(ints, reals, at, q, lane, root)
    restore(ints, reals, at, pose, v, course.new_center, course.new_momentum, root)
    return closed


@inlined
def _combine(reals, at, course, h, root, wide):
    """Coordinates and velocities at the step's end, from all four stages."""
    size = at.entries * width(root)
    k0, k1 = course.rate, course.rate + size
    k2, k3 = k1 + size, k1 + 2 * size
    sixth = h / 6.0
    for i in range(size // width(wide)):
        v0 = load(reals, course.v, i, wide)
        a0, a3 = load(reals, k0, i, wide), load(reals, k3, i, wide)
        middle = load(reals, k1, i, wide) + load(reals, k2, i, wide)
        store(reals, course.stage_v, i, v0 + sixth * (a0 + 2.0 * middle + a3))
        if i < at.joints * width(root) // width(wide):
            # v0 + 2 (v1 + v2) + v3 is 6 v0 + h (a0 + a1 + a2)
            moved = h * (v0 + sixth * (a0 + middle))
            store(reals, course.stage_q, i, load(reals, course.q, i, wide) + moved)
    turning = 6 * (at.roots + at.balls)
    d, delta = course.turning, at.displacement
    for k in range(turning):
        middle = load(reals, d, k + turning, root) + load(reals, d, k + 2 * turning, root)
        ends = load(reals, d, k, root) + load(reals, d, k + 3 * turning, root)
        store(reals, delta, k, sixth * (ends + 2.0 * middle))
    displace_turners(reals, at, course.pose, delta, course.stage_pose, root)


@inlined
def _follow_laws(reals, at, course, h, root):
    """Momentum and centre of each free tree at the step's end, from what acted on it."""
    rows = 6 * at.roots
    w = course.gain
    sixth = h / 6.0
    for r in range(at.roots):
        for j in range(6):
            k = 6 * r + j
            middle = load(reals, w, k + rows, root) + load(reals, w, k + 2 * rows, root)
            ends = load(reals, w, k, root) + load(reals, w, k + 3 * rows, root)
            gained = sixth * (ends + 2.0 * middle)
            now = load(reals, course.momentum, k, root)
            store(reals, course.new_momentum, k, now + gained)
            if j > 2:
                # Kahan's sum: over an hour of steps the rounding of a plain one would show.
                first = load(reals, w, k, root) + middle
                lost, c = (
                    load(reals, course.center, k, root),
                    load(reals, course.center, k - 3, root),
                )
                travel = h * (now + sixth * first) - lost
                end = c + travel
                store(reals, course.new_center, k - 3, end)
                store(reals, course.new_center, k, (end - c) - travel)


@inlined
def accept_step(reals, at, course, root, wide):
    """Make the step's end the state."""
    for i in range(at.joints * width(root) // width(wide)):
        store(reals, course.q, i, load(reals, course.stage_q, i, wide))
    for i in range(at.entries * width(root) // width(wide)):
        store(reals, course.v, i, load(reals, course.stage_v, i, wide))
    for k in range(POSE * (at.roots + at.balls)):
        store(reals, course.pose, k, load(reals, course.stage_pose, k, root))
    for k in range(6 * at.roots):
        store(reals, course.momentum, k, load(reals, course.new_momentum, k, root))
        store(reals, course.center, k, load(reals, course.new_center, k, root))
