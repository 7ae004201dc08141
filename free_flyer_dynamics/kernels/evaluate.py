# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Forward dynamics of a forest at O(n): the list of its passes, and the third of them."""

from free_flyer_dynamics.kernels._jit import inlined
from free_flyer_dynamics.kernels.blocks import turn_back, Vector
from free_flyer_dynamics.kernels.inward import inward
from free_flyer_dynamics.kernels.lanes import constant, constant_width, fused, load, store, width
from free_flyer_dynamics.kernels.layout import (
    ACCELERATION,
    CONSTANTS,
    COS_ALPHA,
    COS_GAMMA,
    FIRST,
    GAIN,
    LAST,
    MIXED,
    PACK,
    SHIFT,
    SIN_ALPHA,
    SIN_GAMMA,
    TIPPED,
    VELOCITY_PRODUCT,
    WORK,
)
from free_flyer_dynamics.kernels.mixed import mixed_accelerations
from free_flyer_dynamics.kernels.outward import outward
from free_flyer_dynamics.kernels.pushes import push, take_off
from free_flyer_dynamics.kernels.roots import solve_roots, start_slots
from free_flyer_dynamics.kernels.tables import pack_size, put_slot_vector, slot_vector, vector_at
from free_flyer_dynamics.kernels.wheels import bias_of_wheels, turn_wheels


@inlined
def evaluate(
    # arena
    ints,
    reals,
    at,
    course,
    # where coordinates of joints and turners, velocities, their rates and momentum's are in it
    q,
    pose,
    v,
    vdot,
    gain,
    # tags: of rows, of roots, and of tables read straight through
    lane,
    root,
    wide,
):
    """
    Fill vdot: rates of velocities under drives and wrenches, gravity on what is anchored.

    Sines and axes are known.
    """
    start_slots(reals, at, v, root, wide)
    if course.wrenches:
        push(ints, reals, at, course, q, pose, gain, lane, root, wide)
    outward(ints, reals, at, q, v, lane, root)
    if course.wrenches:
        take_off(ints, reals, at, course, lane, root)
    bias_of_wheels(ints, reals, at, v, root)
    inward(ints, reals, at, q, v, lane, root)
    solve_roots(reals, at, v, vdot, root)
    outward_again(ints, reals, at, q, vdot, lane, root)
    turn_wheels(ints, reals, at, v, vdot, root)


@inlined
def outward_again(ints, reals, at, q, vdot, lane, root):
    """Third pass, root to tips: each joint's acceleration, and the bodies' that follow."""
    lanes = width(lane) // width(root)
    for p in range(at.packs):
        pack = at.pack + p * pack_size(lane, root)
        first, last = ints[pack + FIRST], ints[pack + LAST]
        mixed = ints[pack + MIXED] != 0
        alpha = slot_vector(reals, at, ints, pack + PACK, ACCELERATION, lane)
        a = slot_vector(reals, at, ints, pack + PACK, ACCELERATION + 3, lane)
        K = at.constant + first * CONSTANTS * constant_width(lane)
        c, s = constant(reals, K, COS_GAMMA, lane), constant(reals, K, SIN_GAMMA, lane)
        px, py = turn_back(alpha.x, alpha.y, c, s)
        ax, ay = turn_back(a.x, a.y, c, s)
        pz, az = alpha.z, a.z
        for row in range(first, last):
            K = at.constant + row * CONSTANTS * constant_width(lane)
            W = at.work + row * WORK * width(lane)
            c, s = constant(reals, K, COS_ALPHA, lane), constant(reals, K, SIN_ALPHA, lane)
            # py and pz hang on pz, which the row inboard finds last: it comes in last
            py, pz = fused(s, pz, c * py), fused(c, pz, -(s * py))
            if mixed and ints[at.mixed + row]:
                ay, az = turn_back(ay, az, c, s)
                alpha, a = mixed_accelerations(
                    ints,
                    reals,
                    at,
                    row,
                    q,
                    vdot,
                    Vector(px, py, pz),
                    Vector(ax, ay, az),
                    lane,
                    root,
                )
                px, py, pz = alpha.x, alpha.y, alpha.z
                ax, ay, az = a.x, a.y, a.z
            else:
                g = vector_at(reals, W, VELOCITY_PRODUCT + 3, lane)
                ay, az = c * ay + (s * az + g.y), c * az + (g.z - s * ay)
                rx, ry = constant(reals, K, SHIFT, lane), constant(reals, K, SHIFT + 1, lane)
                c, s = load(reals, at.cosine, row, lane), load(reals, at.sine, row, lane)
                d1, d2 = load(reals, W, GAIN, lane), load(reals, W, GAIN + 1, lane)
                d4, d5 = load(reals, W, GAIN + 2, lane), load(reals, W, GAIN + 3, lane)
                d6 = load(reals, W, GAIN + 4, lane)
                # all that neither py nor pz has a part in
                az, ax = az + px * ry, ax + g.x
                hx, hy = (
                    load(reals, W, VELOCITY_PRODUCT, lane),
                    load(reals, W, VELOCITY_PRODUCT + 1, lane),
                )
                px = px + hx
                body = load(reals, W, GAIN + 5, lane) - d6 * az - d4 * ax - d5 * ay
                body = body - (d1 * px + d2 * hy)
                px, y = turn_back(px, hy, c, s)
                ax, ay = turn_back(ax, ay, c, s)
                # and the parts of both
                ux, uy = turn_back(rx, ry, c, s)
                body = fused(d6 * rx - d2, py, body)
                body = fused(d4 * ry - d5 * rx, pz, body)
                store(reals, vdot, row, body - pz)
                ax, ay, az = ax - pz * uy, ay + pz * ux, az - py * rx
                px, py, pz = fused(s, py, px), fused(c, py, y), body
        if ints[pack + TIPPED]:
            put_slot_vector(
                reals, at, ints, pack + PACK + lanes, ACCELERATION, Vector(px, py, pz), lane
            )
            put_slot_vector(
                reals, at, ints, pack + PACK + lanes, ACCELERATION + 3, Vector(ax, ay, az), lane
            )
