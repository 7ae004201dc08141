# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Which step is due when, on a steady clock."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
import math
import time

from free_flyer_dynamics.checks import number, step_length
from free_flyer_dynamics.direct import Direct
from free_flyer_dynamics.errors import CommandError
from free_flyer_dynamics.kernels.on_time import (
    CALLED,
    COMPILED,
    COUNTS,
    Deadlines,
    keep_time,
    LEFT,
    LISTENS,
    LOST,
    MADE,
    MOST_BEHIND,
    NEXT,
    OVERRUNS,
    OWED,
    PERIOD,
    take_due,
    TIMES,
    WAKES,
)
import numpy as np

_KEPT = 20_000  # latenesses kept for percentiles
_SHORTEST = 1e-12  # s; of a period: deadlines are counted
_compiled = {arrays: Direct(keep_time) for arrays in (2, 3)}  # by what an arena consists of
_plain: Callable = getattr(keep_time, 'py_func', keep_time)


class Pace:
    """
    Deadlines of steps, and what became of them: see `Simulator.step_on_time`.

    The first is a period after this is made. One thread steps by them; any may call it away.

    Parameters
    ----------
    dt : float
        Length of a step [s].
    factor : float
        Simulated seconds in a second; 0 for as fast as it goes.
    most_behind : float
        What is caught up at most [s]; what is beyond is lost. Infinite: nothing is.

    """

    def __init__(self, dt: float, factor: float = 1.0, most_behind: float = 0.05) -> None:
        self.dt = step_length(dt)
        if most_behind != math.inf and number(most_behind, 'most_behind') < 0:
            raise CommandError(f'most_behind must be 0 or more seconds, got {most_behind!r}.')
        self.deadlines = Deadlines(np.zeros(COUNTS, np.int64), np.zeros(TIMES), np.zeros(_KEPT))
        self.deadlines.times[MOST_BEHIND] = most_behind
        self._told = 0  # wake-ups whose lateness was taken
        self.set_factor(factor)

    def set_factor(self, factor: float) -> None:
        """Run that fast from now on: the next step is due a period from now."""
        checked = number(factor, 'factor')
        period = self.dt / checked if checked else 0.0
        if checked < 0 or (checked and period < _SHORTEST):
            raise CommandError(
                f'factor must be 0, for as fast as it goes, or simulated seconds in a second; '
                f'got {factor!r}.'
            )
        self.factor = checked
        # The time from one deadline to the next [s]; 0 without pace.
        self.period = period
        self.restart(time.monotonic())
        self.deadlines.times[PERIOD] = period

    @property
    def made(self) -> int:
        """Return how many steps were ever made by this."""
        return int(self.deadlines.counts[MADE])

    @property
    def overruns(self) -> int:
        """Return how many deadlines had passed when the next one was due."""
        return int(self.deadlines.counts[OVERRUNS])

    @property
    def lost(self) -> float:
        """Return the seconds given up."""
        return float(self.deadlines.times[LOST])

    def restart(self, now: float) -> None:
        """Let the next step be due a period from now [s], and owe none."""
        self.deadlines.times[NEXT] = now + self.period
        self.deadlines.counts[OWED] = 0

    def wait(self, now: float) -> float:
        """Return how long it is to the next step [s]; 0 when one is due."""
        if not self.period or self.deadlines.counts[OWED] > 0:
            return 0.0
        return max(float(self.deadlines.times[NEXT]) - now, 0.0)

    def due(self, now: float) -> int:
        """Return how many steps are due, and take them as done."""
        return take_due(self.deadlines, now)

    def keep(self, run: Callable[[float, int], int], dt: float, count: int, kernel=(0, ())) -> int:
        """
        Take up to count steps of dt through `run`, each when it is due; return what `run` would.

        The kernel is what `run` calls, by its address, with its first arguments: if it is known,
        Python's lock is free meanwhile, also between two steps.
        """
        address, arena = kernel
        keep: Callable = partial(_plain, run, ())
        if COMPILED and address:
            keep = partial(_compiled[len(arena)], address, arena)
        done = 0
        while True:  # between two turns Python hears signals
            code = keep(dt, count - done, self.deadlines)
            if code < 0:
                return code - done
            done += code
            if self.deadlines.counts[LEFT] != LISTENS:
                return done

    def call_away(self) -> None:
        """Let whoever steps by this, or does so next, go before a step is due, once."""
        self.deadlines.counts[CALLED] = 1

    @property
    def went(self) -> bool:
        """Tell whether the last steps ended early, because of a call."""
        return bool(self.deadlines.counts[LEFT])

    def pay(self, steps: int) -> None:
        """Take steps that are owed as done otherwise."""
        self.deadlines.counts[OWED] -= steps
        self.deadlines.counts[MADE] += steps

    def take_lateness(self) -> np.ndarray:
        """Return how late the wake-ups were since this was last asked [s]; the latest, if many."""
        late, wakes = self.deadlines.late, int(self.deadlines.counts[WAKES])
        new = np.arange(max(self._told, wakes - len(late)), wakes)
        self._told = wakes
        return late[new % len(late)]
