# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Call parts of kernels with no more of an array than where it lies and how long it is.

Numba hands an array on as seven fields, one by one, most of which nobody asks for or follow from
the others. Nobody but kernels calls their parts, so these can be called as suits them.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from free_flyer_dynamics.kernels._items import array_of, DATA, is_plain, SHAPE
from llvmlite import ir
from numba.core import callconv, cgutils, types
from numba.core.datamodel import default_manager, models
from numba.core.datamodel.manager import DataModelManager
from numba.core.datamodel.packer import ArgPacker


class _LeanArray(models.ArrayModel):
    """An array of numbers that lie there row by row: its strides follow from its shape."""

    def get_argument_type(self):
        """Return what is handed on: an address and the shape."""
        fields = self.get_value_type().elements
        return fields[DATA], (fields[SHAPE].element,) * self._fe_type.ndim

    def as_argument(self, builder, value):
        """Return what is handed on of an array."""
        shape = [builder.extract_value(value, (SHAPE, k)) for k in range(self._fe_type.ndim)]
        return builder.extract_value(value, DATA), tuple(shape)

    def from_argument(self, builder, given):
        """Return the array."""
        data, shape = given
        return array_of(builder, self.get_value_type(), self._fe_type, data, shape)


def _array(manager: Any, kind: types.Array) -> models.DataModel:
    return (_LeanArray if is_plain(kind) else models.ArrayModel)(manager, kind)


_manager = DataModelManager().chain(default_manager)
_manager.register(types.Array, _array)


@cache
def _packer(kinds: tuple[types.Type, ...]) -> ArgPacker:
    return ArgPacker(_manager, kinds)


class PartConvention(callconv.CPUCallConv):
    """How parts of kernels are called."""

    def _get_arg_packer(self, argtypes):
        return _packer(tuple(argtypes))

    def declare(self, module: Any, fndesc: Any) -> ir.Function:
        """Declare a part, as Numba does a function."""
        kind = self.get_function_type(fndesc.restype, fndesc.argtypes)
        function = cgutils.get_or_insert_function(module, kind, fndesc.mangled_name)
        self.decorate_function(function, fndesc.args, fndesc.argtypes, noalias=fndesc.noalias)
        if fndesc.inline:
            function.attributes.add('alwaysinline')
        return function
