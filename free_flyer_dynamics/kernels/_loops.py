# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Count through a range by the few lines of code that it takes.

Numba divides to find out how often a loop turns, keeps that and four more numbers in memory, and
raises an error if the step is zero: a hundred lines a loop, and every function with one, and all
that call it, would have to look whether it went well. Here a step of zero leads nowhere, and a
range ends where one step more can still be counted, below 2**63. Kernels go through ranges by
`for`; what goes through one that is asked for by `iter` would be Numba's, and is refused.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import LoweringError

_INDEX = ir.IntType(64)
_START, _STOP, _STEP = 0, 1, 2  # of a range; in its iterator, the first is where its number lies
_PAIR = types.Pair(types.int64, types.boolean)  # a number, and whether there was one


def _is_range(kind: types.Type) -> bool:
    return isinstance(kind, types.RangeType) and kind.dtype == types.int64


def _goes_through(kind: types.Type) -> bool:
    return isinstance(kind, types.RangeIteratorType) and kind.yield_type == types.int64


def _range(lower: Any, kind: types.Type, expr: Any) -> Any:
    """Write `range(...)`."""
    called = getattr(lower.typeof(expr.func.name), 'typing_key', None)
    if called is iter and _goes_through(kind):
        raise LoweringError('Kernels go through ranges by `for` alone.', loc=expr.loc)
    if called is not range or not _is_range(kind) or expr.vararg is not None:
        return None
    builder, context = lower.builder, lower.context
    numbers = [
        context.cast(builder, lower.loadvar(each.name), lower.typeof(each.name), types.int64)
        for each in expr.args
    ]
    start = numbers[0] if len(numbers) > 1 else ir.Constant(_INDEX, 0)
    step = numbers[2] if len(numbers) > 2 else ir.Constant(_INDEX, 1)
    value = ir.Constant(context.get_value_type(kind), ir.Undefined)
    for k, each in enumerate((start, numbers[len(numbers) > 1], step)):
        value = builder.insert_value(value, each, k)
    return value


def _iterator(lower: Any, kind: types.Type, expr: Any) -> Any:
    """Write what goes through a range, before its first number."""
    if not _is_range(lower.typeof(expr.value.name)) or not _goes_through(kind):
        return None
    builder, numbers = lower.builder, lower.loadvar(expr.value.name)
    place = cgutils.alloca_once(builder, _INDEX)
    builder.store(builder.extract_value(numbers, _START), place)
    value = ir.Constant(lower.context.get_value_type(kind), ir.Undefined)
    value = builder.insert_value(value, place, _START)
    for k in (_STOP, _STEP):
        value = builder.insert_value(value, builder.extract_value(numbers, k), k)
    return value


def _next(lower: Any, kind: types.Type, expr: Any) -> Any:
    """Write a step to the next number."""
    if not _goes_through(lower.typeof(expr.value.name)):
        return None
    builder, iterator = lower.builder, lower.loadvar(expr.value.name)
    place, stop, step = (builder.extract_value(iterator, k) for k in (_START, _STOP, _STEP))
    number, zero = builder.load(place), ir.Constant(_INDEX, 0)
    builder.store(builder.add(number, step), place)
    up, below = builder.icmp_signed('>', step, zero), builder.icmp_signed('<', number, stop)
    down, above = builder.icmp_signed('<', step, zero), builder.icmp_signed('>', number, stop)
    is_there = builder.or_(builder.and_(up, below), builder.and_(down, above))
    pair = ir.Constant(lower.context.get_value_type(kind), ir.Undefined)
    return builder.insert_value(builder.insert_value(pair, number, 0), is_there, 1)


def _of_pair(lower: Any, _kind: types.Type, expr: Any) -> Any:
    """Write one half of what came of it."""
    if lower.typeof(expr.value.name) != _PAIR:
        return None
    half = 0 if expr.op == 'pair_first' else 1
    return lower.builder.extract_value(lower.loadvar(expr.value.name), half)


# By the kind of an expression, what writes it if it is of a range, and else returns nothing.
OF_LOOPS = {
    'call': _range,
    'getiter': _iterator,
    'iternext': _next,
    'pair_first': _of_pair,
    'pair_second': _of_pair,
}
