# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Counts of what went wrong, from any thread, for diagnostics."""

from __future__ import annotations

from collections import Counter
import threading


class Tally:
    """How often what was refused, and the last sentence."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()
        self.last = ''

    def add(self, where: str, sentence: str, count: int = 1) -> bool:
        """Count a refusal; tell whether it is the first one there."""
        with self._lock:
            first = not self._counts[where]
            self._counts[where] += count
            self.last = sentence
            return first

    def counts(self) -> dict[str, int]:
        """Return the counts by where."""
        with self._lock:
            return dict(self._counts)

    @property
    def total(self) -> int:
        """Return the sum of all."""
        with self._lock:
            return sum(self._counts.values())
