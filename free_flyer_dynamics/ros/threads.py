# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What a thread can ask for to be woken on time, of Linux and of Python."""

from __future__ import annotations

import contextlib
import ctypes
import logging
import os
import sys

_LOG = logging.getLogger(__name__)
_PR_SET_TIMERSLACK = 29
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
