# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Joints held at, or led to, positions: PD, with the thesis's dynamics or without."""

from __future__ import annotations

from free_flyer_dynamics.control.rate_servo import computed_torques
from free_flyer_dynamics.control.situation import Situation
import numpy as np


def joint_pd_torques(
    situation: Situation,
    positions: np.ndarray,
    rates: np.ndarray,
    stiffness: float | np.ndarray,
    damping: float | np.ndarray,
) -> np.ndarray:
    """
    Return tau = K (q_d - q) + D (qd_d - qd) for the arm.

    Parameters
    ----------
    situation : Situation
        The robot at this instant.
    positions, rates : ndarray, shape (p,)
        Wanted [rad, rad/s].
    stiffness, damping : float or ndarray, shape (p,)
        K [N m/rad] and D [N m s/rad].

    """
    arm = situation.arm
    return stiffness * (positions - situation.positions[arm]) + damping * (
        rates - situation.joint_rates[arm]
    )


def tracking_torques(
    situation: Situation,
    positions: np.ndarray,
    rates: np.ndarray,
    accelerations: np.ndarray,
    wheel_torques: np.ndarray,
    frequency: float = 5.0,
) -> np.ndarray:
    """
    Return the arm's torques that follow a path of the joints: PD through the robot's dynamics.

    Parameters
    ----------
    situation : Situation
        The robot at this instant.
    positions, rates, accelerations : ndarray, shape (p,)
        Wanted at this instant.
    wheel_torques : ndarray, shape (r,)
        [N m]
    frequency : float
        An error dies out critically damped with this frequency [rad/s].

    """
    arm = situation.arm
    wanted = (
        accelerations
        + frequency**2 * (positions - situation.positions[arm])
        + 2 * frequency * (rates - situation.joint_rates[arm])
    )
    return computed_torques(situation, wanted, wheel_torques)
