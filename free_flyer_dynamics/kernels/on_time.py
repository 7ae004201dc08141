# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Steps on time: each when it is due by a steady clock, many in one call that needs no interpreter.

What waits for Python's lock before each step waits for whatever other threads do with it. Here the
thread sleeps, wakes and steps in compiled code. The same functions run as plain Python where the
clock or the steps are not to be had from there.
"""

from __future__ import annotations

import sys
import time
from typing import NamedTuple

from free_flyer_dynamics.kernels._jit import kernel, shared
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload
import numpy as np

OWED, MADE, OVERRUNS, WAKES, CALLED, LEFT, SECONDS, NANOSECONDS, COUNTS = range(9)
NEXT, PERIOD, MOST_BEHIND, LOST, TIMES = range(5)
WENT, LISTENS = 1, 2  # why fewer steps were taken: called away, or to let Python hear Ctrl-C
_NAP, _LISTEN = 0.05, 0.5  # s; how long a sleep goes on at most, and a call
_AT_ONCE = 100  # steps between looks at the clock where there is no pace
_MONOTONIC, _ABSOLUTE = 1, 1  # Linux's numbers
# Whether the clock is to be had without Python, and its two numbers are of 64 bits.
COMPILED = sys.platform == 'linux' and sys.maxsize > 2**32
_nanosleep = types.ExternalFunction(
    'clock_nanosleep', types.intc(types.intc, types.intc, types.intp, types.intp)
)
_gettime = types.ExternalFunction('clock_gettime', types.intc(types.intc, types.intp))


class Deadlines(NamedTuple):
    """When steps are due on the steady clock, and what became of it."""

    # (COUNTS,) int: steps owed, steps made; deadlines that had passed when the next one was due;
    # wake-ups; whether whoever steps is called away; why it left; two numbers of the clock
    counts: np.ndarray
    times: np.ndarray  # (TIMES,): next deadline, period, the most to catch up, what is lost [s]
    late: np.ndarray  # (k,); the lateness of the last k wake-ups, the n-th at n modulo k [s]


@shared
def take_due(deadlines, now):
    """Return how many steps are due, and take them as done; what is too far behind is lost."""
    counts, times, late = deadlines.counts, deadlines.times, deadlines.late
    behind, period = now - times[NEXT], times[PERIOD]
    if period == 0.0:
        return _AT_ONCE
    if behind < 0:
        return 0
    late[counts[WAKES] % len(late)] = behind
    counts[WAKES] += 1
    missed = int(behind / period)
    counts[OVERRUNS] += missed
    if missed > times[MOST_BEHIND] / period:  # never spiral: let the rest go
        most = int(times[MOST_BEHIND] / period)
        times[LOST] += (missed - most) * period
        times[NEXT] += (missed - most) * period
        missed = most
    times[NEXT] += (missed + 1) * period
    return missed + 1


def sleep_until(deadlines, due):
    """Sleep until an instant of the steady clock, and return the time; a signal may come first."""
    wait = due - time.monotonic()
    if wait > 0:
        time.sleep(wait)
    return time.monotonic()


def call(run, arguments):
    """Return what a function makes of its arguments; compiled, `run` is a kernel's address."""
    return run(*arguments)


@overload(sleep_until)
def _sleep_until(deadlines, due):
    def sleep(deadlines, due):
        counts = deadlines.counts
        counts[SECONDS] = int(due)
        counts[NANOSECONDS] = int((due - int(due)) * 1e9)
        _nanosleep(_MONOTONIC, _ABSOLUTE, counts[SECONDS:].ctypes.data, 0)
        _gettime(_MONOTONIC, counts[SECONDS:].ctypes.data)
        return counts[SECONDS] + 1e-9 * counts[NANOSECONDS]

    return sleep


@intrinsic
def _call_at(_typing_context, address, arguments):
    """Call the kernel at an address, which takes these and returns an integer."""
    kinds = arguments.types

    def generate(context, builder, _signature, values):
        kind = context.call_conv.get_function_type(types.int64, kinds)
        function = builder.inttoptr(values[0], kind.as_pointer())
        given = cgutils.unpack_tuple(builder, values[1], len(kinds))
        convention = context.call_conv
        return convention.call_function(builder, function, types.int64, kinds, given)[1]

    return types.int64(address, arguments), generate


@overload(call)
def _call(run, arguments):
    return lambda run, arguments: _call_at(run, arguments)


@kernel
def keep_time(run, arena, dt, count, deadlines):
    """
    Take up to count steps of dt, each when it is due; return how many were.

    `run` is asked for some steps, in its arena; where it returns -1 less those that it took, that
    is returned here too, of all. Who is called away goes before the next step, but takes first
    what was owed: however often it is called, time goes on. Now and then one leaves to listen.
    """
    counts = deadlines.counts
    done = counts[LEFT] = 0
    began = now = 0.0
    while done < count:
        if counts[OWED] <= 0:
            due = 0.0 if counts[CALLED] else deadlines.times[NEXT]
            if deadlines.times[PERIOD] > _NAP:
                due = min(due, now + _NAP)
            now = sleep_until(deadlines, due)
            began = now if began == 0.0 else began
            counts[OWED] = take_due(deadlines, now)
            if counts[CALLED]:
                counts[LEFT], counts[CALLED] = WENT, 0
                break
            if now - began > _LISTEN:
                counts[LEFT] = LISTENS
                break
            continue
        chunk = min(counts[OWED], count - done)
        code = call(run, (*arena, dt, chunk))
        taken = code if code >= 0 else -1 - code
        counts[OWED] -= taken
        counts[MADE] += taken
        done += taken
        if code < 0:
            return -1 - done
        if taken < chunk:
            break
    return done
