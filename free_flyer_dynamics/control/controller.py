# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What a controller is to those who run it: a simulator's loop, or a node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

from free_flyer_dynamics.control.attitude import attitude_error
from free_flyer_dynamics.control.distributed_momentum import distributed_momentum_rates
from free_flyer_dynamics.control.generalized_jacobian import resolved_motion_rates
from free_flyer_dynamics.control.joint_pd import tracking_torques
from free_flyer_dynamics.control.rate_servo import servo_torques
from free_flyer_dynamics.control.reaction_null_space import damping_torques
from free_flyer_dynamics.control.reactionless import reactionless_rates
from free_flyer_dynamics.control.situation import Situation
from free_flyer_dynamics.control.task_priority import task_priority_rates
from free_flyer_dynamics.control.wheel_programs import coast, Reading, Wheels
from free_flyer_dynamics.errors import CommandError, unknown_name
import numpy as np


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


@dataclass(frozen=True)
class RateLaw:
    """A law at velocity level: the arm follows its rates by an inner loop."""

    wheels: Wheels = coast
    gain: float = 200.0  # of the inner loop [1/s]

    def rates(self, situation: Situation) -> np.ndarray:
        """Return the arm's rates, (p,) [rad/s]: each law's own."""
        raise NotImplementedError

    def efforts(self, situation: Situation, time: float) -> np.ndarray:
        """Return the efforts of all n joints [N m]."""
        wheels, rates = self.wheels(situation, time), self.rates(situation)
        return joined(situation, servo_torques(situation, rates, self.gain, wheels), wheels)


@dataclass(frozen=True)
class DistributedMomentum(RateLaw):
    """DMC before, at and after the contact: the arm follows (5.6), the wheels their own law."""

    def rates(self, situation: Situation) -> np.ndarray:
        """Return the arm's rates, (p,) [rad/s]."""
        return distributed_momentum_rates(situation)


def nothing() -> None:
    """Return that nothing is known."""


@dataclass(frozen=True)
class Referred(RateLaw):
    """A law that follows a reference from outside; it rests while there is none."""

    follows: ClassVar[str] = 'hand_twist'
    reference: Reading = nothing
    threshold: float = 0.02  # smallest singular value below which the law is damped
    damping: float = 0.02  # the most of it

    def given(self, size: int) -> np.ndarray:
        """Return the reference."""
        found = self.reference()
        return np.zeros(size) if found is None else found


class ResolvedMotion(Referred):
    """The hand moves with the reference's twist, (6,) angular first, world axes; base floats."""

    def rates(self, situation: Situation) -> np.ndarray:
        """Return the arm's rates, (p,) [rad/s]: (E.7)."""
        return resolved_motion_rates(
            situation, self.given(6), threshold=self.threshold, damping=self.damping
        )


class TaskPriority(Referred):
    """The hand moves as the linear part of the reference's twist says, the base stays: (3.29)."""

    def rates(self, situation: Situation) -> np.ndarray:
        """Return the arm's rates, (p,) [rad/s]."""
        return task_priority_rates(
            situation, self.given(6)[3:], threshold=self.threshold, damping=self.damping
        )


class Reactionless(Referred):
    """The arm moves as near to the reference, (p,) rates, as the base's rest allows: (3.12)."""

    follows: ClassVar[str] = 'joint_rates'

    def rates(self, situation: Situation) -> np.ndarray:
        """Return the arm's rates, (p,) [rad/s]."""
        return reactionless_rates(situation, self.given(len(situation.joint_rates[situation.arm])))


@dataclass(frozen=True)
class ReactionNullSpace:
    """RNSC: the arm damps the base's rotation and, within the null space, its own (5.5)."""

    wheels: Wheels = coast
    base_gain: float = 25.0  # [1/s]
    arm_gain: float = 10.0  # [1/s]
    attitude_gain: float = 0.0  # [1/s^2]
    attitude: np.ndarray | None = None  # of the base, as it should be; the world's when None

    def efforts(self, situation: Situation, time: float) -> np.ndarray:
        """Return the efforts of all n joints [N m]."""
        wheels = self.wheels(situation, time)
        error = attitude_error(situation.rotation, self.attitude)
        arm = damping_torques(
            situation, wheels, self.base_gain, self.arm_gain, error, self.attitude_gain
        )
        return joined(situation, arm, wheels)


@dataclass(frozen=True)
class HoldJoints:
    """Joints held at positions by PD; without positions, brought to rest where they are."""

    wheels: Wheels = coast
    positions: np.ndarray | None = None  # of the arm [rad]
    frequency: float = 3.0  # of the joints, critically damped [rad/s]

    def efforts(self, situation: Situation, time: float) -> np.ndarray:
        """Return the efforts of all n joints [N m]."""
        wheels, here = self.wheels(situation, time), situation.positions[situation.arm]
        wanted = here if self.positions is None else self.positions
        still = np.zeros_like(here)
        arm = tracking_torques(situation, wanted, still, still, wheels, self.frequency)
        return joined(situation, arm, wheels)


LAWS: dict[str, type] = {
    'distributed_momentum': DistributedMomentum,
    'reaction_null_space': ReactionNullSpace,
    'hold_joints': HoldJoints,
    'resolved_motion': ResolvedMotion,
    'task_priority': TaskPriority,
    'reactionless': Reactionless,
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
