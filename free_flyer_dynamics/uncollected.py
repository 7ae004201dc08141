# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Garbage is left where it is while much is loaded or compiled.

Numba makes millions of objects that stay; looking through them again and again is a seventh of
the time that kernels take to compile, and an eighth of a warm start.
"""

from collections.abc import Iterator
from contextlib import contextmanager
import gc


@contextmanager
def uncollected() -> Iterator[None]:
    """Collect nothing meanwhile, and afterwards as before."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        if not gc.get_freeze_count():  # else somebody's own would thaw
            gc.freeze()
            gc.unfreeze()  # all there is counts as old now, which looking at it would cost dearly
        gc.enable()
