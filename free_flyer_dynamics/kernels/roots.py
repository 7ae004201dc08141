# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Slots as an evaluation begins, and the six equations of free roots."""

from free_flyer_dynamics.kernels._jit import inlined
from free_flyer_dynamics.kernels.blocks import (
    cross,
    minus,
    plus_cross,
    plus_diagonal,
    plus_form,
    Vector,
)
from free_flyer_dynamics.kernels.inverses import solve_six
from free_flyer_dynamics.kernels.lanes import constant, constant_width, spread, store, width
from free_flyer_dynamics.kernels.layout import (
    ACCELERATION,
    ARTICULATED,
    CONSTANTS,
    MASS,
    MOMENT,
    MOMENT_COLLECTED,
    OMEGA,
    SLOT,
    SPUN,
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
def start_slots(reals, at, v, root, wide):
    """
    Clear slots and give those of roots their velocities.

    The last stays clear, and what is collected at the world's nobody reads.
    """
    zero, none = spread(0.0, root), spread(0.0, wide)
    size = width(root)
    for i in range(1, at.slots - 1):
        for k in range((OMEGA * size + width(wide) - 1) // width(wide)):  # and what is set below
            store(reals, at.slot + i * SLOT * size, k, none)
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
    n = vector_at(reals, slot, MOMENT_COLLECTED, root)
    return A, B, C, n, vector_at(reals, slot, MOMENT_COLLECTED + 3, root)


@inlined
def solve_roots(reals, at, v, vdot, root):
    """
    Accelerations of the free roots; their rates are those of their twists.

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
        if at.wheels > 0:
            own_n = minus(own_n, vector_at(reals, slot, SPUN, root))
        n, f = minus(own_n, n), minus(minus(vector_at(reals, push, 3, root), own_f), f)
        alpha, a = solve_six(A, B, C, n, f)
        put_vector(reals, slot, ACCELERATION, alpha)
        put_vector(reals, slot, ACCELERATION + 3, a)
        turner = (at.joints + 6 * r) * width(root)
        put_vector(reals, vdot + turner, 0, alpha)
        put_vector(
            reals, vdot + turner, 3, minus(a, cross(w, vector_at(reals, v + turner, 3, root)))
        )
    # The world's slot: what is anchored feels gravity as an acceleration of the world upwards.
    zero = spread(0.0, root)
    put_vector(reals, at.slot, ACCELERATION, Vector(zero, zero, zero))
    for k in range(3):
        store(reals, at.slot, ACCELERATION + 3 + k, spread(-reals[at.gravity + k], root))
