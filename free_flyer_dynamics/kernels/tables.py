# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Vectors and matrices in the tables of the arena, at rows, roots and slots."""

from free_flyer_dynamics.kernels._jit import inlined
from free_flyer_dynamics.kernels.blocks import Matrix, Symmetric, Vector
from free_flyer_dynamics.kernels.lanes import (
    add_to_slots,
    add_totals,
    constant,
    constant_width,
    gather,
    load,
    scatter,
    store,
    where_above,
    width,
)
from free_flyer_dynamics.kernels.layout import ALIKE, GAIN, GIVE, INERTIA, PACK, SLOT


@inlined
def vector_at(reals, at, k, lane):
    """Three numbers of a block."""
    return Vector(
        load(reals, at, k, lane), load(reals, at, k + 1, lane), load(reals, at, k + 2, lane)
    )


@inlined
def put_vector(reals, at, k, v):
    """Set three numbers of a block."""
    store(reals, at, k, v.x)
    store(reals, at, k + 1, v.y)
    store(reals, at, k + 2, v.z)


@inlined
def put_gains(reals, W, d1, d2, d4, d5, d6, alone):
    """
    Keep a revolute row's gains U D, of which the third is 1, and what its joint does alone.

    They are in the axes between the two turns, as those of other rows.
    """
    store(reals, W, GAIN, d1)
    store(reals, W, GAIN + 1, d2)
    store(reals, W, GAIN + 2, d4)
    store(reals, W, GAIN + 3, d5)
    store(reals, W, GAIN + 4, d6)
    store(reals, W, GAIN + 5, alone)


@inlined
def keep_give(reals, W, D, lane):
    """Keep how a joint gives way to closed loops; states that are side by side have none."""
    if width(lane) == constant_width(lane):
        store(reals, W, GIVE, D)


@inlined
def constant_vector(reals, at, k, lane):
    """Three constants of a block."""
    return Vector(
        constant(reals, at, k, lane),
        constant(reals, at, k + 1, lane),
        constant(reals, at, k + 2, lane),
    )


@inlined
def inertia_of(reals, at, lane):
    """Inertia of a body about its frame's origin."""
    return Symmetric(
        constant(reals, at, INERTIA, lane),
        constant(reals, at, INERTIA + 1, lane),
        constant(reals, at, INERTIA + 2, lane),
        constant(reals, at, INERTIA + 3, lane),
        constant(reals, at, INERTIA + 4, lane),
        constant(reals, at, INERTIA + 5, lane),
    )


@inlined
def matrix_at(reals, at, k, lane):
    """Nine numbers of a block, row by row."""
    return Matrix(
        load(reals, at, k, lane),
        load(reals, at, k + 1, lane),
        load(reals, at, k + 2, lane),
        load(reals, at, k + 3, lane),
        load(reals, at, k + 4, lane),
        load(reals, at, k + 5, lane),
        load(reals, at, k + 6, lane),
        load(reals, at, k + 7, lane),
        load(reals, at, k + 8, lane),
    )


@inlined
def put_matrix(reals, at, M):
    """Set nine numbers of a block."""
    store(reals, at, 0, M.xx)
    store(reals, at, 1, M.xy)
    store(reals, at, 2, M.xz)
    store(reals, at, 3, M.yx)
    store(reals, at, 4, M.yy)
    store(reals, at, 5, M.yz)
    store(reals, at, 6, M.zx)
    store(reals, at, 7, M.zy)
    store(reals, at, 8, M.zz)


@inlined
def form_at(reals, at, k, lane):
    """Six numbers of a block, a symmetric matrix."""
    return Symmetric(
        load(reals, at, k, lane),
        load(reals, at, k + 1, lane),
        load(reals, at, k + 2, lane),
        load(reals, at, k + 3, lane),
        load(reals, at, k + 4, lane),
        load(reals, at, k + 5, lane),
    )


@inlined
def put_form(reals, at, k, J):
    """Set six numbers of a block to a symmetric matrix."""
    store(reals, at, k, J.xx)
    store(reals, at, k + 1, J.xy)
    store(reals, at, k + 2, J.xz)
    store(reals, at, k + 3, J.yy)
    store(reals, at, k + 4, J.yz)
    store(reals, at, k + 5, J.zz)


@inlined
def slot_vector(reals, at, ints, where, k, lane):
    """Three numbers of the slot that each lane hangs on."""
    return Vector(
        gather(reals, at.slot, SLOT, ints, where, k, lane),
        gather(reals, at.slot, SLOT, ints, where, k + 1, lane),
        gather(reals, at.slot, SLOT, ints, where, k + 2, lane),
    )


@inlined
def deliver(reals, at, ints, pack, values, lane):
    """Add to the first numbers of the slots that a pack hangs on, or of the one all hang on."""
    if ints[pack + ALIKE]:
        add_totals(reals, at.slot + ints[pack + PACK] * SLOT, values, lane)
    else:
        add_to_slots(reals, at.slot, SLOT, ints, pack + PACK, values, lane)


@inlined
def put_slot_vector(reals, at, ints, where, k, v, lane):
    """Set three numbers of each lane's slot."""
    scatter(reals, at.slot, SLOT, ints, where, k, v.x, lane)
    scatter(reals, at.slot, SLOT, ints, where, k + 1, v.y, lane)
    scatter(reals, at.slot, SLOT, ints, where, k + 2, v.z, lane)


@inlined
def ball_vector(ints, reals, at, table, row, k, lane, root):
    """Three numbers of each ball of a row, of a table of velocities."""
    balls, which = table + (at.joints + 6 * at.roots) * width(root), at.ball + row * at.lanes
    return Vector(
        gather(reals, balls, 6, ints, which, k, lane),
        gather(reals, balls, 6, ints, which, k + 1, lane),
        gather(reals, balls, 6, ints, which, k + 2, lane),
    )


@inlined
def put_ball_vector(ints, reals, at, table, row, k, v, lane, root):
    """Set three numbers of each ball of a row."""
    balls, which = table + (at.joints + 6 * at.roots) * width(root), at.ball + row * at.lanes
    scatter(reals, balls, 6, ints, which, k, v.x, lane)
    scatter(reals, balls, 6, ints, which, k + 1, v.y, lane)
    scatter(reals, balls, 6, ints, which, k + 2, v.z, lane)


@inlined
def either(choice, yes, no):
    """Vector yes in lanes where the choice is 1, no where it is 0."""
    return Vector(
        where_above(choice, 0.0, yes.x, no.x),
        where_above(choice, 0.0, yes.y, no.y),
        where_above(choice, 0.0, yes.z, no.z),
    )


@inlined
def pack_size(lane, root):
    """Integers of a pack: lanes that are branches have a slot each."""
    return PACK + 2 * (width(lane) // width(root))
