# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The thesis's robot at random instants, and what its tables say."""

from functools import lru_cache
from pathlib import Path

from free_flyer_dynamics.control import Robot
from free_flyer_dynamics.values import Pose
import numpy as np
import yaml

from test.shipped_robots import load

TABLES = yaml.safe_load((Path(__file__).parent.parent / 'data' / 'tables.yaml').read_text())
CASE_A = TABLES['dimitrov_4_5_2_3']
START = np.radians(CASE_A['initial_angles_deg'])
GRASP = np.array(CASE_A['grasp_position_m'])
GRASP_VELOCITY = np.array(CASE_A['grasp_velocity_m_s'])
SPIN = np.array(CASE_A['target_angular_velocity_rad_s'])


@lru_cache
def model(name='thesis_seven_joint'):
    """Load a shipped robot, once."""
    return load(name)


def seven_joint(**options):
    """Return the controller's copy of the thesis's robot."""
    return Robot(model(), **options)


def random_situation(rng, robot=None, rest=False, wheels_rest=False):
    """Return an instant of the thesis's robot, turned and moving somehow."""
    robot = robot or seven_joint()
    n = len(robot.joint_names)
    rates = rng.uniform(-0.3, 0.3, n)
    if wheels_rest:
        rates[robot.wheels] = 0.0
    quaternion = rng.normal(size=4)
    pose = Pose(rng.uniform(-2, 2, 3), quaternion / np.linalg.norm(quaternion))
    twist = np.zeros(6) if rest else rng.uniform(-0.2, 0.2, 6)
    return robot.situation(rng.uniform(-2, 2, n), rates, pose, twist)
