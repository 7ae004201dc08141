# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
The row at a run's tip: a body by itself, whose articulated inertia is hardly filled.

B is the matrix of a vector product, and C a multiple of one. What `revolute_row` of `inward.py`
does is done here with all that is zero left out: a quarter of a row, of each run.
"""

from free_flyer_dynamics.kernels._jit import inlined
from free_flyer_dynamics.kernels.blocks import (
    form_about_x,
    Matrix,
    Symmetric,
    turn,
    turn_form,
    Vector,
    vector_about_x,
)
from free_flyer_dynamics.kernels.lanes import constant, constant_width, load, spread, store, width
from free_flyer_dynamics.kernels.layout import (
    BIAS,
    CONSTANTS,
    COS_ALPHA,
    COS_SIN,
    DAMPING,
    GAIN,
    GIVE,
    MASS,
    MOMENT,
    SHIFT,
    SIN_ALPHA,
    SIN_SIN,
    VELOCITY_PRODUCT,
    WORK,
)
from free_flyer_dynamics.kernels.tables import constant_vector, inertia_of, vector_at


@inlined
def tip_row(reals, at, row, v, lane):
    """Inertia and bias that a revolute joint with one body behind it leaves its parent."""
    K = at.constant + row * CONSTANTS * constant_width(lane)
    W = at.work + row * WORK * width(lane)
    A, h = inertia_of(reals, K, lane), constant_vector(reals, K, MOMENT, lane)
    m, zero = constant(reals, K, MASS, lane), spread(0.0, lane)
    n, f = vector_at(reals, W, BIAS, lane), vector_at(reals, W, BIAS + 3, lane)
    tau = load(reals, at.drive, row, lane) - constant(reals, K, DAMPING, lane) * load(
        reals, v, row, lane
    )
    u = tau - n.z
    D = 1.0 / A.zz
    c, s = load(reals, at.cosine, row, lane), load(reals, at.sine, row, lane)
    # about z: into the axes between the two turns
    u1, u2 = turn(A.xz, A.yz, c, s)
    hx, hy = turn(h.x, h.y, c, s)
    axx, axy, ayy = turn_form(A.xx, A.xy, A.yy, s * s, c * s)
    nx, ny = turn(n.x, n.y, c, s)
    fx, fy = turn(f.x, f.y, c, s)
    # less U D U.T, where U is u1, u2, A.zz, -hy, hx, 0
    d1, d2, d4, d5 = u1 * D, u2 * D, -(hy * D), hx * D
    axx, axy, ayy = axx - u1 * d1, axy - u1 * d2, ayy - u2 * d2
    bxx, bxy, byx, byy = -(u1 * d4), -(u1 * d5) - h.z, h.z - u2 * d4, -(u2 * d5)
    cxx, cxy, cyy = m + hy * d4, hy * d5, m - hx * d5
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
    store(reals, W, GAIN + 4, zero)
    store(reals, W, GAIN + 5, u * D - ((d1 * px + d2 * py) + (d4 * g.x + d5 * g.y)))
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
    # about x
    c, s = constant(reals, K, COS_ALPHA, lane), constant(reals, K, SIN_ALPHA, lane)
    ss, cs = constant(reals, K, SIN_SIN, lane), constant(reals, K, COS_SIN, lane)
    e, p = cyy - m, byz + bzy
    t, u = ss * byy + cs * p, cs * byy - ss * p
    bxy, bxz = turn(bxy, bxz, c, s)
    byx, bzx = turn(byx, bzx, c, s)
    return (
        form_about_x(Symmetric(axx, axy, axz, ayy, ayz, azz), c, s, ss, cs),
        Matrix(bxx, bxy, bxz, byx, byy - t, byz + u, bzx, bzy + u, t),
        Symmetric(cxx, c * cxy, s * cxy, cyy - ss * e, cs * e, m + ss * e),
        vector_about_x(Vector(nx, ny, nz), c, s),
        vector_about_x(Vector(fx, fy, fz), c, s),
    )
