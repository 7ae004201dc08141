# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Threads that share work; whoever asks for it does a part too, rather than wait.

Work is some hundred microseconds long. The standard library's pool takes forty of them to hand it
over and to hear that it is done; queues alone take fifteen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
import os
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar
from weakref import finalize

Part = TypeVar('Part')


class Crew:
    """So many threads, the caller's own among them."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._desks: list[SimpleQueue] = []  # of each other thread, where it finds what to do
        self._process = 0

    def do(self, work: Callable[[Part], None], parts: Sequence[Part]) -> None:
        """Do all parts, one a thread; whatever happens, nobody is at work when this ends."""
        done: SimpleQueue = SimpleQueue()
        others = parts[1:]
        for desk, part in zip(self._others(len(others)), others, strict=True):
            desk.put((work, part, done))
        try:
            work(parts[0])
        finally:
            errors = _told(done, len(others))
        for error in errors:
            raise error

    def _others(self, count: int) -> list[SimpleQueue]:
        """Return other threads' desks: of new ones in a forked process, which has none of them."""
        if count and self._process != os.getpid():
            self._desks, self._process = (
                [SimpleQueue() for _ in range(self._size - 1)],
                os.getpid(),
            )
            for desk in self._desks:
                Thread(target=_work, args=(desk,), name='crew', daemon=True).start()
            finalize(self, _dismiss, self._desks)
        return self._desks[:count]


def _work(desk: SimpleQueue) -> None:
    """Do what comes, until nothing more will."""
    while (task := desk.get()) is not None:
        work, part, done = task
        error = None
        try:
            work(part)
        except BaseException as raised:
            error = raised
        done.put(error)
        del task, work, part, done, error  # nobody is kept alive by who waits


def _told(done: SimpleQueue, count: int) -> list[Any]:
    """Wait for so many to be done, interrupted or not; return what went wrong."""
    errors = []
    while count:
        try:
            error = done.get()
            count -= 1
        except KeyboardInterrupt as interrupt:
            error = interrupt
        errors += [] if error is None else [error]
    return errors


def _dismiss(desks: Sequence[SimpleQueue]) -> None:
    for desk in desks:
        desk.put(None)
