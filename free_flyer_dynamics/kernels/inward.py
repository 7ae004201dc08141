# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Second pass, tips to root: articulated inertias, each joint's freedom taken out as it is passed.

[RBDA] table 7.1, pass 2. A link's frame has z on its joint's axis, so U and D are a column of the
inertia; taking the joint out leaves row and column z empty, and what is left, 15 numbers, goes to
the parent by a turn about z, a shift in the plane and a turn about x.
"""

from free_flyer_dynamics.kernels._jit import inlined
from free_flyer_dynamics.kernels.blocks import (
    form_about_x,
    form_about_z,
    Matrix,
    plus,
    plus_cross,
    plus_diagonal,
    plus_form,
    square_about_x,
    square_about_z,
    Symmetric,
    turn,
    turn_form,
    turn_square,
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
    BIAS,
    CARRYING,
    CONSTANTS,
    COS_ALPHA,
    COS_GAMMA,
    COS_SIN,
    DAMPING,
    FIRST,
    GAIN,
    GIVE,
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
    SPUN,
    TIPPED,
    VELOCITY_PRODUCT,
    WORK,
)
from free_flyer_dynamics.kernels.mixed import mixed_row
from free_flyer_dynamics.kernels.tables import (
    constant_vector,
    deliver,
    inertia_of,
    pack_size,
    slot_vector,
    vector_at,
)
from free_flyer_dynamics.kernels.tips import tip_row


@inlined
def nothing(zero):
    """Blocks and forces of what has no inertia."""
    return (
        Symmetric(zero, zero, zero, zero, zero, zero),
        Matrix(zero, zero, zero, zero, zero, zero, zero, zero, zero),
        Symmetric(zero, zero, zero, zero, zero, zero),
        Vector(zero, zero, zero),
        Vector(zero, zero, zero),
    )


@inlined
def _gathered(reals, at, ints, where, lane):
    """Blocks and forces collected at the slots of the lanes."""
    k = gather_slots(reals, at.slot, SLOT, ints, where, lane)
    return (
        Symmetric(k[0], k[1], k[2], k[3], k[4], k[5]),
        Matrix(k[6], k[7], k[8], k[9], k[10], k[11], k[12], k[13], k[14]),
        Symmetric(k[15], k[16], k[17], k[18], k[19], k[20]),
        Vector(k[21], k[22], k[23]),
        Vector(k[24], k[25], k[26]),
    )


@inlined
def _deliver(reals, at, ints, pack, A, B, C, n, f, lane):
    """Add blocks and forces to the slots the lanes hang on."""
    collected = (
        A.xx, A.xy, A.xz, A.yy, A.yz, A.zz,
        B.xx, B.xy, B.xz, B.yx, B.yy, B.yz, B.zx, B.zy, B.zz,
        C.xx, C.xy, C.xz, C.yy, C.yz, C.zz, n.x, n.y, n.z, f.x, f.y, f.z,
    )  # fmt: skip
    deliver(reals, at, ints, pack, collected, lane)


@inlined
def _revolute_row(reals, at, row, v, A, B, C, n, f, lane):
    """
    Take a revolute joint out of an inertia and its bias, and carry both to the parent.

    D = 1 / Azz, gains U D and what the joint would do alone are kept for the third pass. The
    division runs beside the turn about z, which does not wait for it.
    """
    K = at.constant + row * CONSTANTS * constant_width(lane)
    W = at.work + row * WORK * width(lane)
    tau = load(reals, at.drive, row, lane) - constant(reals, K, DAMPING, lane) * load(
        reals, v, row, lane
    )
    u = tau - n.z
    D = 1.0 / A.zz
    c, s = load(reals, at.cosine, row, lane), load(reals, at.sine, row, lane)
    ss, cs = s * s, c * s
    # about z, all of it: into the axes between the two turns
    u1, u2 = turn(A.xz, A.yz, c, s)
    u4, u5 = turn(B.zx, B.zy, c, s)
    u6 = B.zz
    axx, axy, ayy = turn_form(A.xx, A.xy, A.yy, ss, cs)
    bxx, bxy, byx, byy = turn_square(B.xx, B.xy, B.yx, B.yy, ss, cs)
    bxz, byz = turn(B.xz, B.yz, c, s)
    cxx, cxy, cyy = turn_form(C.xx, C.xy, C.yy, ss, cs)
    cxz, cyz = turn(C.xz, C.yz, c, s)
    nx, ny = turn(n.x, n.y, c, s)
    fx, fy = turn(f.x, f.y, c, s)
    # less U D U.T
    d1, d2, d4, d5, d6 = u1 * D, u2 * D, u4 * D, u5 * D, u6 * D
    axx, axy, ayy = axx - u1 * d1, axy - u1 * d2, ayy - u2 * d2
    bxx, bxy, bxz = bxx - u1 * d4, bxy - u1 * d5, bxz - u1 * d6
    byx, byy, byz = byx - u2 * d4, byy - u2 * d5, byz - u2 * d6
    cxx, cxy, cxz = cxx - u4 * d4, cxy - u4 * d5, cxz - u4 * d6
    cyy, cyz, czz = cyy - u5 * d5, cyz - u5 * d6, C.zz - u6 * d6
    px, py = (
        load(reals, W, VELOCITY_PRODUCT, lane),
        load(reals, W, VELOCITY_PRODUCT + 1, lane),
    )
    g = vector_at(reals, W, VELOCITY_PRODUCT + 3, lane)
    store(reals, W, GIVE, D)
    store(reals, W, GAIN, d1)
    store(reals, W, GAIN + 1, d2)
    store(reals, W, GAIN + 2, d4)
    store(reals, W, GAIN + 3, d5)
    store(reals, W, GAIN + 4, d6)
    alone = u * D - ((d1 * px + d2 * py) + (d4 * g.x + d5 * g.y) + d6 * g.z)
    store(reals, W, GAIN + 5, alone)
    nx = (nx + d1 * u) + ((axx * px + axy * py) + (bxx * g.x + bxy * g.y + bxz * g.z))
    ny = (ny + d2 * u) + ((axy * px + ayy * py) + (byx * g.x + byy * g.y + byz * g.z))
    fx = (fx + d4 * u) + ((bxx * px + byx * py) + (cxx * g.x + cxy * g.y + cxz * g.z))
    fy = (fy + d5 * u) + ((bxy * px + byy * py) + (cxy * g.x + cyy * g.y + cyz * g.z))
    fz = (f.z + d6 * u) + ((bxz * px + byz * py) + (cxz * g.x + cyz * g.y + czz * g.z))
    # to the parent's origin: `shifted` with r.z and what the joint took out left away
    rx, ry = constant(reals, K, SHIFT, lane), constant(reals, K, SHIFT + 1, lane)
    hxz, hyz = bxz, byz
    bxx, bxy, bxz = bxx + ry * cxz, bxy + ry * cyz, bxz + ry * czz
    byx, byy, byz = byx - rx * cxz, byy - rx * cyz, byz - rx * czz
    bzx, bzy, bzz = rx * cxy - ry * cxx, rx * cyy - ry * cxy, rx * cyz - ry * cxz
    axx, axy, ayy = axx + ry * (hxz + bxz), axy - rx * hxz + ry * byz, ayy - rx * (hyz + byz)
    axz, ayz, azz = rx * bxy - ry * bxx, rx * byy - ry * byx, rx * bzy - ry * bzx
    nx, ny, nz = nx + ry * fz, ny - rx * fz, tau + rx * fy - ry * fx
    return _about_x(
        reals,
        K,
        Symmetric(axx, axy, axz, ayy, ayz, azz),
        Matrix(bxx, bxy, bxz, byx, byy, byz, bzx, bzy, bzz),
        Symmetric(cxx, cxy, cxz, cyy, cyz, czz),
        Vector(nx, ny, nz),
        Vector(fx, fy, fz),
        lane,
    )


@inlined
def _about_x(reals, K, A, B, C, n, f, lane):
    c, s = constant(reals, K, COS_ALPHA, lane), constant(reals, K, SIN_ALPHA, lane)
    ss, cs = constant(reals, K, SIN_SIN, lane), constant(reals, K, COS_SIN, lane)
    return (
        form_about_x(A, c, s, ss, cs),
        square_about_x(B, c, s, ss, cs),
        form_about_x(C, c, s, ss, cs),
        vector_about_x(n, c, s),
        vector_about_x(f, c, s),
    )


@inlined
def inward(ints, reals, at, q, v, lane, root):
    """Articulated inertias and biases at all slots, and every row's gains. Slots come cleared."""
    lanes = width(lane) // width(root)
    for p in range(at.packs - 1, -1, -1):
        pack = at.pack + p * pack_size(lane, root)
        first, last = ints[pack + FIRST], ints[pack + LAST]
        mixed = ints[pack + MIXED] != 0
        start = last - 1
        if ints[pack + TIPPED]:
            A, B, C, n, f = _gathered(reals, at, ints, pack + PACK + lanes, lane)
            if ints[pack + TIPPED] == CARRYING:
                n = plus(n, slot_vector(reals, at, ints, pack + PACK + lanes, SPUN, lane))
        elif mixed and ints[at.mixed + start]:
            A, B, C, n, f = nothing(spread(0.0, lane))
        else:
            A, B, C, n, f = tip_row(reals, at, start, v, lane)
            start -= 1
        for row in range(start, first - 1, -1):
            K = at.constant + row * CONSTANTS * constant_width(lane)
            W = at.work + row * WORK * width(lane)
            A = plus_form(A, inertia_of(reals, K, lane))
            B = plus_cross(B, constant_vector(reals, K, MOMENT, lane))
            C = plus_diagonal(C, constant(reals, K, MASS, lane))
            n = plus(n, vector_at(reals, W, BIAS, lane))
            f = plus(f, vector_at(reals, W, BIAS + 3, lane))
            if mixed and ints[at.mixed + row]:
                A, B, C, n, f = mixed_row(ints, reals, at, row, q, v, A, B, C, n, f, lane, root)
                A, B, C, n, f = _about_x(reals, K, A, B, C, n, f, lane)
            else:
                A, B, C, n, f = _revolute_row(reals, at, row, v, A, B, C, n, f, lane)
        K = at.constant + first * CONSTANTS * constant_width(lane)
        c, s = constant(reals, K, COS_GAMMA, lane), constant(reals, K, SIN_GAMMA, lane)
        A = form_about_z(A, c, s, s * s, c * s)
        B = square_about_z(B, c, s, s * s, c * s)
        C = form_about_z(C, c, s, s * s, c * s)
        n, f = vector_about_z(n, c, s), vector_about_z(f, c, s)
        _deliver(reals, at, ints, pack, A, B, C, n, f, lane)
