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
_COUNTED = os.path.exists('/proc/thread-self/schedstat')
pytestmark = [
    pytest.mark.ros,
    pytest.mark.jit,
    pytest.mark.skipif(not _COUNTED, reason='needs the counts that Linux keeps of threads'),
]

from benchmarks import watched  # noqa: E402, I100

MS = 1_000_000  # ns


@pytest.fixture
def watch():
    """Return a watch whose sleep is compiled."""
    one = watched.Watch()
    one.sleep(time.monotonic())
    return one


def sleep_on(watch, end):
    """Sleep to deadlines; those that are missed are not due again, as in the node."""
    until = time.monotonic()
    while until < end:
        until = max(until, time.monotonic()) + 1e-3
        watch.sleep(until)


def test_a_thread_that_keeps_the_gil_is_seen(watch):
    """Nobody else may have it for an interval that is set to half a second here."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(0.5)

    def keep():
        time.sleep(0.02)
        sum(range(4_000_000))  # one call that lets nobody in

    try:
        thread = threading.Thread(target=keep)
        thread.start()
        sleep_on(watch, time.monotonic() + 0.3)
        thread.join()
    finally:
        sys.setswitchinterval(before)
    found = blame.parts(watch.notes)
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


def test_a_core_that_others_use_is_seen():
    """Another process computes on the only core that the thread may use, and goes first."""
    watch, core = watched.Watch(), min(os.sched_getaffinity(0))
    bind = f'import os; os.sched_setaffinity(0, {{{core}}})\nwhile True: pass'
    busy = subprocess.Popen([sys.executable, '-c', bind])

    def sleeper():
        os.sched_setaffinity(0, {core})  # of this thread alone, as is its priority
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)
        sleep_on(watch, time.monotonic() + 1.5)

    try:
        thread = threading.Thread(target=sleeper)
        thread.start()
        thread.join()
    finally:
        busy.kill()
        busy.wait()
    found = blame.parts(watch.notes)
    assert found['queue'].sum() > 10 * MS
    assert found['queue'].sum() > 2 * sum(found[name].sum() for name in blame.OURS)
