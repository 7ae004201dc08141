# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Keep the compiled kernels of this folder as fresh as its sources and those it calls."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

_HERE = Path(__file__).parent


def drop_stale(folder: Path = _HERE, called: Path = _HERE.parent / 'kernels') -> bool:
    """
    Delete kernels compiled from other sources, and tell whether any were there.

    As `kernels._jit.drop_stale_cache`, which looks at one folder; what is here also holds code
    of `kernels/`, and would keep the old one.
    """
    digest = hashlib.sha256()
    for source in (*sorted(folder.glob('*.py')), *sorted(called.glob('*.py'))):
        digest.update(source.read_bytes())
    cache = folder / '__pycache__'
    stamp = cache / 'kernels.sha256'
    try:
        if stamp.exists() and stamp.read_text() == digest.hexdigest():
            return False
        stale = [*cache.glob('*.nbi'), *cache.glob('*.nbc')]
        for file in stale:
            file.unlink(missing_ok=True)
        cache.mkdir(exist_ok=True)
        stamp.write_text(digest.hexdigest())
    except OSError:  # a read-only installation: its sources do not change under us either
        return False
    return bool(stale)


if os.environ.get('FREE_FLYER_CACHE', '1') != '0':
    drop_stale()
