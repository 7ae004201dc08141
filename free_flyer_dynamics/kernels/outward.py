# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
First pass, root to tips: angular velocities, and what they make of forces and accelerations.

Only angular velocities are passed on. Accelerations are classical ones, of points, so by
Galileo's relativity no linear velocity of a body matters to them.
"""

from free_flyer_dynamics.kernels._jit import inlined
from free_flyer_dynamics.kernels.blocks import (
    cross,
    dot,
    plus,
    times_form,
    turn,
    turn_back,
    Vector,
)
from free_flyer_dynamics.kernels.lanes import (
    any_above,
    constant,
    constant_width,
    fused,
    load,
    spread,
    store,
    where_above,
    width,
)
from free_flyer_dynamics.kernels.layout import (
    BALL,
    BIAS,
    CONSTANTS,
    COS_ALPHA,
    COS_GAMMA,
    FIRST,
    HELD,
    LAST,
    MIXED,
    MOMENT,
    OMEGA,
    PACK,
    SHIFT,
    SIN_ALPHA,
    SIN_GAMMA,
    TIPPED,
    VELOCITY_PRODUCT,
    WORK,
)
from free_flyer_dynamics.kernels.tables import (
    ball_vector,
    constant_vector,
    inertia_of,
    pack_size,
    put_slot_vector,
    put_vector,
    slot_vector,
)
from free_flyer_dynamics.kernels.trig import NEAR, sine_cosine, turned_on


@inlined
def trigonometry(reals, at, q, entries, lane):
    """Cosines and sines of all joints' angles, where a step begins or ends."""
    for i in range((entries + width(lane) - 1) // width(lane)):
        angle = fused(
            constant(reals, at.turns, i, lane),
            load(reals, q, i, lane),
            constant(reals, at.zero, i, lane),
        )
        s, c = sine_cosine(angle)
        store(reals, at.cosine, i, c)
        store(reals, at.sine, i, s)


@inlined
def trigonometry_on(reals, at, i, angle, on, lane):
    """Lead cosines and sines on to angles a little further; what has come far is found anew."""
    turns = constant(reals, at.turns, i, lane)
    on = turns * on
    s, c = turned_on(load(reals, at.sine, i, lane), load(reals, at.cosine, i, lane), on)
    far = on * on
    if any_above(far, NEAR * NEAR):
        anew = sine_cosine(fused(turns, angle, constant(reals, at.zero, i, lane)))
        s = where_above(far, NEAR * NEAR, anew[0], s)
        c = where_above(far, NEAR * NEAR, anew[1], c)
    store(reals, at.cosine, i, c)
    store(reals, at.sine, i, s)


@inlined
def gyroscopic(reals, C, w, lane):
    """Moment w x J w and force w (w.h) - w^2 h that a body's turning takes."""
    h = constant_vector(reals, C, MOMENT, lane)
    n = cross(w, times_form(inertia_of(reals, C, lane), w))
    along, square = dot(w, h), dot(w, w)
    f = Vector(w.x * along - square * h.x, w.y * along - square * h.y, w.z * along - square * h.z)
    return n, f


@inlined
def outward(ints, reals, at, q, v, lane, root):
    """Velocity products and biases of all rows; slots of roots have their angular velocity."""
    lanes = width(lane) // width(root)
    for p in range(at.packs):
        pack = at.pack + p * pack_size(lane, root)
        first, last = ints[pack + FIRST], ints[pack + LAST]
        mixed = ints[pack + MIXED] != 0
        w = slot_vector(reals, at, ints, pack + PACK, OMEGA, lane)
        C = at.constant + first * CONSTANTS * constant_width(lane)
        x, y = turn_back(
            w.x, w.y, constant(reals, C, COS_GAMMA, lane), constant(reals, C, SIN_GAMMA, lane)
        )
        z = w.z
        for row in range(first, last):
            C = at.constant + row * CONSTANTS * constant_width(lane)
            W = at.work + row * WORK * width(lane)
            y, z = turn_back(
                y, z, constant(reals, C, COS_ALPHA, lane), constant(reals, C, SIN_ALPHA, lane)
            )
            c, s = load(reals, at.cosine, row, lane), load(reals, at.sine, row, lane)
            if mixed and ints[at.mixed + row] & ~HELD:
                w = _turn_or_slide(ints, reals, at, row, q, v, Vector(x, y, z), c, s, lane, root)
                x, y, z = w.x, w.y, w.z
            else:
                rate = load(reals, v, row, lane)
                rx, ry = constant(reals, C, SHIFT, lane), constant(reals, C, SHIFT + 1, lane)
                # w x (w x r), r in the plane; then w x (z rate)
                g = x * ry - y * rx
                gx, gy = z * rx, z * ry
                store(reals, W, VELOCITY_PRODUCT, y * rate)
                store(reals, W, VELOCITY_PRODUCT + 1, -(x * rate))
                store(reals, W, VELOCITY_PRODUCT + 3, y * g - z * gx)
                store(reals, W, VELOCITY_PRODUCT + 4, -(x * g) - z * gy)
                store(reals, W, VELOCITY_PRODUCT + 5, x * gx + y * gy)
                x, y = turn_back(x, y, c, s)
                z = z + rate
            n, f = gyroscopic(reals, C, Vector(x, y, z), lane)
            put_vector(reals, W, BIAS, n)
            put_vector(reals, W, BIAS + 3, f)
        if ints[pack + TIPPED]:
            put_slot_vector(reals, at, ints, pack + PACK + lanes, OMEGA, Vector(x, y, z), lane)


@inlined
def shift_of(reals, at, row, q, lane):
    """Where a row's body lies on its parent, in the axes between its two turns: any joint's."""
    r = constant_vector(reals, at.constant + row * CONSTANTS * constant_width(lane), SHIFT, lane)
    turns, moved = constant(reals, at.turns, row, lane), load(reals, q, row, lane)
    return Vector(r.x, r.y, where_above(turns, 0.0, r.z, r.z + moved))


@inlined
def _turn_or_slide(ints, reals, at, row, q, v, w, c, s, lane, root):
    """Do the same for joints of all kinds; w comes in the axes between the two turns."""
    W = at.work + row * WORK * width(lane)
    along = cross(w, cross(w, shift_of(reals, at, row, q, lane)))
    if ints[at.mixed + row] & BALL:
        own = ball_vector(ints, reals, at, v, row, 0, lane, root)
        x, y = turn(own.x, own.y, c, s)
        put_vector(reals, W, VELOCITY_PRODUCT, cross(w, Vector(x, y, own.z)))
    else:
        rate, turns = load(reals, v, row, lane), constant(reals, at.turns, row, lane)
        zero = spread(0.0, lane)
        spin = where_above(turns, 0.0, rate, zero)
        slide = where_above(turns, 0.0, zero, rate)
        twice = slide + slide
        store(reals, W, VELOCITY_PRODUCT, w.y * spin)
        store(reals, W, VELOCITY_PRODUCT + 1, -(w.x * spin))
        along = Vector(along.x + w.y * twice, along.y - w.x * twice, along.z)
        own = Vector(zero, zero, spin)
    put_vector(reals, W, VELOCITY_PRODUCT + 3, along)
    x, y = turn_back(w.x, w.y, c, s)
    return plus(Vector(x, y, w.z), own)
