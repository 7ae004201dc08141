# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
A node that is told to stop while Python still loads it ends there, without a word.

Loading takes half a second, and comes before anything of ours could hear a signal. Whoever imports
the library otherwise is left alone.
"""

from __future__ import annotations

import itertools
import os
import signal
import sys
import threading

_NODES = ('free_flyer_simulator', 'free_flyer_controller', 'free_flyer_viewer')
_MODULES = f'{__package__}.ros.'


def is_node(arguments: list[str]) -> bool:
    """Tell whether a command line runs one of our nodes, as a program or as a module."""
    for word, after in itertools.pairwise([*arguments, '']):
        if word == '-m':
            return after.startswith(_MODULES)
        if os.path.basename(word) in _NODES:
            return True
    return False


if is_node(sys.orig_argv) and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # until `ros/spinning.py` hears it
