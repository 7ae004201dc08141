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
import operator
from typing import Any

from free_flyer_dynamics.kernels._items import is_number_of, place_of
from numba.core import ir, types
from numba.core.analysis import compute_cfg_from_blocks, compute_use_defs, must_use_alloca
from numba.core.compiler_machinery import register_pass
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

    def lower_binop(self, resty, expr, op):
        """Write one line for what is one, without a look at all the variants there are."""
        kinds = {types.unliteral(self.typeof(each.name)) for each in (expr.lhs, expr.rhs)}
        if kinds != {resty} or (op, resty) not in _LINES:
            return super().lower_binop(resty, expr, op)
        numbers = self.loadvar(expr.lhs.name), self.loadvar(expr.rhs.name)
        return getattr(self.builder, _LINES[op, resty])(*numbers)

    def lower_getitem(self, resty, expr, value, index, signature):
        """Read a number by itself, all else as Numba does."""
        array, place = self._place(value, index)
        if place is None:
            return super().lower_getitem(resty, expr, value, index, signature)
        number = self.context.unpack_value(self.builder, array.dtype, place)
        return self.context.cast(self.builder, number, array.dtype, resty)

    def lower_setitem(self, target_var, index_var, value_var, signature):
        """Write a number by itself, all else as Numba does."""
        array, place = self._place(target_var, index_var)
        if place is None:
            return super().lower_setitem(target_var, index_var, value_var, signature)
        value, kind = self.loadvar(value_var.name), self.typeof(value_var.name)
        number = self.context.cast(self.builder, value, kind, array.dtype)
        return self.context.pack_value(self.builder, array.dtype, number, place)

    def _place(self, array: ir.Var, index: ir.Var) -> tuple[Any, Any]:
        """Return an array's type, and where one of its numbers lies if that is what is meant."""
        kind, at = self.typeof(array.name), self.typeof(index.name)
        context = self.context
        if context.enable_nrt or context.enable_boundscheck or not is_number_of(kind, at):
            return kind, None
        values = self.loadvar(array.name), self.loadvar(index.name)
        return kind, place_of(context, self.builder, *values, at)


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


@register_pass(mutates_CFG=True, analysis_only=False)
class KernelLowering(BaseNativeLowering):
    """Numba's pass of this name, by `KernelLower`."""

    _name = 'kernel_lowering'

    @property
    def lowering_class(self):
        """Return what does it."""
        return KernelLower
