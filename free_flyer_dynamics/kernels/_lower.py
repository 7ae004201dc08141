# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Write LLVM's code of a kernel without keeping in memory what is set once.

Numba keeps there each variable that lives beyond its basic block, reads it whole for each of its
fields, and in the end fills it with zeros. Ours are tuples of up to some hundred numbers, all of
which LLVM would have to take apart again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
import operator
from typing import Any

from free_flyer_dynamics.kernels._items import (
    counts_from_end,
    is_number_of,
    is_part_of,
    is_plain,
    part_of,
    place_of,
)
from free_flyer_dynamics.kernels._lean import PartConvention
from free_flyer_dynamics.kernels._loops import OF_LOOPS
from numba.core import ir, types
from numba.core.analysis import compute_cfg_from_blocks, compute_use_defs, must_use_alloca
from numba.core.compiler_machinery import register_pass
from numba.core.errors import LoweringError
from numba.core.lowering import Lower
from numba.core.typed_passes import BaseNativeLowering

_LINES = {
    (operator.add, types.float64): 'fadd',
    (operator.sub, types.float64): 'fsub',
    (operator.mul, types.float64): 'fmul',
    (operator.add, types.int64): 'add',
    (operator.sub, types.int64): 'sub',
    (operator.mul, types.int64): 'mul',
}


class KernelLower(Lower):
    """Numba's own, but for where variables are; where references are counted it is Numba's own."""

    @property
    def call_conv(self):
        """Return how this function is called."""
        is_part = getattr(self.library, 'is_part', False)
        return PartConvention(self.context) if is_part else super().call_conv

    def setup_function(self, fndesc):
        """Declare it as it is called."""
        convention = self.call_conv
        if isinstance(convention, PartConvention):
            self.context.declare_function = convention.declare  # of this function's own context
            super().setup_function(fndesc)
            del self.context.declare_function
        else:
            super().setup_function(fndesc)

    def _find_singly_assigned_variable(self) -> None:
        super()._find_singly_assigned_variable()
        if not self.context.enable_nrt:
            self._singly_assigned_vars = set_once(self.func_ir.blocks)

    def storevar(self, value: Any, name: str, argidx: int | None = None) -> None:
        """Set a variable, without a look at what it was."""
        if self.context.enable_nrt or argidx is not None or name in self._singly_assigned_vars:
            super().storevar(value, name, argidx)
            return
        self._alloca_var(name, self.typeof(name))
        self.builder.store(value, self.getvar(name))

    def delvar(self, name: str) -> None:
        """Leave a variable as it is: there is nothing to count."""
        if self.context.enable_nrt:
            super().delvar(name)

    def lower_expr(self, resty, expr):
        """Write what goes through a range, and what is picked of arrays, by few lines."""
        if self.context.enable_nrt:
            return super().lower_expr(resty, expr)
        is_static = expr.op == 'static_getitem' and expr.index_var is not None
        if is_static and is_plain(self.typeof(expr.value.name)):
            kinds = self.fndesc.calltypes[expr]  # Numba would look for something better first
            return self.lower_getitem(resty, expr, expr.value, expr.index_var, kinds)
        write = OF_LOOPS.get(expr.op)
        value = write(self, resty, expr) if write else None
        return super().lower_expr(resty, expr) if value is None else value

    def lower_binop(self, resty, expr, op):
        """Write one line for what is one, without a look at all the variants there are."""
        kinds = {types.unliteral(self.typeof(each.name)) for each in (expr.lhs, expr.rhs)}
        if kinds != {resty} or (op, resty) not in _LINES:
            return super().lower_binop(resty, expr, op)
        numbers = self.loadvar(expr.lhs.name), self.loadvar(expr.rhs.name)
        return getattr(self.builder, _LINES[op, resty])(*numbers)

    def lower_getitem(self, resty, expr, value, index, signature):
        """Read a number by itself, and cut a row out by itself; all else as Numba does."""
        kinds = self.typeof(value.name), self.typeof(index.name)
        if not self._are_plain or not (is_number_of(*kinds) or is_part_of(*kinds, resty)):
            with self._counting(kinds[1]):
                return super().lower_getitem(resty, expr, value, index, signature)
        context, builder, (array, at) = self.context, self.builder, kinds
        values = self.loadvar(value.name), self.loadvar(index.name)
        if not is_number_of(*kinds):
            return part_of(context, builder, *values, at, (array, resty))
        place = place_of(context, builder, *values, at)
        number = context.unpack_value(builder, array.dtype, place)
        return context.cast(builder, number, array.dtype, resty)

    def lower_setitem(self, target_var, index_var, value_var, signature):
        """Write a number by itself, all else as Numba does."""
        kinds = self.typeof(target_var.name), self.typeof(index_var.name)
        if not self._are_plain or not is_number_of(*kinds):
            with self._counting(kinds[1]):
                return super().lower_setitem(target_var, index_var, value_var, signature)
        context, builder, (array, at) = self.context, self.builder, kinds
        values = self.loadvar(target_var.name), self.loadvar(index_var.name)
        place = place_of(context, builder, *values, at)
        value, kind = self.loadvar(value_var.name), self.typeof(value_var.name)
        number = context.cast(builder, value, kind, array.dtype)
        return context.pack_value(builder, array.dtype, number, place)

    @contextmanager
    def _counting(self, index: types.Type) -> Iterator[None]:
        """Have it looked, meanwhile, which indices are below zero, if one is written so."""
        ours = getattr(self.library, 'counts_from_zero', False)
        self.library.counts_from_zero = ours and not counts_from_end(index)
        try:
            yield
        finally:
            self.library.counts_from_zero = ours

    @property
    def _are_plain(self) -> bool:
        """Tell whether arrays are but places: nobody counts who has them, or looks for ends."""
        return not self.context.enable_nrt and not self.context.enable_boundscheck


def set_once(blocks: dict[int, ir.Block]) -> set[str]:
    """Return the variables that are set in one place, before all that reads them."""
    places = [
        (each.target.name, label)
        for label, block in blocks.items()
        for each in block.find_insts(ir.Assign)
    ]
    where, count = dict(places), Counter(name for name, _ in places)
    once = {name for name in where if count[name] == 1} - must_use_alloca(blocks)
    above = compute_cfg_from_blocks(blocks).dominators()
    for label, read in compute_use_defs(blocks).usemap.items():  # but for what is set there first
        # Blocks are written in the order of their labels.
        once -= {
            name for name in once & read if where[name] >= label or where[name] not in above[label]
        }
    return once


def _holds_array(kind: types.Type) -> bool:
    if isinstance(kind, types.BaseTuple):
        return any(map(_holds_array, kind))
    if isinstance(kind, types.Optional):
        return _holds_array(kind.type)
    return isinstance(kind, types.Array)


@register_pass(mutates_CFG=True, analysis_only=False)
class KernelLowering(BaseNativeLowering):
    """Numba's pass of this name, by `KernelLower`."""

    _name = 'kernel_lowering'

    def run_pass(self, state: Any) -> bool:
        """Refuse generators, for which nothing is written, and arrays that nobody would count."""
        if state.func_ir.is_generator:
            raise LoweringError('A kernel returns; it yields nothing.')
        if not state.flags.no_cpython_wrapper and _holds_array(state.return_type):
            raise LoweringError('A kernel fills arrays that it is given; it returns none.')
        return super().run_pass(state)

    @property
    def lowering_class(self):
        """Return what does it."""
        return KernelLower
