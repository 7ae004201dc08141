# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What the benchmark of real time notes of a thread that is held up on purpose."""

import os
import subprocess
import sys
import threading
import time

from benchmarks import blame
import numpy as np
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
pytestmark = [pytest.mark.ros, pytest.mark.jit]

from benchmarks import watched  # noqa: E402, I100

MS = 1_000_000  # ns


@pytest.fixture
def watch():
    """Return a watch whose sleep is compiled."""
    if not os.path.exists('/proc/thread-self/schedstat'):
        pytest.skip('needs the counts that Linux keeps of threads')
    one = watched.Watch()
    one.sleep(time.monotonic())
    return one


def lateness(watch, during):
    """Sleep to deadlines while something else goes on; return the parts of the last of them."""
    thread, until = threading.Thread(target=during), time.monotonic()
    thread.start()
    while thread.is_alive():
        until += 1e-3
        watch.sleep(until)
    thread.join()
    return blame.parts(watch.notes)


def test_a_thread_that_keeps_the_gil_is_seen(watch):
    """Nobody else may have it for an interval that is set to half a second here."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(0.5)

    def keep():
        time.sleep(0.02)
        sum(range(4_000_000))  # one call that lets nobody in

    try:
        found = lateness(watch, keep)
    finally:
        sys.setswitchinterval(before)
    worst = int(np.argmax(found['gil']))
    assert found['gil'][worst] > 10 * MS
    assert found['gil'][worst] > 5 * (found['own_threads'] + found['work'])[worst]


def test_work_that_takes_too_long_is_seen(watch):
    """Of the thread itself, between two of its sleeps."""
    due = time.monotonic() + 5e-3
    watch.sleep(due)
    start = time.process_time()
    while time.process_time() - start < 0.05:
        pass
    watch.sleep(due + 5e-3)
    found = blame.parts(watch.notes)
    assert found['work'][-1] + found['own_threads'][-1] > 30 * MS
    assert found['gil'][-1] < 10 * MS


@pytest.mark.skipif(not hasattr(os, 'sched_setaffinity'), reason='needs threads bound to a core')
def test_a_core_that_others_use_is_seen(watch):
    """Another process computes on the only core that the thread may use."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        busy = subprocess.Popen([sys.executable, '-c', 'while True: pass'])  # bound to it too
        try:
            found = lateness(watch, lambda: time.sleep(1.0))
        finally:
            busy.kill()
            busy.wait()
    finally:
        os.sched_setaffinity(0, allowed)
    assert found['queue'].sum() > MS
    assert found['queue'].sum() > 5 * sum(found[name].sum() for name in blame.OURS)
