# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What users command: held until set again, clipped aloud, refused whole."""

import logging

import free_flyer_dynamics as ffd
import numpy as np
import pytest

from test.worlds import wheel_robot

# A wrench's arm and axes are turned twice.
ROUNDING = 1e-14


@pytest.fixture
def sim():
    """Return a base with two wheels whose drives give 2 N m at most."""
    world = ffd.Simulator()
    world.add(wheel_robot(('one', 'two'), effort_limit=2.0), prefix='r_')
    return world


def test_efforts_are_held_until_set_again(sim):
    """Those not named stay."""
    assert sim.set_efforts({'r_one': 1.5}) == ()
    sim.set_efforts({'r_two': -0.5})
    sim.step()
    np.testing.assert_array_equal(sim.efforts, [1.5, -0.5])
    assert sim.velocities[0] != 0.0
    sim.set_efforts({'r_one': 0.0})
    np.testing.assert_array_equal(sim.efforts, [0.0, -0.5])


def test_efforts_survive_another_robot(sim):
    """They are held by name."""
    sim.set_efforts({'r_two': 1.0})
    sim.add(wheel_robot(('one', 'two')), prefix='a_')
    np.testing.assert_array_equal(sim.efforts, [0.0, 1.0, 0.0, 0.0])


def test_an_effort_beyond_the_limit_is_clipped_returned_and_logged_once(sim, caplog):
    """A joint's first clip goes to the log, every one is counted and returned."""
    with caplog.at_level(logging.WARNING):
        clips = sim.set_efforts({'r_one': 3.0, 'r_two': 1.0})
        assert clips == (ffd.Clip('r_one', asked=3.0, applied=2.0),)
        assert sim.set_efforts({'r_one': -1e9}) == (ffd.Clip('r_one', -1e9, -2.0),)
    np.testing.assert_array_equal(sim.efforts, [-2.0, 1.0])
    assert sim.clipped_efforts == 2
    assert [record.getMessage() for record in caplog.records] == [
        "Effort 3 on joint 'r_one' is beyond its limit; 2 is applied."
    ]


def test_an_effort_at_the_limit_is_not_a_clip(sim):
    """The limit itself may be asked."""
    assert sim.set_efforts({'r_one': 2.0, 'r_two': -2.0}) == ()


@pytest.mark.parametrize(
    ('efforts', 'sentence'),
    [
        ({'r_one': 1.0, 'r_tow': 1.0}, "No joint is named 'r_tow'. Did you mean 'r_two'?"),
        ({'r_one': 1.0, 'r_two': np.nan}, "effort of joint 'r_two' must be finite, got nan"),
        ({'r_one': 1.0, 'r_two': np.inf}, "effort of joint 'r_two' must be finite, got inf"),
        ({'r_one': 1.0, 'r_two': 'much'}, "effort of joint 'r_two' must be a number"),
        ({'r_one': 1.0, 'r_two': [1.0, 2.0]}, "effort of joint 'r_two' must be a number"),
        ({'r_one': 1.0, 'r_two': None}, "effort of joint 'r_two' must be a number"),
    ],
)
def test_efforts_are_taken_all_or_none(sim, efforts, sentence):
    """One that cannot be leaves the others as they were."""
    sim.set_efforts({'r_one': 0.25})
    with pytest.raises(ffd.CommandError, match=sentence.replace('?', r'\?')):
        sim.set_efforts(efforts)
    np.testing.assert_array_equal(sim.efforts, [0.25, 0.0])


def test_a_wrench_is_held_until_set_again(sim):
    """The last on a link replaces the one before; zero takes it away."""
    mass = sim.momentum().mass
    sim.set_wrench('r_base', force=(1, 0, 0))
    sim.set_wrench('r_base', force=(0, 2, 0))
    sim.step(20)
    np.testing.assert_allclose(sim.momentum().linear, [0, 0.04, 0], atol=ROUNDING * mass)
    sim.set_wrench('r_base')
    sim.step(20)
    np.testing.assert_allclose(sim.momentum().linear, [0, 0.04, 0], atol=ROUNDING * mass)


def test_a_wrench_acts_in_its_axes_at_its_point():
    """World and link axes differ by the link's turn, the arm by the point."""
    half = np.sqrt(0.5)
    for frame, force, torque in (
        ('world', (0, 1.0, 0), (0, 0, -2.0)),  # the point is at -2 y, 0 x... turned a quarter
        ('link', (-1.0, 0, 0), (0, 0, 2.0)),
    ):
        sim = ffd.Simulator(dt=1e-9)
        sim.add(wheel_robot(), quaternion=(0, 0, half, half))  # x to y, y to -x
        sim.set_wrench('base', force=(0, 1, 0), frame=frame, point=(0, 2, 0))
        sim.step()
        gained = sim.momentum()
        np.testing.assert_allclose(gained.linear / 1e-9, force, atol=1e-6)
        expected = (0, 0, 0) if frame == 'link' else torque
        np.testing.assert_allclose(gained.angular / 1e-9, expected, atol=1e-6)


@pytest.mark.parametrize(
    ('wrench', 'sentence'),
    [
        ({'link': 'r_bsae'}, "No link is named 'r_bsae'. Did you mean 'r_base'"),
        ({'link': 'world', 'force': (1, 0, 0)}, 'world'),
        ({'link': 'r_base', 'force': (1, 0)}, r'force must be 3 numbers, got shape \(2,\)'),
        ({'link': 'r_base', 'force': (1, 0, np.nan)}, 'force must be finite'),
        ({'link': 'r_base', 'torque': 'big'}, 'torque must be 3 numbers'),
        ({'link': 'r_base', 'point': (np.inf, 0, 0)}, 'point must be finite'),
        ({'link': 'r_base', 'frame': 'base'}, "frame must be 'world' or 'link', got 'base'"),
    ],
)
def test_a_wrench_that_cannot_be_is_refused(sim, wrench, sentence):
    """And leaves the one that is held."""
    sim.set_wrench('r_base', force=(1, 0, 0))
    with pytest.raises(ffd.CommandError, match=sentence):
        sim.set_wrench(**wrench)
    sim.step()
    assert sim.momentum().linear[0] > 0


@pytest.mark.parametrize('n', [-1, 1.5, np.nan, 'two', None, 2**70])
def test_steps_are_whole_numbers(sim, n):
    """Zero or more."""
    with pytest.raises(ffd.CommandError, match='step takes a whole number'):
        sim.step(n)
    assert sim.time == 0.0


@pytest.mark.parametrize(
    'given', [[1.0], [1.0, 2.0, 3.0], [1.0, np.nan], 1.0, [[1.0, 2.0]], 'abc', None]
)
def test_accelerations_that_do_not_fit_are_refused(sim, given):
    """One finite number for each joint."""
    with pytest.raises(ffd.CommandError, match='in the order of joint_names, must be'):
        sim.inverse_dynamics(given)


@pytest.mark.parametrize(
    'read', ['pose', 'twist', 'acceleration', 'jacobian', 'operational_inertia']
)
def test_readings_of_unknown_links_are_refused_with_the_nearest(sim, read):
    """As a CommandError."""
    with pytest.raises(ffd.CommandError, match="Did you mean 'r_base'"):
        getattr(sim, read)('r_bas')


def test_an_unknown_robot_is_refused(sim):
    """Momentum is of all or of a prefix."""
    with pytest.raises(ffd.CommandError, match="No robot prefix is named 'q_'"):
        sim.momentum('q_')


def test_readings_are_copies(sim):
    """Writing into one changes nothing."""
    sim.positions[:] = 7.0
    sim.efforts[:] = 7.0
    sim.pose('r_base').position[:] = 7.0
    assert not sim.positions.any()
    assert not sim.efforts.any()
    assert not sim.pose('r_base').position.any()
