# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Whose fault it was that a thread came late: what the benchmark of real time tells apart."""

from benchmarks import blame
import numpy as np
import pytest

MS = 1_000_000  # ns


def wake(due, late=0, asleep=None, woke=None, queued=(0, 0), used=(0, 0), holders=(0, 0)):
    """Return a row of notes; by default it fell asleep early, and the kernel let it go on late."""
    asleep = due - MS // 2 if asleep is None else asleep
    here = due + late
    return [due, asleep, here if woke is None else woke, here, *queued, *used, *holders]


def of(row, before=None):
    """Return what the lateness of a wake-up is made of, without what is nothing."""
    rows = np.array([wake(0) if before is None else before, row])
    return {name: int(part[0]) for name, part in blame.parts(rows).items() if part[0]}


LATE = 3 * MS
CASES = {
    'in time': (wake(MS), {}),
    'the timer rang late': (wake(MS, LATE), {'timer': LATE}),
    'others had the core': (wake(MS, LATE, queued=(0, LATE)), {'queue': LATE}),
    'our own threads had it for a while': (
        wake(MS, LATE, queued=(0, LATE), used=(0, MS)),
        {'queue': 2 * MS, 'own_threads': MS},
    ),
    'somebody had the GIL': (wake(MS, LATE, woke=MS), {'gil': LATE}),
    'who had the GIL had no core': (
        wake(MS, LATE, woke=MS, holders=(5, 5 + 2 * MS)),
        {'queue': 2 * MS, 'gil': MS},
    ),
    'its work went on': (wake(MS, LATE, asleep=4 * MS, woke=4 * MS), {'work': LATE}),
    'its work was kept waiting by others': (
        wake(MS, LATE, asleep=4 * MS, woke=4 * MS, queued=(2 * MS, 2 * MS)),
        {'queue': 2 * MS, 'work': MS},
    ),
    'a bit of each': (
        wake(MS, LATE, asleep=MS + 10, woke=3 * MS, queued=(0, MS), used=(0, 7)),
        {'timer': MS - 10, 'queue': MS - 7, 'own_threads': 7, 'gil': MS, 'work': 10},
    ),
}


@pytest.mark.parametrize('case', CASES)
def test_lateness_is_the_sum_of_its_parts(case):
    """Each to whom it belongs."""
    row, expected = CASES[case]
    assert of(row) == expected
    assert sum(expected.values()) == max(row[3] - row[0], 0)


def test_a_deadline_is_ours_if_it_would_have_been_kept_without_us():
    """1.2 ms late, of which 0.5 ms are ours: one missed, none without us."""
    rows = [wake(0), wake(MS, 6 * MS // 5, woke=MS + 7 * MS // 10), wake(4 * MS, 2 * MS + 1)]
    found = blame.blame(np.array(rows), MS)
    assert (found['overruns'], found['overruns_without_us'], found['late_wakes']) == (3, 2, 2)
    assert found['late_ms'] == {
        'timer': 2.7,
        'queue': 0.0,
        'own_threads': 0.0,
        'gil': 0.5,
        'work': 0.0,
    }
