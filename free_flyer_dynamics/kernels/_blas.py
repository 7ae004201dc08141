# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Numba finds out whether there is a BLAS by loading all of scipy.linalg, a sixth of a warm start.

No kernel multiplies by BLAS. So it is told that there is one where scipy is installed, which is
what it would have found; whoever does multiply has it loaded then.
"""

from __future__ import annotations

from importlib.util import find_spec
import sys

_ASKS = 'numba.np.arraymath'  # the module that wants to know, as it is loaded


def answer_for_blas() -> None:
    """Load what asks for BLAS with the answer at hand; leave a Numba built otherwise."""
    if _ASKS in sys.modules or find_spec('scipy') is None:
        return
    try:
        from numba.np import linalg

        asked = linalg.ensure_blas
    except (ImportError, AttributeError):
        return
    linalg.ensure_blas = lambda: None
    try:
        from numba.np import arraymath
    finally:
        linalg.ensure_blas = asked
    arraymath.ensure_blas = asked
