# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What one is divided by, as many numbers at a time as there are lanes."""

from free_flyer_dynamics.arena import aligned
from free_flyer_dynamics.kernels._jit import kernel
from free_flyer_dynamics.kernels.lanes import load, ONE, reciprocal, STATES, store, width
import numpy as np
import pytest

LAST_DIGITS = 2.3e-16  # one digit in the last place of a number just above one


def for_lanes(lane):
    """Return a kernel that divides one by all numbers, so many at a time."""

    @kernel
    def divide(given, out):
        for k in range(len(given) // width(lane)):
            store(out, 0, k, reciprocal(load(given, 0, k, lane)))

    return divide


KERNELS = {'one': for_lanes(ONE)} | {f'{k} states': for_lanes(STATES[k]) for k in STATES}


def reciprocals_of(given, lanes):
    """Return one divided by each, so many at a time."""
    numbers, found = aligned(len(given)), aligned(len(given))
    numbers[:] = given
    with np.errstate(divide='ignore'):
        KERNELS[lanes](numbers, found)
    return found


@pytest.mark.parametrize('lanes', KERNELS)
def test_reciprocals_are_right_to_the_last_digit(lanes, rng):
    """Of specks of dust, too, and of what they make when three of them are multiplied."""
    given = rng.choice([-1.0, 1.0], 4096) * 10 ** rng.uniform(-300, 300, 4096)
    given[:8] = 1.0, -1.0, 3.0, 1e-100, 1e-300, 1e300, 2.0**-1000, 2.0**1000
    expected = 1.0 / given
    np.testing.assert_allclose(reciprocals_of(given, lanes), expected, rtol=LAST_DIGITS, atol=0)


@pytest.mark.parametrize('lanes', KERNELS)
def test_what_is_not_finite_stays_so_in_its_lane(lanes):
    """And leaves its neighbours alone."""
    given = np.full(16, 4.0)
    given[[2, 5, 11]] = np.nan, 0.0, np.nan
    found = reciprocals_of(given, lanes)
    assert not np.isfinite(found[[2, 5, 11]]).any()
    assert (np.delete(found, [2, 5, 11]) == 0.25).all()
