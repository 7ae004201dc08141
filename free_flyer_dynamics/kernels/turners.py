# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What turns freely, free roots and balls: their axes, and how quaternions move."""

import math

from free_flyer_dynamics.kernels._jit import inlined
from free_flyer_dynamics.kernels.blocks import (
    cross,
    dot,
    Matrix,
    plus,
    plus_scaled,
    scaled,
    times,
    Vector,
)
from free_flyer_dynamics.kernels.lanes import (
    any_above,
    fused,
    load,
    spread,
    square_root,
    store,
    where_above,
    width,
)
from free_flyer_dynamics.kernels.layout import (
    BALL,
    BALL_CONSTANTS,
    BALL_PLACE,
    CONSTANTS,
    COS_ALPHA,
    COS_GAMMA,
    COS_SIN,
    POSE,
    REVERSED,
    SHIFT,
    SIN_ALPHA,
    SIN_GAMMA,
    SIN_SIN,
)
from free_flyer_dynamics.kernels.tables import matrix_at, put_matrix, put_vector, vector_at
from free_flyer_dynamics.kernels.trig import sine_cosine

SMALL = 0.25  # square of the angle [rad] up to which the series of half a turn serve
TINY = 1e-300  # keeps the root of a vanishing square from dividing nothing by nothing


@inlined
def turner_axes(reals, at, pose, root):
    """Rotation matrices of all turners."""
    for t in range(at.roots + at.balls):
        P = pose + t * POSE * width(root)
        w, x = load(reals, P, 3, root), load(reals, P, 4, root)
        y, z = load(reals, P, 5, root), load(reals, P, 6, root)
        M = Matrix(
            1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y),
            2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x),
            2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y),
        )  # fmt: skip
        put_matrix(reals, at.axes + 9 * t * width(root), M)


@inlined
def place_balls(ints, reals, at):
    """
    Give each ball of a row the angles of its present orientation: one turn about z, x and z each.

    Every rotation is such a product; where the middle turn vanishes the first may be any.
    """
    if at.balls == 0:
        return
    for row in range(at.rows):
        if ints[at.mixed + row] & BALL:
            for place in range(row * at.lanes, (row + 1) * at.lanes):
                if ints[at.ball + place] < at.balls:
                    _place_ball(ints, reals, at, row, place)


@inlined
def _place_ball(ints, reals, at, row, place):
    lanes, ball = at.lanes, ints[at.ball + place]
    A = at.ball_constant + ball * BALL_CONSTANTS
    R = at.axes + 9 * (at.roots + ball)
    E = reals[at.scratch : at.scratch + 9]
    _ball_drive(ints, reals, at, place, R)
    for i in range(3):
        for j in range(3):
            E[3 * i + j] = (
                reals[A + 3 * i] * reals[R + j]
                + reals[A + 3 * i + 1] * reals[R + 3 + j]
                + reals[A + 3 * i + 2] * reals[R + 6 + j]
            )
    K = at.constant + row * CONSTANTS * lanes + place - row * lanes
    ca, sa = E[8], math.hypot(E[2], E[5])
    cg, sg = (-E[5] / sa, E[2] / sa) if sa > 0 else (1.0, 0.0)
    reals[K + COS_ALPHA * lanes], reals[K + SIN_ALPHA * lanes] = ca, sa
    reals[K + SIN_SIN * lanes], reals[K + COS_SIN * lanes] = sa * sa, ca * sa
    reals[K + COS_GAMMA * lanes], reals[K + SIN_GAMMA * lanes] = cg, sg
    reals[at.cosine + place] = cg * E[0] + sg * E[3]
    reals[at.sine + place] = ca * (cg * E[3] - sg * E[0]) + sa * E[6]
    px, py, pz = reals[A + BALL_PLACE], reals[A + BALL_PLACE + 1], reals[A + BALL_PLACE + 2]
    x, y = cg * px + sg * py, cg * py - sg * px
    reals[K + SHIFT * lanes], reals[K + (SHIFT + 1) * lanes] = x, ca * y + sa * pz
    reals[K + (SHIFT + 2) * lanes] = ca * pz - sa * y


@inlined
def _ball_drive(ints, reals, at, place, R):
    """
    Set a ball's torque on its row's side, in its axes, behind the one given.

    One that is walked from b to a is given on the parent's side: -R.T of it acts here.
    """
    given = at.drive + at.joints + 6 * (at.roots + ints[at.ball + place])
    for k in range(3):
        reals[given + 3 + k] = reals[given + k]
        if ints[at.row + place] & REVERSED:
            reals[given + 3 + k] = -(
                reals[R + k] * reals[given]
                + reals[R + 3 + k] * reals[given + 1]
                + reals[R + 6 + k] * reals[given + 2]
            )


@inlined
def half_turn(a):
    """
    Cosine of half an angle, and the sine of it over the angle, for the angle's square a.

    By their series, which are exact to the last digit up to half a radian.
    """
    x = 0.25 * a
    p = fused(x, 1 / 6227020800, -1 / 39916800)
    p = fused(x, p, 1 / 362880)
    p = fused(x, p, -1 / 5040)
    p = fused(x, p, 1 / 120)
    p = fused(x, p, -1 / 6)
    s = fused(x, p, 1.0)
    p = fused(x, -1 / 87178291200, 1 / 479001600)
    p = fused(x, p, -1 / 3628800)
    p = fused(x, p, 1 / 40320)
    p = fused(x, p, -1 / 720)
    p = fused(x, p, 1 / 24)
    p = fused(x, p, -0.5)
    return fused(x, p, 1.0), 0.5 * s


@inlined
def wide_half_turn(a):
    """Do the same for any angle, zero or not."""
    angle = square_root(a + TINY)
    s, c = sine_cosine(0.5 * angle)
    return c, s / angle


@inlined
def turn_quaternion(w, x, y, z, theta):
    """Quaternion turned by a rotation vector in its own axes, of length one again."""
    # One step of Newton's for the length: its error is the square of rounding's. Turning keeps
    # it, so nothing waits for it.
    k = 1.5 - 0.5 * (w * w + x * x + y * y + z * z)
    a = dot(theta, theta)
    c, s = half_turn(a)
    if any_above(a, SMALL):
        wide_c, wide_s = wide_half_turn(a)
        c, s = where_above(a, SMALL, wide_c, c), where_above(a, SMALL, wide_s, s)
    c, s = k * c, k * s
    tx, ty, tz = s * theta.x, s * theta.y, s * theta.z
    return (
        w * c - x * tx - y * ty - z * tz,
        w * tx + x * c + y * tz - z * ty,
        w * ty - x * tz + y * c + z * tx,
        w * tz + x * ty - y * tx + z * c,
    )


@inlined
def displace_turner(reals, P, theta, shift, Q, root):
    """Set pose Q to pose P displaced: an orientation turns about its own axes, a position adds."""
    w, x, y, z = turn_quaternion(
        load(reals, P, 3, root),
        load(reals, P, 4, root),
        load(reals, P, 5, root),
        load(reals, P, 6, root),
        theta,
    )
    put_vector(reals, Q, 0, plus(vector_at(reals, P, 0, root), shift))
    store(reals, Q, 3, w)
    store(reals, Q, 4, x)
    store(reals, Q, 5, y)
    store(reals, Q, 6, z)


@inlined
def _curvature(a):
    """(1 - a/2 cot a/2) / a^2, given a^2: by its series, or whole where that is too short."""
    s = fused(a, 1 / 1209600, 1 / 30240)
    s = fused(a, s, 1 / 720)
    s = fused(a, s, 1 / 12)
    if any_above(a, 0.01):
        half = 0.5 * square_root(a + TINY)
        sine, cosine = sine_cosine(half)
        s = where_above(a, 0.01, (1.0 - half * cosine / sine) / a, s)
    return s


@inlined
def turner_rate(theta, w):
    """
    Rate of the rotation vector theta that belongs to an angular velocity, both in turned axes.

    The inverse differential of exp, as in `rotation_vector_rate`.
    """
    once = cross(theta, w)
    twice = cross(theta, once)
    s = _curvature(dot(theta, theta))
    return Vector(
        w.x + 0.5 * once.x + s * twice.x,
        w.y + 0.5 * once.y + s * twice.y,
        w.z + 0.5 * once.z + s * twice.z,
    )


@inlined
def lead_turners(reals, at, course, stage, h, root):
    """
    Poses and velocities of all turners at a stage, 4: at the end, from what the one before left.

    A root's velocity is in its own axes, its displacement in the world's. A ball's last three
    numbers are zero.
    """
    size = width(root)
    reach = h if stage == 3 else 0.5 * h
    sixth = h / 6.0
    none = spread(0.0, root)
    for t in range(at.roots + at.balls):
        turner = (at.joints + 6 * t) * size
        V0, V = course.v + turner, course.stage_v + turner
        D, S = at.displacement + 6 * t * size, course.turning + 6 * t * size
        before = V0 if stage == 1 else V
        turning, moving = vector_at(reals, before, 0, root), vector_at(reals, before, 3, root)
        moving = times(matrix_at(reals, at.axes + 9 * t * size, 0, root), moving)
        turned, moved = Vector(none, none, none), Vector(none, none, none)  # sums so far
        weight = 1.0
        if stage > 1:
            turning = turner_rate(vector_at(reals, D, 0, root), turning)
            turned, moved = vector_at(reals, S, 0, root), vector_at(reals, S, 3, root)
            weight = 1.0 if stage == 4 else 2.0
        turned, moved = plus_scaled(turned, weight, turning), plus_scaled(moved, weight, moving)
        A = course.rate + turner
        if stage < 4:
            put_vector(reals, S, 0, turned)
            put_vector(reals, S, 3, moved)
            theta, shift = scaled(reach, turning), scaled(reach, moving)
            put_vector(reals, D, 0, theta)
            A = A + at.entries * (stage - 1) * size
            for k in (0, 3):
                fast = vector_at(reals, V0, k, root)
                put_vector(reals, V, k, plus_scaled(fast, reach, vector_at(reals, A, k, root)))
        else:
            theta, shift = scaled(sixth, turned), scaled(sixth, moved)
            step = at.entries * size
            for k in (0, 3):
                a0, a1 = vector_at(reals, A, k, root), vector_at(reals, A + step, k, root)
                a2 = vector_at(reals, A + 2 * step, k, root)
                a3 = vector_at(reals, A + 3 * step, k, root)
                gained = plus(plus_scaled(a0, 2.0, plus(a1, a2)), a3)
                fast = vector_at(reals, V0, k, root)
                put_vector(reals, V, k, plus_scaled(fast, sixth, gained))
        pose = t * POSE * size
        displace_turner(reals, course.pose + pose, theta, shift, course.stage_pose + pose, root)
