# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Momentum and centre of mass of free trees, and the rigid motion that brings them to their laws.

Two passes: velocities outward, then inward the sums over all outboard. Only roots' are wanted.
"""

from free_flyer_dynamics.kernels._jit import inlined
from free_flyer_dynamics.kernels.blocks import (
    cross,
    dot,
    exact_cross,
    form_about_x,
    form_about_z,
    Matrix,
    minus,
    plus,
    plus_cross,
    plus_diagonal,
    plus_form,
    Symmetric,
    times,
    times_form,
    times_transposed,
    Vector,
    vector_about_x,
    vector_about_z,
)
from free_flyer_dynamics.kernels.lanes import (
    constant,
    constant_width,
    gather,
    load,
    scatter_add,
    spread,
    store,
    total,
    width,
)
from free_flyer_dynamics.kernels.layout import (
    ACCELERATION,
    ALIKE,
    BALL,
    CONSTANTS,
    COS_ALPHA,
    COS_GAMMA,
    COS_SIN,
    FIRST,
    HELD,
    LAST,
    MASS,
    MIXED,
    MOMENT,
    OMEGA,
    PACK,
    POSE,
    SIN_ALPHA,
    SIN_GAMMA,
    SIN_SIN,
    SLIDING,
    SLOT,
    SPIN,
    TIPPED,
    WHEEL,
    WHEEL_AXIS,
    WORK,
)
from free_flyer_dynamics.kernels.outward import shift_of
from free_flyer_dynamics.kernels.roots import solve_six, wheel_outer, wheel_place
from free_flyer_dynamics.kernels.tables import (
    constant_vector,
    inertia_of,
    matrix_at,
    pack_size,
    put_slot_vector,
    put_vector,
    slot_vector,
    vector_at,
)

# What is summed at a slot.
SUM_MASS, SUM_MOMENT, SUM_INERTIA, SUM_ANGULAR, SUM_LINEAR = 0, 1, 4, 10, 13
SUMS = 16
VELOCITY = ACCELERATION  # of a slot's origin, where an evaluation has its acceleration


@inlined
def body_momentum(reals, K, w, v, lane):
    """Angular, about the frame's origin, and linear momentum of one body."""
    h = constant_vector(reals, K, MOMENT, lane)
    m = constant(reals, K, MASS, lane)
    p = cross(w, h)
    L = plus(times_form(inertia_of(reals, K, lane), w), cross(h, v))
    return L, Vector(p.x + m * v.x, p.y + m * v.y, p.z + m * v.z)


@inlined
def momenta(ints, reals, at, q, v, lane, root):
    """Keep every row's own momentum in its working room; velocities are v, sines are known."""
    lanes = width(lane) // width(root)
    zero = spread(0.0, root)
    for i in range(at.slots):
        slot = at.slot + i * SLOT * width(root)
        for k in range(SUMS):
            store(reals, slot, k, zero)
    put_vector(reals, at.slot, OMEGA, Vector(zero, zero, zero))
    put_vector(reals, at.slot, VELOCITY, Vector(zero, zero, zero))
    for r in range(at.roots):
        slot = at.slot + (1 + r) * SLOT * width(root)
        V = v + (at.joints + 6 * r) * width(root)
        put_vector(reals, slot, OMEGA, vector_at(reals, V, 0, root))
        put_vector(reals, slot, VELOCITY, Vector(zero, zero, zero))  # `root_sums` adds its own
    for p in range(at.packs):
        pack = at.pack + p * pack_size(lane, root)
        mixed = lanes == 1 and ints[pack + MIXED] != 0
        w = slot_vector(reals, at, ints, pack + PACK, OMEGA, lane)
        u = slot_vector(reals, at, ints, pack + PACK, VELOCITY, lane)
        K = at.constant + ints[pack + FIRST] * CONSTANTS * constant_width(lane)
        c, s = constant(reals, K, COS_GAMMA, lane), constant(reals, K, SIN_GAMMA, lane)
        w, u = vector_about_z(w, c, -s), vector_about_z(u, c, -s)
        for row in range(ints[pack + FIRST], ints[pack + LAST]):
            K = at.constant + row * CONSTANTS * constant_width(lane)
            c, s = constant(reals, K, COS_ALPHA, lane), constant(reals, K, SIN_ALPHA, lane)
            w, u = vector_about_x(w, c, -s), vector_about_x(u, c, -s)
            u = plus(u, cross(w, shift_of(ints, reals, at, row, q, mixed, lane)))
            c, s = load(reals, at.cosine, row, lane), load(reals, at.sine, row, lane)
            w, u = vector_about_z(w, c, -s), vector_about_z(u, c, -s)
            what = ints[at.row + 2 * row] & ~HELD if mixed else 0
            if what & BALL:
                turner = v + (at.joints + 6 * (at.roots + ints[at.row + 2 * row + 1])) * width(
                    root
                )
                w = plus(w, vector_at(reals, turner, 0, lane))
            elif what & SLIDING:
                u = Vector(u.x, u.y, u.z + load(reals, v, row, lane))
            else:
                w = Vector(w.x, w.y, w.z + load(reals, v, row, lane))
            L, P = body_momentum(reals, K, w, u, lane)
            W = at.work + row * WORK * width(lane)
            put_vector(reals, W, 0, L)
            put_vector(reals, W, 3, P)
        if ints[pack + TIPPED]:
            put_slot_vector(reals, at, ints, pack + PACK + lanes, OMEGA, w, lane)
            put_slot_vector(reals, at, ints, pack + PACK + lanes, VELOCITY, u, lane)


@inlined
def spread_of(J, h, m, r):
    """Inertia about a point from which the old one lies at r; h is the first moment before."""
    s = 2.0 * dot(h, r) + m * dot(r, r)
    x, y, z = 2.0 * h.x + m * r.x, 2.0 * h.y + m * r.y, 2.0 * h.z + m * r.z
    return Symmetric(
        J.xx + s - x * r.x,
        J.xy - h.x * r.y - h.y * r.x - m * r.x * r.y,
        J.xz - h.x * r.z - h.z * r.x - m * r.x * r.z,
        J.yy + s - y * r.y,
        J.yz - h.y * r.z - h.z * r.y - m * r.y * r.z,
        J.zz + s - z * r.z,
    )


@inlined
def _sums_at(reals, at, ints, where, lane):
    return (
        gather(reals, at.slot, SLOT, ints, where, SUM_MASS, lane),
        slot_vector(reals, at, ints, where, SUM_MOMENT, lane),
        Symmetric(
            gather(reals, at.slot, SLOT, ints, where, SUM_INERTIA, lane),
            gather(reals, at.slot, SLOT, ints, where, SUM_INERTIA + 1, lane),
            gather(reals, at.slot, SLOT, ints, where, SUM_INERTIA + 2, lane),
            gather(reals, at.slot, SLOT, ints, where, SUM_INERTIA + 3, lane),
            gather(reals, at.slot, SLOT, ints, where, SUM_INERTIA + 4, lane),
            gather(reals, at.slot, SLOT, ints, where, SUM_INERTIA + 5, lane),
        ),
        slot_vector(reals, at, ints, where, SUM_ANGULAR, lane),
        slot_vector(reals, at, ints, where, SUM_LINEAR, lane),
    )


@inlined
def _deliver(reals, at, ints, pack, k, value, lane):
    if ints[pack + ALIKE]:
        slot = at.slot + ints[pack + PACK] * SLOT
        store(reals, slot, k, reals[slot + k] + total(value))
    else:
        scatter_add(reals, at.slot, SLOT, ints, pack + PACK, k, value, lane)


@inlined
def collect(ints, reals, at, q, lane, root):
    """Sum mass, first moment, inertia and momentum of all rows at their roots."""
    lanes = width(lane) // width(root)
    for p in range(at.packs - 1, -1, -1):
        pack = at.pack + p * pack_size(lane, root)
        first, last = ints[pack + FIRST], ints[pack + LAST]
        mixed = lanes == 1 and ints[pack + MIXED] != 0
        # from the slots at the tips; where there are none, the last slot's zeros
        m, h, J, L, P = _sums_at(reals, at, ints, pack + PACK + lanes, lane)
        for row in range(last - 1, first - 1, -1):
            K = at.constant + row * CONSTANTS * constant_width(lane)
            W = at.work + row * WORK * width(lane)
            m = m + constant(reals, K, MASS, lane)
            h = plus(h, constant_vector(reals, K, MOMENT, lane))
            J = plus_form(J, inertia_of(reals, K, lane))
            L, P = plus(L, vector_at(reals, W, 0, lane)), plus(P, vector_at(reals, W, 3, lane))
            c, s = load(reals, at.cosine, row, lane), load(reals, at.sine, row, lane)
            h, L, P = vector_about_z(h, c, s), vector_about_z(L, c, s), vector_about_z(P, c, s)
            J = form_about_z(J, c, s, s * s, c * s)
            r = shift_of(ints, reals, at, row, q, mixed, lane)
            J = spread_of(J, h, m, r)
            L = plus(L, cross(r, P))
            h = Vector(h.x + m * r.x, h.y + m * r.y, h.z + m * r.z)
            c, s = constant(reals, K, COS_ALPHA, lane), constant(reals, K, SIN_ALPHA, lane)
            ss, cs = constant(reals, K, SIN_SIN, lane), constant(reals, K, COS_SIN, lane)
            h, L, P = vector_about_x(h, c, s), vector_about_x(L, c, s), vector_about_x(P, c, s)
            J = form_about_x(J, c, s, ss, cs)
        K = at.constant + first * CONSTANTS * constant_width(lane)
        c, s = constant(reals, K, COS_GAMMA, lane), constant(reals, K, SIN_GAMMA, lane)
        h, L, P = vector_about_z(h, c, s), vector_about_z(L, c, s), vector_about_z(P, c, s)
        J = form_about_z(J, c, s, s * s, c * s)
        sums = (
            m, h.x, h.y, h.z, J.xx, J.xy, J.xz, J.yy, J.yz, J.zz, L.x, L.y, L.z, P.x, P.y, P.z,
        )  # fmt: skip
        for k in range(SUMS):
            _deliver(reals, at, ints, pack, k, sums[k], lane)


@inlined
def root_sums(ints, reals, at, r, v, root):
    """Mass, first moment, inertia and momentum of a free tree, in its root's axes and origin."""
    slot = at.slot + (1 + r) * SLOT * width(root)
    K = at.body + r * CONSTANTS * constant_width(root)
    w, u = vector_at(reals, slot, OMEGA, root), vector_at(reals, slot, VELOCITY, root)
    L, P = body_momentum(reals, K, w, u, root)  # as if the root's origin stood still
    m = load(reals, slot, SUM_MASS, root) + constant(reals, K, MASS, root)
    h = plus(vector_at(reals, slot, SUM_MOMENT, root), constant_vector(reals, K, MOMENT, root))
    J = inertia_of(reals, K, root)
    J = Symmetric(
        J.xx + load(reals, slot, SUM_INERTIA, root),
        J.xy + load(reals, slot, SUM_INERTIA + 1, root),
        J.xz + load(reals, slot, SUM_INERTIA + 2, root),
        J.yy + load(reals, slot, SUM_INERTIA + 3, root),
        J.yz + load(reals, slot, SUM_INERTIA + 4, root),
        J.zz + load(reals, slot, SUM_INERTIA + 5, root),
    )
    L = plus(L, vector_at(reals, slot, SUM_ANGULAR, root))
    P = plus(P, vector_at(reals, slot, SUM_LINEAR, root))
    for k in range(at.wheels):
        if ints[at.wheel + 2 * k] == r:
            wheel = at.wheel_constant + k * WHEEL * constant_width(root)
            g = constant_vector(reals, wheel, WHEEL_AXIS, root)
            spin = constant(reals, wheel, SPIN, root)
            held = spin * (load(reals, v, wheel_place(at, k, root), root) + dot(g, w))
            L = Vector(L.x + held * g.x, L.y + held * g.y, L.z + held * g.z)
            J = plus_form(J, wheel_outer(g, spin))
    u = vector_at(reals, v + (at.joints + 6 * r) * width(root), 3, root)
    return m, h, J, plus(L, cross(h, u)), Vector(P.x + m * u.x, P.y + m * u.y, P.z + m * u.z)


@inlined
def restore(ints, reals, at, pose, v, center, momentum, root):
    """
    Move each free tree as one rigid body to the centre and the momentum of their laws.

    What an integrator misses of momentum is far below its own error: giving it back as a twist of
    the root leaves the order, and the law holds to the last digit.
    """
    zero = spread(0.0, root)
    none = Symmetric(zero, zero, zero, zero, zero, zero)
    empty = Matrix(zero, zero, zero, zero, zero, zero, zero, zero, zero)
    for r in range(at.roots):
        m, h, J, L, P = root_sums(ints, reals, at, r, v, root)
        R = matrix_at(reals, at.axes + 9 * r * width(root), 0, root)
        X = pose + r * POSE * width(root)
        x, now = vector_at(reals, X, 0, root), times(R, h)
        law = vector_at(reals, center + 6 * r * width(root), 0, root)
        x = Vector(
            x.x + (law.x - (now.x + m * x.x)) / m,
            x.y + (law.y - (now.y + m * x.y)) / m,
            x.z + (law.z - (now.z + m * x.z)) / m,
        )
        put_vector(reals, X, 0, x)
        # What is missing, about the root's origin: found in world axes, it is small when turned.
        H = momentum + 6 * r * width(root)
        linear = vector_at(reals, H, 3, root)
        angular = minus(vector_at(reals, H, 0, root), exact_cross(x, linear))
        linear, angular = minus(linear, times(R, P)), minus(angular, times(R, L))
        B = plus_cross(empty, h)
        turned, moved = solve_six(
            J,
            B,
            plus_diagonal(none, m),
            times_transposed(R, angular),
            times_transposed(R, linear),
        )
        V = v + (at.joints + 6 * r) * width(root)
        put_vector(reals, V, 0, plus(vector_at(reals, V, 0, root), turned))
        put_vector(reals, V, 3, plus(vector_at(reals, V, 3, root), moved))
