# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Read and write one number of an array by the few lines of code that it takes.

Numba first lays the array's seven fields into memory, and reads from there the ones it wants.
LLVM has to find out that none of it is needed.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types

_DATA, _SHAPE = 4, 5  # of an array's fields


def is_number_of(array: types.Type, index: types.Type) -> bool:
    """Tell whether an index picks one number of an array that lies there row by row."""
    if not isinstance(array, types.Array) or array.layout != 'C' or not array.aligned:
        return False
    kinds = tuple(index) if isinstance(index, types.BaseTuple) else (index,)
    return (
        isinstance(array.dtype, types.Float | types.Integer)
        and len(kinds) == array.ndim > 0
        and all(isinstance(kind, types.Integer) for kind in kinds)
    )


def place_of(context: Any, builder: Any, array: Any, at: Any, index: types.Type) -> ir.GEPInstr:
    """Return where a number of an array lies; what is written as a constant may be below zero."""
    if isinstance(index, types.BaseTuple):
        pairs = [(builder.extract_value(at, k), kind) for k, kind in enumerate(index)]
    else:
        pairs = [(at, index)]
    offset = None
    for k, (number, kind) in enumerate(pairs):
        number = context.cast(builder, number, kind, types.intp)
        size = builder.extract_value(array, (_SHAPE, k))
        if _is_below_zero(number, kind):
            number = builder.add(number, size)
        offset = builder.add(builder.mul(offset, size), number) if k else number
    return builder.gep(builder.extract_value(array, _DATA), [offset])


def _is_below_zero(number: Any, kind: types.Type) -> bool:
    if isinstance(kind, types.IntegerLiteral):
        return kind.literal_value < 0
    return isinstance(number, ir.Constant) and number.constant < 0
