# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Long searches: how far they are, how to stop them, and what was best when they stop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
import sys
import time

import numpy as np


@dataclass(frozen=True)
class Progress:
    """
    How far a search has come.

    Parameters
    ----------
    evaluations : int
        How often the simulation was run.
    seconds : float
        Since it began.
    objective : float
        Of the best point so far.
    violation : float
        How far the best point is from keeping the constraints; zero when it keeps them.

    """

    evaluations: int
    seconds: float
    objective: float
    violation: float

    def __str__(self) -> str:
        kept = 'feasible' if self.violation <= 0 else f'off by {self.violation:.3g}'
        return (
            f'{self.evaluations} evaluations, {self.seconds:.1f} s: '
            f'best {self.objective:.5g}, {kept}'
        )


Watch = Callable[[Progress], bool | None]


def show(progress: Progress) -> None:
    """Print where a search is, on one line of a terminal that is written over."""
    if sys.stdout.isatty():
        print(f'\r{progress!s:<70}', end='', flush=True)


class Stopped(Exception):
    """The watcher, or Ctrl-C, asked a search to stop."""


class Search:
    """
    Keeps the best point of a search and lets others watch.

    Parameters
    ----------
    watch : callable, optional
        Called with the `Progress` after every evaluation; True stops the search.
    enough : float
        Stop as soon as a point keeps its constraints with an objective not above this.

    """

    def __init__(self, watch: Watch | None = None, enough: float = -np.inf) -> None:
        self._watch, self._enough = watch, enough
        self._start = time.perf_counter()
        self.evaluations = 0
        self.point: np.ndarray | None = None
        self.objective, self.violation = np.inf, np.inf

    @property
    def progress(self) -> Progress:
        """Return how far it is."""
        seconds = time.perf_counter() - self._start
        return Progress(self.evaluations, seconds, self.objective, self.violation)

    def note(self, point: np.ndarray, objective: float, violation: float) -> bool:
        """Take note of an evaluation; tell whether to stop."""
        self.evaluations += 1
        violation = max(violation, 0.0)
        if (violation, objective) < (self.violation, self.objective):
            self.point, self.objective, self.violation = point.copy(), objective, violation
        asked = bool(self._watch(self.progress)) if self._watch else False
        return asked or self.enough

    @property
    def enough(self) -> bool:
        """Tell whether the best point is good enough."""
        return self.violation == 0.0 and self.objective <= self._enough

    def must_note(self, point: np.ndarray, objective: float, violation: float) -> None:
        """Take note of an evaluation, and raise `Stopped` when told to stop."""
        if self.note(point, objective, violation):
            raise Stopped
