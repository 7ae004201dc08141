# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Whose fault it was that a thread came late: what lay between the deadline and its first step.

A thread that sleeps to deadlines notes of each wake-up the numbers `NOTED`. What is counted as
ours is an upper bound: the wait for the GIL while who may have had it had a core, all work of the
thread that went on past the deadline, and of the wait for a core all that other threads of the
process may have used it for. What is left is the machine's: a timer that rang late, cores that
others had, and a core that stood still under the thread's work, which neither had CPU time then
nor waited for anything (interrupts, where the kernel counts them by themselves, our own too).
Only a pause that the kernel does not know of is that thread's work to all counts, and so ours;
calm is the time in which no timer rang a period late.

"""

from __future__ import annotations

import numpy as np

# [ns] When it was to wake; when it fell asleep; when the kernel let it go on, to step.
# Then, as it fell asleep and as the kernel let it go on: how long it has waited for a core since
# it began, the CPU time of the process and of the thread itself, and how often the thread has
# given its core away to wait for something. Then how long it waited for the GIL since it last
# woke, and how long of that those who may have had it waited for a core.
NOTED = (
    *('due', 'asleep', 'woke', 'queued', 'queued_woke', 'used', 'used_woke'),
    *('own', 'own_woke', 'waits', 'waits_woke', 'gil', 'coreless'),
)
ROOM = 300_000  # wake-ups that can be noted
PARTS = ('timer', 'queue', 'halt', 'own_threads', 'gil', 'work')
OURS = ('own_threads', 'gil', 'work')
PAUSE = 500_000_000  # ns around a timer that rang a period late, in which the machine is not calm


def parts(noted: np.ndarray) -> dict[str, np.ndarray]:
    """
    Return what the lateness of each wake-up but the first is made of [ns].

    Parameters
    ----------
    noted : ndarray, shape (n, 13)
        A row for each wake-up, in its columns what `NOTED` says.

    """
    now = dict(zip(NOTED, noted[1:].T, strict=True))
    before = dict(zip(NOTED, noted[:-1].T, strict=True))
    late = np.maximum(now['woke'] - now['due'], 0)
    past = np.clip(now['asleep'] - now['due'], 0, late)
    slept_from = np.maximum(now['due'], now['asleep'])
    coreless = np.minimum(past, now['coreless'])
    gil = np.minimum(past, now['gil']) - coreless
    kept = np.minimum(past - gil - coreless, now['queued'] - before['queued_woke'])
    waited = np.clip(now['woke'] - slept_from, 0, now['queued_woke'] - now['queued'])
    worked = now['own'] - before['own_woke']
    others = np.minimum(kept, np.maximum(now['used'] - before['used_woke'] - worked, 0))
    others += np.minimum(waited, now['used_woke'] - now['used'])
    work = past - kept - gil - coreless
    stood = np.where(now['waits'] == before['waits_woke'], np.maximum(work - worked, 0), 0)
    found = {
        'queue': kept + waited - others + coreless,
        'halt': stood,
        'own_threads': others,
        'gil': gil,
        'work': work - stood,
    }
    return {'timer': late - sum(found.values()), **found}


def blame(noted: np.ndarray, period: float) -> dict:
    """Return how many deadlines were missed, how many without our part, and by what."""
    found = parts(noted)
    late, ours = sum(found.values()), sum(found[name] for name in OURS)
    missed = late >= period
    overruns, without_us = (x // period for x in (late, late - ours))
    due = noted[1:, 0]
    paused = due[found['timer'] >= period]  # nobody of ours can make a timer ring late
    calm = np.array([not np.any(np.abs(paused - at) < PAUSE) for at in due])
    return {
        'wakes': len(late),
        'overruns': int(overruns.sum()),
        'overruns_without_us': int(without_us.sum()),
        'overruns_with_us_in_calm': int((overruns - without_us)[calm].sum()),
        'calm_percent': round(100 * float(calm.mean()), 1),
        'late_wakes': int(missed.sum()),
        'late_ms': {name: round(float(found[name][missed].sum()) / 1e6, 2) for name in PARTS},
        'ours_p999_us': round(float(np.percentile(ours, 99.9)) / 1e3, 1),
        'ours_worst_us': round(float(ours.max()) / 1e3, 1),
    }
