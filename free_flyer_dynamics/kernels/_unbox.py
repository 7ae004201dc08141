# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Take Python's records into memory, array by array, by one function for all arrays of a kind.

Numba writes it out for each array of each record of each kernel that Python calls: a fifth of a
second of compiling for a door to a kernel of sixty arrays.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

from free_flyer_dynamics.kernels._by_address import is_record, lies_at
from llvmlite import ir
from numba.core import boxing, cgutils, types
from numba.core.pythonapi import NativeValue
from numba.extending import unbox

_ADDRESS = ir.IntType(8).as_pointer()
_TAKE = ir.FunctionType(ir.IntType(1), [_ADDRESS, _ADDRESS])


def _unbox_named(kind: types.BaseNamedTuple, given: Any, c: Any) -> NativeValue:
    """Return what is in a named tuple; of ours it says where it lies, too."""
    if not is_record(kind) or c.context.enable_nrt:
        return boxing.unbox_tuple(kind, given, c)
    place = cgutils.alloca_once(c.builder, c.context.get_value_type(kind))
    failed = _take(kind, given, place, c)
    value = lies_at(c.builder, c.builder.load(place), c.builder.bitcast(place, _ADDRESS))
    return NativeValue(value, is_error=failed)


def _take(kind: types.BaseNamedTuple, given: Any, place: Any, c: Any) -> Any:
    """Fill a place with a record, and return whether it could not be."""
    builder, count = c.builder, len(kind)
    failed = cgutils.alloca_once_value(builder, cgutils.true_bit)
    size = c.pyapi.tuple_size(given)
    fits = builder.icmp_signed('==', size, size.type(count))
    with builder.if_else(fits, likely=True) as (then, otherwise):
        with then:
            builder.store(_take_fields(kind, given, place, c), failed)
        with otherwise:
            c.pyapi.err_set_string('PyExc_TypeError', f'a tuple of {count} fields is wanted')
    return builder.load(failed)


def _take_fields(kind: types.BaseNamedTuple, given: Any, place: Any, c: Any) -> Any:
    builder, failed = c.builder, []
    for k, each in enumerate(kind):
        item = c.pyapi.tuple_getitem(given, k)
        field = cgutils.gep_inbounds(builder, place, 0, k)
        if isinstance(each, types.Array):
            told = item, builder.bitcast(field, _ADDRESS)
            failed.append(builder.call(_taker(each, c), told))
        elif is_record(each):
            failed.append(_take(each, item, field, c))
        else:
            native = c.unbox(each, item)
            builder.store(native.value, field)
            failed.append(native.is_error)
    return reduce(builder.or_, failed)


def _taker(kind: types.Array, c: Any) -> ir.Function:
    """Return the module's function that takes an array of that kind, and tells if it cannot."""
    name = f'take {kind}'
    known = c.builder.module.globals.get(name)
    if known is not None:
        return known
    function = ir.Function(c.builder.module, _TAKE, name)
    function.linkage = 'internal'
    function.attributes.add('noinline')
    builder = ir.IRBuilder(function.append_basic_block())
    given, place = function.args
    own = c._replace(builder=builder, pyapi=c.context.get_python_api(builder))
    native = boxing.unbox_array(kind, given, own)
    builder.store(native.value, builder.bitcast(place, native.value.type.as_pointer()))
    builder.ret(native.is_error)
    return function


def take_records_at_once() -> None:
    """Do so from now on, before any kernel is compiled."""
    for kind in (types.NamedTuple, types.NamedUniTuple):
        unbox(kind)(_unbox_named)
