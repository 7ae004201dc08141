# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What a thread can ask for, of Linux and of Python, that physics be woken on time."""

from __future__ import annotations

import contextlib
import ctypes
import logging
import os
import platform
import struct
import sys

_LOG = logging.getLogger(__name__)
_PR_SET_TIMERSLACK = 29
_SCHED_SETATTR = {'x86_64': 314, 'aarch64': 274}  # no wrapper in older C libraries
_SCHED_ATTR = '=IIQiIQQQ'  # size, policy, flags, nice, priority, runtime, deadline, period
_SLICE = 100_000  # ns; the shortest there is
_TURN = 1e-4  # s; how long another thread may keep the interpreter from one that waits


def make_punctual(priority: int) -> None:
    """Let this thread go on when it should, not when others let it; with a priority, first."""
    sys.setswitchinterval(_TURN)  # of the whole process; 5 ms otherwise
    with contextlib.suppress(OSError, AttributeError):  # not Linux: sleeps are as they are
        ctypes.CDLL(None).prctl(_PR_SET_TIMERSLACK, 1, 0, 0, 0)  # ns; 50 us otherwise
    if priority:
        try:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(priority))
        except (OSError, AttributeError) as error:
            _LOG.warning('thread_priority %d is not to be had (%s); going on.', priority, error)
    elif platform.system() == 'Linux' and platform.machine() in _SCHED_SETATTR:
        _take_short_turns(_SCHED_SETATTR[platform.machine()])


def make_patient() -> None:
    """
    Let this thread wait until whoever wakes it has left the core, if they share one.

    Otherwise Linux may let it in at once, and who woke it waits until it has done.
    """
    with contextlib.suppress(OSError, AttributeError):  # not Linux
        if os.sched_getscheduler(0) == os.SCHED_OTHER:
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def _take_short_turns(call: int) -> None:
    """
    Ask for short turns on the core: who works little at a time is let in soon.

    The thread's share stays what it was, so that anybody may ask. Linux listens since 6.12.
    """
    if os.sched_getscheduler(0) != os.SCHED_OTHER:  # somebody has seen to it
        return
    nice = os.getpriority(os.PRIO_PROCESS, 0)  # of this thread
    size = struct.calcsize(_SCHED_ATTR)
    asked = struct.pack(_SCHED_ATTR, size, os.SCHED_OTHER, 0, nice, 0, _SLICE, 0, 0)
    ctypes.CDLL(None).syscall(call, 0, asked, 0)  # where it is not to be had, all is as it was
