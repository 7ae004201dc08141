# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
The row at a run's tip: a body by itself, whose articulated inertia is hardly filled.

B is the matrix of a vector product, and C a multiple of one. What `revolute_row` of `inward.py`
does is done here with all that is zero left out: a quarter of a row, of each run.
"""

from free_flyer_dynamics.kernels._jit import inlined
from free_flyer_dynamics.kernels.blocks import Matrix, Symmetric, turn, turn_form, Vector
from free_flyer_dynamics.kernels.inboard import forces_onto, form_onto, turn_onto
from free_flyer_dynamics.kernels.lanes import (
    constant,
    constant_width,
    load,
    reciprocal,
    spread,
    width,
)
from free_flyer_dynamics.kernels.layout import (
    BIAS,
    CONSTANTS,
    COS_ALPHA,
    COS_SIN,
    DAMPING,
    MASS,
    MOMENT,
    SHIFT,
    SIN_ALPHA,
    SIN_SIN,
    VELOCITY_PRODUCT,
    WORK,
)
from free_flyer_dynamics.kernels.tables import (
    constant_vector,
    inertia_of,
    keep_give,
    put_gains,
    vector_at,
)


@inlined
def tip_row(reals, at, row, v, body, work, lane):
    """
    Inertia and bias that a revolute joint with one body behind it leaves its parent.

    Those of the row inboard are added; `body` and `work` tell where they are.
    """
    K = at.constant + row * CONSTANTS * constant_width(lane)
    W = at.work + row * WORK * width(lane)
    A, h = inertia_of(reals, K, lane), constant_vector(reals, K, MOMENT, lane)
    m, zero = constant(reals, K, MASS, lane), spread(0.0, lane)
    n, f = vector_at(reals, W, BIAS, lane), vector_at(reals, W, BIAS + 3, lane)
    tau = load(reals, at.drive, row, lane) - constant(reals, K, DAMPING, lane) * load(
        reals, v, row, lane
    )
    u = tau - n.z
    D = reciprocal(A.zz)
    c, s = load(reals, at.cosine, row, lane), load(reals, at.sine, row, lane)
    # about z: into the axes between the two turns
    u1, u2 = turn(A.xz, A.yz, c, s)
    hx, hy = turn(h.x, h.y, c, s)
    axx, axy, ayy = turn_form(A.xx, A.xy, A.yy, s * s, c * s)
    nx, ny = turn(n.x, n.y, c, s)
    fx, fy = turn(f.x, f.y, c, s)
    # less U D U.T, where U is u1, u2, A.zz, -hy, hx, 0
    d1, d2, d4, d5 = u1 * D, u2 * D, -(hy * D), hx * D
    keep_give(reals, W, D, lane)
    put_gains(reals, W, d1, d2, d4, d5, zero, u * D)
    axx, axy, ayy = axx - u1 * d1, axy - u1 * d2, ayy - u2 * d2
    bxx, bxy, byx, byy = -(u1 * d4), -(u1 * d5) - h.z, h.z - u2 * d4, -(u2 * d5)
    cxx, cxy, cyy = m + hy * d4, hy * d5, m - hx * d5
    px, py = (
        load(reals, W, VELOCITY_PRODUCT, lane),
        load(reals, W, VELOCITY_PRODUCT + 1, lane),
    )
    g = vector_at(reals, W, VELOCITY_PRODUCT + 3, lane)
    nx = (nx + d1 * u) + ((axx * px + axy * py) + (bxx * g.x + bxy * g.y + hy * g.z))
    ny = (ny + d2 * u) + ((axy * px + ayy * py) + (byx * g.x + byy * g.y - hx * g.z))
    fx = (fx + d4 * u) + ((bxx * px + byx * py) + (cxx * g.x + cxy * g.y))
    fy = (fy + d5 * u) + ((bxy * px + byy * py) + (cxy * g.x + cyy * g.y))
    fz = f.z + ((hy * px - hx * py) + m * g.z)
    # to the parent's origin
    rx, ry = constant(reals, K, SHIFT, lane), constant(reals, K, SHIFT + 1, lane)
    bxz, byz = hy + ry * m, -hx - rx * m
    bzx, bzy = rx * cxy - ry * cxx, rx * cyy - ry * cxy
    axx, axy, ayy = axx + ry * (hy + bxz), axy - rx * hy + ry * byz, ayy + rx * (hx - byz)
    axz, ayz, azz = rx * bxy - ry * bxx, rx * byy - ry * byx, rx * bzy - ry * bzx
    nx, ny, nz = nx + ry * fz, ny - rx * fz, tau + rx * fy - ry * fx
    # about x, onto the body there
    c, s = constant(reals, K, COS_ALPHA, lane), constant(reals, K, SIN_ALPHA, lane)
    ss, cs = constant(reals, K, SIN_SIN, lane), constant(reals, K, COS_SIN, lane)
    A = form_onto(
        Symmetric(axx, axy, axz, ayy, ayz, azz), inertia_of(reals, body, lane), c, s, ss, cs
    )
    e, p, light = cyy - m, byz + bzy, constant(reals, body, MASS, lane)
    h, both = constant_vector(reals, body, MOMENT, lane), m + light
    t, u = ss * byy + cs * p, cs * byy - ss * p
    bxy, bxz = turn_onto(bxy, bxz, c, s, -h.z, h.y)
    byx, bzx = turn_onto(byx, bzx, c, s, h.z, -h.y)
    n, f = forces_onto(reals, work, Vector(nx, ny, nz), Vector(fx, fy, fz), c, s, lane)
    return (
        A,
        Matrix(bxx, bxy, bxz, byx, byy - t, byz + (u - h.x), bzx, bzy + (u + h.x), t),
        Symmetric(cxx + light, c * cxy, s * cxy, (cyy + light) - ss * e, cs * e, both + ss * e),
        n,
        f,
    )
