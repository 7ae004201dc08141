# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What the physics thread asks of the machine."""

import ctypes
import os
import platform
import struct
import threading

from free_flyer_dynamics.ros import threads
import pytest

_SCHED_GETATTR = {'x86_64': 315, 'aarch64': 275}.get(platform.machine())
RELEASE = tuple(int(part) for part in platform.release().split('.')[:2] if part.isdigit())
pytestmark = pytest.mark.skipif(
    platform.system() != 'Linux' or _SCHED_GETATTR is None or RELEASE < (6, 12),
    reason='needs Linux 6.12, where threads have turns of their own length',
)
NICE = 3


def attributes():
    """Return policy, nice and length of turns [ns] of this thread."""
    room = ctypes.create_string_buffer(struct.calcsize(threads._SCHED_ATTR))
    assert ctypes.CDLL(None).syscall(_SCHED_GETATTR, 0, room, len(room), 0) == 0
    _size, policy, _flags, nice, _priority, turn, *_ = struct.unpack(threads._SCHED_ATTR, room)
    return policy, nice, turn


def on_a_thread(work):
    """Return what somebody finds on a thread of their own."""
    found = []
    thread = threading.Thread(target=lambda: found.append(work()))
    thread.start()
    thread.join()
    return found[0]


def test_turns_are_short_and_the_share_is_what_it_was():
    """So that it is let in soon, by the same right as before."""

    def work():
        os.setpriority(os.PRIO_PROCESS, 0, NICE)  # of this thread
        before = attributes()
        threads.make_punctual(0)
        return before, attributes()

    before, after = on_a_thread(work)
    assert after == (os.SCHED_OTHER, NICE, threads._SLICE)
    assert before[2] > threads._SLICE


def test_who_was_told_to_give_way_still_does():
    """A user's own policy is left alone."""

    def work():
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
        threads.make_punctual(0)
        return attributes()

    policy, _nice, turn = on_a_thread(work)
    assert policy == os.SCHED_BATCH
    assert turn != threads._SLICE


def test_who_is_patient_does_not_interrupt_who_wakes_it():
    """The kernel lets a thread of this policy in when the other leaves its core."""

    def work():
        threads.make_patient()
        return attributes()[0]

    assert on_a_thread(work) == os.SCHED_BATCH


def test_who_was_let_in_first_is_not_made_patient(monkeypatch):
    """A user's own policy is left alone here too."""
    asked = []
    monkeypatch.setattr(os, 'sched_getscheduler', lambda _who: os.SCHED_FIFO)
    monkeypatch.setattr(os, 'sched_setscheduler', lambda *given: asked.append(given))
    threads.make_patient()
    assert not asked
