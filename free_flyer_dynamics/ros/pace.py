# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Which step is due when, on a steady clock. No clock is read here: the time is given."""

from __future__ import annotations

from collections import deque
import math

_KEPT = 20_000  # latenesses kept for percentiles


class Pace:
    """
    Deadlines of steps, and what became of them.

    Parameters
    ----------
    dt : float
        Length of a step [s].
    factor : float
        Simulated seconds in a second; 0 for as fast as it goes.
    most_behind : float
        What physics catches up at most [s]; what is beyond is lost.

    """

    def __init__(self, dt: float, factor: float, most_behind: float) -> None:
        self._dt = dt
        self._most_behind = most_behind
        self.set_factor(factor)
        self.overruns = 0  # deadlines that had passed when the next one was due
        self.lost = 0.0  # seconds given up
        self.lateness: deque[float] = deque(maxlen=_KEPT)  # of each wake-up [s]
        self._next = math.nan

    def set_factor(self, factor: float) -> None:
        """Run that fast from now on."""
        self.factor = factor
        # The time from one deadline to the next [s]; 0 without pace.
        self.period = self._dt / factor if factor > 0 else 0.0

    def restart(self, now: float) -> None:
        """Let the next step be due a period from now."""
        self._next = now + self.period

    def wait(self, now: float) -> float:
        """Return how long it is to the next deadline [s]; 0 when it has passed."""
        return max(self._next - now, 0.0) if self.period else 0.0

    def take_lateness(self) -> list[float]:
        """Return how late the wake-ups were since this was last asked [s]."""
        taken = list(self.lateness)
        self.lateness.clear()
        return taken

    def due(self, now: float) -> int:
        """Return how many steps are due, and take them as done."""
        period = self.period
        late = now - self._next
        if late < 0:
            return 0
        self.lateness.append(late)
        missed = int(late / period)
        self.overruns += missed
        most = max(int(self._most_behind / period), 0)
        if missed > most:  # never spiral: let the rest go
            self.lost += (missed - most) * period
            self._next += (missed - most) * period
            missed = most
        self._next += (missed + 1) * period
        return missed + 1
