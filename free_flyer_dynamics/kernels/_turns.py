# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
A kernel that several processes want is compiled by one; the others wait, and load it.

A simulation is often many processes that start at once, and a cold start is two by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO
import zlib

from free_flyer_dynamics.kernels._flags import quick_flags
from free_flyer_dynamics.uncollected import uncollected

try:
    from fcntl import LOCK_EX, LOCK_UN, lockf
except ImportError:  # not on this system: each process compiles for itself
    lockf = None  # type: ignore[assignment]


def one_by_one(door: Any) -> Callable:
    """Return what compiles a kernel, or loads it, while no other process compiles the same."""
    compiled = door.compile

    def compile_in_turn(signature):
        folder = door.stats.cache_path
        name = f'{door.py_func.__module__}.{door.py_func.__qualname__}{signature}'
        with uncollected(), quick_flags(), _turn(folder, name):
            return compiled(signature)

    return compile_in_turn


@contextmanager
def _turn(folder: str | None, name: str) -> Iterator[None]:
    """Hold a byte of a file that stands for a name; who ends in between lets it go."""
    file = _open(folder) if folder and lockf else None
    if file is None:
        yield
        return
    place = zlib.crc32(name.encode())
    lockf(file, LOCK_EX, 1, place)
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
