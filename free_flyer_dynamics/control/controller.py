# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What a controller is to those who run it: a simulator's loop, or a node."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from free_flyer_dynamics.control.attitude import attitude_error
from free_flyer_dynamics.control.base_wheels import attitude_wheel_torques
from free_flyer_dynamics.control.distributed_momentum import distributed_momentum_rates
from free_flyer_dynamics.control.joint_pd import tracking_torques
from free_flyer_dynamics.control.rate_servo import servo_torques
from free_flyer_dynamics.control.reaction_null_space import damping_torques
from free_flyer_dynamics.control.situation import Situation
from free_flyer_dynamics.errors import CommandError, unknown_name
import numpy as np

Wheels = Callable[[Situation, float], np.ndarray]


class Controller(Protocol):
    """Makes efforts of a situation; it holds no clock and knows no simulator."""

    def efforts(self, situation: Situation, time: float) -> np.ndarray:
        """Return the efforts of all n joints, in the order of the robot's joint names [N m]."""


def joined(situation: Situation, arm: np.ndarray, wheels: np.ndarray) -> np.ndarray:
    """Return the efforts of all joints, of the arm's and the wheels'."""
    out = np.zeros(len(situation.positions))
    out[situation.arm] = arm
    out[situation.wheels] = wheels
    return out


def idle(situation: Situation, time: float) -> np.ndarray:
    """Return wheels that coast."""
    return np.zeros(len(situation.positions[situation.wheels]))


@dataclass(frozen=True)
class DistributedMomentum:
    """DMC before, at and after the contact: the arm follows (5.6), the wheels their own law."""

    wheels: Wheels = idle
    gain: float = 200.0  # of the inner loop [1/s]

    def efforts(self, situation: Situation, time: float) -> np.ndarray:
        """Return the efforts of all n joints [N m]."""
        wheels = self.wheels(situation, time)
        rates = distributed_momentum_rates(situation)
        return joined(situation, servo_torques(situation, rates, self.gain, wheels), wheels)


@dataclass(frozen=True)
class ReactionNullSpace:
    """RNSC: the arm damps the base's rotation and, within the null space, its own (5.5)."""

    wheels: Wheels = idle
    base_gain: float = 25.0  # [1/s]
    arm_gain: float = 10.0  # [1/s]
    attitude_gain: float = 0.0  # [1/s^2]

    def efforts(self, situation: Situation, time: float) -> np.ndarray:
        """Return the efforts of all n joints [N m]."""
        wheels = self.wheels(situation, time)
        arm = damping_torques(
            situation,
            wheels,
            self.base_gain,
            self.arm_gain,
            attitude_error(situation.rotation),
            self.attitude_gain,
        )
        return joined(situation, arm, wheels)


@dataclass(frozen=True)
class HoldJoints:
    """Joints held at positions by PD, and the base by its wheels as far as they can."""

    positions: np.ndarray  # of the arm [rad]
    limits: np.ndarray  # of the wheels [N m]
    frequency: float = 3.0  # of the joints, critically damped [rad/s]
    base_stiffness: float = 30.0  # [N m/rad]
    base_damping: float = 300.0  # [N m s/rad]

    def efforts(self, situation: Situation, time: float) -> np.ndarray:
        """Return the efforts of all n joints [N m]."""
        error = attitude_error(situation.rotation)
        wheels = attitude_wheel_torques(
            situation, error, self.base_stiffness, self.base_damping, self.limits
        )
        still = np.zeros_like(self.positions)
        arm = tracking_torques(situation, self.positions, still, still, wheels, self.frequency)
        return joined(situation, arm, wheels)


LAWS: dict[str, type] = {
    'distributed_momentum': DistributedMomentum,
    'reaction_null_space': ReactionNullSpace,
    'hold_joints': HoldJoints,
}


def controller(law: str, **options) -> Controller:
    """
    Return a controller by its law's name, as a parameter gives it.

    Parameters
    ----------
    law : str
        One of `LAWS`.
    options
        Fields of that controller: gains, the wheels' own law.

    """
    if law not in LAWS:
        raise CommandError(unknown_name('control law', law, LAWS))
    return LAWS[law](**options)
