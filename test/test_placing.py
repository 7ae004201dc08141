# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A robot put elsewhere as a whole: its joints and their motion are those it had."""

import math
import warnings

import free_flyer_dynamics as ffd
from free_flyer_dynamics.urdf import shipped
import numpy as np
import pytest

pytestmark = pytest.mark.jit
ROUNDING = 1e-12  # of numbers around one, turned and turned back
START = {'joint_positions': {'J2': 0.7, 'J4': -0.4}, 'joint_velocities': {'J1': 0.3, 'J5': -0.2}}
HERE = {
    'position': (1.0, -2.0, 0.5),
    'quaternion': (0.5, -0.5, 0.5, 0.5),
    'linear_velocity': (0.1, 0.2, -0.3),
    'angular_velocity': (-0.02, 0.05, 0.1),
}


def model(name):
    """Return a shipped robot."""
    with warnings.catch_warnings():
        warnings.simplefilter('ignore', ffd.ModelWarning)
        return ffd.load_urdf(shipped(name))


def world(**chaser):
    """Return a chaser and a target."""
    sim = ffd.Simulator()
    sim.add(model('thesis_seven_joint'), **START, **chaser)
    sim.add(model('thesis_target'), prefix='target_', position=(3.0, 0.5, 1.0))
    return sim


def test_a_prefix_that_two_robots_bear_names_neither():
    """No guess which of them is meant: neither is placed, nor told the momentum of."""
    sim = ffd.Simulator()
    sim.add(model('thesis_seven_joint'))
    sim.add(model('thesis_target'), position=(3.0, 0.5, 1.0))
    before = sim.snapshot()
    with pytest.raises(ffd.CommandError, match='2 robots bear the prefix'):
        sim.place('', position=(1.0, 0.0, 0.0))
    with pytest.raises(ffd.CommandError, match='2 robots bear the prefix'):
        sim.momentum('')
    assert sim.snapshot() == before


@pytest.mark.parametrize('base', ['base', 'link4'])
def test_to_place_a_robot_is_as_if_it_had_been_added_there(base):
    """Whatever body is the base: what follows is the same, momentum and all."""
    moved, added = world(), world(**HERE)
    if base != 'base':
        moved.rebase(base)
    moved.place(**HERE)
    for sim in (moved, added):
        sim.set_efforts({'J3': 2.0, 'J8': 0.1})
        sim.step(40)
    for what in ('positions', 'velocities'):
        np.testing.assert_allclose(getattr(moved, what), getattr(added, what), atol=ROUNDING)
    for link in ('base', 'end_effector', 'target_target'):
        for a, b in zip(
            (moved.pose(link).position, moved.twist(link).linear, moved.twist(link).angular),
            (added.pose(link).position, added.twist(link).linear, added.twist(link).angular),
            strict=True,
        ):
            np.testing.assert_allclose(a, b, atol=ROUNDING)
    ours, theirs = moved.momentum(), added.momentum()
    np.testing.assert_allclose(ours.linear, theirs.linear, rtol=ROUNDING)
    np.testing.assert_allclose(ours.angular, theirs.angular, rtol=ROUNDING)


def test_what_is_not_given_stays():
    """A pose alone leaves the root's twist, a twist alone its pose; others feel nothing."""
    sim = world(**HERE)
    sim.step(10)
    pose, twist, other = sim.pose('base'), sim.twist('base'), sim.pose('target_target')
    velocities = sim.velocities
    sim.place(position=(7.0, 8.0, 9.0))
    np.testing.assert_allclose(sim.pose('base').position, (7, 8, 9), atol=ROUNDING)
    np.testing.assert_allclose(sim.pose('base').quaternion, pose.quaternion, atol=ROUNDING)
    np.testing.assert_allclose(sim.twist('base').angular, twist.angular, atol=ROUNDING)
    np.testing.assert_allclose(sim.twist('base').linear, twist.linear, atol=ROUNDING)
    sim.place(linear_velocity=(0.0, 0.0, 0.0))
    np.testing.assert_allclose(sim.twist('base').linear, 0, atol=ROUNDING)
    np.testing.assert_allclose(sim.twist('base').angular, twist.angular, atol=ROUNDING)
    np.testing.assert_allclose(sim.velocities, velocities, atol=ROUNDING)
    np.testing.assert_array_equal(sim.pose('target_target').position, other.position)


REFUSED = {
    'no such robot': ({'prefix': 'x_'}, ffd.CommandError, "No robot prefix is named 'x_'"),
    'joined': ({}, ffd.StateError, "'grip' joins it to 'target_target'. Detach"),
    'no number': (
        {'prefix': 'free_', 'position': (math.nan, 0, 0)},
        ffd.StateError,
        'position must be finite',
    ),
    'no rotation': (
        {'prefix': 'free_', 'quaternion': (0, 0, 0, 0)},
        ffd.StateError,
        'unit length',
    ),
    'anchored': ({'prefix': 'held_'}, ffd.StateError, 'joins it to the world'),
}


@pytest.mark.parametrize('case', REFUSED)
def test_what_cannot_be_placed_stays_to_the_last_bit(case):
    """With the way out."""
    given, error, sentence = REFUSED[case]
    sim = world()
    sim.add(model('thesis_target'), prefix='free_', position=(0, 9, 0))
    sim.add(model('thesis_target'), prefix='held_', position=(0, -9, 0), fixed=True)
    sim.attach('end_effector', 'target_target', name='grip')
    before = sim.snapshot()
    with pytest.raises(error, match=sentence):
        sim.place(**given)
    assert sim.snapshot() == before
