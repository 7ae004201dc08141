# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Sines, cosines and angles against the mathematical library's."""

import math

from free_flyer_dynamics.kernels.trig import angle_of, NEAR, sine_cosine, turned_on
import numpy as np
import pytest

pytestmark = pytest.mark.jit  # multiplications and additions are fused there alone
LAST_DIGITS = 4e-16  # two roundings of numbers below one


@pytest.mark.parametrize('size', [1.0, 1e3, 1e8])
def test_sines_are_right_in_all_quadrants(size, rng):
    """However many turns there are before."""
    for angle in (0.0, math.pi / 4, math.pi, *rng.uniform(-size, size, 200).tolist()):
        expected = math.sin(angle), math.cos(angle)
        np.testing.assert_allclose(sine_cosine(angle), expected, rtol=0, atol=LAST_DIGITS)


def test_sines_are_led_on_to_the_last_digits(rng):
    """As far as the series reach, both ways."""
    steps = rng.uniform(-NEAR, NEAR, 200).tolist()
    for step in (0.0, 1e-9, NEAR, -NEAR, *steps):
        angle = float(rng.uniform(-4, 4))
        s, c = turned_on(math.sin(angle), math.cos(angle), step)
        expected = math.sin(angle + step), math.cos(angle + step)
        np.testing.assert_allclose((s, c), expected, rtol=0, atol=2 * LAST_DIGITS)


def test_sines_led_on_from_stage_to_stage_stay_right(rng):
    """Each time from what the time before has left, as often as a step has stages within it."""
    for _ in range(200):
        angle = float(rng.uniform(-4, 4))
        s, c = math.sin(angle), math.cos(angle)
        for step in rng.uniform(-NEAR, NEAR, 3).tolist():
            s, c = turned_on(s, c, step)
            angle += step
        expected = math.sin(angle), math.cos(angle)
        np.testing.assert_allclose((s, c), expected, rtol=0, atol=3 * LAST_DIGITS)


def test_angles_are_right_in_all_quadrants(rng):
    """However long the arrow, along the axes and between them; that of none is nothing."""
    quarters = [k * math.pi / 4 for k in range(-3, 5)]
    for angle in (*quarters, *rng.uniform(-math.pi, math.pi, 400).tolist()):
        length = float(10 ** rng.uniform(-100, 100))
        s, c = length * math.sin(angle), length * math.cos(angle)
        np.testing.assert_allclose(angle_of(s, c), math.atan2(s, c), rtol=LAST_DIGITS, atol=0)
    for s, c in ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0), (0.0, 0.0)):
        assert angle_of(s, c) == math.atan2(s, c)
