# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A stage of a step: where joints and bodies are in it, and the rates that follow there."""

from free_flyer_dynamics.kernels._jit import inlined, kernel, out_of_line
from free_flyer_dynamics.kernels.blocks import plus, times_transposed, Vector
from free_flyer_dynamics.kernels.evaluate import evaluate
from free_flyer_dynamics.kernels.lanes import load, spread, store, width
from free_flyer_dynamics.kernels.layout import course_of, layout_of
from free_flyer_dynamics.kernels.outward import trigonometry, trigonometry_on
from free_flyer_dynamics.kernels.tables import matrix_at, put_vector, vector_at
from free_flyer_dynamics.kernels.turners import lead_turners, place_balls, turner_axes

STAGES, END = 4, 4  # of a step; and what stands for its end


@kernel
def place_stage(ints, reals, h, stage, root, wide):
    """
    Fill coordinates and velocities of a stage from the rates before; then sines and axes there.

    Stage 0 is the state itself, END the end of the step.
    """
    out_of_line()
    at, course = layout_of(ints), course_of(ints)
    q, pose = course.q, course.pose
    if stage > 0:
        q, pose = course.stage_q, course.stage_pose
        if stage < END:
            _lead(reals, at, course, stage, h if stage == END - 1 else 0.5 * h, root, wide)
        else:
            _combine(reals, at, course, h, root, wide)
        lead_turners(reals, at, course, stage, h, root)
    if stage == 0 or stage == END:
        trigonometry(reals, at, q, at.rows * at.lanes * width(root), wide)
    turner_axes(reals, at, pose, root)
    place_balls(ints, reals, at)


@inlined
def _lead(reals, at, course, stage, reach, root, wide):
    """Joints at a stage, led from the state by the rates of the stage before; sines follow."""
    since, before = course.q, course.v
    if stage > 1:
        since, before = course.stage_q, course.stage_v
    rate = course.rate + at.entries * (stage - 1) * width(root)
    rows = (at.rows * at.lanes * width(root) + width(wide) - 1) // width(wide)
    for i in range(rows):
        known = load(reals, since, i, wide)
        moved = _lead_joint(reals, course, before, rate, reach, i, wide)
        trigonometry_on(reals, at, i, moved, moved - known, wide)
    for i in range(rows, at.joints * width(root) // width(wide)):
        _lead_joint(reals, course, before, rate, reach, i, wide)


@inlined
def _lead_joint(reals, course, before, rate, reach, i, wide):
    moved = load(reals, course.q, i, wide) + reach * load(reals, before, i, wide)
    store(reals, course.stage_q, i, moved)
    faster = load(reals, course.v, i, wide) + reach * load(reals, rate, i, wide)
    store(reals, course.stage_v, i, faster)
    return moved


@inlined
def _combine(reals, at, course, h, root, wide):
    """Joints at the step's end, from all four stages."""
    size = at.entries * width(root)
    k0, k1 = course.rate, course.rate + size
    k2, k3 = k1 + size, k1 + 2 * size
    sixth = h / 6.0
    for i in range(at.joints * width(root) // width(wide)):
        v0 = load(reals, course.v, i, wide)
        a0, a3 = load(reals, k0, i, wide), load(reals, k3, i, wide)
        middle = load(reals, k1, i, wide) + load(reals, k2, i, wide)
        store(reals, course.stage_v, i, v0 + sixth * (a0 + 2.0 * middle + a3))
        # v0 + 2 (v1 + v2) + v3 is 6 v0 + h (a0 + a1 + a2)
        moved = h * (v0 + sixth * (a0 + middle))
        store(reals, course.stage_q, i, load(reals, course.q, i, wide) + moved)


@kernel
def stage_rates(head, ints, reals, q, pose, v, number, lane, root, wide):
    """
    Rates of velocities and momentum at a stage: where its coordinates, poses, velocities are.

    Sines and axes are known there. The head, that of the integers or one like it, tells what acts.
    """
    out_of_line()
    at, course = layout_of(head), course_of(head)
    gain = course.gain + 6 * at.roots * number * width(root)
    vdot = course.rate + at.entries * number * width(root)
    evaluate(ints, reals, at, course, q, pose, v, vdot, gain, lane, root, wide)
    if course.gravitates:
        fall(reals, at, vdot, root)


@inlined
def fall(reals, at, vdot, root):
    """Let free trees fall: all of each alike."""
    g = Vector(
        spread(reals[at.gravity], root),
        spread(reals[at.gravity + 1], root),
        spread(reals[at.gravity + 2], root),
    )
    for r in range(at.roots):
        R = matrix_at(reals, at.axes + 9 * r * width(root), 0, root)
        A = vdot + (at.joints + 6 * r) * width(root)
        put_vector(reals, A, 3, plus(vector_at(reals, A, 3, root), times_transposed(R, g)))
