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

import os

from free_flyer_dynamics.kernels.tags import Lane
from numba import config

__all__ = [
    'BRANCHES',
    'ONE',
    'STATES',
    'WHY',
    'WIDE',
    'WIDEST',
    'add_in_lane',
    'add_to_slots',
    'add_totals',
    'any_above',
    'constant',
    'constant_width',
    'fused',
    'gather',
    'gather_slots',
    'load',
    'quarter_turns',
    'reciprocal',
    'scatter',
    'spread',
    'square_root',
    'store',
    'total',
    'where_above',
    'width',
]


def host_width() -> int:
    """Return how many float64 the widest register of the processor holds: 8, 4 or 2."""
    from llvmlite.binding import get_host_cpu_features

    features = config.CPU_FEATURES
    if not config.ENABLE_AVX:
        return 2
    if features is None:
        features = ','.join(f'+{name}' for name, on in get_host_cpu_features().items() if on)
    return 8 if '+avx512f' in features else (4 if '+avx2' in features else 2)


try:
    if config.DISABLE_JIT:
        raise ImportError('nothing is compiled')
    from free_flyer_dynamics.kernels.vector_division import reciprocal
    from free_flyer_dynamics.kernels.vector_memory import (
        add_in_lane,
        constant,
        gather,
        load,
        scatter,
        store,
    )
    from free_flyer_dynamics.kernels.vector_slots import add_to_slots, add_totals, gather_slots
    from free_flyer_dynamics.kernels.vectors import (
        any_above,
        constant_width,
        fused,
        quarter_turns,
        spread,
        square_root,
        total,
        where_above,
        width,
    )

    ONE = Lane('one', 1)
    WIDEST = min(host_width(), int(os.environ.get('FREE_FLYER_LANES', '8')))
    WHY = f'{WIDEST} lanes of float64'
except Exception as error:  # whatever Numba has changed: plain numbers always work
    from free_flyer_dynamics.kernels.plain_lanes import (
        add_in_lane,
        add_to_slots,
        add_totals,
        any_above,
        constant,
        constant_width,
        fused,
        gather,
        gather_slots,
        load,
        quarter_turns,
        reciprocal,
        scatter,
        spread,
        square_root,
        store,
        total,
        where_above,
        width,
    )

    ONE = 1
    WIDEST = 1
    WHY = f'plain numbers: {error}'
BRANCHES = {count: Lane('branches', count) for count in (2, 4, 8) if count <= WIDEST}
# Tables are read straight through, by four at most: rows of four begin late after tables of eight,
# and rows of eight are rare.
WIDE = BRANCHES.get(min(WIDEST, 4), ONE)
STATES = {count: Lane('states', count) for count in (2, 4, 8) if count <= WIDEST}
