# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Sine, cosine and the angle of both without a branch, for any number of lanes."""

from free_flyer_dynamics.kernels._jit import inlined
from free_flyer_dynamics.kernels.lanes import fused, quarter_turns, where_above
from free_flyer_dynamics.kernels.tags import WHOLE

# pi / 2 in two parts, the second what the first has rounded away.
HALF_PI, HALF_PI_REST = 1.5707963267948966, 6.123233995736766e-17
TAN_EIGHTH = 0.41421356237309503  # of a turn by pi / 8
NEAR = 0.03  # [rad]; as far as the series of `turned_on` reach


@inlined
def sine_cosine(x):
    """
    Sine and cosine of an angle, to 2e-16 for all angles up to 1e9.

    The angle is brought within pi / 4 of a multiple k of pi / 2; there polynomials interpolate
    (sin r - r) / r^3 and (cos r - 1 + r^2 / 2) / r^4 at Chebyshev's points in r^2; k says which of
    the two is which, and its sign: as WHOLE is added, it stands in the last bits.
    """
    shifted = fused(x, 1 / HALF_PI, WHOLE)
    k = shifted - WHOLE
    r = fused(k, -HALF_PI_REST, fused(k, -HALF_PI, x))
    z = r * r
    p = fused(z, 1.5918129280835e-10, -2.5051131844808866e-08)
    p = fused(z, p, 2.7557316102551507e-06)
    p = fused(z, p, -0.00019841269836758574)
    p = fused(z, p, 0.008333333333330948)
    p = fused(z, p, -0.16666666666666666)
    s = fused(r * z, p, r)
    p = fused(z, -1.1382632416743667e-11, 2.087614626828136e-09)
    p = fused(z, p, -2.755731727172921e-07)
    p = fused(z, p, 2.4801587298765686e-05)
    p = fused(z, p, -0.0013888888888887398)
    p = fused(z, p, 0.041666666666666664)
    c = fused(z * z, p, fused(z, -0.5, 1.0))
    return quarter_turns(s, c, shifted)


@inlined
def turned_on(s, c, x):
    """
    Sine and cosine of an angle that is x more than one whose sine and cosine are s and c.

    By the series of sin x and of cos x - 1, to the last digit for x up to NEAR.
    """
    z = x * x
    more = fused(z, fused(z, -1 / 5040, 1 / 120), -1 / 6)
    more = fused(x * z, more, x)
    less = z * fused(z, fused(z, -1 / 720, 1 / 24), -0.5)
    return fused(c, more, fused(s, less, s)), fused(-s, more, fused(c, less, c))


@inlined
def angle_of(s, c):
    """
    Angle whose sine and cosine are to each other as s to c, to 4e-16; nothing's is nothing.

    The smaller of the two beside the larger is brought within tan(pi / 8); there a polynomial
    interpolates (arctan t - t) / t^3 at Chebyshev's points in t^2.
    """
    up, far = where_above(s, 0.0, s, -s), where_above(c, 0.0, c, -c)
    large, small = where_above(up, far, up, far), where_above(up, far, far, up)
    large = where_above(large, 0.0, large, 1.0)
    beyond = small - TAN_EIGHTH * large
    t = where_above(beyond, 0.0, small - large, small)
    t = t / where_above(beyond, 0.0, small + large, large)
    z = t * t
    p = fused(z, -0.019176885636589043, 0.03923165708508368)
    p = fused(z, p, -0.050854496960392584)
    p = fused(z, p, 0.05858148904795124)
    p = fused(z, p, -0.0666451144646022)
    p = fused(z, p, 0.07692183190760651)
    p = fused(z, p, -0.09090904578121085)
    p = fused(z, p, 0.11111111015256292)
    p = fused(z, p, -0.14285714284666542)
    p = fused(z, p, 0.1999999999999552)
    p = fused(z, p, -0.3333333333333333)
    angle = fused(t * z, p, t)
    angle = where_above(beyond, 0.0, 0.5 * HALF_PI + (angle + 0.5 * HALF_PI_REST), angle)
    angle = where_above(up, far, HALF_PI - (angle - HALF_PI_REST), angle)
    angle = where_above(-c, 0.0, 2 * HALF_PI - (angle - 2 * HALF_PI_REST), angle)
    return where_above(-s, 0.0, -angle, angle)
