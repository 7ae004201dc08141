# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""How many threads NumPy's OpenBLAS may use; other libraries of linear algebra are left alone."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from pathlib import Path

import numpy as np

SET = 'scipy_openblas_set_num_threads64_'


@lru_cache
def _library() -> ctypes.CDLL | None:
    folder = Path(np.__file__).parents[1] / 'numpy.libs'
    for path in folder.glob('libscipy_openblas*'):
        library = ctypes.CDLL(str(path))
        if hasattr(library, SET):
            return library
    return None


def use_threads(count: int) -> bool:
    """Let linear algebra use so many threads, and tell whether it will."""
    library = _library()
    if library is not None:
        getattr(library, SET)(count)
    return library is not None
