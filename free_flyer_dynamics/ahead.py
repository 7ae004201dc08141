# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
A second process that compiles, at a cold start, what the first will want next.

Numba compiles one kernel at a time, but a process each. The two meet in the cache.
"""

from __future__ import annotations

import os
import subprocess
import sys

from numba.core import event

FIRST = 'compile_structure'  # what every start begins with
LATER = ('lay_out', 'furnish', 'put_state', 'run')  # what `rehearsal.py` compiles, in this order
_SCRIPT = 'from free_flyer_dynamics.rehearsal import rehearse; rehearse({})'


class Ahead:
    """The second process, if there is one."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._ready: set[str] = set()
        self._limbs = 1

    def expect(self, limbs: int) -> None:
        """Guess how many limbs will be stepped side by side: those of a model that was loaded."""
        self._limbs = max(self._limbs, limbs)

    def begin(self) -> None:
        """Start it; where that cannot be, the first does all the work."""
        if self._process is not None or not sys.executable:
            return
        path = os.pathsep.join(entry for entry in sys.path if entry)
        try:
            self._process = subprocess.Popen(
                [sys.executable, '-c', _SCRIPT.format(self._limbs)],
                env={**os.environ, 'PYTHONPATH': path},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        except OSError:
            return

    def wait_for(self, name: str) -> None:
        """Wait until it has compiled that kernel, or has ended."""
        if self._process is None or name not in LATER or name in self._ready:
            return
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._ready.add(line.strip())
            if name in self._ready:
                return


class _ColdStart(event.Listener):
    """Begins when the first kernel of a start has to be compiled."""

    def on_start(self, event_):
        """Begin, if the kernel is ours."""
        function = event_.data['dispatcher'].py_func
        if function.__name__ == FIRST and function.__module__.startswith(__package__):
            ahead.begin()

    def on_end(self, _event):
        """Do nothing."""


ahead = Ahead()
if os.environ.get('FREE_FLYER_CACHE', '1') != '0':
    event.register('numba:compile', _ColdStart())
