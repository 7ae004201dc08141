# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Mass, centre, inertia and momentum of free trees, of what lies outboard summed inward in one pass.

The sums hold the momentum that the joints' rates make; that of the root's own motion follows from
them at the end.
"""

from free_flyer_dynamics.kernels._jit import inlined
from free_flyer_dynamics.kernels.blocks import (
    cross,
    dot,
    form_about_x,
    form_about_z,
    plus,
    plus_form,
    plus_scaled,
    Symmetric,
    times_form,
    Vector,
    vector_about_x,
    vector_about_z,
)
from free_flyer_dynamics.kernels.lanes import (
    constant,
    constant_width,
    gather_slots,
    load,
    spread,
    store,
    width,
)
from free_flyer_dynamics.kernels.layout import (
    BALL,
    CARRYING,
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
    PACK,
    SHIFT,
    SIN_ALPHA,
    SIN_GAMMA,
    SIN_SIN,
    SLOT,
    SPUN_INERTIA,
    SPUN_MOMENTUM,
    TIPPED,
)
from free_flyer_dynamics.kernels.outward import shift_of
from free_flyer_dynamics.kernels.tables import (
    ball_vector,
    constant_vector,
    deliver,
    either,
    form_at,
    inertia_of,
    pack_size,
    slot_vector,
    vector_at,
)
from free_flyer_dynamics.kernels.wheels import sums_of_wheels

# What is summed at a slot.
SUM_MASS, SUM_MOMENT, SUM_INERTIA, SUM_ANGULAR, SUM_LINEAR = 0, 1, 4, 10, 13
SUMS = 16


@inlined
def _sums_at(reals, at, ints, where, lane):
    k = gather_slots(reals, at.slot, SLOT, ints, where, lane)
    J = Symmetric(k[4], k[5], k[6], k[7], k[8], k[9])
    L, P = Vector(k[10], k[11], k[12]), Vector(k[13], k[14], k[15])
    return k[0], Vector(k[1], k[2], k[3]), J, L, P


@inlined
def _plus_spun(reals, at, ints, where, J, L, lane):
    """Add the spin of the wheels that are carried."""
    own = slot_vector(reals, at, ints, where, SPUN_INERTIA, lane)
    more = slot_vector(reals, at, ints, where, SPUN_INERTIA + 3, lane)
    J = plus_form(J, Symmetric(own.x, own.y, own.z, more.x, more.y, more.z))
    return J, plus(L, slot_vector(reals, at, ints, where, SPUN_MOMENTUM, lane))


@inlined
def _no_sums(lane):
    zero = spread(0.0, lane)
    none = Vector(zero, zero, zero)
    return zero, none, Symmetric(zero, zero, zero, zero, zero, zero), none, none


@inlined
def _turned(h, L, P, J, c, s):
    """Turn sums about z, by the angle whose cosine and sine are c and s."""
    J = form_about_z(J, c, s, s * s, c * s)
    return vector_about_z(h, c, s), vector_about_z(L, c, s), vector_about_z(P, c, s), J


@inlined
def _beyond_hinge(reals, at, row, v, m, h, J, L, P, lane):
    """Take sums to a hinge's parent, in the axes between the two turns."""
    K = at.constant + row * CONSTANTS * constant_width(lane)
    rate = load(reals, v, row, lane)
    L = Vector(L.x + rate * J.xz, L.y + rate * J.yz, L.z + rate * J.zz)
    P = Vector(P.x - rate * h.y, P.y + rate * h.x, P.z)
    c, s = load(reals, at.cosine, row, lane), load(reals, at.sine, row, lane)
    h, L, P, J = _turned(h, L, P, J, c, s)
    x, y = constant(reals, K, SHIFT, lane), constant(reals, K, SHIFT + 1, lane)
    hx, hy = h.x + m * x, h.y + m * y
    along_x, along_y = (h.x + hx) * x, (h.y + hy) * y
    J = Symmetric(
        J.xx + along_y,
        J.xy - h.x * y - hy * x,
        J.xz - h.z * x,
        J.yy + along_x,
        J.yz - h.z * y,
        J.zz + along_x + along_y,
    )
    L = Vector(L.x + y * P.z, L.y - x * P.z, L.z + (x * P.y - y * P.x))
    return Vector(hx, hy, h.z), J, L, P


@inlined
def _beyond_any(ints, reals, at, row, q, v, m, h, J, L, P, lane, root):
    """Do the same for a joint of any kind."""
    if ints[at.mixed + row] & BALL:
        w = ball_vector(ints, reals, at, v, row, 0, lane, root)
        L, P = plus(L, times_form(J, w)), plus(P, cross(w, h))
    else:
        rate, turns = load(reals, v, row, lane), constant(reals, at.turns, row, lane)
        zero = spread(0.0, lane)
        more = either(turns, Vector(J.xz, J.yz, J.zz), Vector(h.y, -h.x, zero))
        L = plus_scaled(L, rate, more)
        P = plus_scaled(P, rate, either(turns, Vector(-h.y, h.x, zero), Vector(zero, zero, m)))
    c, s = load(reals, at.cosine, row, lane), load(reals, at.sine, row, lane)
    h, L, P, J = _turned(h, L, P, J, c, s)
    r = shift_of(reals, at, row, q, lane)
    both = plus_scaled(plus(h, h), m, r)
    across = dot(both, r)
    J = Symmetric(
        J.xx + across - both.x * r.x,
        J.xy - h.x * r.y - h.y * r.x - m * r.x * r.y,
        J.xz - h.x * r.z - h.z * r.x - m * r.x * r.z,
        J.yy + across - both.y * r.y,
        J.yz - h.y * r.z - h.z * r.y - m * r.y * r.z,
        J.zz + across - both.z * r.z,
    )
    return plus_scaled(h, m, r), J, plus(L, cross(r, P)), P


@inlined
def collect(ints, reals, at, q, v, lane, root):
    """Sum mass, first moment, inertia and momentum by the joints' rates at the slots."""
    lanes = width(lane) // width(root)
    zero = spread(0.0, root)
    for i in range(at.slots - 1):  # the last one stays zero
        slot = at.slot + i * SLOT * width(root)
        for k in range(SUMS):
            store(reals, slot, k, zero)
    sums_of_wheels(ints, reals, at, v, root)
    for p in range(at.packs - 1, -1, -1):
        pack = at.pack + p * pack_size(lane, root)
        first, last = ints[pack + FIRST], ints[pack + LAST]
        mixed = ints[pack + MIXED] != 0
        m, h, J, L, P = _no_sums(lane)
        if ints[pack + TIPPED]:
            m, h, J, L, P = _sums_at(reals, at, ints, pack + PACK + lanes, lane)
            if ints[pack + TIPPED] == CARRYING:
                J, L = _plus_spun(reals, at, ints, pack + PACK + lanes, J, L, lane)
        for row in range(last - 1, first - 1, -1):
            K = at.constant + row * CONSTANTS * constant_width(lane)
            m = m + constant(reals, K, MASS, lane)
            h = plus(h, constant_vector(reals, K, MOMENT, lane))
            J = plus_form(J, inertia_of(reals, K, lane))
            if mixed and ints[at.mixed + row] & ~HELD:
                h, J, L, P = _beyond_any(ints, reals, at, row, q, v, m, h, J, L, P, lane, root)
            else:
                h, J, L, P = _beyond_hinge(reals, at, row, v, m, h, J, L, P, lane)
            c, s = constant(reals, K, COS_ALPHA, lane), constant(reals, K, SIN_ALPHA, lane)
            ss, cs = constant(reals, K, SIN_SIN, lane), constant(reals, K, COS_SIN, lane)
            h, L, P = vector_about_x(h, c, s), vector_about_x(L, c, s), vector_about_x(P, c, s)
            J = form_about_x(J, c, s, ss, cs)
        K = at.constant + first * CONSTANTS * constant_width(lane)
        c, s = constant(reals, K, COS_GAMMA, lane), constant(reals, K, SIN_GAMMA, lane)
        h, L, P, J = _turned(h, L, P, J, c, s)
        sums = (
            m, h.x, h.y, h.z, J.xx, J.xy, J.xz, J.yy, J.yz, J.zz, L.x, L.y, L.z, P.x, P.y, P.z,
        )  # fmt: skip
        deliver(reals, at, ints, pack, sums, lane)


@inlined
def root_sums(reals, at, r, v, root):
    """Mass, first moment, inertia and momentum of a free tree, in its root's axes and origin."""
    slot = at.slot + (1 + r) * SLOT * width(root)
    K = at.body + r * CONSTANTS * constant_width(root)
    m = load(reals, slot, SUM_MASS, root) + constant(reals, K, MASS, root)
    h = plus(vector_at(reals, slot, SUM_MOMENT, root), constant_vector(reals, K, MOMENT, root))
    J = plus_form(inertia_of(reals, K, root), form_at(reals, slot, SUM_INERTIA, root))
    L = vector_at(reals, slot, SUM_ANGULAR, root)
    if at.wheels > 0:
        J = plus_form(J, form_at(reals, slot, SPUN_INERTIA, root))
        L = plus(L, vector_at(reals, slot, SPUN_MOMENTUM, root))
    P = vector_at(reals, slot, SUM_LINEAR, root)
    V = v + (at.joints + 6 * r) * width(root)
    w, u = vector_at(reals, V, 0, root), vector_at(reals, V, 3, root)
    L = plus(plus(L, times_form(J, w)), cross(h, u))
    return m, h, J, L, plus_scaled(plus(P, cross(w, h)), m, u)
