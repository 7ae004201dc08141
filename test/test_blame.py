# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Whose fault it was that a thread came late: what the benchmark of real time tells apart."""

from benchmarks import blame
import numpy as np
import pytest

MS = 1_000_000  # ns


def wake(due, late=0, asleep=None, queued=(0, 0), used=(0, 0), own=None, waits=0, gil=(0, 0)):
    """
    Return a row of notes.

    By default it fell asleep early, the kernel let it go on late, and it worked all its time.
    """
    asleep = due - MS // 2 if asleep is None else asleep
    own = asleep if own is None else own
    return [due, asleep, due + late, *queued, *used, own, own, waits, waits, *gil]


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
    'somebody had the GIL': (wake(MS, LATE, asleep=4 * MS, gil=(LATE, 0)), {'gil': LATE}),
    'somebody had the GIL, in time': (wake(MS, 0, gil=(MS // 4, 0)), {}),
    'who had the GIL had no core': (
        wake(MS, LATE, asleep=4 * MS, gil=(LATE, 2 * MS)),
        {'queue': 2 * MS, 'gil': MS},
    ),
    'its work went on': (wake(MS, LATE, asleep=4 * MS), {'work': LATE}),
    'its work was kept waiting by others': (
        wake(MS, LATE, asleep=4 * MS, queued=(2 * MS, 2 * MS)),
        {'queue': 2 * MS, 'work': MS},
    ),
    'its work was kept waiting by our own threads': (
        wake(MS, LATE, asleep=4 * MS, queued=(2 * MS, 2 * MS), used=(3 * MS, 3 * MS), own=MS // 2),
        {'own_threads': 2 * MS, 'work': MS},
    ),
    'the core stood still under its work': (
        wake(MS, LATE, asleep=4 * MS, own=MS // 2),
        {'halt': 2 * MS, 'work': MS},
    ),
    'it waited for something amid its work': (
        wake(MS, LATE, asleep=4 * MS, own=MS // 2, waits=1),
        {'work': LATE},
    ),
    'a bit of each': (
        wake(MS, LATE, asleep=2 * MS + 10, queued=(0, MS), used=(0, 7), gil=(MS, 0)),
        {'timer': MS - 10, 'queue': MS - 7, 'own_threads': 7, 'gil': MS, 'work': 10},
    ),
}


@pytest.mark.parametrize('case', CASES)
def test_lateness_is_the_sum_of_its_parts(case):
    """Each to whom it belongs."""
    row, expected = CASES[case]
    assert of(row) == expected
    assert sum(expected.values()) == max(row[2] - row[0], 0)


def test_a_deadline_is_ours_if_it_would_have_been_kept_without_us():
    """1.2 ms late, of which 0.5 ms are ours: one missed, none without us."""
    rows = [
        wake(0),
        wake(MS, 6 * MS // 5, asleep=3 * MS // 2, gil=(MS, 0)),
        wake(4 * MS, 2 * MS + 1),
    ]
    found = blame.blame(np.array(rows), MS)
    assert (found['overruns'], found['overruns_without_us'], found['late_wakes']) == (3, 2, 2)
    assert found['late_ms'] == {
        'timer': 2.7,
        'queue': 0.0,
        'halt': 0.0,
        'own_threads': 0.0,
        'gil': 0.5,
        'work': 0.0,
    }


def test_what_falls_near_a_pause_of_the_machine_is_told_apart():
    """A timer that rings late is nobody's of ours; a miss a second later is."""
    second = 1000 * MS
    rows = [wake(0), wake(MS, LATE), wake(9 * MS, LATE, asleep=12 * MS)]
    rows += [wake(second, LATE, asleep=second + LATE), wake(2 * second)]
    found = blame.blame(np.array(rows), MS)
    assert (found['overruns'], found['overruns_without_us']) == (9, 3)
    assert found['overruns_with_us_in_calm'] == 3
    assert found['calm_percent'] == 50
