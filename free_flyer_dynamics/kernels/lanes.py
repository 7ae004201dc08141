# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Several numbers side by side: every kernel of the engine is written once, for one or for many.

Its last argument, a lane tag, says what its numbers are: plain ones (`ONE`), one of each branch
of a tree (`BRANCHES`) or one of each state of a batch (`STATES`). Where Numba's extension points
are missing, or nothing is compiled, `ONE` is all there is. Chosen once, at import; `WIDEST` and
`WHY` tell.
"""

from __future__ import annotations

import math
import os

from free_flyer_dynamics.kernels._jit import inlined
from free_flyer_dynamics.kernels.tags import Lane
from numba import config


def host_width() -> int:
    """Return how many float64 the widest register of the processor holds: 8, 4 or 2."""
    from llvmlite.binding import get_host_cpu_features

    features = config.CPU_FEATURES
    if features is None:
        features = ','.join(f'+{name}' for name, on in get_host_cpu_features().items() if on)
    return 8 if '+avx512f' in features else (4 if '+avx2' in features else 2)


@inlined
def load(array, at, k, _lane):
    """Return entry k of the block that starts at `at`, a number for each lane."""
    return array[at + k]


@inlined
def store(array, at, k, value):
    """Set entry k of the block that starts at `at`."""
    array[at + k] = value


@inlined
def spread(number, _lane):
    """Return the same number in all lanes."""
    return number


@inlined
def total(value):
    """Return the sum over the lanes."""
    return value


@inlined
def width(_lane):
    """Return how many numbers stand side by side."""
    return 1


@inlined
def nearest_integer(value):
    """Return the nearest whole number."""
    return value + 6755399441055744.0 - 6755399441055744.0  # past 2^52 nothing is left of a half


@inlined
def square_root(value):
    """Return the square root."""
    return math.sqrt(value)


@inlined
def fused(a, b, c):
    """Return a b + c, rounded once where the processor can."""
    return a * b + c


@inlined
def where_above(a, limit, yes, no):
    """Return yes where a is above the limit, else no."""
    return yes if a > limit else no


@inlined
def gather(array, at, stride, ints, where, k, _lane):
    """Return entry k of the slot each lane hangs on, whose numbers are listed in ints."""
    return array[at + ints[where] * stride + k]


@inlined
def scatter(array, at, stride, ints, where, k, value, _lane):
    """Set entry k of each lane's slot."""
    array[at + ints[where] * stride + k] = value


@inlined
def scatter_add(array, at, stride, ints, where, k, value, _lane):
    """Add to entry k of each lane's slot."""
    array[at + ints[where] * stride + k] += value


constant, constant_width = load, width  # batched states share their constants

WIDEST, WHY = 1, 'nothing is compiled'
ONE = 1
if not config.DISABLE_JIT:
    try:
        from free_flyer_dynamics.kernels import vector_memory, vectors

        load, store, constant = vector_memory.load, vector_memory.store, vector_memory.constant
        gather, scatter = vector_memory.gather, vector_memory.scatter
        scatter_add = vector_memory.scatter_add
        spread, total = vectors.spread, vectors.total
        width, constant_width = vectors.width, vectors.constant_width
        nearest_integer, square_root = vectors.nearest_integer, vectors.square_root
        fused, where_above = vectors.fused, vectors.where_above
        WIDEST = min(host_width(), int(os.environ.get('FREE_FLYER_LANES', '8')))
        WHY = f'{WIDEST} lanes of float64'
        ONE = Lane('one', 1)
    except Exception as error:  # whatever Numba has changed: plain numbers always work
        WHY = f'plain numbers: {error}'
BRANCHES = {count: Lane('branches', count) for count in (2, 4, 8) if count <= WIDEST}
STATES = {count: Lane('states', count) for count in (2, 4, 8) if count <= WIDEST}
