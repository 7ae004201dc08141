# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""From what the topics say to what is to be done. It knows no node and no clock."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
import logging

from free_flyer_dynamics.control.attitude import attitude_error
from free_flyer_dynamics.control.capture import Capture, RESET, Seen
from free_flyer_dynamics.control.controller import HoldJoints, LAWS
from free_flyer_dynamics.control.rendezvous import meeting_velocity
from free_flyer_dynamics.control.robot import Robot
from free_flyer_dynamics.errors import CommandError, unknown_name
from free_flyer_dynamics.ros.controller_parameters import ControllerParameters
from free_flyer_dynamics.ros.laws import Laws, names_in
from free_flyer_dynamics.ros.sampling import matrix
from free_flyer_dynamics.urdf import load_known
from free_flyer_dynamics.values import Pose, Twist
import numpy as np

_LOG = logging.getLogger(__name__)
SECOND = 1_000_000_000  # ns
PATIENCE = SECOND  # until what was refused is asked again, in simulated time


@dataclass(frozen=True)
class Command:
    """Efforts by joint, in answer to the state of a stamp [ns]."""

    stamp: int
    arm: dict[str, float]
    wheels: dict[str, float]


class Pilot:
    """
    Flies a robot by a law.

    Parameters
    ----------
    given : ControllerParameters
    description : str
        URDF of the robot, with the names that the topics have.

    """

    def __init__(self, given: ControllerParameters, description: str) -> None:
        self._given = given
        self._robot = Robot(load_known(description), given.hand or None)  # the simulator warned
        self.name = self._robot.model.name
        self._arm, self._wheels = (
            names_in(self._robot, columns) for columns in (self._robot.arm, self._robot.wheels)
        )
        self._law = Laws(
            given, self._robot, lambda: self._momentum, self.reference, self._meeting
        ).asked()
        self._names: tuple[str, ...] = ()
        self._columns: list[int] = []
        self._joints: tuple[int, Sequence[float], Sequence[float]] | None = None
        self._base: tuple[int, Pose, Twist] | None = None
        self._target: tuple[int, np.ndarray, np.ndarray] | None = None
        self._momentum: np.ndarray | None = None
        self._references: dict[str, tuple[int, np.ndarray]] = {}
        self._start: int | None = None
        self._revision, self._changed, self._moved = -1, 0, 0
        self._grips: tuple[str, ...] = ()  # attachments made since the start
        self._there: frozenset[str] = frozenset()  # those that were there before
        self._caught = False
        self._locked: frozenset[str] = frozenset()
        self._ask_from = 0
        self.asked = False  # a change is on its way
        self._lost = False  # the law has no answer
        self.stamp = 0  # of the state that was looked at last [ns]
        self._now = self._robot.situation(np.zeros(len(self._robot.joint_names)))
        self._efforts()  # once, so that everything is compiled

    def joints(self, stamp: int, names: tuple[str, ...], positions, velocities) -> None:
        """Take joint_states."""
        if names != self._names:
            for name in self._robot.joint_names:
                if name not in names:
                    raise CommandError(unknown_name('joint', name, names))
            self._columns = [names.index(name) for name in self._robot.joint_names]
            self._names = names
        self._joints = stamp, positions, velocities

    def base(self, stamp: int, frame: str, pose: Pose, twist: Twist) -> None:
        """Take the odometry of the robot."""
        self._base = stamp, pose, twist

    def target(self, stamp: int, frame: str, pose: Pose, twist: Twist) -> None:
        """Take the odometry of the target: where its grasp point is."""
        rotation, arm = matrix(pose), np.array(self._given.capture__grasp_point)
        velocity = rotation @ (twist.linear + np.cross(twist.angular, arm))
        self._target = stamp, pose.position + rotation @ arm, velocity

    def momentum(self, angular_about_center: Sequence[float]) -> None:
        """Take the angular momentum of all there is."""
        self._momentum = np.array(angular_about_center)

    def refer(self, twist: Twist) -> None:
        """Take how the hand shall move, world axes."""
        self._refer('hand_twist', np.concatenate((twist.angular, twist.linear)))

    def refer_rates(self, rates: Mapping[str, float]) -> None:
        """Take how the arm shall move; joints that are not named rest."""
        self._refer('joint_rates', np.array([rates.get(name, 0.0) for name in self._arm]))

    def _refer(self, topic: str, values: np.ndarray) -> None:
        if topic != self._follows and topic not in self._references:
            _LOG.warning('%s does not follow %s: nothing moves for it.', self._given.law, topic)
        self._references[topic] = self.stamp, values

    @property
    def _follows(self) -> str:
        """Return the topic that the law takes for its reference; empty when it has none."""
        return getattr(LAWS.get(self._given.law), 'follows', '')

    def reference(self) -> np.ndarray | None:
        """Return where to go; None when nobody said so lately."""
        if self._follows not in self._references:
            return None
        stamp, values = self._references[self._follows]
        age = self.stamp - stamp
        return values if age <= self._given.reference_timeout * SECOND else None

    def structure(
        self, stamp: int, revision: int, attachments: Collection[str], locked: Collection[str]
    ) -> None:
        """Take the connectivity; one that is not newer than the last tells of a reset."""
        if 0 <= revision <= self._revision:
            self._start, self._caught, self._ask_from = stamp, False, 0
            self._there = frozenset(attachments)
            if self._target is not None and self._target[0] <= stamp:
                self._target = None  # put back too: the next state tells where
        self._revision, self._changed, self.asked = revision, stamp, False
        self._grips = tuple(name for name in attachments if name not in self._there)
        self._locked = frozenset(locked)
        self._caught |= bool(self._grips)

    def look(self) -> bool:
        """Look at the state that has come in; False as long as none has, whole and unanswered."""
        joints, base = self._joints, self._base
        if joints is None or base is None or joints[0] != base[0]:
            return False
        self.stamp, positions, velocities = joints
        _, pose, twist = base
        at, self._joints, self._base = self._columns, None, None
        self._now = self._robot.situation(
            np.array(positions)[at],
            np.array(velocities)[at],
            pose,
            np.concatenate((twist.angular, twist.linear)),
        )
        if isinstance(self._law, Capture) and self._law.moves(self._now):
            self._moved = self.stamp
        return True

    def due(self) -> tuple[tuple, ...]:
        """Return the change of structure to ask for now, or `RESET`; mostly nothing."""
        if not isinstance(self._law, Capture) or self.asked or self.stamp < self._ask_from:
            return ()
        if self._start is None:
            return RESET
        return self._law.due(self._seen())

    def refused(self) -> None:
        """Take note that a change was refused: not to be asked again at once."""
        self.asked, self._ask_from = False, self.stamp + PATIENCE

    def command(self) -> Command | None:
        """Return the efforts that answer the state; None before a capture has begun."""
        if isinstance(self._law, Capture) and self._start is None:
            return None
        named = dict(zip(self._robot.joint_names, self._efforts().tolist(), strict=True))
        arm, wheels = ({name: named[name] for name in part} for part in (self._arm, self._wheels))
        return Command(self.stamp, arm, wheels)

    def phase(self) -> str:
        """Return what is going on, in a word."""
        if not isinstance(self._law, Capture):
            return self._given.law
        return 'waiting' if self._start is None else self._law.phase(self._seen()).value

    def report(self) -> str:
        """Return how it goes, in a sentence."""
        now = self._now
        off = np.degrees(np.linalg.norm(attitude_error(now.rotation)))
        wheels = np.round(now.rotation @ now.reduced.wheel_momentum, 3).tolist()
        text = f'base off by {off:.4f} deg, wheels carry {wheels} N m s'
        if self._target is not None:
            text += f', hand {1e3 * self._gap():.2f} mm from the grasp point'
        return f'{self.phase()}: {text}.'

    def _efforts(self) -> np.ndarray:
        law = self._law.law(self._seen()) if isinstance(self._law, Capture) else self._law
        try:
            efforts, lost = law.efforts(self._now, self._time()), ''
        except np.linalg.LinAlgError as error:
            efforts, lost = HoldJoints().efforts(self._now, self._time()), str(error)
        if lost and not self._lost:
            _LOG.warning('%s has no answer here (%s): the arm is braked.', self._given.law, lost)
        self._lost = bool(lost)
        return efforts

    def _time(self) -> float:
        return (self.stamp - (self._start or 0)) / SECOND

    def _seen(self) -> Seen:
        return Seen(
            time=self._time(),
            since=(self.stamp - self._changed) / SECOND,
            rest=(self.stamp - max(self._moved, self._changed)) / SECOND,
            held=bool(self._grips),
            grips=self._grips,
            caught=self._caught,
            locked=self._locked,
            gap=self._gap(),
        )

    def _gap(self) -> float:
        return np.inf if self._target is None else float(np.linalg.norm(self._way()))

    def _way(self) -> np.ndarray:
        """Return the way from the hand to the grasp point; its place may be a state old."""
        assert self._target is not None
        stamp, point, velocity = self._target
        return point + velocity * (self.stamp - stamp) / SECOND - self._now.hand

    def _meeting(self) -> np.ndarray | None:
        """Return the twist that brings the hand to the grasp point in time; angular first."""
        if self._target is None:
            return None
        contact = self._given.capture__contact
        linear = meeting_velocity(self._way(), self._target[2], self._time(), contact)
        return np.concatenate((np.zeros(3), linear))
