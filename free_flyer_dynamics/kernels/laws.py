# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The laws of momentum and centre of mass, and the rigid motion that brings free trees to them."""

from free_flyer_dynamics.kernels._jit import inlined
from free_flyer_dynamics.kernels.blocks import (
    cross,
    dot,
    exact_cross,
    minus,
    plus,
    plus_scaled,
    scaled,
    Symmetric,
    times,
    times_form,
    times_transposed,
    Vector,
)
from free_flyer_dynamics.kernels.inverses import inverse_form
from free_flyer_dynamics.kernels.lanes import spread, width
from free_flyer_dynamics.kernels.layout import POSE
from free_flyer_dynamics.kernels.sums import root_sums
from free_flyer_dynamics.kernels.tables import matrix_at, put_vector, vector_at


@inlined
def keep_laws(ints, reals, at, course, h, root):
    """
    Move each free tree as one rigid body to the centre and the momentum of their laws.

    What an integrator misses of momentum is far below its own error: giving it back as a twist of
    the root leaves the order, and the law holds to the last digit.
    """
    for r in range(at.roots):
        m, moment, J, L, P = root_sums(reals, at, r, course.stage_v, root)
        center, turning, moving = _lawful(reals, at, course, h, r, m, root)
        R = matrix_at(reals, at.axes + 9 * r * width(root), 0, root)
        X = course.stage_pose + r * POSE * width(root)
        x = vector_at(reals, X, 0, root)
        light = 1.0 / m
        missing = minus(minus(center, times(R, moment)), scaled(m, x))
        x = plus_scaled(x, light, missing)
        put_vector(reals, X, 0, x)
        # What is missing, about the root's origin: found in world axes, it is small when turned.
        n = minus(minus(turning, exact_cross(x, moving)), times(R, L))
        n, f = times_transposed(R, n), times_transposed(R, minus(moving, times(R, P)))
        # a twist about the centre of mass, which lies at c
        c = scaled(light, moment)
        across = dot(moment, c)
        about = Symmetric(
            J.xx - across + moment.x * c.x,
            J.xy + moment.x * c.y,
            J.xz + moment.x * c.z,
            J.yy - across + moment.y * c.y,
            J.yz + moment.y * c.z,
            J.zz - across + moment.z * c.z,
        )
        turned = times_form(inverse_form(about), minus(n, cross(c, f)))
        V = course.stage_v + (at.joints + 6 * r) * width(root)
        put_vector(reals, V, 0, plus(vector_at(reals, V, 0, root), turned))
        moved = plus_scaled(cross(c, turned), light, f)
        put_vector(reals, V, 3, plus(vector_at(reals, V, 3, root), moved))


@inlined
def _lawful(reals, at, course, h, r, m, root):
    """Mass times centre, angular and linear momentum that the laws give a tree at a step's end."""
    own = 6 * r * width(root)
    H, C = course.momentum + own, course.center + own
    turning, moving = vector_at(reals, H, 0, root), vector_at(reals, H, 3, root)
    center = vector_at(reals, C, 0, root)
    travel = scaled(h, moving)
    mean = plus_scaled(center, 0.5 * h, moving)  # over the step
    if course.wrenches:
        G, step, sixth = course.gain + own, 6 * at.roots * width(root), h / 6.0
        n0, f0 = vector_at(reals, G, 0, root), vector_at(reals, G, 3, root)
        n1, f1 = vector_at(reals, G + step, 0, root), vector_at(reals, G + step, 3, root)
        G = G + 2 * step
        n2, f2 = vector_at(reals, G, 0, root), vector_at(reals, G, 3, root)
        n3, f3 = vector_at(reals, G + step, 0, root), vector_at(reals, G + step, 3, root)
        turning = plus_scaled(turning, sixth, plus(plus_scaled(n0, 2.0, plus(n1, n2)), n3))
        moving = plus_scaled(moving, sixth, plus(plus_scaled(f0, 2.0, plus(f1, f2)), f3))
        travel = plus_scaled(travel, h * sixth, plus(f0, plus(f1, f2)))
        mean = plus_scaled(mean, h * h / 12.0, plus(f0, f1))
    if course.gravitates:
        g = Vector(
            spread(reals[at.gravity], root),
            spread(reals[at.gravity + 1], root),
            spread(reals[at.gravity + 2], root),
        )
        turning = plus_scaled(turning, h, cross(mean, g))
        moving = plus_scaled(moving, h * m, g)
        travel = plus_scaled(travel, 0.5 * h * h * m, g)
    # Kahan's sum: over an hour of steps the rounding of a plain one would show.
    travel = minus(travel, vector_at(reals, C, 3, root))
    end = plus(center, travel)
    put_vector(reals, course.new_center + own, 0, end)
    put_vector(reals, course.new_center + own, 3, minus(minus(end, center), travel))
    put_vector(reals, course.new_momentum + own, 0, turning)
    put_vector(reals, course.new_momentum + own, 3, moving)
    return end, turning, moving
