# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Threads that share work; whoever asks for it does a part too, rather than wait."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
import os
from typing import TypeVar

MANY = 8  # things to do for each: from here on one more or less hardly matters
Part = TypeVar('Part')


class Crew:
    """So many threads, the caller's own among them."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0

    def shares(self, count: int) -> list[int]:
        """
        Return where each thread's share of so many things begins, and the end.

        The first is the caller's: it works while the others wake up, so it takes a little more.
        """
        more = 1 if count >= MANY * self._size else 0
        own = min(count // self._size + more, count)
        others = max(self._size - 1, 1)
        return [0, *(own + (count - own) * k // others for k in range(self._size))]

    def do(self, work: Callable[[Part], None], parts: Sequence[Part]) -> None:
        """Do all parts; whatever happens, nobody is at work when this ends."""
        others = [self._others().submit(work, part) for part in parts[1:]]
        try:
            work(parts[0])
        finally:
            wait(others)
        for other in others:
            other.result()

    def _others(self) -> ThreadPoolExecutor:
        """Return the other threads: new ones in a forked process, which has none of them."""
        if self._pool is None or self._process != os.getpid():
            self._pool, self._process = ThreadPoolExecutor(self._size - 1), os.getpid()
        return self._pool
