# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Threads that share work."""

import os
import signal
import threading
import time
import weakref

from free_flyer_dynamics.crew import Crew
import pytest

LONG = 20  # s


def at_work():
    """Return the threads of all crews."""
    return {thread for thread in threading.enumerate() if thread.name == 'crew'}


def test_each_part_is_done_once_and_by_another_thread():
    """The first by the caller's own; and so again, by the same ones."""
    crew, seen = Crew(3), []
    for _ in range(5):
        crew.do(lambda part: seen.append((part, threading.get_ident())), range(3))
    assert sorted(part for part, _ in seen) == sorted(5 * [0, 1, 2])
    assert {who for part, who in seen if part == 0} == {threading.get_ident()}
    assert len({who for _, who in seen}) == 3
    crew.do(seen.append, [3])
    assert seen[-1] == 3


def test_a_crew_that_nobody_holds_goes_home():
    """Its threads end; and who waits for more keeps nothing of what was done."""

    class Work:
        """What can be watched going."""

        def do(self, part):
            """Do one part."""
            assert part < 3

    def until(there):
        end = time.monotonic() + LONG
        while not there():
            assert time.monotonic() < end
            time.sleep(0.01)

    before, crew, work = at_work(), Crew(3), Work()
    crew.do(work.do, range(3))
    threads = at_work() - before
    assert len(threads) == 2
    work = weakref.ref(work)
    until(lambda: work() is None)
    del crew
    until(lambda: not threads & at_work())


@pytest.mark.skipif(not hasattr(signal, 'pthread_kill'), reason='no signals to threads here')
def test_who_is_interrupted_waits_for_the_others():
    """They write to what is the caller's; and the next work finds nothing of this one."""
    crew, ended = Crew(2), []

    def work(part):
        if part == 1:
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            time.sleep(0.3)
            ended.append(part)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            crew.do(work, [0, 1])
    finally:
        signal.signal(signal.SIGINT, before)
    assert ended == [1]
    crew.do(ended.append, [2, 3])
    assert sorted(ended) == [1, 2, 3]


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
