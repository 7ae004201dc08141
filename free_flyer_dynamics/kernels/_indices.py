# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Indices as they are, while kernels are compiled.

Numba looks of each signed index whether it is below zero, and would count from the end: three
instructions for each that LLVM does not know better of, and LLVM then no longer sees that numbers
are only copied. Kernels count from the end nowhere, but by a number below zero that stands in the
index itself: `a[-1, k]`, and not `a[-K]`, nor `a[k]` where k was set to -1.
"""

from __future__ import annotations

from typing import Any

from free_flyer_dynamics.kernels._replaced import Replaced
from llvmlite.ir import Constant
from numba.core import types
from numba.np import arrayobj

_looked_at = getattr(arrayobj, 'fix_integer_index', None)


def _as_it_is(context: Any, builder: Any, kind: types.Integer, index: Any, size: Any) -> Any:
    """Return an index of the widest kind; one of somebody else's function is looked at."""
    ours = getattr(context.active_code_library, 'counts_from_zero', False)
    if not ours or not kind.signed or isinstance(index, Constant):
        return _looked_at(context, builder, kind, index, size)
    return context.cast(builder, index, kind, types.intp)


_WANTED = [(arrayobj, 'fix_integer_index', _as_it_is)] if _looked_at else []
_QUICK = Replaced(*_WANTED)


def quick_indices() -> Replaced:
    """Look at no index meanwhile."""
    return _QUICK
