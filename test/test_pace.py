# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Deadlines, on a clock that the test turns."""

import math
import time

import free_flyer_dynamics as ffd
from free_flyer_dynamics import pace as pace_module
from free_flyer_dynamics.pace import Pace
import numpy as np
import pytest

MS = 1e-3


def test_a_step_is_due_each_period():
    """Half as fast takes twice as long."""
    pace = Pace(MS, 0.5, 0.05)
    pace.restart(0.0)
    assert pace.due(0.0019) == 0
    assert pace.wait(0.0015) == pytest.approx(0.0005)
    assert pace.due(0.0021) == 1
    assert pace.due(0.0021) == 0
    assert pace.overruns == 0


def test_a_late_loop_catches_up_and_counts():
    """Late by three periods: four steps, three overruns, nothing lost."""
    pace = Pace(MS, 1.0, 0.05)
    pace.restart(0.0)
    assert pace.due(0.00405) == 4
    assert pace.overruns == 3
    assert pace.lost == 0
    assert pace.due(0.0045) == 0
    assert pace.due(0.00505) == 1


def test_what_is_beyond_the_bound_is_lost_and_told():
    """The loop never spirals: however slow a step, the work of a turn is bounded."""
    pace = Pace(MS, 1.0, 0.05)
    pace.restart(0.0)
    assert pace.due(10.0) == 51
    assert pace.lost == pytest.approx(10.0 - 0.051, abs=2e-3)
    assert pace.overruns > 9000
    for k in range(20):  # each turn takes three times what it may
        assert pace.due(10.003 + 0.003 * k) <= 51


def test_without_a_factor_there_is_no_pace():
    """0: as fast as it goes."""
    assert Pace(MS, 0.0, 0.05).period == 0.0


@pytest.mark.parametrize(
    ('given', 'what'),
    [
        ({'dt': 0.0}, 'dt'),
        ({'dt': -MS}, 'dt'),
        ({'dt': math.nan}, 'dt'),
        ({'factor': -1.0}, 'factor'),
        ({'factor': math.nan}, 'factor'),
        ({'factor': 'fast'}, 'factor'),
        ({'factor': 1e300}, 'factor'),
        ({'most_behind': -1.0}, 'most_behind'),
        ({'most_behind': math.nan}, 'most_behind'),
    ],
)
def test_what_is_no_pace_is_refused(given, what):
    """Compiled code that waits for what never comes could not be ended."""
    with pytest.raises(ffd.CommandError, match=what):
        Pace(**{'dt': MS, **given})


def test_who_gives_nothing_up_catches_all_up():
    """Infinitely far behind is a bound, too."""
    pace = Pace(MS, 1.0, math.inf)
    pace.restart(0.0)
    assert pace.due(10.0005) == 10_000
    assert pace.lost == 0


def test_another_factor_holds_from_now_on():
    """Neither is what was not due before caught up, nor a long wait waited out."""
    pace = Pace(MS, 0.0, 0.05)
    time.sleep(5 * MS)
    pace.set_factor(0.01)
    assert pace.wait(time.monotonic()) > 0.05
    pace.set_factor(1e-6)
    pace.set_factor(10.0)
    assert pace.wait(time.monotonic()) <= 1e-4
    assert (pace.overruns, pace.lost) == (0, 0)


def test_only_the_latest_latenesses_are_kept(monkeypatch):
    """A long time may pass before somebody asks."""
    monkeypatch.setattr(pace_module, '_KEPT', 5)
    pace = Pace(MS, 1.0, 0.05)
    pace.restart(0.0)
    for k in range(1, 9):
        pace.due(MS * k + 1e-5 * k)
    np.testing.assert_allclose(pace.take_lateness(), 1e-5 * np.arange(4, 9), atol=1e-12)
    pace.due(MS * 9 + 2e-4)
    np.testing.assert_allclose(pace.take_lateness(), [2e-4], atol=1e-12)
