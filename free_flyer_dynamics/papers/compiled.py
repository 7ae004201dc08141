# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Keep the compiled kernels of this folder as fresh as its sources and those it calls."""

from __future__ import annotations

import os
from pathlib import Path

from free_flyer_dynamics.kernels._jit import drop_stale_cache

_HERE = Path(__file__).parent

if os.environ.get('FREE_FLYER_CACHE', '1') != '0':
    drop_stale_cache(_HERE, _HERE.parent / 'kernels')
