# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Run the simulator and note what lies between each deadline and the step: see `benchmarks.blame`.

    python -m benchmarks.watched --ros-args ... -- NOTES

The physics thread sleeps here in one call without the GIL that reads the kernel's counts before
and after; NOTES is where they go. Linux alone.

"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import time

from benchmarks.blame import NOTED
from free_flyer_dynamics.ros import physics, simulator_node
import numba
import numpy as np

_ROOM = 1_000_000  # wake-ups
_MONOTONIC, _PROCESS_CPU = 1, 2
_ABSOLUTE = 1
_SECOND = 1_000_000_000

_C = ctypes.CDLL(None)
_sleep, _gettime, _pread = _C.clock_nanosleep, _C.clock_gettime, _C.pread
_sleep.argtypes = ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p
_gettime.argtypes = ctypes.c_int, ctypes.c_void_p
_pread.argtypes = ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_long


@numba.njit
def _clock(which):
    at = np.empty(2, np.int64)
    _gettime(which, at.ctypes)
    return at[0] * _SECOND + at[1]


@numba.njit
def _queued(file):
    """Return how long the thread has waited for a core: the second number of its schedstat."""
    text = np.zeros(80, np.uint8)
    _pread(file, text.ctypes, 80, 0)
    field, value = 0, 0
    for letter in text:
        if letter == 32:
            field += 1
        elif field == 1:
            value = 10 * value + letter - 48
    return value


@numba.njit
def _queued_all(files):
    total = 0
    for file in files:
        total += _queued(file)
    return total


@numba.njit(nogil=True)
def nap(due, file, holders, row):
    """Sleep until due [ns], and fill a row of notes but for what is known with the GIL."""
    row[0] = due
    row[4], row[6] = _queued(file), _clock(_PROCESS_CPU)
    row[1] = _clock(_MONOTONIC)
    if row[1] < due:
        until = np.array([due // _SECOND, due % _SECOND])
        _sleep(_MONOTONIC, _ABSOLUTE, until.ctypes, until[2:].ctypes)
    row[2] = _clock(_MONOTONIC)
    row[5], row[7] = _queued(file), _clock(_PROCESS_CPU)
    row[8] = _queued_all(holders)


class Watch:
    """Sleeps for a physics thread and takes notes."""

    def __init__(self) -> None:
        self._notes = np.zeros((_ROOM, len(NOTED)), np.int64)
        self.count = 0
        self._file = -1
        self._holders = np.zeros(0, np.int64)

    def _open(self) -> None:
        self._file = os.open('/proc/thread-self/schedstat', os.O_RDONLY)
        others = [
            t.native_id for t in threading.enumerate() if t is not threading.current_thread()
        ]
        paths = [f'/proc/self/task/{thread}/schedstat' for thread in others]
        self._holders = np.array([os.open(path, os.O_RDONLY) for path in paths], np.int64)

    def sleep(self, due: float) -> None:
        """Sleep until an instant on the steady clock [s]; on the thread that is watched."""
        if self._file < 0:
            self._open()
        row = self._notes[self.count % _ROOM]
        nap(round(due * _SECOND), self._file, self._holders, row)
        row[3] = time.monotonic_ns()
        row[9] = _queued_all(self._holders)
        self.count += 1

    @property
    def notes(self) -> np.ndarray:
        """Return a row for each wake-up."""
        return self._notes[: self.count]


def main() -> None:
    """Run the simulator with a watch on its physics thread."""
    Watch().sleep(0.0)  # compiled before the clock starts
    watch = Watch()

    def sleep(loop: physics.PhysicsLoop, seconds: float) -> None:
        watch.sleep(loop.pace._next)

    physics.PhysicsLoop._sleep = sleep  # type: ignore[method-assign]
    simulator_node.main()
    np.save(sys.argv[-1], watch.notes)


if __name__ == '__main__':
    main()
