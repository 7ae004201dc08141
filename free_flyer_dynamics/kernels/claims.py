# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Work that threads share: each has a range of its own, and helps the others when it is through.

A thread that wakes late, or whose core somebody else wants, keeps nobody waiting: of its range the
others claim what it has not. Who is in time finds its own states in its own core's cache.
"""

from threading import Lock
from typing import NamedTuple

from free_flyer_dynamics.kernels._jit import inlined
from numba import config, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array
import numpy as np


class Ranges(NamedTuple):
    """What is to be done, and what of it nobody has claimed."""

    ends: np.ndarray  # (n + 1,) int; where each range begins, and the end
    first: np.ndarray  # (n,) int; of each range, what nobody has claimed


def shared_out(count, size, group):
    """Return ranges alike for so many threads, whole groups but for the last, none claimed."""
    groups = -(-count // group)
    ends = [min(group * (groups * k // size), count) for k in range(size + 1)]
    return Ranges(np.array(ends, dtype=np.int64), np.array(ends[:-1], dtype=np.int64))


if config.DISABLE_JIT:
    _LOCK = Lock()

    def _advance(counters, k, size):
        """Return a counter and let it go on, at once."""
        with _LOCK:
            counters[k] += size
            return counters[k] - size

else:

    @intrinsic
    def _advance(_typing_context, counters, k, size):
        """Return a counter and let it go on, at once."""

        def generate(context, builder, signature, arguments):
            given, place, more = arguments
            data = make_array(signature.args[0])(context, builder, given).data
            return builder.atomic_rmw('add', builder.gep(data, [place]), more, 'monotonic')

        return types.int64(counters, types.int64, types.int64), generate


@inlined
def claim(ranges, own, turn, size):
    """
    Claim so many of a range: on turn 0 of the own one, then of the next ones.

    Returns where they begin, and where the range ends; from there on, there is nothing left of it.
    """
    k = (own + turn) % len(ranges.first)
    return _advance(ranges.first, k, size), ranges.ends[k + 1]
