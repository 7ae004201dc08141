# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Numbers that the thesis prints, with what is known of how they came about."""

from free_flyer_dynamics.control import right_inverse
from free_flyer_dynamics.planning import approach, follow, TorqueProfile
import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from test.control.robots import CASE_A, GRASP, GRASP_VELOCITY, seven_joint, SPIN, START, TABLES

TOLERANCE_A = 8e-3  # m; reached within 5.1 mm; explicit Euler at 0.1 s lands at 1.8 mm
COMPARED = TABLES['dimitrov_4_5_3_1']
GOAL = np.array(COMPARED['grasp_position_m'])


def test_printed_case_A_ends_at_the_grasp_point():
    """Wheels at -0.1 N m for 30 s, the arm by the first term of (4.21): [2, -1.2, 1.54] m."""
    profile = TorqueProfile.constant(CASE_A['wheel_torque_Nm'], CASE_A['duration_s'])
    path = approach(seven_joint(), START, profile)
    assert np.linalg.norm(path.hand[-1] - GRASP) < TOLERANCE_A
    assert np.allclose(path.arm_momentum[-1], [3, 3, 3], atol=1e-9)  # full bias


def test_printed_case_A_does_not_depend_on_the_step():
    """What is left to the printed number is the author's integration, not ours."""
    profile = TorqueProfile.constant(CASE_A['wheel_torque_Nm'], CASE_A['duration_s'])
    ends = [approach(seven_joint(), START, profile, step).hand[-1] for step in (2.0, 0.25)]
    assert np.abs(ends[0] - ends[1]).max() < 1e-5


def test_printed_grasp_point_velocity_of_the_tumbling_target():
    """The target's attitude is the identity at t = 0, its spin constant: all printed digits."""
    arm = Rotation.from_rotvec(SPIN * CASE_A['duration_s']).apply(
        CASE_A['grasp_point_in_target_m']
    )
    assert np.array_equal(np.round(np.cross(SPIN, arm), 4), GRASP_VELOCITY)


def straight_line(joints):
    """Return rates that lead the hand straight to the goal in 30 s; by three joints or by all."""
    start = np.radians(COMPARED['initial_angles_deg'])
    way = GOAL - seven_joint().geometry([*start, 0, 0, 0]).hand

    def rates(time, now):
        x, form = time / 30.0, now.reduced
        speed = way * x**2 * (30 - 60 * x + 30 * x**2) / 30.0
        J = form.J[3:, form.arm]
        moves = np.eye(7)[:, :3] if joints == 3 else right_inverse(form.Hbm)
        return moves @ np.linalg.solve(J @ moves, speed)

    return start, way, rates


def test_printed_path_length_of_case_C3_is_the_straight_line():
    """Y_ob of C3 in table 4.2: the distance from the hand to the grasp point, 0.7029 m."""
    _, way, _ = straight_line(3)
    assert abs(np.linalg.norm(way) - COMPARED['table_4_2']['Y_ob']['C3']) < 5e-5


@pytest.mark.parametrize(('case', 'joints'), [('C2', 7), ('C3', 3)])
def test_printed_joint_motion_of_cases_C2_and_C3(case, joints):
    """
    S_m of table 4.2 within 1 %, samples 0.1 s apart.

    The sum of |rates| is the length of the path in joint space over 0.1 s, so the speed along the
    line does not matter. C2 itself is not quite straight (0.7058 m); the line is ours.
    """
    start, _, rates = straight_line(joints)
    path = follow(seven_joint(), start, rates, 30.0, 0.1)
    assert np.abs(path.hand[-1] - GOAL).max() < 1e-9
    S_m = np.linalg.norm(path.arm_rates, axis=1).sum()
    assert S_m == pytest.approx(COMPARED['table_4_2']['S_m'][case], rel=0.01)
