# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The doors by which an engine fills and reads what it keeps of closed loops."""

from __future__ import annotations

from free_flyer_dynamics.direct import Direct
from free_flyer_dynamics.kernels.furnish import furnish_closures
from free_flyer_dynamics.kernels.ways import put_efforts
import numpy as np

FURNISH_CLOSURES, PUT_EFFORTS = Direct(furnish_closures), Direct(put_efforts)


def smallest_pivot(factor: np.ndarray, rank: int) -> float:
    """Return the smallest pivot of the loops' rows as they were factored, 1 at best."""
    return float(np.min(np.diagonal(factor)[:rank] ** 2, initial=1.0))
