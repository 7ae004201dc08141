# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""From parameters to the law they name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from free_flyer_dynamics.control.capture import Capture, Phase
from free_flyer_dynamics.control.controller import Controller, controller, LAWS, RateLaw, Referred
from free_flyer_dynamics.control.robot import Robot
from free_flyer_dynamics.control.wheel_programs import Absorb, coast, HoldBase, Reading, Wheels
from free_flyer_dynamics.errors import CommandError
from free_flyer_dynamics.planning.kinematic import TorqueProfile
from free_flyer_dynamics.ros.controller_parameters import (
    AT_CONTACT,
    CAPTURE,
    ControllerParameters,
    FLOATING,
)
from free_flyer_dynamics.ros.sampling import matrix
from free_flyer_dynamics.values import Pose
import numpy as np


class Laws:
    """
    Makes laws for a robot, all with the gains of the parameters.

    Parameters
    ----------
    given : ControllerParameters
    robot : Robot
    momentum, reference, meeting : callable
        What is known at the moment of all momentum, of where to go, and of the twist that brings
        the hand to the grasp point; see `Reading`.

    """

    def __init__(
        self,
        given: ControllerParameters,
        robot: Robot,
        momentum: Reading,
        reference: Reading,
        meeting: Reading,
    ) -> None:
        self._given, self._robot = given, robot
        self._reference, self._meeting = reference, meeting
        self._attitude = matrix(Pose(np.zeros(3), unit(given.attitude)))
        limits = robot.torque_limits
        self._wheels: dict[str, Wheels] = {
            'coast': coast,
            'hold': HoldBase(limits, given.base_stiffness, given.base_damping, self._attitude),
            'absorb': Absorb(momentum, limits, given.settling),
        }

    def asked(self) -> Controller | Capture:
        """Return the law that is asked for."""
        if self._given.law == CAPTURE:
            return self.capture()
        return self.law(self._given.law, self._wheels[self._given.wheels])

    def law(self, name: str, wheels: Wheels) -> Controller:
        """Return a law by name."""
        given, options = self._given, dict[str, Any]()
        if issubclass(LAWS[name], RateLaw):
            options['gain'] = given.rate_gain
        if issubclass(LAWS[name], Referred):
            options['reference'] = self._reference
        if name == 'reaction_null_space':
            options = {
                'base_gain': given.base_gain,
                'arm_gain': given.arm_gain,
                'attitude_gain': given.attitude_gain,
                'attitude': self._attitude,
            }
        if name == 'hold_joints':
            options = {'frequency': given.joint_frequency, 'positions': self._positions()}
        return controller(name, wheels=wheels, **options)

    def capture(self) -> Capture:
        """Return the capture."""
        given, robot = self._given, self._robot
        return Capture(
            laws=self._by_phase(),
            hand=robot.hand,
            target=given.capture__target,
            arm=names_in(robot, robot.arm),
            contact=given.capture__contact,
            locks_moving=given.capture__lock == AT_CONTACT,
            reach=given.capture__reach,
            linger=given.capture__linger,
        )

    def _by_phase(self) -> dict[Phase, Controller]:
        """Return the laws of a capture."""
        after = self._given.capture__after
        stopped = {
            name: controller('hold_joints', wheels=does, frequency=self._given.joint_frequency)
            for name, does in self._wheels.items()
        }
        return {
            Phase.APPROACH: self._approach(),
            Phase.GRASP: self.law(after, coast),
            Phase.LOCK: stopped['coast'],
            Phase.ABSORB: self.law(after, self._wheels['absorb']),  # until the arm is locked
            Phase.HOLD: stopped['absorb'],  # it stays at rest, though somebody pushes it
            Phase.RELEASED: stopped['hold'],
            Phase.MISSED: stopped['hold'],
        }

    def _approach(self) -> Controller:
        given = self._given
        if given.capture__approach == FLOATING:
            options = {'gain': given.rate_gain, 'reference': self._meeting}
            return controller('resolved_motion', wheels=coast, **options)
        wheels = len(self._robot.torque_limits)
        knots = np.array(given.capture__torque_profile)
        if not wheels or len(knots) % wheels or len(knots) < 2 * wheels:
            raise CommandError(
                f"Parameter 'capture.torque_profile' has {len(knots)} numbers; expected two knots "
                f'or more of {wheels} wheels each.'
            )
        profile = TorqueProfile(knots.reshape(-1, wheels), given.capture__contact)
        return self.law('distributed_momentum', profile)

    def _positions(self) -> np.ndarray | None:
        given, names = self._given.joint_positions, names_in(self._robot, self._robot.arm)
        if given and len(given) != len(names):
            raise CommandError(
                f"Parameter 'joint_positions' has {len(given)} numbers; expected {len(names)}, in "
                f'the order {", ".join(names)}.'
            )
        return np.array(given) if given else None


def unit(quaternion: Sequence[float]) -> np.ndarray:
    """Return a quaternion of unit length."""
    given = np.array(quaternion)
    if not given.any():
        raise CommandError("Parameter 'attitude' is zero; expected a quaternion (x, y, z, w).")
    return given / np.linalg.norm(given)


def names_in(robot: Robot, columns) -> tuple[str, ...]:
    """Return the names of some of the robot's joints."""
    return tuple(str(name) for name in np.array(robot.joint_names)[columns])
