# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The base's attitude by its wheels, with saturation. [Dimitrov] 4.5.1."""

from __future__ import annotations

from free_flyer_dynamics.control.situation import Situation
import numpy as np


def wheel_axes(situation: Situation) -> np.ndarray:
    """Return the wheels' axes as columns, (3, r), base axes: Hbr Hr^-1 of balanced wheels."""
    form = situation.reduced
    return np.linalg.solve(form.Hr, form.Hbr.T).T


def attitude_wheel_torques(
    situation: Situation,
    attitude: np.ndarray,
    stiffness: float,
    damping: float,
    limits: np.ndarray,
) -> np.ndarray:
    """
    Return the wheels' torques that turn the base back, clipped to what the wheels can do.

    The base gets -K attitude - D omega as long as no wheel saturates.

    Parameters
    ----------
    situation : Situation
        The robot at this instant.
    attitude : ndarray, shape (3,)
        Rotation vector of the base away from where it should be, base axes [rad].
    stiffness, damping : float
        K [N m/rad] and D [N m s/rad].
    limits : ndarray, shape (r,)
        [N m]

    """
    wanted = stiffness * attitude + damping * situation.base_rate
    torques = np.linalg.lstsq(wheel_axes(situation), wanted, rcond=None)[0]
    return np.clip(torques, -limits, limits)


def absorbing_wheel_torques(
    situation: Situation, momentum: np.ndarray, limits: np.ndarray, settling: float = 2.0
) -> np.ndarray:
    """
    Return the wheels' torques that store a given angular momentum, at most what they can do.

    After a capture: go on storing what the target brought until arm and target have come to rest.

    Parameters
    ----------
    situation : Situation
        The robot at this instant.
    momentum : ndarray, shape (3,)
        What the wheels shall carry in the end, base axes [N m s].
    limits : ndarray, shape (r,)
        [N m]
    settling : float
        Time constant of the end, once no wheel saturates [s].

    References
    ----------
    [Dimitrov] 5.3, figure 5.2.

    """
    axes = wheel_axes(situation)
    missing = momentum - situation.reduced.wheel_momentum
    torques = np.linalg.lstsq(axes, missing / settling, rcond=None)[0]
    return np.clip(torques, -limits, limits)
