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

from free_flyer_dynamics.kernels._replaced import Replaced
from llvmlite import ir
from numba.core import base, callconv, cgutils

_user_function = getattr(base, 'user_function', None)


def quiet_functions(module: ir.Module) -> frozenset[str]:
    """Return the names of a module's functions that return well, wherever they do."""
    return frozenset(each.name for each in module.functions if each.blocks and _is_quiet(each))


def _is_quiet(function: ir.Function) -> bool:
    ends = (block.terminator for block in function.blocks)
    codes = [end.return_value for end in ends if isinstance(end, ir.Ret)]
    return all(isinstance(code, ir.Constant) and code.constant == 0 for code in codes)


def _quiet_user_function(fndesc: Any, libs: Iterable[Any]) -> Callable:
    """Return what writes the call of a function; of one that can fail, Numba's own."""
    libraries = tuple(libs)
    loudly = _user_function(fndesc, libraries)
    name = fndesc.llvm_func_name
    if not any(name in getattr(library, 'quiet', ()) for library in libraries):
        return loudly

    def quietly(context, builder, sig, args):
        function = context.declare_function(builder.module, fndesc)
        convention = context.call_conv
        result = cgutils.alloca_once(builder, convention.get_return_type(fndesc.restype).pointee)
        no_error = ir.Constant(callconv.excinfo_ptr_t.as_pointer(), None)
        packer = context.get_arg_packer(fndesc.argtypes)
        builder.call(function, [result, no_error, *packer.as_arguments(builder, args)])
        return context.get_returned_value(builder, fndesc.restype, builder.load(result))

    quietly.signature, quietly.libs = fndesc.argtypes, libraries
    return quietly


_QUICK = Replaced(*[(base, 'user_function', _quiet_user_function)] if _user_function else [])


def quick_calls() -> Replaced:
    """Call so meanwhile."""
    return _QUICK
