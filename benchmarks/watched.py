# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Run the simulator and note what lies between each deadline and the step: see `benchmarks.blame`.

    python -m benchmarks.watched --ros-args ... -- NOTES

The physics thread keeps time here as it always does, but sleeps in a way that reads the kernel's
counts before and after; NOTES is where they go. Linux alone.

"""

from __future__ import annotations

from collections.abc import Callable
import ctypes
import os
import sys
import threading
import time
from types import FunctionType
from typing import NamedTuple

from benchmarks.blame import NOTED, ROOM
from free_flyer_dynamics.kernels import on_time
from free_flyer_dynamics.pace import Pace
from free_flyer_dynamics.ros import simulator_node
import numba
import numpy as np

_keep = Pace.keep
_MONOTONIC, _PROCESS_CPU, _THREAD_CPU = 1, 2, 3
_THREAD, _USAGE, _VOLUNTARY = 1, 18, 16  # whose usage; its numbers, and which of them
_ABSOLUTE = 1
_SECOND = 1_000_000_000

_C = ctypes.CDLL(None)
_sleep, _gettime, _pread, _usage = _C.clock_nanosleep, _C.clock_gettime, _C.pread, _C.getrusage
_sleep.argtypes = ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p
_gettime.argtypes = ctypes.c_int, ctypes.c_void_p
_usage.argtypes = ctypes.c_int, ctypes.c_void_p
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
def _waits():
    """Return how often this thread has given its core away of its own."""
    usage = np.empty(_USAGE, np.int64)
    _usage(_THREAD, usage.ctypes)
    return usage[_VOLUNTARY]


@numba.njit
def _queued_all(files):
    total = 0
    for file in files:
        total += _queued(file)
    return total


class Noted(NamedTuple):
    """Deadlines, and what is noted of them."""

    counts: np.ndarray
    times: np.ndarray
    late: np.ndarray
    rows: np.ndarray  # (ROOM, len(NOTED)) int
    # How many rows; the thread's file; the wait for the GIL since the last row, and of it what its
    # holders waited for a core; when the thread last went for the GIL, and the holders' waits then
    count: np.ndarray
    holders: np.ndarray  # the other threads' files


@numba.njit
def _nap(deadlines, due):
    """Sleep as `on_time.sleep_until` does, and fill a row of notes if a step is due then."""
    counts, due = deadlines.count, round(deadlines.times[on_time.NEXT] * _SECOND)
    row = deadlines.rows[counts[0] % ROOM]
    row[0], row[3], row[5] = due, _queued(counts[1]), _clock(_PROCESS_CPU)
    row[7], row[9] = _clock(_THREAD_CPU), _waits()
    row[1] = _clock(_MONOTONIC)
    if row[1] < due and deadlines.counts[on_time.CALLED] == 0:
        until = np.array([due // _SECOND, due % _SECOND])
        _sleep(_MONOTONIC, _ABSOLUTE, until.ctypes, 0)
    row[2] = _clock(_MONOTONIC)
    row[4], row[6] = _queued(counts[1]), _clock(_PROCESS_CPU)
    row[8], row[10] = _clock(_THREAD_CPU), _waits()
    row[11], row[12] = counts[2], counts[3]
    if row[2] >= due:
        counts[0] += 1
        counts[2] = counts[3] = 0
    return row[2] / _SECOND


_loop = numba.njit(
    FunctionType(
        on_time.keep_time.py_func.__code__,
        {**on_time.keep_time.py_func.__globals__, 'sleep_until': _nap},
    )
)


@numba.njit(nogil=True)
def _keep_time(run, arena, dt, count, deadlines):
    """Keep time, and note when the GIL is asked for."""
    code = _loop(run, arena, dt, count, deadlines)
    deadlines.count[5] = _queued_all(deadlines.holders)
    deadlines.count[4] = _clock(_MONOTONIC)
    return code


class Watch:
    """Keeps time for a pace and takes notes, on the thread that is watched."""

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        file = os.open('/proc/thread-self/schedstat', os.O_RDONLY)
        others = [
            t.native_id for t in threading.enumerate() if t is not threading.current_thread()
        ]
        paths = [f'/proc/self/task/{thread}/schedstat' for thread in others]
        holders = np.array([os.open(path, os.O_RDONLY) for path in paths], np.int64)
        # Filled, or the kernel makes room while time is kept: two megabytes at once, in 4 ms.
        rows = np.full((ROOM, len(NOTED)), -1, np.int64)
        count = np.array([0, file, 0, 0, 0, 0], np.int64)
        self.noted = Noted(*pace.deadlines, rows, count, holders)

    def keep(self, run: Callable, dt: float, count: int, kernel=(0, ())) -> int:
        """Do as `Pace.keep`."""
        address, arena = kernel
        if not address:
            return _keep(self._pace, run, dt, count)
        counts = self.noted.count
        code = _keep_time(address, arena, dt, count, self.noted)
        here = time.monotonic_ns()
        waited = here - int(counts[4])
        counts[2] += waited
        counts[3] += min(waited, int(_queued_all(self.noted.holders) - counts[5]))
        return code

    @property
    def notes(self) -> np.ndarray:
        """Return a row for each wake-up."""
        return self.noted.rows[: int(self.noted.count[0])]


def main() -> None:
    """Run the simulator with a watch on its physics thread."""
    watches: list[Watch] = []

    def keep(pace: Pace, run: Callable, dt: float, count: int, kernel=(0, ())) -> int:
        if threading.current_thread().name != 'physics':
            return _keep(pace, run, dt, count, kernel)
        if not watches:
            watches.append(Watch(pace))
        return watches[0].keep(run, dt, count, kernel)

    Pace.keep = keep  # type: ignore[method-assign]
    simulator_node.main()
    np.save(sys.argv[-1], watches[0].notes)


if __name__ == '__main__':
    main()
