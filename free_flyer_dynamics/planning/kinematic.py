# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Simulation at kinematic level: the base's attitude kept, momentum zero. [Dimitrov] 4.5.2.3."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from free_flyer_dynamics.checks import number, vector
from free_flyer_dynamics.control.momentum_management import managed_rates
from free_flyer_dynamics.control.robot import Robot
from free_flyer_dynamics.control.situation import Situation
from free_flyer_dynamics.errors import CommandError
import numpy as np

# Rates of the arm at a time and a situation at rest.
Rates = Callable[[float, Situation], np.ndarray]


@dataclass(frozen=True, eq=False)
class Path:
    """
    What a kinematic simulation went through, in m + 1 samples.

    The inertial frame is the base's at the start.

    Parameters
    ----------
    time : ndarray, shape (m + 1,)
        [s]
    arm, arm_rates : ndarray, shape (m + 1, p)
        [rad, rad/s]
    hand, hand_velocity : ndarray, shape (m + 1, 3)
        [m, m/s]
    base : ndarray, shape (m + 1, 3)
        Where the base's origin is [m].
    arm_momentum : ndarray, shape (m + 1, 3)
        Coupling angular momentum, the thesis's L_bm [N m s].

    """

    time: np.ndarray
    arm: np.ndarray
    arm_rates: np.ndarray
    hand: np.ndarray
    hand_velocity: np.ndarray
    base: np.ndarray
    arm_momentum: np.ndarray

    @property
    def length(self) -> float:
        """Return the length of the hand's path, [Dimitrov] (4.27) [m]."""
        return float(np.linalg.norm(np.diff(self.hand, axis=0), axis=1).sum())


def center_of_mass(situation: Situation) -> np.ndarray:
    """Return the robot's centre of mass in the base's frame [m]: it is in the inertia matrix."""
    w = situation.H[:3, 3:6]  # mass times the cross product's matrix
    return np.array([w[2, 1], w[0, 2], w[1, 0]]) / situation.H[3, 3]


def follow(robot: Robot, start: np.ndarray, rates: Rates, duration: float, step: float) -> Path:
    """
    Integrate the arm's rates by Runge-Kutta's fourth-order method.

    The base keeps its attitude and answers so that the centre of mass rests: its position is
    algebraic, nothing of it is integrated. The wheels' angles, which balanced wheels make no
    difference of, stay zero.

    Parameters
    ----------
    robot : Robot
        With a free base and balanced wheels.
    start : ndarray, shape (p,)
        The arm's positions [rad].
    rates : callable
        Of the arm, at a time and a situation at rest.
    duration, step : float
        [s]; the last step is shortened to end in time.

    """
    positions = np.zeros(len(robot.joint_names))

    def at(q: np.ndarray) -> Situation:
        positions[robot.arm] = q
        return robot.geometry(positions)

    if not (number(duration, 'duration') >= 0.0 and number(step, 'step') > 0.0):
        raise CommandError(f'duration and step must be above zero, got {duration} and {step} s.')
    start = vector(start, "The arm's start", len(positions[robot.arm]))
    count = max(1, int(np.ceil(duration / step - 1e-9)))
    h = duration / count
    q, rows = start, []
    center = center_of_mass(at(q))
    for k in range(count + 1):
        t = k * h
        now = at(q)
        k1 = rates(t, now)
        rows.append(_sample(now, q, k1, center))
        if k == count:
            break
        k2 = rates(t + 0.5 * h, at(q + 0.5 * h * k1))
        k3 = rates(t + 0.5 * h, at(q + 0.5 * h * k2))
        k4 = rates(t + h, at(q + h * k3))
        q = q + h / 6 * (k1 + 2 * (k2 + k3) + k4)
    columns = (np.array(column) for column in zip(*rows, strict=True))
    return Path(np.arange(count + 1) * h, *columns)


def _sample(now: Situation, q: np.ndarray, rates: np.ndarray, center: np.ndarray):
    form = now.reduced
    base = center - center_of_mass(now)
    return q, rates, now.hand + base, form.J[3:, form.arm] @ rates, base, form.Hbm @ rates


@dataclass(frozen=True, eq=False)
class TorqueProfile:
    """
    Wheel torques over time: straight lines between knots evenly spread over the duration.

    Parameters
    ----------
    knots : ndarray, shape (k, r)
        [N m]
    duration : float
        [s]

    """

    knots: np.ndarray
    duration: float

    def __post_init__(self) -> None:
        knots = np.array(self.knots, dtype=float)
        if knots.ndim != 2 or len(knots) < 2:
            raise CommandError(
                'The knots of a torque profile must be two rows or more, a column for each wheel, '
                f'got shape {knots.shape}.'
            )
        if not number(self.duration, 'The duration of a torque profile') > 0.0:
            raise CommandError(f'A torque profile must last above zero s, got {self.duration}.')
        object.__setattr__(self, 'knots', knots)

    def torque(self, time: float) -> np.ndarray:
        """Return the wheels' torques at a time; the last ones after the end."""
        x = min(max(time / self.duration, 0.0), 1.0) * (len(self.knots) - 1)
        i = min(int(x), len(self.knots) - 2)
        return self.knots[i] + (x - i) * (self.knots[i + 1] - self.knots[i])

    def __call__(self, situation: Situation, time: float) -> np.ndarray:
        """Return the wheels' torques as a controller takes them: none before and after."""
        return self.torque(time) * (0.0 <= time < self.duration)

    def impulse(self, time: float) -> np.ndarray:
        """Return the torques' integral from zero to a time: what the wheels carry [N m s]."""
        width = self.duration / (len(self.knots) - 1)
        x = min(max(time / self.duration, 0.0), 1.0) * (len(self.knots) - 1)
        i = min(int(x), len(self.knots) - 2)
        whole = 0.5 * width * (self.knots[:i] + self.knots[1 : i + 1]).sum(axis=0)
        part = (x - i) * width
        return whole + part * 0.5 * (self.knots[i] + self.torque(min(time, self.duration)))

    @staticmethod
    def constant(torques, duration: float) -> TorqueProfile:
        """Return torques that stay as they are."""
        return TorqueProfile(np.tile(np.asarray(torques, dtype=float), (2, 1)), duration)


def approach(
    robot: Robot,
    start: np.ndarray,
    profile: TorqueProfile,
    step: float = 0.5,
    dependent: tuple[int, ...] | None = None,
) -> Path:
    """
    Return the path of an arm that takes up what the wheels give away: first term of (4.21).

    The robot starts at rest without momentum. With the base's attitude kept, a wheel's torque
    changes its rate by torque over its own inertia.
    """

    def rates(time: float, now: Situation) -> np.ndarray:
        wheel_rates = np.linalg.solve(now.reduced.Hr, profile.impulse(time))
        return managed_rates(now, wheel_rates, dependent=dependent)

    return follow(robot, start, rates, profile.duration, step)
