# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Round wheels, folded into the bodies that carry them.

A wheel that is round about its axis and has its centre on it weighs and turns with its carrier as
one rigid body whatever its angle; beyond that it adds spin along its axis. So it is no link: its
carrier is a *gyrostat* [Hughes, Spacecraft Attitude Dynamics, ch. 3 and 6]. Whatever carries
wheels is a slot, and what they add is added there.
"""

from free_flyer_dynamics.kernels._jit import inlined
from free_flyer_dynamics.kernels.blocks import (
    cross,
    dot,
    plus_form,
    plus_scaled,
    Symmetric,
)
from free_flyer_dynamics.kernels.lanes import constant, constant_width, load, spread, store, width
from free_flyer_dynamics.kernels.layout import (
    ACCELERATION,
    ARTICULATED,
    OMEGA,
    SLOT,
    SPIN,
    SPUN,
    SPUN_INERTIA,
    SPUN_MOMENTUM,
    WHEEL,
    WHEEL_AXIS,
    WHEEL_DAMPING,
)
from free_flyer_dynamics.kernels.tables import (
    constant_vector,
    form_at,
    put_form,
    put_vector,
    vector_at,
)


@inlined
def _outer(g, J):
    """J g g.T."""
    x, y, z = J * g.x, J * g.y, J * g.z
    return Symmetric(x * g.x, x * g.y, x * g.z, y * g.y, y * g.z, z * g.z)


@inlined
def _place(at, k, root):
    """Where a wheel is among the joints, in units of a root's numbers."""
    return at.joints - at.wheel_room + k


@inlined
def _wheel(ints, reals, at, k, root):
    """Slot of a wheel's carrier, its constants, its axis and its spin inertia."""
    slot = at.slot + ints[at.wheel + 2 * k] * SLOT * width(root)
    K = at.wheel_constant + k * WHEEL * constant_width(root)
    return slot, K, constant_vector(reals, K, WHEEL_AXIS, root), constant(reals, K, SPIN, root)


@inlined
def _drive(reals, at, K, place, rate, root):
    """Torque of a wheel's drive less its damping."""
    return load(reals, at.drive, place, root) - constant(reals, K, WHEEL_DAMPING, root) * rate


@inlined
def _clear(reals, at, k, numbers, root):
    """Clear so many numbers of all slots, if there are wheels."""
    if at.wheels > 0:
        zero = spread(0.0, root)
        for i in range(at.slots):
            for j in range(k, k + numbers):
                store(reals, at.slot + i * SLOT * width(root), j, zero)


@inlined
def bias_of_wheels(ints, reals, at, v, root):
    """Leave at the carriers' slots what spin and drives ask of them; held wheels go with them."""
    _clear(reals, at, SPUN, 3, root)
    for k in range(at.wheels):
        slot, K, g, J = _wheel(ints, reals, at, k, root)
        w = vector_at(reals, slot, OMEGA, root)
        rate = load(reals, v, _place(at, k, root), root)
        n = vector_at(reals, slot, SPUN, root)
        n = plus_scaled(n, J * (rate + dot(g, w)), cross(w, g))
        if ints[at.wheel + 2 * k + 1]:
            A = plus_form(form_at(reals, slot, ARTICULATED, root), _outer(g, J))
            put_form(reals, slot, ARTICULATED, A)
        else:
            tau = _drive(reals, at, K, _place(at, k, root), rate, root)
            n = plus_scaled(n, tau, g)
        put_vector(reals, slot, SPUN, n)


@inlined
def turn_wheels(ints, reals, at, v, vdot, root):
    """Accelerations of wheels, and what those that are held take: their carriers' are known."""
    for k in range(at.wheels):
        slot, K, g, J = _wheel(ints, reals, at, k, root)
        place = _place(at, k, root)
        carried = dot(g, vector_at(reals, slot, ACCELERATION, root))
        if ints[at.wheel + 2 * k + 1]:
            store(reals, at.reaction, place, J * carried)
            store(reals, vdot, place, carried - carried)
        else:
            rate = load(reals, v, place, root)
            store(reals, vdot, place, _drive(reals, at, K, place, rate, root) / J - carried)


@inlined
def sums_of_wheels(ints, reals, at, v, root):
    """Leave at the carriers' slots spin inertias and momenta, to be summed."""
    _clear(reals, at, SPUN_INERTIA, 9, root)
    for k in range(at.wheels):
        slot, _K, g, J = _wheel(ints, reals, at, k, root)
        rate = load(reals, v, _place(at, k, root), root)
        form = plus_form(form_at(reals, slot, SPUN_INERTIA, root), _outer(g, J))
        put_form(reals, slot, SPUN_INERTIA, form)
        L = plus_scaled(vector_at(reals, slot, SPUN_MOMENTUM, root), J * rate, g)
        put_vector(reals, slot, SPUN_MOMENTUM, L)
