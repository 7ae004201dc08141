# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0


"""Rates at a stage of a step: forward dynamics, and weight, which free trees feel alike."""

from free_flyer_dynamics.kernels._jit import kernel, out_of_line
from free_flyer_dynamics.kernels.blocks import cross, plus, times, times_transposed, Vector
from free_flyer_dynamics.kernels.evaluate import evaluate
from free_flyer_dynamics.kernels.lanes import spread, width
from free_flyer_dynamics.kernels.laws import collect, momenta, root_sums
from free_flyer_dynamics.kernels.layout import POSE
from free_flyer_dynamics.kernels.tables import matrix_at, put_vector, vector_at


@kernel
def stage_rates(ints, reals, at, course, stage, lane, root, wide):
    """Rates of velocities and momentum at a stage: its coordinates, poses, velocities, number."""
    out_of_line()
    q, pose, v, number = stage
    gain = course.gain + 6 * at.roots * number * width(root)
    vdot = course.rate + at.entries * number * width(root)
    evaluate(ints, reals, at, course, q, pose, v, vdot, gain, lane, root, wide)
    if course.gravitates and at.roots > 0:
        weigh_stage(ints, reals, at, course, stage, lane, root)


@kernel
def weigh_stage(ints, reals, at, course, stage, lane, root):
    """Let free trees fall: all of each alike, and its momentum about the world's origin too."""
    out_of_line()
    q, pose, v, number = stage
    gain = course.gain + 6 * at.roots * number * width(root)
    vdot = course.rate + at.entries * number * width(root)
    momenta(ints, reals, at, q, v, lane, root)
    collect(ints, reals, at, q, lane, root)
    g = Vector(
        spread(reals[at.gravity], root),
        spread(reals[at.gravity + 1], root),
        spread(reals[at.gravity + 2], root),
    )
    for r in range(at.roots):
        m, h, _J, _L, _P = root_sums(ints, reals, at, r, v, root)
        R = matrix_at(reals, at.axes + 9 * r * width(root), 0, root)
        A = vdot + (at.joints + 6 * r) * width(root)
        put_vector(reals, A, 3, plus(vector_at(reals, A, 3, root), times_transposed(R, g)))
        x, c = vector_at(reals, pose + r * POSE * width(root), 0, root), times(R, h)
        center = Vector(c.x + m * x.x, c.y + m * x.y, c.z + m * x.z)
        G = gain + 6 * r * width(root)
        angular, linear = cross(center, g), Vector(m * g.x, m * g.y, m * g.z)
        if course.wrenches:
            angular = plus(angular, vector_at(reals, G, 0, root))
            linear = plus(linear, vector_at(reals, G, 3, root))
        put_vector(reals, G, 0, angular)
        put_vector(reals, G, 3, linear)
