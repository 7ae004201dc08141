# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What functions are called in machine code, and a function that only calls another."""

from __future__ import annotations

from collections.abc import Callable
import hashlib
from inspect import CO_VARARGS
from pathlib import Path
from types import CodeType
from typing import Any

from numba.core.bytecode import FunctionIdentity
import numpy as np


def name_for_all(identity: FunctionIdentity) -> None:
    """
    Let a function be called alike in the machine code of all processes.

    Numba tells functions of one name by a number that counts. So it may go on where a function is
    of no file: nobody else has it.
    """
    if not Path(identity.filename).is_file():
        return
    identity.unique_id = sign_of(identity.func)
    identity.unique_name = f'{identity.modname}.{identity.func_qualname}.{identity.unique_id}'


def sign_of(function: Callable) -> str:
    """Return what tells a function from all others, in all processes."""
    cells = tuple(cell.cell_contents for cell in function.__closure__ or ())
    code = function.__code__
    place = function.__module__, function.__qualname__, code.co_firstlineno
    all_of_it = place, _said((code, function.__defaults__, cells))
    return hashlib.sha256(repr(all_of_it).encode()).hexdigest()[:12]


def _said(value: Any) -> Any:
    """Return a value as its text tells it from others, in all processes: nothing is rounded."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, tuple):
        return type(value).__qualname__, *map(_said, value)
    if isinstance(value, frozenset):
        return 'frozenset', sorted(map(repr, value))
    if isinstance(value, CodeType):
        return value.co_code, value.co_names, _said(value.co_consts)
    return value


def call_to(dispatcher: Any) -> Callable:
    """Return a function that does no more than call the code of a kernel."""
    function = dispatcher.py_func
    code = function.__code__
    names = [*code.co_varnames[: code.co_argcount]]
    called = '_'.join(('code', *names))  # no argument has this name
    if code.co_flags & CO_VARARGS:
        names.append('*' + code.co_varnames[len(names) + code.co_kwonlyargcount])
    given = ', '.join(names)
    above = '\n' * (code.co_firstlineno - 1)  # errors then show where the kernel is
    source = f'{above}def call({given}): return {called}({given})'
    room: dict[str, Any] = {called: dispatcher.part()}
    exec(compile(source, code.co_filename, 'exec'), room)
    room['call'].__module__ = function.__module__
    room['call'].__qualname__ = f'{function.__qualname__}.call.{sign_of(function)}'
    return room['call']
