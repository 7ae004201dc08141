# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The base's attitude by thrusters: the thesis's comparison. [Dimitrov] 5.3.1."""

from __future__ import annotations

from free_flyer_dynamics.control.situation import Situation
import numpy as np


def thruster_torque(
    situation: Situation,
    attitude: np.ndarray,
    stiffness: float,
    damping: float,
    limit: float = np.inf,
) -> np.ndarray:
    """
    Return the torque thrusters put on the base: PD, as the thesis has it for simplicity.

    Parameters
    ----------
    situation : Situation
        The robot at this instant.
    attitude : ndarray, shape (3,)
        Rotation vector of the base away from where it should be, base axes [rad].
    stiffness, damping : float
        [N m/rad], [N m s/rad]
    limit : float
        For each axis [N m].

    Returns
    -------
    ndarray, shape (3,)
        On the base, base axes [N m].

    References
    ----------
    [Dimitrov] 5.3.1.

    """
    return np.clip(-stiffness * attitude - damping * situation.base_rate, -limit, limit)
