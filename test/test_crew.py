# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Threads that share work."""

import os
from pathlib import Path
import signal
import subprocess
import sys
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


INTERRUPTED = """
import random, signal, time
from free_flyer_dynamics.crew import Crew

def interrupt(*_):
    raise KeyboardInterrupt

def work(part):
    if part == 1:
        busy.append(part)
        end = time.monotonic() + random.uniform(0, 2e-4)
        while time.monotonic() < end:
            pass
        busy.pop()

signal.signal(signal.SIGALRM, interrupt)
busy, crew, random = [], Crew(2), random.Random(1)
for trial in range(400):
    try:
        signal.setitimer(signal.ITIMER_REAL, random.uniform(1e-4, 2e-3))
        while True:
            crew.do(work, [0, 1])
    except KeyboardInterrupt:
        assert not busy
"""
AT_THE_END = """
import atexit
crew, seen = None, []

@atexit.register
def last():
    crew.do(seen.append, range(2))
    print(sorted(seen))

from free_flyer_dynamics.crew import Crew
crew = Crew(2)
crew.do(seen.append, range(2))
"""


def alone(script):
    """Return what a script says that would never end if it went wrong."""
    command = [sys.executable, '-c', script]
    folder = Path(__file__).parents[1]
    return subprocess.run(
        command, cwd=folder, timeout=60, capture_output=True, check=True, text=True
    ).stdout


@pytest.mark.skipif(not hasattr(signal, 'setitimer'), reason='no timers here')
def test_whenever_somebody_interrupts_nobody_waits_for_ever():
    """Four hundred times, wherever it happens to be."""
    assert alone(INTERRUPTED) == ''


def test_what_comes_at_the_very_end_is_done():
    """When all that is held is given up already."""
    assert alone(AT_THE_END) == '[0, 0, 1, 1]\n'


def test_threads_that_cannot_start_may_another_time(monkeypatch):
    """Nobody waits for who never came."""
    crew, seen, before = Crew(3), [], at_work()

    def start(thread):
        if len(at_work() - before) == 1:
            raise RuntimeError("can't start new thread")
        threading.Thread._start(thread)

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, '_start', threading.Thread.start, raising=False)
        patch.setattr(threading.Thread, 'start', start)
        with pytest.raises(RuntimeError, match='new thread'):
            crew.do(seen.append, range(3))
    assert not seen
    crew.do(seen.append, range(3))
    assert sorted(seen) == [0, 1, 2]


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


@pytest.mark.skipif(not hasattr(signal, 'pthread_kill'), reason='no signals to threads here')
def test_an_interrupt_comes_before_an_error():
    """Whoever asked to stop wants to."""

    def work(part):
        if part == 1:
            time.sleep(0.1)
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        raise ValueError('this part')

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            Crew(2).do(work, [0, 1])
    finally:
        signal.signal(signal.SIGINT, before)


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
