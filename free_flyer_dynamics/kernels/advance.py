# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""One step of the fourth-order Runge-Kutta method in the engine's arena, momentum by its law."""

from free_flyer_dynamics.kernels._jit import inlined, kernel, out_of_line
from free_flyer_dynamics.kernels.closing import close_step, closed_rates
from free_flyer_dynamics.kernels.lanes import load, store, width
from free_flyer_dynamics.kernels.laws import keep_laws
from free_flyer_dynamics.kernels.layout import course_of, layout_of, POSE
from free_flyer_dynamics.kernels.stages import END, place_stage, stage_rates, STAGES
from free_flyer_dynamics.kernels.sums import collect
from free_flyer_dynamics.kernels.tables import put_vector, vector_at


@inlined
def any_rates(ints, reals, closures, q, pose, v, stage, lane, root, wide):
    """Rates at a stage, of a forest without closed loops or with them."""
    if closures is None:
        stage_rates(ints, ints, reals, q, pose, v, stage, lane, root, wide)
    else:
        closed_rates(ints, reals, closures, q, pose, v, stage, lane, wide)


@kernel
def try_step(ints, reals, closures, h, lane, root, wide):
    """
    Advance by h into the stages' room; the state stays. The first stage's rates are there.

    Sines and axes are left as they are at the end. Tells whether the loops, if there are any,
    could be closed.
    """
    out_of_line()
    at, course = layout_of(ints), course_of(ints)
    q, pose, v = course.stage_q, course.stage_pose, course.stage_v
    for stage in range(1, STAGES):
        place_stage(ints, reals, h, stage, root, wide)
        any_rates(ints, reals, closures, q, pose, v, stage, lane, root, wide)
    place_stage(ints, reals, h, END, root, wide)
    closed = True
    if closures is not None:
        closed = close_step(ints, reals, closures, lane, wide)
    collect(ints, reals, at, q, v, lane, root)
    keep_laws(ints, reals, at, course, h, root)
    return closed


@inlined
def accept_step(reals, at, course, root, wide):
    """Make the step's end the state."""
    for i in range(at.joints * width(root) // width(wide)):
        store(reals, course.q, i, load(reals, course.stage_q, i, wide))
        store(reals, course.v, i, load(reals, course.stage_v, i, wide))
    for t in range(at.roots + at.balls):
        place, twist = t * POSE * width(root), (at.joints + 6 * t) * width(root)
        for k in range(POSE):
            store(reals, course.pose + place, k, load(reals, course.stage_pose + place, k, root))
        put_vector(reals, course.v + twist, 0, vector_at(reals, course.stage_v + twist, 0, root))
        put_vector(reals, course.v + twist, 3, vector_at(reals, course.stage_v + twist, 3, root))
    for r in range(at.roots):
        for old, new in (
            (course.momentum, course.new_momentum),
            (course.center, course.new_center),
        ):
            tree = 6 * r * width(root)
            put_vector(reals, old + tree, 0, vector_at(reals, new + tree, 0, root))
            put_vector(reals, old + tree, 3, vector_at(reals, new + tree, 3, root))
