# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Threads that share work."""

import os
import signal
import threading
import time

from free_flyer_dynamics.crew import Crew
import numpy as np
import pytest

LONG = 20  # s


@pytest.mark.parametrize('size', [1, 2, 3, 16, 64])
def test_shares_are_alike_whatever_the_size(size):
    """All is shared out, none has nothing, and none works twice as long as the others."""
    for count in (size, size + 1, 3 * size + 1, 8 * size - 1, 8 * size, 17 * size + 5):
        shares = np.diff(Crew(size).shares(count))
        assert len(shares) == size
        assert shares.sum() == count
        assert shares.min() >= 1
        assert shares.max() - shares.min() <= 3


def test_the_caller_takes_a_little_more_of_much():
    """The others wake up later."""
    assert Crew(2).shares(32) == [0, 17, 32]
    assert Crew(2).shares(8) == [0, 4, 8]


@pytest.mark.parametrize('place', [0, 1])
def test_whoever_fails_nobody_is_at_work_when_it_is_told(place):
    """What they write to is the caller's again."""
    ended = threading.Event()

    def work(part):
        if part == place:
            raise ValueError('this part')
        time.sleep(0.2)
        ended.set()

    with pytest.raises(ValueError, match='this part'):
        Crew(2).do(work, [0, 1])
    assert ended.is_set()


@pytest.mark.filterwarnings('ignore:.*fork:DeprecationWarning')
@pytest.mark.skipif(not hasattr(os, 'fork'), reason='no processes are forked here')
def test_a_forked_process_has_a_crew_too():
    """Threads stay behind in a fork; work given to them would never be done."""
    crew, done = Crew(2), []
    crew.do(done.append, [0, 1])
    child = os.fork()
    if child == 0:
        signal.alarm(LONG)
        try:
            crew.do(done.append, [2, 3])
        finally:
            os._exit(sorted(done) != [0, 1, 2, 3])
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
