# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
A program of ours that is told to stop while Python still loads it ends there, without a word.

Loading takes half a second, and comes before anything of ours could hear a signal. Whoever imports
the library otherwise is left alone.
"""

from __future__ import annotations

import itertools
import os
import signal
import sys
import threading

_PROGRAMS = ('free-flyer', 'free_flyer_simulator', 'free_flyer_controller', 'free_flyer_viewer')
_NODES = f'{__package__}.ros.'


def is_ours(arguments: list[str]) -> bool:
    """Tell whether a command line runs a program of ours, by its name or as a module."""
    for word, after in itertools.pairwise([*arguments, '']):
        if word == '-m':
            return after == __package__ or after.startswith(_NODES)
        if os.path.basename(word) in _PROGRAMS:
            return True
    return False


if is_ours(sys.orig_argv) and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # `ros/spinning.py`, `cli/main.py` hear it
