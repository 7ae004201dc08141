# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Competitors timed in turn, so that a busy machine is busy for all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
import time

from benchmarks.figures import Settings

# Runs so many calls and returns the seconds they took.
Loop = Callable[[int], float]


def python_loop(call: Callable[[], object]) -> Loop:
    """Return a loop over a Python call, the loop's own cost included (some 20 ns a turn)."""

    def loop(count: int) -> float:
        start = time.perf_counter()
        for _ in range(count):
            call()
        return time.perf_counter() - start

    return loop


def alone(
    act: Callable[[], object],
    before: Callable[[], object] | None = None,
    after: Callable[[], object] | None = None,
) -> Loop:
    """Return a loop over a Python call, and untimed ones that make ready for it or undo it."""

    def loop(count: int) -> float:
        total = 0.0
        for _ in range(count):
            if before:
                before()
            start = time.perf_counter()
            act()
            total += time.perf_counter() - start
            if after:
                after()
        return total

    return loop


def alternate(loops: Mapping[str, Loop], settings: Settings) -> dict[str, float]:
    """
    Return the microseconds per call of each loop, the best of its bursts.

    Every round gives every loop one burst; the order turns from round to round.
    """
    counts = {name: _count(loop, settings.burst) for name, loop in loops.items()}
    best = dict.fromkeys(loops, float('inf'))
    names = list(loops)
    for _ in range(settings.rounds):
        for name in names:
            best[name] = min(best[name], loops[name](counts[name]) / counts[name])
        names.append(names.pop(0))
    return {name: seconds * 1e6 for name, seconds in best.items()}


def _count(loop: Loop, burst: float) -> int:
    """Return how many calls fill a burst."""
    loop(1)  # what has to be compiled is compiled now
    count = 1
    while (seconds := loop(count)) < 0.2 * burst:
        count *= 4
    return max(1, round(count * burst / seconds))
