# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
How all that is collected at slots comes into lanes and goes back: see `lanes.py`.

A slot's numbers lie one after the other, a lane's one in each register. So as many of a slot as
there are lanes are loaded at once, and squares of so many by so many are transposed.
"""

from free_flyer_dynamics.kernels.layout import COLLECTED
from free_flyer_dynamics.kernels.vectors import INT32, numbers, vector_pointer
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


def _shuffled(builder, a, b, which):
    mask = ir.Constant(ir.VectorType(INT32, len(which)), which)
    return builder.shuffle_vector(a, b, mask)


def _halves(builder, a, b, stride):
    """Exchange every other `stride` numbers of two vectors: a's odd ones for b's even ones."""
    count = a.type.count
    low = [j + (count - stride if j & stride else 0) for j in range(count)]
    high = [j + (count if j & stride else stride) for j in range(count)]
    return _shuffled(builder, a, b, low), _shuffled(builder, a, b, high)


def _transposed(builder, rows):
    rows, stride = list(rows), 1
    while stride < len(rows):
        for i in range(len(rows)):
            if not i & stride:
                rows[i], rows[i + stride] = _halves(builder, rows[i], rows[i + stride], stride)
        stride *= 2
    return rows


def _totals(builder, rows):
    """Return one vector of the sums over each row's lanes."""
    stride = 1
    while len(rows) > 1:
        rows = [
            builder.fadd(*_halves(builder, a, b, stride))
            for a, b in zip(rows[::2], rows[1::2], strict=True)
        ]
        stride *= 2
    return rows[0]


def _squares(values, count):
    """Cut values into as many at a time as there are lanes; zeros fill the last up."""
    none = ir.Constant(values[0].type, [0.0] * count)
    for first in range(0, len(values), count):
        square = values[first : first + count]
        yield first, square + [none] * (count - len(square))


def _slot(context, builder, sig, args, lane, root):
    """Address of the slot that a lane hangs on; its numbers are so many wide."""
    array, at, stride, ints, where = args[:5]
    table = context.make_array(sig.args[3])(context, builder, ints).data
    which = builder.add(where, ir.Constant(where.type, lane))
    start = builder.mul(builder.load(builder.gep(table, [which])), stride)
    start = builder.add(at, builder.mul(start, ir.Constant(start.type, root)))
    return builder.gep(context.make_array(sig.args[0])(context, builder, array).data, [start])


def _part(builder, slot, first, count):
    """Address of so many numbers of a slot at once."""
    address = builder.gep(slot, [ir.Constant(ir.IntType(64), first)])
    return address if count == 1 else builder.bitcast(address, vector_pointer(count))


def _add(builder, address, more):
    builder.store(builder.fadd(builder.load(address, align=8), more), address, align=8)


def _hang_apart(lane):
    """Tell whether lanes have slots of their own: branches do, states share theirs."""
    return lane.kind == 'branches' and lane.count > 1


@intrinsic
def gather_slots(_typing, array, at, stride, ints, where, lane):
    count = lane.count

    def generate(context, builder, sig, args):
        values = []
        if _hang_apart(lane):
            slots = [_slot(context, builder, sig, args, k, 1) for k in range(count)]
            for first in range(0, COLLECTED, count):
                rows = [
                    builder.load(_part(builder, slot, first, count), align=8) for slot in slots
                ]
                values += _transposed(builder, rows)
        else:
            slot = _slot(context, builder, sig, args, 0, count)
            for k in range(COLLECTED):
                values.append(builder.load(_part(builder, slot, k * count, count), align=8))
        return context.make_tuple(builder, sig.return_type, values[:COLLECTED])

    index = types.intp
    found = types.UniTuple(numbers(count), COLLECTED)
    return found(array, index, index, ints, index, lane), generate


@intrinsic
def add_to_slots(_typing, array, at, stride, ints, where, values, lane):
    count = lane.count

    def generate(context, builder, sig, args):
        given = cgutils.unpack_tuple(builder, args[5])
        if _hang_apart(lane):
            slots = [_slot(context, builder, sig, args, k, 1) for k in range(count)]
            for first, square in _squares(given, count):
                for slot, more in zip(slots, _transposed(builder, square), strict=True):
                    _add(builder, _part(builder, slot, first, count), more)
        else:
            slot = _slot(context, builder, sig, args, 0, count)
            for k, more in enumerate(given):
                _add(builder, _part(builder, slot, k * count, count), more)
        return context.get_dummy_value()

    index = types.intp
    return types.void(array, index, index, ints, index, values, lane), generate


@intrinsic
def add_totals(_typing, array, at, values, lane):
    count = lane.count

    def generate(context, builder, sig, args):
        given = cgutils.unpack_tuple(builder, args[2])
        data = context.make_array(sig.args[0])(context, builder, args[0]).data
        slot = builder.gep(data, [args[1]])
        for first, square in _squares(given, count) if count > 1 else enumerate(given):
            more = _totals(builder, square) if count > 1 else square
            _add(builder, _part(builder, slot, first, count), more)
        return context.get_dummy_value()

    return types.void(array, types.intp, values, lane), generate
