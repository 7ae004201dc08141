# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What the benchmark of real time notes of a thread that is held up on purpose."""

import os
import subprocess
import sys
import threading
import time

from benchmarks import blame, lateness
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
import free_flyer_dynamics as ffd  # noqa: E402
from free_flyer_dynamics.pace import Pace  # noqa: E402
from free_flyer_dynamics.urdf import shipped  # noqa: E402

MS = 1_000_000  # ns


class Watched:
    """A simulator that keeps time under a watch, a step a call, on the thread that makes this."""

    def __init__(self, monkeypatch):
        self.sim = ffd.Simulator()
        self.sim.add(ffd.load_urdf(shipped('thesis_target')))
        self.sim.step(2)
        self.pace = Pace(self.sim.dt)
        self.watch = watched.Watch(self.pace)
        monkeypatch.setattr(
            Pace, 'keep', lambda _pace, *given, **kernel: self.watch.keep(*given, **kernel)
        )
        self.run(0.0)  # compiled

    def run(self, seconds):
        """Step on time; what has been missed before is not due."""
        self.pace.restart(time.monotonic())
        end = time.monotonic() + seconds
        while time.monotonic() <= end or not len(self.watch.notes):
            self.sim.step_on_time(self.pace)


@pytest.fixture
def on_watch(monkeypatch):
    """Return a simulator under a watch."""
    return Watched(monkeypatch)


def test_a_thread_that_keeps_the_gil_is_seen(on_watch):
    """Nobody else may have it for an interval that is set to half a second here."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(0.5)

    def keep():
        time.sleep(0.02)
        sum(range(4_000_000))  # one call that lets nobody in

    try:
        thread = threading.Thread(target=keep)
        thread.start()
        on_watch.run(0.3)
        thread.join()
    finally:
        sys.setswitchinterval(before)
    found = blame.parts(on_watch.watch.notes)
    worst = int(np.argmax(found['gil']))
    assert found['gil'][worst] > 10 * MS
    assert found['gil'][worst] > 5 * (found['own_threads'] + found['work'])[worst]


def test_work_that_takes_too_long_is_seen(on_watch):
    """Of the thread itself, between two of its steps."""
    on_watch.run(5e-3)
    start = time.process_time()
    while time.process_time() - start < 0.05:
        pass
    on_watch.sim.step_on_time(on_watch.pace, 10)
    found = blame.parts(on_watch.watch.notes)
    ours = found['work'] + found['own_threads']
    worst = int(np.argmax(ours))
    assert ours[worst] > 30 * MS
    assert found['gil'][worst] < 10 * MS


def test_a_core_that_others_use_is_seen(monkeypatch):
    """Another process computes on the only core that the thread may use, and goes first."""
    made, core = [], min(os.sched_getaffinity(0))
    bind = f'import os; os.sched_setaffinity(0, {{{core}}})\nwhile True: pass'
    busy = subprocess.Popen([sys.executable, '-c', bind])

    def sleeper():
        os.sched_setaffinity(0, {core})  # of this thread alone, as is its priority
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)
        made.append(Watched(monkeypatch))
        made[0].run(1.5)

    try:
        thread = threading.Thread(target=sleeper)
        thread.start()
        thread.join()
    finally:
        busy.kill()
        busy.wait()
    found = blame.parts(made[0].watch.notes)
    assert found['queue'].sum() > 10 * MS
    assert found['queue'].sum() > 2 * sum(found[name].sum() for name in blame.OURS)


def test_no_more_is_measured_than_there_is_room_for(capsys):
    """Notes would be written over."""
    with pytest.raises(SystemExit):
        lateness.main(['--seconds', '300'])
    assert 'room for the notes of 240 s' in capsys.readouterr().err
