# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Rows that are not a revolute joint that moves: prismatic, ball, or any joint that is held."""

from free_flyer_dynamics.kernels._jit import inlined
from free_flyer_dynamics.kernels.blocks import (
    cross,
    dot,
    form_about_z,
    Matrix,
    minus,
    plus,
    shifted,
    square_about_z,
    Symmetric,
    times,
    times_form,
    times_transposed,
    transposed,
    turn_back,
    Vector,
    vector_about_z,
)
from free_flyer_dynamics.kernels.inverses import inverse_form, less_product, product_with_form
from free_flyer_dynamics.kernels.lanes import constant, constant_width, load, store, width
from free_flyer_dynamics.kernels.layout import (
    BALL,
    CONSTANTS,
    DAMPING,
    GAIN,
    GIVE,
    HELD,
    SLIDING,
    VELOCITY_PRODUCT,
    WORK,
)
from free_flyer_dynamics.kernels.outward import shift_of
from free_flyer_dynamics.kernels.tables import put_vector, vector_at


@inlined
def _column(A, B, C, sliding):
    """U = I S: what the joint's own acceleration takes, moment and force."""
    if sliding:
        return Vector(B.xz, B.yz, B.zz), Vector(C.xz, C.yz, C.zz)
    return Vector(A.xz, A.yz, A.zz), Vector(B.zx, B.zy, B.zz)


@inlined
def _less_outer(A, B, C, un, uf, dn, df):
    """Inertia less U D U.T."""
    return (
        Symmetric(
            A.xx - un.x * dn.x,
            A.xy - un.x * dn.y,
            A.xz - un.x * dn.z,
            A.yy - un.y * dn.y,
            A.yz - un.y * dn.z,
            A.zz - un.z * dn.z,
        ),
        Matrix(
            B.xx - un.x * df.x,
            B.xy - un.x * df.y,
            B.xz - un.x * df.z,
            B.yx - un.y * df.x,
            B.yy - un.y * df.y,
            B.yz - un.y * df.z,
            B.zx - un.z * df.x,
            B.zy - un.z * df.y,
            B.zz - un.z * df.z,
        ),
        Symmetric(
            C.xx - uf.x * df.x,
            C.xy - uf.x * df.y,
            C.xz - uf.x * df.z,
            C.yy - uf.y * df.y,
            C.yz - uf.y * df.z,
            C.zz - uf.z * df.z,
        ),
    )


@inlined
def mixed_row(ints, reals, at, row, q, v, A, B, C, n, f, lane, root):
    """Take the joint's freedom out, if it has any, and carry the rest to the parent's origin."""
    K = at.constant + row * CONSTANTS * constant_width(lane)
    W = at.work + row * WORK * width(lane)
    what = ints[at.row + 2 * row]
    c, s = load(reals, at.cosine, row, lane), load(reals, at.sine, row, lane)
    A = form_about_z(A, c, s, s * s, c * s)
    B = square_about_z(B, c, s, s * s, c * s)
    C = form_about_z(C, c, s, s * s, c * s)
    n, f = vector_about_z(n, c, s), vector_about_z(f, c, s)
    product = vector_at(reals, W, VELOCITY_PRODUCT, lane)
    if (what & (SLIDING | BALL)) == 0:
        product = Vector(product.x, product.y, c - c)  # a hinge's has no z
    along = vector_at(reals, W, VELOCITY_PRODUCT + 3, lane)
    if what & BALL:
        first = (at.joints + 6 * (at.roots + ints[at.row + 2 * row + 1])) * width(root)
        tau = vector_about_z(vector_at(reals, at.drive + first, 3, lane), c, s)
        # alpha = A^-1 (tau - n - B a) of the body itself: its parent's turning plays no part
        inverse = inverse_form(A)
        G = transposed(product_with_form(transposed(B), inverse))
        own = times_form(inverse, minus(tau, n))
        C = less_product(C, 1.0, transposed(B), transposed(G))
        put_vector(reals, W, GIVE, Vector(inverse.xx, inverse.xy, inverse.xz))
        put_vector(reals, W, GIVE + 3, Vector(inverse.yy, inverse.yz, inverse.zz))
        put_vector(reals, W, GAIN, minus(own, times(G, along)))
        put_vector(reals, W, GAIN + 3, Vector(G.xx, G.xy, G.xz))
        put_vector(reals, W, GAIN + 6, Vector(G.yx, G.yy, G.yz))
        put_vector(reals, W, GAIN + 9, Vector(G.zx, G.zy, G.zz))
        n = tau
        f = plus(plus(f, times_transposed(B, own)), times_form(C, along))
        zero = c - c
        A = Symmetric(zero, zero, zero, zero, zero, zero)
        B = Matrix(zero, zero, zero, zero, zero, zero, zero, zero, zero)
    else:
        sliding = (what & SLIDING) != 0
        un, uf = _column(A, B, C, sliding)
        if what & HELD:
            n = plus(n, plus(times_form(A, product), times(B, along)))
            f = plus(f, plus(times_transposed(B, product), times_form(C, along)))
            put_vector(reals, W, GAIN, un)
            put_vector(reals, W, GAIN + 3, uf)
            store(reals, W, GAIN + 6, f.z if sliding else n.z)
        else:
            tau = load(reals, at.drive, row, lane) - constant(reals, K, DAMPING, lane) * load(
                reals, v, row, lane
            )
            u = tau - (f.z if sliding else n.z)
            D = 1.0 / (uf.z if sliding else un.z)
            dn = Vector(un.x * D, un.y * D, un.z * D)
            df = Vector(uf.x * D, uf.y * D, uf.z * D)
            A, B, C = _less_outer(A, B, C, un, uf, dn, df)
            store(reals, W, GIVE, D)
            put_vector(reals, W, GAIN, dn)
            put_vector(reals, W, GAIN + 3, df)
            store(reals, W, GAIN + 6, u * D - (dot(dn, product) + dot(df, along)))
            n = Vector(n.x + dn.x * u, n.y + dn.y * u, n.z + dn.z * u)
            f = Vector(f.x + df.x * u, f.y + df.y * u, f.z + df.z * u)
            n = plus(n, plus(times_form(A, product), times(B, along)))
            f = plus(f, plus(times_transposed(B, product), times_form(C, along)))
    r = shift_of(ints, reals, at, row, q, True, lane)
    A, B = shifted(A, B, C, r)
    return A, B, C, plus(n, cross(r, f)), f


@inlined
def mixed_accelerations(ints, reals, at, row, q, vdot, alpha, a, lane, root):
    """
    Set a row's own accelerations; return the body's, in its axes.

    The parent's come in the axes between the two turns, at the parent's origin.
    """
    W = at.work + row * WORK * width(lane)
    what = ints[at.row + 2 * row]
    c, s = load(reals, at.cosine, row, lane), load(reals, at.sine, row, lane)
    a = plus(a, cross(alpha, shift_of(ints, reals, at, row, q, True, lane)))
    product = vector_at(reals, W, VELOCITY_PRODUCT, lane)
    if (what & (SLIDING | BALL)) == 0:
        product = Vector(product.x, product.y, c - c)
    along = vector_at(reals, W, VELOCITY_PRODUCT + 3, lane)
    if what & BALL:
        G = Matrix(
            load(reals, W, GAIN + 3, lane),
            load(reals, W, GAIN + 4, lane),
            load(reals, W, GAIN + 5, lane),
            load(reals, W, GAIN + 6, lane),
            load(reals, W, GAIN + 7, lane),
            load(reals, W, GAIN + 8, lane),
            load(reals, W, GAIN + 9, lane),
            load(reals, W, GAIN + 10, lane),
            load(reals, W, GAIN + 11, lane),
        )
        total = minus(vector_at(reals, W, GAIN, lane), times(G, a))
        own = minus(total, plus(alpha, product))
        x, y = turn_back(own.x, own.y, c, s)
        turner = vdot + (at.joints + 6 * (at.roots + ints[at.row + 2 * row + 1])) * width(root)
        put_vector(reals, turner, 0, Vector(x, y, own.z))
        alpha, a = total, plus(a, along)
    else:
        gain_n, gain_f = vector_at(reals, W, GAIN, lane), vector_at(reals, W, GAIN + 3, lane)
        mine = load(reals, W, GAIN + 6, lane)
        if what & HELD:
            store(reals, at.reaction, row, mine + dot(gain_n, alpha) + dot(gain_f, a))
            store(reals, vdot, row, mine - mine)
            alpha, a = plus(alpha, product), plus(a, along)
        else:
            rate = mine - (dot(gain_n, alpha) + dot(gain_f, a))
            store(reals, vdot, row, rate)
            alpha, a = plus(alpha, product), plus(a, along)
            if what & SLIDING:
                a = Vector(a.x, a.y, a.z + rate)
            else:
                alpha = Vector(alpha.x, alpha.y, alpha.z + rate)
    ax, ay = turn_back(alpha.x, alpha.y, c, s)
    lx, ly = turn_back(a.x, a.y, c, s)
    return Vector(ax, ay, alpha.z), Vector(lx, ly, a.z)
