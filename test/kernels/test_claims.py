# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What threads share is claimed once, by whoever comes for it."""

import os
from pathlib import Path
import subprocess
import sys
import threading

from free_flyer_dynamics.kernels._jit import kernel
from free_flyer_dynamics.kernels.claims import claim, shared_out
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
    count = each * CREW
    return shared_out(count, CREW, 1), np.full(count, -1), np.zeros(count, np.int64)


@pytest.mark.parametrize('size', [1, 2, 3, 16, 64])
@pytest.mark.parametrize('group', [1, 8])
def test_shares_are_alike_whatever_the_size(size, group):
    """All is shared out, none has nothing, and none works twice as long as the others."""
    for count in (size, size + 1, 3 * size + 1, 8 * size - 1, 8 * size, 17 * size + 5):
        ends, first = shared_out(group * count, size, group)
        assert np.array_equal(ends[:-1], first)
        assert not (ends % group).any()
        shares = np.diff(ends) // group
        assert len(shares) == size
        assert shares.sum() == count
        assert shares.min() >= 1
        assert shares.max() - shares.min() <= 3
        short = shared_out(group * count - group // 2, size, group).ends
        assert np.array_equal(short[:-1], first)
        assert short[-1] == group * count - group // 2


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
