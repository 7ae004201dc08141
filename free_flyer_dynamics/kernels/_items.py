# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Read and write one number of an array, or cut a row out of it, by the few lines that it takes.

Numba first lays the array's seven fields into memory, and reads from there the ones it wants.
LLVM has to find out that none of it is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba.core import types

ITEMS, DATA, SHAPE, STRIDES = 2, 4, 5, 6  # of an array's fields
_INDEX = ir.IntType(64)
_SLICE = types.slice2_type  # from one to another, without a step


def is_plain(kind: types.Type) -> bool:
    """Tell whether a type is of arrays whose numbers lie there row by row."""
    return (
        isinstance(kind, types.Array)
        and kind.layout == 'C'
        and kind.aligned
        and kind.ndim > 0
        and isinstance(kind.dtype, types.Float | types.Integer)
    )


def is_number_of(array: types.Type, index: types.Type) -> bool:
    """Tell whether an index picks one number of such an array."""
    kinds = _each(index)
    return is_plain(array) and len(kinds) == array.ndim and _are_integers(kinds)


def is_part_of(array: types.Type, index: types.Type, part: types.Type) -> bool:
    """Tell whether an index cuts out a part of such an array that is such an array."""
    *rows, last = _each(index) or [None]
    return (
        is_plain(array)
        and is_plain(part)
        and len(rows) < array.ndim
        and _are_integers(rows)
        and (last == _SLICE or _are_integers([last]))
    )


def counts_from_end(index: types.Type) -> bool:
    """Tell whether a number of an index is written as a constant below zero."""
    return any(isinstance(k, types.IntegerLiteral) and k.literal_value < 0 for k in _each(index))


def place_of(context: Any, builder: Any, array: Any, at: Any, index: types.Type) -> ir.GEPInstr:
    """Return where a number of an array lies; what is written as a constant may be below zero."""
    kinds, shape = _each(index), _shape_of(builder, array, len(_each(index)))
    row = _row(context, builder, _numbers(builder, at, index), kinds, shape)
    return builder.gep(builder.extract_value(array, DATA), [row])


def part_of(
    context: Any, builder: Any, array: Any, at: Any, index: types.Type, kinds: Sequence[Any]
) -> Any:
    """Return a part of an array; kinds: the types of both."""
    whole, part = kinds
    each, numbers = _each(index), _numbers(builder, at, index)
    shape = _shape_of(builder, array, whole.ndim)
    left = shape[len(each) :]
    if each[-1] == _SLICE:
        each[-1], bounds = types.intp, numbers[-1]
        numbers[-1], length = _within(builder, bounds, shape[len(each) - 1])
        left = [length, *left]
    place = _row(context, builder, numbers, each, shape)
    for size in shape[len(each) :]:
        place = builder.mul(place, size)
    data = builder.gep(builder.extract_value(array, DATA), [place])
    return array_of(builder, context.get_value_type(part), part, data, left)


def array_of(builder: Any, kind: Any, array: types.Array, data: Any, shape: Sequence[Any]) -> Any:
    """Return the array of a shape whose numbers lie row by row from an address on."""
    size, last = array.dtype.bitwidth // 8, len(shape) - 1
    known = [0, 0, 0, size, 0, [0] * len(shape), [0] * last + [size]]
    fields = [
        ir.Constant(field, None if isinstance(field, ir.PointerType) else number)
        for field, number in zip(kind.elements, known, strict=True)
    ]
    value = builder.insert_value(ir.Constant(kind, fields), data, DATA)
    items = None
    for k in range(last, -1, -1):
        value = builder.insert_value(value, shape[k], (SHAPE, k))
        items = shape[k] if items is None else builder.mul(items, shape[k])
        if k:
            stride = builder.mul(items, ir.Constant(_INDEX, size))
            value = builder.insert_value(value, stride, (STRIDES, k - 1))
    return builder.insert_value(value, items, ITEMS)


def _each(index: types.Type) -> list[types.Type]:
    return list(index) if isinstance(index, types.BaseTuple) else [index]


def _are_integers(kinds: Sequence[types.Type | None]) -> bool:
    return all(isinstance(kind, types.Integer) for kind in kinds)


def _numbers(builder: Any, at: Any, index: types.Type) -> list[Any]:
    if not isinstance(index, types.BaseTuple):
        return [at]
    return [builder.extract_value(at, k) for k in range(len(index))]


def _shape_of(builder: Any, array: Any, count: int) -> list[Any]:
    return [builder.extract_value(array, (SHAPE, k)) for k in range(count)]


def _row(context: Any, builder: Any, numbers: Any, kinds: Any, shape: Any) -> Any:
    """Return which row is picked, counted over all dimensions that have an index."""
    row = None
    for number, kind, size in zip(numbers, kinds, shape, strict=False):
        number = context.cast(builder, number, kind, types.intp)
        if _is_below_zero(number, kind):
            number = builder.add(number, size)
        row = number if row is None else builder.add(builder.mul(row, size), number)
    return row


def _within(builder: Any, bounds: Any, size: Any) -> tuple[Any, Any]:
    """Return the first of so many that a slice picks, and how many it does, as Python says."""
    zero = ir.Constant(_INDEX, 0)

    def lesser(a, b):
        return builder.select(builder.icmp_signed('<', a, b), a, b)

    def greater(a, b):
        return builder.select(builder.icmp_signed('>', a, b), a, b)

    def inside(bound):
        from_end = builder.icmp_signed('<', bound, zero)
        bound = builder.select(from_end, builder.add(bound, size), bound)
        return lesser(greater(bound, zero), size)

    first, end = (inside(builder.extract_value(bounds, k)) for k in range(2))
    return first, greater(builder.sub(end, first), zero)


def _is_below_zero(number: Any, kind: types.Type) -> bool:
    return counts_from_end(kind) or (isinstance(number, ir.Constant) and number.constant < 0)
