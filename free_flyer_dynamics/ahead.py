# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
A second process that compiles, at a cold start, what the first will want next.

Numba compiles one kernel at a time, but a process each. The two meet in the cache: what one
compiles the other waits for (`kernels/_turns.py`). The second goes on while users step already,
and ends with the first.
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
        if not self.allowed or not _is_python(sys.executable):
            return
        self.allowed = False
        path = [entry for entry in sys.path if isinstance(entry, str)]
        limbs, joints = self._model
        script = _SCRIPT.format(path=path, limbs=limbs, joints=joints)
        try:
            self.process = subprocess.Popen(
                [sys.executable, '-c', script],
                stdin=subprocess.PIPE,  # which ends when we do
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except OSError:
            return


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
