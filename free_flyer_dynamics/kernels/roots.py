# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Free roots: their six equations, and wheels folded into them.

A wheel that is round about its axis and has its centre on it weighs and turns with its base as one
rigid body whatever its angle; beyond that it adds spin along its axis. So it is no link: a
*gyrostat* [Hughes, Spacecraft Attitude Dynamics, ch. 3 and 6].
"""

from free_flyer_dynamics.kernels._jit import inlined
from free_flyer_dynamics.kernels.blocks import (
    cross,
    dot,
    minus,
    plus_cross,
    plus_diagonal,
    plus_form,
    plus_scaled,
    Symmetric,
    Vector,
)
from free_flyer_dynamics.kernels.inverses import solve_six
from free_flyer_dynamics.kernels.lanes import constant, constant_width, load, spread, store, width
from free_flyer_dynamics.kernels.layout import (
    ACCELERATION,
    ARTICULATED,
    CONSTANTS,
    MASS,
    MOMENT,
    OMEGA,
    SLOT,
    SPIN,
    WHEEL,
    WHEEL_AXIS,
    WHEEL_DAMPING,
)
from free_flyer_dynamics.kernels.outward import gyroscopic
from free_flyer_dynamics.kernels.tables import (
    constant_vector,
    form_at,
    inertia_of,
    matrix_at,
    put_vector,
    vector_at,
)


@inlined
def start_slots(reals, at, v, root):
    """Clear all slots but the last, which stays so; give the roots' theirs their velocities."""
    zero = spread(0.0, root)
    for i in range(at.slots - 1):
        slot = at.slot + i * SLOT * width(root)
        for k in range(OMEGA):
            store(reals, slot, k, zero)
    put_vector(reals, at.slot, OMEGA, Vector(zero, zero, zero))
    for r in range(at.roots):
        w = vector_at(reals, v + (at.joints + 6 * r) * width(root), 0, root)
        put_vector(reals, at.slot + (1 + r) * SLOT * width(root), OMEGA, w)


@inlined
def slot_blocks(reals, slot, root):
    """Blocks and forces collected at a slot."""
    k = ARTICULATED
    A, C = form_at(reals, slot, k, root), form_at(reals, slot, k + 15, root)
    B = matrix_at(reals, slot, k + 6, root)
    return A, B, C, vector_at(reals, slot, k + 21, root), vector_at(reals, slot, k + 24, root)


@inlined
def wheel_outer(g, J):
    """J g g.T."""
    x, y, z = J * g.x, J * g.y, J * g.z
    return Symmetric(x * g.x, x * g.y, x * g.z, y * g.y, y * g.z, z * g.z)


@inlined
def _fold_wheels(ints, reals, at, r, v, w, A, n, root):
    """Moment that a root's wheels leave it, and the inertia of those that are held to it."""
    zero = spread(0.0, root)
    momentum = Vector(zero, zero, zero)
    for k in range(at.wheels):
        if ints[at.wheel + 2 * k] != r:
            continue
        wheel = at.wheel_constant + k * WHEEL * constant_width(root)
        g = constant_vector(reals, wheel, WHEEL_AXIS, root)
        J = constant(reals, wheel, SPIN, root)
        place = wheel_place(at, k, root)
        rate = load(reals, v, place, root)
        momentum = plus_scaled(momentum, J * (rate + dot(g, w)), g)
        if ints[at.wheel + 2 * k + 1]:
            A = plus_form(A, wheel_outer(g, J))
        else:
            tau = (
                load(reals, at.drive, place, root)
                - constant(reals, wheel, WHEEL_DAMPING, root) * rate
            )
            n = plus_scaled(n, -tau, g)
    return A, minus(n, cross(w, momentum))


@inlined
def wheel_place(at, k, root):
    """Where a wheel is among the joints, in units of a root's numbers."""
    return at.joints - at.wheel_room + k


@inlined
def turn_wheels(ints, reals, at, r, v, vdot, alpha, root):
    """Accelerations of a root's wheels, and what those that are held take."""
    for k in range(at.wheels):
        if ints[at.wheel + 2 * k] != r:
            continue
        wheel = at.wheel_constant + k * WHEEL * constant_width(root)
        g = constant_vector(reals, wheel, WHEEL_AXIS, root)
        J = constant(reals, wheel, SPIN, root)
        place = wheel_place(at, k, root)
        carried = dot(g, alpha)
        if ints[at.wheel + 2 * k + 1]:
            store(reals, at.reaction, place, J * carried)
            store(reals, vdot, place, carried - carried)
        else:
            rate = load(reals, v, place, root)
            tau = (
                load(reals, at.drive, place, root)
                - constant(reals, wheel, WHEEL_DAMPING, root) * rate
            )
            store(reals, vdot, place, tau / J - carried)


@inlined
def solve_roots(ints, reals, at, v, vdot, root):
    """
    Accelerations of the free roots and their wheels; roots' rates are those of their twists.

    Those of a free tree are what they were without gravity: all of it falls alike.
    """
    for r in range(at.roots):
        slot = at.slot + (1 + r) * SLOT * width(root)
        K = at.body + r * CONSTANTS * constant_width(root)
        w = vector_at(reals, slot, OMEGA, root)
        A, B, C, n, f = slot_blocks(reals, slot, root)
        A = plus_form(A, inertia_of(reals, K, root))
        B = plus_cross(B, constant_vector(reals, K, MOMENT, root))
        C = plus_diagonal(C, constant(reals, K, MASS, root))
        own_n, own_f = gyroscopic(reals, K, w, root)
        push = at.push + 6 * r * width(root)
        # first what is known before all that hangs on the root: it waits for nothing
        own_n = minus(vector_at(reals, push, 0, root), own_n)
        A, own_n = _fold_wheels(ints, reals, at, r, v, w, A, own_n, root)
        n, f = minus(own_n, n), minus(minus(vector_at(reals, push, 3, root), own_f), f)
        alpha, a = solve_six(A, B, C, n, f)
        put_vector(reals, slot, ACCELERATION, alpha)
        put_vector(reals, slot, ACCELERATION + 3, a)
        turner = (at.joints + 6 * r) * width(root)
        put_vector(reals, vdot + turner, 0, alpha)
        put_vector(
            reals, vdot + turner, 3, minus(a, cross(w, vector_at(reals, v + turner, 3, root)))
        )
        turn_wheels(ints, reals, at, r, v, vdot, alpha, root)
    # The world's slot: what is anchored feels gravity as an acceleration of the world upwards.
    zero = spread(0.0, root)
    put_vector(reals, at.slot, ACCELERATION, Vector(zero, zero, zero))
    for k in range(3):
        store(reals, at.slot, ACCELERATION + 3 + k, spread(-reals[at.gravity + k], root))
