# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Threads that share work; whoever asks for it does a part too, rather than wait.

Work is some hundred microseconds long. To hand it over and to hear that it is done takes sixty on
a virtual machine whose other core sleeps; the standard library's pool takes ten more.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
import os
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar
from weakref import finalize

Part = TypeVar('Part')


class Crew:
    """So many threads, the caller's own among them."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._desks: list[SimpleQueue] = []  # of each other thread, where it finds what to do
        self._process = 0

    def do(self, work: Callable[[Part], None], parts: Sequence[Part]) -> None:
        """
        Do all parts, one a thread; whatever happens, nobody is at work when this ends.

        An interrupt may come wherever a call ends, and takes with it what that returned. So all
        is handed over by one call, and what is counted is what the others have told.
        """
        told: list[BaseException | None] = []
        interrupts: list[BaseException] = []
        bell: SimpleQueue = SimpleQueue()
        others = len(parts) - 1
        tasks = [(work, part, told, bell) for part in parts[1:]]
        handing_over = map(SimpleQueue.put, self._others(others), tasks)
        try:
            deque(handing_over, 0)
            work(parts[0])
        finally:
            while True:
                try:
                    while len(told) < others:
                        bell.get()
                    break
                except BaseException as interrupt:
                    interrupts.append(interrupt)
            if interrupts:
                raise interrupts[0]
        for error in told:
            if error is not None:
                raise error

    def _others(self, count: int) -> list[SimpleQueue]:
        """Return other threads' desks: of new ones in a forked process, which has none of them."""
        if count and self._process != os.getpid():
            desks: list[SimpleQueue] = [SimpleQueue() for _ in range(self._size - 1)]
            try:
                for desk in desks:
                    Thread(target=_work, args=(desk,), name='crew', daemon=True).start()
            except BaseException:
                _dismiss(desks)
                raise
            finalize(self, _dismiss, desks).atexit = False  # who comes at the end may need them
            self._desks, self._process = desks, os.getpid()
        return self._desks[:count]


def _work(desk: SimpleQueue) -> None:
    """Do what comes, until nothing more will."""
    while (task := desk.get()) is not None:
        work, part, told, bell = task
        error = None
        try:
            work(part)
        except BaseException as raised:
            error = raised
        told.append(error)
        bell.put(None)
        del task, work, part, told, bell, error  # nobody is kept alive by who waits


def _dismiss(desks: Sequence[SimpleQueue]) -> None:
    for desk in desks:
        desk.put(None)
