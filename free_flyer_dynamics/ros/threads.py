# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What Linux lets a thread ask for to be woken on time."""

from __future__ import annotations

import contextlib
import ctypes
import logging
import os

_LOG = logging.getLogger(__name__)
_PR_SET_TIMERSLACK = 29


def make_punctual(priority: int) -> None:
    """Let this thread's sleeps end when they should; with a priority, before others run."""
    with contextlib.suppress(OSError, AttributeError):  # not Linux: sleeps are as they are
        ctypes.CDLL(None).prctl(_PR_SET_TIMERSLACK, 1, 0, 0, 0)  # ns; 50 us otherwise
    if priority:
        try:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(priority))
        except (OSError, AttributeError) as error:
            _LOG.warning('thread_priority %d is not to be had (%s); going on.', priority, error)
