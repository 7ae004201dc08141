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
    form_about_z,
    Matrix,
    plus,
    plus_cross,
    plus_diagonal,
    plus_form,
    square_about_z,
    Symmetric,
    Vector,
    vector_about_z,
)
from free_flyer_dynamics.kernels.inboard import inboard, onto_body
from free_flyer_dynamics.kernels.lanes import (
    constant,
    constant_width,
    gather_slots,
    load,
    reciprocal,
    spread,
    width,
)
from free_flyer_dynamics.kernels.layout import (
    BIAS,
    CARRYING,
    CONSTANTS,
    COS_GAMMA,
    DAMPING,
    FIRST,
    LAST,
    MASS,
    MIXED,
    MOMENT,
    PACK,
    SHIFT,
    SIN_GAMMA,
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
    keep_give,
    pack_size,
    put_gains,
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
def _with_body(reals, K, W, A, B, C, n, f, lane):
    """Blocks and forces with a row's own body added."""
    A = plus_form(A, inertia_of(reals, K, lane))
    B = plus_cross(B, constant_vector(reals, K, MOMENT, lane))
    C = plus_diagonal(C, constant(reals, K, MASS, lane))
    n = plus(n, vector_at(reals, W, BIAS, lane))
    return A, B, C, n, plus(f, vector_at(reals, W, BIAS + 3, lane))


@inlined
def _revolute_row(reals, at, row, v, A, B, C, n, f, lane):
    """
    Take a revolute joint out of an inertia and its bias, and carry both to the parent's origin.

    They come out in the axes between the two turns. D = 1 / Azz, gains U D and what the joint
    would do alone are kept for the third pass.
    """
    K = at.constant + row * CONSTANTS * constant_width(lane)
    W = at.work + row * WORK * width(lane)
    tau = load(reals, at.drive, row, lane) - constant(reals, K, DAMPING, lane) * load(
        reals, v, row, lane
    )
    u = tau - n.z
    D = reciprocal(A.zz)
    # about z, into the axes between the two turns, while D is waited for
    c, s = load(reals, at.cosine, row, lane), load(reals, at.sine, row, lane)
    ss, cs = s * s, c * s
    A, C = form_about_z(A, c, s, ss, cs), form_about_z(C, c, s, ss, cs)
    B = square_about_z(B, c, s, ss, cs)
    n, f = vector_about_z(n, c, s), vector_about_z(f, c, s)
    # less U D U.T
    d1, d2, d4, d5, d6 = A.xz * D, A.yz * D, B.zx * D, B.zy * D, B.zz * D
    keep_give(reals, W, D, lane)
    put_gains(reals, W, d1, d2, d4, d5, d6, u * D)
    axx, axy, ayy = A.xx - A.xz * d1, A.xy - A.xz * d2, A.yy - A.yz * d2
    bxx, bxy, bxz = B.xx - A.xz * d4, B.xy - A.xz * d5, B.xz - A.xz * d6
    byx, byy, byz = B.yx - A.yz * d4, B.yy - A.yz * d5, B.yz - A.yz * d6
    cxx, cxy, cxz = C.xx - B.zx * d4, C.xy - B.zx * d5, C.xz - B.zx * d6
    cyy, cyz, czz = C.yy - B.zy * d5, C.yz - B.zy * d6, C.zz - B.zz * d6
    # with what the velocity product takes
    px, py = (
        load(reals, W, VELOCITY_PRODUCT, lane),
        load(reals, W, VELOCITY_PRODUCT + 1, lane),
    )
    g = vector_at(reals, W, VELOCITY_PRODUCT + 3, lane)
    nx, ny = n.x + d1 * u, n.y + d2 * u
    nx = bxz * g.z + (bxy * g.y + (bxx * g.x + (axy * py + (axx * px + nx))))
    ny = byz * g.z + (byy * g.y + (byx * g.x + (ayy * py + (axy * px + ny))))
    fx, fy, fz = f.x + d4 * u, f.y + d5 * u, f.z + d6 * u
    fx = cxz * g.z + (cxy * g.y + (cxx * g.x + (byx * py + (bxx * px + fx))))
    fy = cyz * g.z + (cyy * g.y + (cxy * g.x + (byy * py + (bxy * px + fy))))
    fz = czz * g.z + (cyz * g.y + (cxz * g.x + (byz * py + (bxz * px + fz))))
    # to the parent's origin: `shifted` with r.z and what the joint took out left away
    rx, ry = constant(reals, K, SHIFT, lane), constant(reals, K, SHIFT + 1, lane)
    hxz, hyz = bxz, byz
    bxx, bxy, bxz = bxx + ry * cxz, bxy + ry * cyz, bxz + ry * czz
    byx, byy, byz = byx - rx * cxz, byy - rx * cyz, byz - rx * czz
    bzx, bzy, bzz = rx * cxy - ry * cxx, rx * cyy - ry * cxy, rx * cyz - ry * cxz
    axx, axy, ayy = axx + ry * (hxz + bxz), axy - rx * hxz + ry * byz, ayy - rx * (hyz + byz)
    axz, ayz, azz = rx * bxy - ry * bxx, rx * byy - ry * byx, rx * bzy - ry * bzx
    return (
        Symmetric(axx, axy, axz, ayy, ayz, azz),
        Matrix(bxx, bxy, bxz, byx, byy, byz, bzx, bzy, bzz),
        Symmetric(cxx, cxy, cxz, cyy, cyz, czz),
        Vector(nx + ry * fz, ny - rx * fz, (tau + rx * fy) - ry * fx),
        Vector(fx, fy, fz),
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
        if ints[pack + TIPPED] or (mixed and ints[at.mixed + start]):
            A, B, C, n, f = nothing(spread(0.0, lane))
            if ints[pack + TIPPED]:
                A, B, C, n, f = _gathered(reals, at, ints, pack + PACK + lanes, lane)
                if ints[pack + TIPPED] == CARRYING:
                    n = plus(n, slot_vector(reals, at, ints, pack + PACK + lanes, SPUN, lane))
            K, W = inboard(at, last, first, lane, root)
            A, B, C, n, f = _with_body(reals, K, W, A, B, C, n, f, lane)
        else:
            body, work = inboard(at, start, first, lane, root)
            A, B, C, n, f = tip_row(reals, at, start, v, body, work, lane)
            start -= 1
        for row in range(start, first - 1, -1):
            K = at.constant + row * CONSTANTS * constant_width(lane)
            body, work = inboard(at, row, first, lane, root)
            if mixed and ints[at.mixed + row]:
                A, B, C, n, f = mixed_row(ints, reals, at, row, q, v, A, B, C, n, f, lane, root)
                A, B, C, n, f = onto_body(reals, K, body, work, A, B, C, n, f, lane)
            else:
                A, B, C, n, f = _revolute_row(reals, at, row, v, A, B, C, n, f, lane)
                A, B, C, n, f = onto_body(reals, K, body, work, A, B, C, n, f, lane)
        K = at.constant + first * CONSTANTS * constant_width(lane)
        c, s = constant(reals, K, COS_GAMMA, lane), constant(reals, K, SIN_GAMMA, lane)
        A = form_about_z(A, c, s, s * s, c * s)
        B = square_about_z(B, c, s, s * s, c * s)
        C = form_about_z(C, c, s, s * s, c * s)
        n, f = vector_about_z(n, c, s), vector_about_z(f, c, s)
        _deliver(reals, at, ints, pack, A, B, C, n, f, lane)
