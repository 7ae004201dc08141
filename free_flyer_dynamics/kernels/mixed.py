# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Rows of which some joint is no revolute one that moves: it slides, is a ball or is held.

What each joint of a row is, is chosen lane by lane; only balls have rows of their own.
"""

from free_flyer_dynamics.kernels._jit import inlined
from free_flyer_dynamics.kernels.blocks import (
    cross,
    dot,
    form_about_z,
    Matrix,
    minus,
    plus,
    plus_scaled,
    scaled,
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
from free_flyer_dynamics.kernels.lanes import (
    constant,
    constant_width,
    load,
    spread,
    store,
    where_above,
    width,
)
from free_flyer_dynamics.kernels.layout import (
    BALL,
    BALL_GIVE,
    CONSTANTS,
    DAMPING,
    GAIN,
    GIVE,
    VELOCITY_PRODUCT,
    WORK,
)
from free_flyer_dynamics.kernels.outward import shift_of
from free_flyer_dynamics.kernels.tables import (
    ball_vector,
    either,
    matrix_at,
    put_ball_vector,
    put_form,
    put_vector,
    vector_at,
)


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
    """Take the joints' freedom out, where they have any, and carry the rest to their parents."""
    K = at.constant + row * CONSTANTS * constant_width(lane)
    W = at.work + row * WORK * width(lane)
    c, s = load(reals, at.cosine, row, lane), load(reals, at.sine, row, lane)
    A = form_about_z(A, c, s, s * s, c * s)
    B = square_about_z(B, c, s, s * s, c * s)
    C = form_about_z(C, c, s, s * s, c * s)
    n, f = vector_about_z(n, c, s), vector_about_z(f, c, s)
    if ints[at.mixed + row] & BALL:
        A, B, C, n, f = _less_balls(ints, reals, at, row, A, B, C, n, f, c, s, lane, root)
    else:
        drag = constant(reals, K, DAMPING, lane) * load(reals, v, row, lane)
        tau = load(reals, at.drive, row, lane) - drag
        A, B, C, n, f = _less_single(reals, at, row, W, A, B, C, n, f, tau, lane)
    r = shift_of(reals, at, row, q, lane)
    A, B = shifted(A, B, C, r)
    return A, B, C, plus(n, cross(r, f)), f


@inlined
def _less_balls(ints, reals, at, row, A, B, C, n, f, c, s, lane, root):
    """Take balls out: alpha = A^-1 (tau - n - B a) of each body, whatever its parent's turning."""
    W = at.work + row * WORK * width(lane)
    along = vector_at(reals, W, VELOCITY_PRODUCT + 3, lane)
    tau = vector_about_z(ball_vector(ints, reals, at, at.drive, row, 3, lane, root), c, s)
    inverse = inverse_form(A)
    G = transposed(product_with_form(transposed(B), inverse))
    own = times_form(inverse, minus(tau, n))
    C = less_product(C, 1.0, transposed(B), transposed(G))
    put_form(reals, W, BALL_GIVE, inverse)
    put_vector(reals, W, GAIN, minus(own, times(G, along)))
    put_vector(reals, W, GAIN + 3, Vector(G.xx, G.xy, G.xz))
    put_vector(reals, W, GAIN + 6, Vector(G.yx, G.yy, G.yz))
    put_vector(reals, W, GAIN + 9, Vector(G.zx, G.zy, G.zz))
    f = plus(plus(f, times_transposed(B, own)), times_form(C, along))
    zero = c - c
    return (
        Symmetric(zero, zero, zero, zero, zero, zero),
        Matrix(zero, zero, zero, zero, zero, zero, zero, zero, zero),
        C,
        tau,
        f,
    )


@inlined
def _less_single(reals, at, row, W, A, B, C, n, f, tau, lane):
    """
    Take joints of one freedom out, those that move.

    Of one that is held D is none, and what is kept tells the force it transmits.
    """
    turns, free = constant(reals, at.turns, row, lane), constant(reals, at.free, row, lane)
    zero = spread(0.0, lane)
    un = either(turns, Vector(A.xz, A.yz, A.zz), Vector(B.xz, B.yz, B.zz))
    uf = either(turns, Vector(B.zx, B.zy, B.zz), Vector(C.xz, C.yz, C.zz))
    mine = where_above(turns, 0.0, n.z, f.z)
    u = tau - mine
    D = where_above(free, 0.0, 1.0 / where_above(turns, 0.0, un.z, uf.z), zero)
    dn, df = scaled(D, un), scaled(D, uf)
    A, B, C = _less_outer(A, B, C, un, uf, dn, df)
    hinge = vector_at(reals, W, VELOCITY_PRODUCT, lane)
    product = Vector(hinge.x, hinge.y, zero)
    along = vector_at(reals, W, VELOCITY_PRODUCT + 3, lane)
    gain_n, gain_f = either(free, dn, un), either(free, df, uf)
    taken = dot(gain_n, product) + dot(gain_f, along)
    store(reals, W, GIVE, D)
    put_vector(reals, W, GAIN, gain_n)
    put_vector(reals, W, GAIN + 3, gain_f)
    store(reals, W, GAIN + 6, where_above(free, 0.0, u * D - taken, mine + taken))
    n, f = plus_scaled(n, u, dn), plus_scaled(f, u, df)
    n = plus(n, plus(times_form(A, product), times(B, along)))
    f = plus(f, plus(times_transposed(B, product), times_form(C, along)))
    return A, B, C, n, f


@inlined
def mixed_accelerations(ints, reals, at, row, q, vdot, alpha, a, lane, root):
    """
    Set a row's own accelerations; return the bodies', in their axes.

    The parents' come in the axes between the two turns, at their origins.
    """
    W = at.work + row * WORK * width(lane)
    c, s = load(reals, at.cosine, row, lane), load(reals, at.sine, row, lane)
    a = plus(a, cross(alpha, shift_of(reals, at, row, q, lane)))
    product = vector_at(reals, W, VELOCITY_PRODUCT, lane)
    along = vector_at(reals, W, VELOCITY_PRODUCT + 3, lane)
    if ints[at.mixed + row] & BALL:
        G = matrix_at(reals, W, GAIN + 3, lane)
        total = minus(vector_at(reals, W, GAIN, lane), times(G, a))
        own = minus(total, plus(alpha, product))
        x, y = turn_back(own.x, own.y, c, s)
        put_ball_vector(ints, reals, at, vdot, row, 0, Vector(x, y, own.z), lane, root)
        alpha, a = total, plus(a, along)
    else:
        turns, free = constant(reals, at.turns, row, lane), constant(reals, at.free, row, lane)
        zero = spread(0.0, lane)
        gain_n, gain_f = vector_at(reals, W, GAIN, lane), vector_at(reals, W, GAIN + 3, lane)
        mine, taken = load(reals, W, GAIN + 6, lane), dot(gain_n, alpha) + dot(gain_f, a)
        rate = where_above(free, 0.0, mine - taken, zero)
        store(reals, at.reaction, row, mine + taken)  # asked of joints that are held
        store(reals, vdot, row, rate)
        faster = where_above(turns, 0.0, rate, zero)
        alpha = Vector(alpha.x + product.x, alpha.y + product.y, alpha.z + faster)
        a = plus(a, along)
        a = Vector(a.x, a.y, a.z + where_above(turns, 0.0, zero, rate))
    ax, ay = turn_back(alpha.x, alpha.y, c, s)
    lx, ly = turn_back(a.x, a.y, c, s)
    return Vector(ax, ay, alpha.z), Vector(lx, ly, a.z)
