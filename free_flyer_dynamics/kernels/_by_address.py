# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Hand tuples of arrays to kernels by their address.

Numba takes a tuple apart at each call and puts it together again in what is called: for one of
sixty arrays, that is a thousand lines of code and four hundred numbers on the stack. Two thirds
of all that kernels were made of was this.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models, register_default

OURS = __name__.partition('.')[0]
_ADDRESS = ir.IntType(8).as_pointer()


def is_record(kind: types.Type) -> bool:
    """Tell whether a type is a named tuple of ours, with arrays."""
    return (
        isinstance(kind, types.BaseNamedTuple)
        and kind.instance_class.__module__.partition('.')[0] == OURS
        and any(isinstance(each, types.Array) or is_record(each) for each in kind)
    )


def lies_at(builder: Any, value: Any, address: Any) -> Any:
    """Return a tuple that is known, in this function, to lie at an address."""
    value.lies_at = builder.function, address
    return value


class _Record:
    """A tuple that lies in memory when it is an argument."""

    def get_argument_type(self):
        """Return an address."""
        return _ADDRESS

    def as_argument(self, builder, value):
        """Return where a tuple lies: where it came from, or in a place for it."""
        function, known = getattr(value, 'lies_at', (None, None))
        if function is builder.function:
            return known
        place = cgutils.alloca_once(builder, value.type)
        builder.store(value, place)
        return builder.bitcast(place, _ADDRESS)

    def from_argument(self, builder, address):
        """Return the tuple at an address, where nobody changes it."""
        for known in ('noalias', 'readonly'):
            set.add(address.attributes, known)
        place = builder.bitcast(address, self.get_value_type().as_pointer())
        return lies_at(builder, builder.load(place), address)


class _Mixed(_Record, models.TupleModel):
    """A record of different fields."""


class _Uniform(_Record, models.UniTupleModel):
    """A record of fields of one type."""


def _model(manager: Any, kind: types.BaseNamedTuple) -> models.DataModel:
    """Return how a named tuple is laid out: ours otherwise than those of others."""
    if isinstance(kind, types.NamedUniTuple):
        return (_Uniform if is_record(kind) else models.UniTupleModel)(manager, kind)
    return (_Mixed if is_record(kind) else models.TupleModel)(manager, kind)


def hand_records_by_address() -> None:
    """Do so from now on, before any kernel is compiled."""
    for kind in (types.NamedTuple, types.NamedUniTuple):
        register_default(kind)(_model)
