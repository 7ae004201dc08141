# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Motions that leave the base alone, at three levels and by three inverses. [Dimitrov] 3.1."""

from free_flyer_dynamics.control import (
    augmented_accelerations,
    augmented_rates,
    augmented_torques,
    partitioned_accelerations,
    partitioned_rates,
    partitioned_torques,
    pivot_columns,
    reactionless_accelerations,
    reactionless_rates,
    reactionless_torques,
    reduce,
)
import numpy as np
import pytest
from scipy.linalg import null_space

from test.control.robots import random_situation, seven_joint
from test.oracles import relative

pytestmark = pytest.mark.jit

HELD = [(0, 1, 2), (2,), (0, 1), (0, 1, 2, 3, 4, 5)]
WAYS = ('pseudoinverse', 'partition', 'augmentation')


def rates_by(way, now, wish, kept, held):
    """Return the rates that one of the three ways finds."""
    if way == 'pseudoinverse':
        return reactionless_rates(now, wish, kept, held)
    if way == 'partition':
        return partitioned_rates(now, wish, kept, held)
    W = null_space(reduce(now, held).Hbm).T
    return augmented_rates(now, W, W @ wish, kept, held)


@pytest.mark.parametrize('held', HELD)
@pytest.mark.parametrize('way', WAYS)
def test_oracle_the_base_does_not_answer_in_the_axes_held(way, held, rng):
    """Momentum conservation, dense: what the arm does leaves the held base motions at rest."""
    now = random_situation(rng, rest=True, wheels_rest=True)
    rates = rates_by(way, now, rng.uniform(-0.3, 0.3, 7), None, held)
    base = -np.linalg.solve(now.H[:6, :6], now.H[:6, 6:13] @ rates)
    assert np.linalg.norm(rates) > 1e-2
    assert np.abs(base[list(held)]).max() < 1e-13
    if len(held) < 6:
        assert np.abs(base).max() > 1e-5  # the others move


@pytest.mark.parametrize('way', WAYS)
def test_oracle_a_coupling_momentum_is_kept(way, rng):
    """All three are solutions of (3.7) with the same momentum."""
    now, kept = random_situation(rng), rng.normal(size=3)
    rates = rates_by(way, now, rng.uniform(-0.3, 0.3, 7), kept, (0, 1, 2))
    assert relative(now.reduced.Hbm @ rates, kept) < 1e-12


def test_oracle_the_pseudoinverse_comes_nearest_to_the_wish(rng):
    """(3.12) is numpy's least-norm correction."""
    now, wish, kept = random_situation(rng), rng.normal(size=7), rng.normal(size=3)
    H = now.reduced.Hbm
    expected = wish + np.linalg.lstsq(H, kept - H @ wish, rcond=None)[0]
    assert relative(reactionless_rates(now, wish, kept), expected) < 1e-12


def test_partition_takes_independent_rates_as_given_and_pivots_in_front(rng):
    """The dependent joints are where the elimination pivots: here the first three, as in C3."""
    now, wish = random_situation(rng), rng.normal(size=7)
    assert pivot_columns(now.reduced.Hbm) == (0, 1, 2)
    assert np.array_equal(partitioned_rates(now, wish)[3:], wish[3:])
    chosen = partitioned_rates(now, wish, dependent=(2, 4, 6))
    assert np.array_equal(chosen[[0, 1, 3, 5]], wish[[0, 1, 3, 5]])
    A = np.array([[1.0, 2.0, 0.0, 1.0], [2.0, 4.0, 1.0, 0.0]])
    assert pivot_columns(A) == (0, 2)
    assert pivot_columns(np.vstack((A, A[0]))) == (0, 2)


def test_partition_says_when_joints_cannot_hold_the_base():
    """A planar arm cannot hold a roll."""
    planar = seven_joint(arm=['J1'])
    with pytest.raises(np.linalg.LinAlgError, match='rank 1 of 3'):
        partitioned_rates(planar.geometry(np.zeros(10)), np.zeros(1))


LEVELS = {
    'pseudoinverse': (reactionless_accelerations, reactionless_torques),
    'partition': (partitioned_accelerations, partitioned_torques),
    'augmentation': (augmented_accelerations, augmented_torques),
}


def by(level, way, now, wish, held):
    """Return the accelerations (0) or torques (1) that one of the three ways finds."""
    if way == 'augmentation':
        W = null_space(reduce(now, held).Hbm).T
        return LEVELS[way][level](now, W, W @ wish, held=held)
    return LEVELS[way][level](now, wish, held=held)


@pytest.mark.parametrize('way', WAYS)
@pytest.mark.parametrize('held', HELD[:2])
def test_oracle_accelerations_keep_the_coupling_momentum_by_finite_differences(way, held, rng):
    """(3.6), (3.15): the momentum along the motion it makes has no rate of change."""
    robot = seven_joint()
    now = random_situation(rng, robot, rest=True, wheels_rest=True)
    rates = reactionless_rates(now, now.joint_rates[:7], held=held)
    still = np.concatenate((rates, np.zeros(3)))
    now = robot.situation(now.positions, still)
    accelerations = by(0, way, now, rng.normal(size=7), held)
    h = 1e-5
    ends = []
    for t in (-h, h):
        q = now.positions.copy()
        q[:7] += t * rates + 0.5 * t * t * accelerations
        H = reduce(robot.geometry(q), held).Hbm
        ends.append(H @ (rates + t * accelerations))
    if held == (0, 1, 2):
        scale = np.abs(now.reduced.Hbm @ accelerations).max() + np.abs(now.c[:3]).max()
        assert np.abs(ends[1] - ends[0]).max() / (2 * h) < 1e-7 * scale
    # And by the dense equations of motion: base and wheels answer, driven by nothing.
    answer = [*range(6), *range(13, 16)]
    load = now.c[answer] + now.H[answer, 6:13] @ accelerations
    vdot = -np.linalg.solve(now.H[np.ix_(answer, answer)], load)
    assert np.abs(vdot[list(held)]).max() < 1e-12


@pytest.mark.parametrize('held', HELD)
@pytest.mark.parametrize('way', WAYS)
def test_oracle_torques_do_not_accelerate_the_base(way, held, rng):
    """(3.25) put into the dense (3.1): the held base motions do not accelerate, the arm does."""
    now = random_situation(rng, rest=True, wheels_rest=True)
    wish, torques = rng.normal(size=7), np.zeros(16)
    torques[6:13] = by(1, way, now, wish, held)
    vdot = np.linalg.solve(now.H, torques - now.c)
    assert np.abs(vdot[list(held)]).max() < 1e-10
    assert np.abs(vdot[6:13]).max() > 1e-2
    # Each way does with the arm what it says at the level of accelerations.
    assert relative(vdot[6:13], by(0, way, now, wish, held)) < 1e-9


def test_oracle_ways_at_the_level_of_accelerations_differ_by_what_is_free(rng):
    """The pseudoinverse is nearest to the wish, partition gives the independent joints theirs."""
    now, wish = random_situation(rng), rng.normal(size=7)
    nearest, partitioned, augmented = (by(0, way, now, wish, (0, 1, 2)) for way in WAYS)
    assert np.array_equal(partitioned[3:], wish[3:])
    assert np.linalg.norm(nearest - wish) < np.linalg.norm(partitioned - wish)
    W = null_space(now.reduced.Hbm).T
    assert relative(W @ augmented, W @ wish) < 1e-11
