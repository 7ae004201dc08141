# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What threads share is claimed once, by whoever comes for it."""

import os
from pathlib import Path
import subprocess
import sys
import threading

from free_flyer_dynamics.kernels._jit import kernel
from free_flyer_dynamics.kernels.claims import claim, Ranges
import numpy as np
import pytest

PACKAGE = Path(__file__).parents[2]
EACH, CREW, SIZE = 200_003, 4, 7


@kernel
def _take_all(ranges, own, size, who, times):
    """Note of each thing who claimed it, and how often that was done."""
    for turn in range(len(ranges.first)):
        start, end = claim(ranges, own, turn, size)
        while start < end:
            for k in range(start, min(start + size, end)):
                who[k] = own
                times[k] += 1
            start, end = claim(ranges, own, turn, size)


def shared(each):
    """Return ranges for all, nothing claimed, and room for notes."""
    ends = each * np.arange(CREW + 1)
    return Ranges(ends, ends[:-1].copy()), np.full(ends[-1], -1), np.zeros(ends[-1], np.int64)


def test_a_thread_alone_does_it_all():
    """Its own range, then those of all the others."""
    ranges, who, times = shared(40)
    _take_all(ranges, 2, SIZE, who, times)
    assert (times == 1).all()
    assert (who == 2).all()


def test_threads_at_once_claim_each_thing_once():
    """Whichever of them is first where."""
    ranges, who, times = shared(EACH)
    threads = [
        threading.Thread(target=_take_all, args=(ranges, own, SIZE, who, times))
        for own in range(CREW)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (times == 1).all()
    assert set(who) <= set(range(CREW))


@pytest.mark.slow
def test_threads_claim_each_thing_once_uncompiled_too():
    """There, by a lock."""
    script = (
        'from test.kernels import test_claims as t; t.EACH = 2003;'
        't.test_a_thread_alone_does_it_all(); t.test_threads_at_once_claim_each_thing_once()'
    )
    uncompiled = {**os.environ, 'NUMBA_DISABLE_JIT': '1'}
    subprocess.run([sys.executable, '-c', script], cwd=PACKAGE, env=uncompiled, check=True)
