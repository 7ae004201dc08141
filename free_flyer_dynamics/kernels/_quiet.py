# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Call without a word what cannot fail.

After each call Numba looks whether it went well, and hands errors on; before it, it fills with
zeros what the call is about to fill. Kernels raise nothing, as can be seen of all but a few: they
have no way to return but the good one. Calls of these are a tenth of what Numba writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from free_flyer_dynamics.kernels._lean import PartConvention
from llvmlite import ir
from numba.core import base, callconv, cgutils, imputils, typing

_user_function = getattr(base, 'user_function', None)
CALLS_KNOWN = _user_function is not None


def quiet_functions(module: ir.Module) -> frozenset[str]:
    """Return the names of a module's functions that return well, wherever they do."""
    return frozenset(each.name for each in module.functions if each.blocks and _is_quiet(each))


def _is_quiet(function: ir.Function) -> bool:
    ends = (block.terminator for block in function.blocks)
    codes = [end.return_value for end in ends if isinstance(end, ir.Ret)]
    return all(isinstance(code, ir.Constant) and code.constant == 0 for code in codes)


def _our_user_function(fndesc: Any, libs: Iterable[Any]) -> Callable:
    """Return what writes the call of a function: of a part as these are called, if need be."""
    libraries = tuple(libs)
    is_part = any(getattr(library, 'is_part', False) for library in libraries)
    is_quiet = any(fndesc.llvm_func_name in getattr(library, 'quiet', ()) for library in libraries)
    if not is_part and not is_quiet:
        return _user_function(fndesc, libraries)
    write = _call_quietly if is_quiet else _call_loudly

    def call(context, builder, _signature, values):
        if is_part:
            convention: Any = PartConvention(context)
            function = convention.declare(builder.module, fndesc)
        else:
            convention = context.call_conv
            function = context.declare_function(builder.module, fndesc)
        return write(context, builder, convention, function, fndesc, values)

    call.signature, call.libs = fndesc.argtypes, libraries
    return call


def _call_quietly(context, builder, convention, function, fndesc, values):
    result = cgutils.alloca_once(builder, convention.get_return_type(fndesc.restype).pointee)
    no_error = ir.Constant(callconv.excinfo_ptr_t.as_pointer(), None)
    given = convention._get_arg_packer(fndesc.argtypes).as_arguments(builder, values)
    builder.call(function, [result, no_error, *given])
    return context.get_returned_value(builder, fndesc.restype, builder.load(result))


def _call_loudly(context, builder, convention, function, fndesc, values):
    kinds = fndesc.restype, fndesc.argtypes
    status, result = convention.call_function(builder, function, *kinds, values)
    with cgutils.if_unlikely(builder, status.is_error):
        context.call_conv.return_status_propagate(builder, status)
    kind = typing.signature(fndesc.restype, *fndesc.argtypes)
    return imputils.fix_returning_optional(context, builder, kind, status, result)


def call_parts_as_parts() -> None:
    """
    Call so what is ours, from now on, and all else as ever.

    Always: somebody else's function that is compiled may be the first to ask for a part.
    """
    if CALLS_KNOWN:
        base.user_function = _our_user_function
