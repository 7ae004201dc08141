# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
A second process that compiles, at a cold start, what the first will want next.

Numba compiles one kernel at a time, but a process each. The two meet in the cache: what one
compiles the other waits for (`kernels/_turns.py`). The second goes on while users step already,
and ends with the first. Once there is a first step it has a third to help it, on the core that the
first no longer needs.
"""

from __future__ import annotations

import os
import subprocess
import sys

from numba.core import event

# What every start begins with.
FIRST = 'free_flyer_dynamics.kernels.structure', 'compile_structure'
# Imports come from where ours do; where we run may lie a user's queue.py.
_SCRIPT = """
import sys
sys.path[:] = {path}
from free_flyer_dynamics.rehearsal import rehearse
rehearse({limbs}, {joints})
"""
_HELP = """
import sys
sys.path[:] = {path}
from free_flyer_dynamics.rehearsal import help_rehearse
help_rehearse({limbs}, {joints})
"""


class Ahead:
    """The second process, if there is one."""

    def __init__(self) -> None:
        self.process: subprocess.Popen | None = None
        self.allowed = True
        self._model = 1, 1

    def expect(self, limbs: int, joints: int) -> None:
        """Guess from a model that was loaded what is stepped: so many limbs, and joints in all."""
        self._model = max(self._model, (limbs, joints))

    def begin(self) -> None:
        """Start it; where that cannot be, the first does all the work."""
        if self.allowed:
            self.allowed = False
            limbs, joints = self._model
            self.process = _start(_SCRIPT, limbs=limbs, joints=joints)


def call_for_help(limbs: int, joints: int) -> subprocess.Popen | None:
    """Start a third process, if there is a core for it; it ends with who called for it."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, 'sched_getaffinity') else os.cpu_count()
    return _start(_HELP, limbs=limbs, joints=joints) if (cores or 1) > 1 else None


def _start(script: str, **given: int) -> subprocess.Popen | None:
    """Start a process that ends when its standard input does, as it will with us."""
    if not _is_python(sys.executable):
        return None
    path = [entry for entry in sys.path if isinstance(entry, str)]
    try:
        return subprocess.Popen(
            [sys.executable, '-c', script.format(path=path, **given)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    except OSError:
        return None


def _is_python(executable: str | None) -> bool:
    """Tell whether it can be started for another script: a program with Python inside is none."""
    return os.path.basename(executable or '').lower().startswith(('python', 'pypy'))


class _ColdStart(event.Listener):
    """Begins when the first kernel of a start has to be compiled."""

    def on_start(self, event_):
        """Begin, if the kernel is ours, and kept: two processes have nothing else in common."""
        dispatcher = event_.data['dispatcher']
        kernel = dispatcher.py_func
        if (kernel.__module__, kernel.__name__) == FIRST and dispatcher.stats.cache_path:
            ahead.begin()

    def on_end(self, _event):
        """Do nothing."""


ahead = Ahead()
event.register('numba:compile', _ColdStart())
