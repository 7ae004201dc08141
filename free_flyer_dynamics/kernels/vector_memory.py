# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""How vectors come from memory and go there: see `lanes.py` for what each function does."""

from free_flyer_dynamics.kernels.vectors import (
    count_of,
    DOUBLE,
    INT32,
    LaneType,
    numbers,
    side_of,
    spread_over,
    vector_pointer,
)
from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def _address(context, builder, sig, args, count):
    """Address of entry k of a block of so many numbers each; indices are never negative here."""
    at, k = (context.cast(builder, args[i], sig.args[i], types.intp) for i in (1, 2))
    index = builder.add(at, builder.mul(k, ir.Constant(k.type, count)))
    data = context.make_array(sig.args[0])(context, builder, args[0]).data
    address = builder.gep(data, [index])
    return address if count == 1 else builder.bitcast(address, vector_pointer(count))


@intrinsic
def load(_typing, array, at, k, lane):
    count = lane.count

    def generate(context, builder, sig, args):
        return builder.load(_address(context, builder, sig, args, count), align=8)

    return numbers(count)(array, at, k, lane), generate


@intrinsic
def store(_typing, array, at, k, value):
    count = count_of(value)

    def generate(context, builder, sig, args):
        builder.store(args[3], _address(context, builder, sig, args, count), align=8)
        return context.get_dummy_value()

    return types.void(array, at, k, side_of(value)), generate


@intrinsic
def constant(_typing, array, at, k, lane):
    count = lane.count if lane.kind == 'branches' else 1

    def generate(context, builder, sig, args):
        found = builder.load(_address(context, builder, sig, args, count), align=8)
        return spread_over(builder, found, lane.count)

    return numbers(lane.count)(array, at, k, lane), generate


@intrinsic
def add_in_lane(_typing, array, at, k, which, value, lane):
    count = lane.count
    by_lane = lane.kind == 'branches' and count > 1

    def generate(context, builder, sig, args):
        address = _address(context, builder, sig, args, count)
        more = args[4]
        if by_lane:
            none = ir.Constant(ir.VectorType(DOUBLE, count), [0.0] * count)
            more = builder.insert_element(none, more, args[3])
        builder.store(builder.fadd(builder.load(address, align=8), more), address, align=8)
        return context.get_dummy_value()

    given = types.float64 if by_lane else numbers(count)
    return types.void(array, at, k, types.intp, given, lane), generate


def _slot_address(context, builder, sig, args, lane, root):
    """Address of entry k of the slot that a lane hangs on; slots are so many numbers wide."""
    array, at, stride, ints, where, k = args
    which = builder.add(where, ir.Constant(where.type, lane))
    table = context.make_array(sig.args[3])(context, builder, ints).data
    slot = builder.load(builder.gep(table, [which]))
    entry = builder.mul(builder.add(builder.mul(slot, stride), k), ir.Constant(k.type, root))
    data = context.make_array(sig.args[0])(context, builder, array).data
    address = builder.gep(data, [builder.add(at, entry)])
    return address if root == 1 else builder.bitcast(address, vector_pointer(root))


def _slots(given, value, result, act):
    """Type and generate what is done lane by lane for branches, at once for states."""
    by_lane = isinstance(given[-1], LaneType) and given[-1].kind == 'branches'
    count = given[-1].count
    root = 1 if by_lane else count
    index = types.intp
    typed = [given[0], index, index, given[3], index, index]

    def generate(context, builder, sig, args):
        done = None
        for lane in range(count if by_lane else 1):
            address = _slot_address(context, builder, sig, args[:6], lane, root)
            done = act(context, builder, args, address, lane if by_lane else None, done)
        return done if result is not types.void else context.get_dummy_value()

    tail = [given[-1]] if value is None else [value, given[-1]]
    return result(*typed, *tail), generate


@intrinsic
def gather(_typing, array, at, stride, ints, where, k, lane):
    def act(_context, builder, _args, address, which, done):
        found = builder.load(address, align=8)
        if which is None:
            return found
        if done is None:
            done = ir.Constant(ir.VectorType(DOUBLE, lane.count), ir.Undefined)
        return builder.insert_element(done, found, INT32(which))

    given = (array, at, stride, ints, where, k, lane)
    return _slots(given, None, numbers(lane.count), act)


@intrinsic
def scatter(_typing, array, at, stride, ints, where, k, value, lane):
    def act(_context, builder, args, address, which, _done):
        one = args[6] if which is None else builder.extract_element(args[6], INT32(which))
        builder.store(one, address, align=8)

    given = (array, at, stride, ints, where, k, lane)
    return _slots(given, numbers(lane.count), types.void, act)
