# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What the wheels do beside a law of the arm: coast, hold the base, or store momentum."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from free_flyer_dynamics.control.attitude import attitude_error
from free_flyer_dynamics.control.base_wheels import (
    absorbing_wheel_torques,
    attitude_wheel_torques,
)
from free_flyer_dynamics.control.situation import Situation
import numpy as np

Wheels = Callable[[Situation, float], np.ndarray]
Reading = Callable[[], np.ndarray | None]  # what is known at the moment; None when nothing is


def coast(situation: Situation, time: float) -> np.ndarray:
    """Return no torque."""
    return np.zeros(len(situation.positions[situation.wheels]))


@dataclass(frozen=True, eq=False)
class HoldBase:
    """
    Wheels that turn the base back by PD, as far as they can.

    Parameters
    ----------
    limits : ndarray, shape (r,)
        [N m]
    stiffness, damping : float
        [N m/rad], [N m s/rad]
    attitude : ndarray, shape (3, 3), optional
        The base's axes to world axes as they should be; the world's own when not given.

    """

    limits: np.ndarray
    stiffness: float = 300.0
    damping: float = 1500.0
    attitude: np.ndarray | None = None

    def __call__(self, situation: Situation, time: float) -> np.ndarray:
        """Return the wheels' torques [N m]."""
        error = attitude_error(situation.rotation, self.attitude)
        return attitude_wheel_torques(situation, error, self.stiffness, self.damping, self.limits)


@dataclass(frozen=True, eq=False)
class Absorb:
    """
    Wheels that come to store all the angular momentum there is.

    Parameters
    ----------
    momentum : callable
        Returns the angular momentum of robot and target, about their centre of mass, in world
        axes [N m s]; the wheels coast while it is None.
    limits : ndarray, shape (r,)
        [N m]
    settling : float
        Time constant of the end, once no wheel saturates [s].

    """

    momentum: Reading
    limits: np.ndarray
    settling: float = 2.0

    def __call__(self, situation: Situation, time: float) -> np.ndarray:
        """Return the wheels' torques [N m]."""
        momentum = self.momentum()
        if momentum is None:
            return coast(situation, time)
        return absorbing_wheel_torques(
            situation, situation.rotation.T @ momentum, self.limits, self.settling
        )
