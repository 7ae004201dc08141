# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Where a law has no answer it says so: never a number that rounding has chosen."""

import free_flyer_dynamics as ffd
from free_flyer_dynamics import control
from free_flyer_dynamics.values import Pose
import numpy as np
import pytest

from test.control.robots import model, random_situation, seven_joint

pytestmark = pytest.mark.jit

NOTHING = np.zeros(3)
NEED_THREE = {
    'reactionless_rates': lambda s: control.reactionless_rates(s, np.ones(2)),
    'reactionless_torques': lambda s: control.reactionless_torques(s, np.ones(2)),
    'managed_rates': lambda s: control.managed_rates(s, np.ones(3)),
    'distributed_momentum_rates': control.distributed_momentum_rates,
    'damping_torques': lambda s: control.damping_torques(s, NOTHING),
    'task_priority_rates': lambda s: control.task_priority_rates(s, np.ones(3)),
    'resolved_motion_rates': lambda s: control.resolved_motion_rates(s, np.ones(6)),
    'partitioned_rates': lambda s: control.partitioned_rates(s, np.ones(2)),
}


@pytest.mark.parametrize('law', NEED_THREE)
def test_two_joints_cannot_hold_three_axes(law, rng):
    """Squares of rank two are inverted by rounding alone, to anything up to 1e15."""
    now = random_situation(rng, seven_joint(arm=['J1', 'J2']))
    with pytest.raises(np.linalg.LinAlgError, match=r'2 joints cannot|rank 2 of 3'):
        NEED_THREE[law](now)


def test_a_planar_arm_turned_somehow_does_not_leave_its_plane(rng):
    """Zeros become rounding in world axes; what lies in the plane has its answer."""
    robot = control.Robot(model('thesis_planar_three_joint'))
    quaternion = rng.normal(size=4)
    pose = Pose(NOTHING, quaternion / np.linalg.norm(quaternion))
    now = robot.situation([0.3, 0.4, 0.5], base_pose=pose)
    with pytest.raises(np.linalg.LinAlgError, match='3 joints cannot make these 6 motions'):
        control.resolved_motion_rates(now, np.ones(6))
    rates = control.reactionless_rates(now, np.ones(3), held=[2])
    assert np.abs(control.reduce(now, (2,)).Hbm @ rates).max() < 1e-12


def test_a_task_that_says_nothing_new_is_refused(rng):
    """Rows of the task that the coupling inertia has already; joints that turn about one axis."""
    now = random_situation(rng)
    W = np.vstack((now.reduced.Hbm[:1], np.eye(7)[:3]))
    with pytest.raises(np.linalg.LinAlgError, match='7 by 7 system is singular here'):
        control.augmented_rates(now, W, np.ones(4))
    for off in (1e-15, 0.0):  # by rounding alone, and to the last bit
        A = np.array([[1.0, 1.0, 0.1], [1.0, 1.0 + off, 0.3]])
        with pytest.raises(np.linalg.LinAlgError, match='2 by 2 system is singular here'):
            control.solve_partitioned(A, np.array([1.0, 2.0]), NOTHING, (0, 1))


@pytest.mark.parametrize('dependent', [(0, 0, 1), (0, 1), (0, 1, 2, 3)])
def test_dependent_joints_are_as_many_as_the_axes_held(dependent, rng):
    """Each once."""
    with pytest.raises(ValueError, match='3 joints, each once'):
        control.partitioned_rates(random_situation(rng), np.ones(7), dependent=dependent)


@pytest.mark.parametrize(
    ('options', 'sentence'),
    [
        ({'hand': 'world'}, "'world' is not one of the robot's links"),
        ({'arm': ['J1', 'J1']}, 'named once'),
        ({'arm': ['J1', 'J8']}, 'named once'),
    ],
)
def test_a_robot_of_other_parts_is_refused(options, sentence):
    """A hand that is no link; joints that are two things."""
    with pytest.raises(ffd.ModelError, match=sentence):
        seven_joint(**options)


@pytest.mark.parametrize(
    ('given', 'sentence'),
    [
        ({'positions': 0.3}, r'positions must be 10 numbers, got shape \(\)'),
        ({'positions': np.zeros(7)}, 'positions must be 10 numbers'),
        ({'positions': np.zeros(10), 'rates': [0.1]}, 'rates must be 10'),
        ({'positions': np.zeros(10), 'base_twist': NOTHING}, 'base_twist must be 6'),
        (
            {'positions': np.zeros(10), 'base_pose': Pose(NOTHING, np.array([0, 0, 1.0, 1.0]))},
            'unit length, got 1.41',
        ),
    ],
)
def test_measured_states_of_another_size_are_refused(given, sentence):
    """One number would otherwise do for all joints."""
    with pytest.raises(ffd.CommandError, match=sentence):
        seven_joint().situation(**given)


def test_a_pose_measured_a_little_off_is_taken_for_the_nearest(rng):
    """A quaternion of single precision does not stretch the world's axes."""
    quaternion = rng.normal(size=4)
    quaternion = (quaternion / np.linalg.norm(quaternion)).astype(np.float32)
    now = seven_joint().situation(np.zeros(10), base_pose=Pose(NOTHING, 1.0001 * quaternion))
    assert np.abs(now.rotation @ now.rotation.T - np.eye(3)).max() < 1e-15
