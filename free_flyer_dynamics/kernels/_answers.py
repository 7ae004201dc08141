# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
What Numba asks again and again, answered at once while kernels are compiled.

Which variant of `+` suits two numbers it finds among all there are, those for arrays included, for
each line anew; which variables a line names, by a look at all that the line holds. It also takes
the time of each kernel in each of those that call it. That is a quarter of a cold start.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from inspect import unwrap
from typing import Any

from free_flyer_dynamics.kernels._replaced import Replaced
from numba.core import base, event, ir
from numba.core.types.functions import BaseFunction

_slowly = getattr(BaseFunction, 'get_call_type', None)
_takes_it = getattr(base, '_has_loc', None)
_locations: dict[Any, bool] = {}
# By function, which is kept here lest another be where it was, typing context and arguments.
_found: dict[tuple, tuple[BaseFunction, Any]] = {}


def _call_type(function: BaseFunction, context: Any, args: tuple, kws: dict) -> Any:
    """Return the signature of a call, as the same call had it before."""
    if kws:
        return _slowly(function, context, args, kws)
    key = id(function), context, tuple(args)
    if key not in _found:
        _found[key] = function, _slowly(function, context, args, kws)
    return _found[key][1]


def _variables(values: Iterable) -> Iterator[ir.Var]:
    """Yield the variables among what a line holds."""
    for value in values:
        kind = type(value)
        if kind is ir.Var:
            yield value
        elif kind is tuple or kind is list:
            yield from _variables(value)
        elif kind is dict:
            yield from _variables(value.values())
        elif isinstance(value, ir.Inst):
            yield from value.list_vars()


def _of_statement(statement: ir.Stmt) -> list[ir.Var]:
    return [*_variables(statement.__dict__.values())]


def _of_expression(expression: ir.Expr) -> list[ir.Var]:
    return [*_variables(expression._kws.values())]


@contextmanager
def _no_timer(_kind: str, _callback: Any) -> Iterator[None]:
    yield


def _takes_location(function: Any) -> bool:
    """Tell whether a function takes `loc`; made anew for each call, it is of the same code."""
    code = getattr(unwrap(function), '__code__', None)  # that of what tells what it takes
    if code is None:
        return _takes_it(function)
    if code not in _locations:
        _locations[code] = _takes_it(function)
    return _locations[code]


_WANTED = (
    (BaseFunction, 'get_call_type', _call_type),
    (ir.Stmt, 'list_vars', _of_statement),
    (ir.Expr, 'list_vars', _of_expression),
    (event, 'install_timer', _no_timer),
    (base, '_has_loc', _takes_location),
)
_QUICK = Replaced(*[each for each in _WANTED if hasattr(*each[:2])])


def quick_answers() -> Replaced:
    """Answer at once meanwhile."""
    return _QUICK
