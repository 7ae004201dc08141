# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
A kernel that several processes want is compiled by one; the others wait, and load it.

A simulation is often many processes that start at once, and a cold start is two by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from errno import EACCES, EAGAIN
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO
import zlib

from free_flyer_dynamics.kernels._answers import quick_answers
from free_flyer_dynamics.kernels._flags import quick_flags
from free_flyer_dynamics.kernels._indices import quick_indices
from free_flyer_dynamics.uncollected import uncollected

try:
    from fcntl import LOCK_EX, LOCK_NB, LOCK_UN, lockf
except ImportError:  # not on this system: each process compiles for itself
    lockf = None  # type: ignore[assignment]


_HELD = EACCES, EAGAIN  # by another: which of them, depends on the system


class Busy(BaseException):
    """
    Another process compiles what is wanted.

    That is no error, and nobody in between is to take it for one.
    """


class _Manner:
    waits = True


@contextmanager
def without_waiting() -> Iterator[None]:
    """Raise `Busy`, meanwhile, where a kernel is to be waited for."""
    _Manner.waits = False
    try:
        yield
    finally:
        _Manner.waits = True


def one_by_one(dispatcher: Any, prepare: Callable[[], None]) -> Callable:
    """
    Return what compiles a kernel, or loads it, while no other process compiles the same.

    It is prepared first.
    """
    compiled = quickly(dispatcher.compile)

    def compile_in_turn(signature):
        prepare()
        folder = dispatcher.stats.cache_path
        function = f'{dispatcher.__module__}.{dispatcher.__qualname__}'
        name = f'{side_of(dispatcher)} {function}{signature}'
        with turn(folder, name, _Manner.waits):
            return compiled(signature)

    return compile_in_turn


def quickly(compiled: Callable) -> Callable:
    """Return what compiles as kernels are."""

    def compile_quickly(signature):
        with uncollected(), quick_flags(), quick_answers(), quick_indices():
            return compiled(signature)

    return compile_quickly


def side_of(dispatcher: Any) -> str:
    """Tell a door from code, which Python cannot call."""
    return 'code' if dispatcher.targetoptions.get('no_cpython_wrapper') else 'door'


@contextmanager
def turn(folder: str | None, name: str, waits: bool = True) -> Iterator[None]:
    """
    Hold a byte of a file that stands for a name; who ends in between lets it go.

    Where another holds it, who does not wait is `Busy`.
    """
    file = _open(folder) if folder and lockf else None
    if file is None:
        yield
        return
    place = zlib.crc32(name.encode())
    try:
        lockf(file, LOCK_EX if waits else LOCK_EX | LOCK_NB, 1, place)
    except OSError as error:
        if error.errno in _HELD and not waits:
            raise Busy from None
        # So waits whoever has it for something of ours, or no lock is to be had: better twice
        # than never.
        yield
        return
    try:
        yield
    finally:
        lockf(file, LOCK_UN, 1, place)


@cache
def _open(folder: str) -> BinaryIO | None:
    """Open the file of a cache's folder, and keep it open: closing it would let go of all."""
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        return (Path(folder) / 'compiling.lock').open('ab')
    except OSError:  # nothing can be kept there either
        return None
