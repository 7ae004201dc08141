# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The messages that go out at up to a kilohertz, as templates."""

from __future__ import annotations

from collections.abc import Sequence

from free_flyer_dynamics.ros import conversions
from free_flyer_dynamics.ros.template import mark_stamp, marks, Template
from free_flyer_dynamics.values import Observation, Pose, Twist
import numpy as np


class JointStates:
    """sensor_msgs/JointState of the same joints again and again."""

    def __init__(self, names: tuple[str, ...]) -> None:
        groups = marks(*(len(names),) * 3)
        message = conversions.joint_state_to_msg(mark_stamp(), names, *groups)
        self.names = names
        self._template = Template(message, groups)

    def filled(self, stamp: int, seen: Observation) -> bytes:
        """Return the message of an instant."""
        positions, velocities, efforts = self._template.numbers
        positions[:], velocities[:], efforts[:] = seen.joints
        return self._template.stamped(stamp)


class Odometry:
    """nav_msgs/Odometry of a base."""

    def __init__(self, world: str, base: str) -> None:
        pose, twist = marks(7, 6)
        message = conversions.odometry_to_msg(
            mark_stamp(), world, base, Pose(pose[:3], pose[3:]), Twist(twist[:3], twist[3:])
        )
        self._template = Template(message, (pose, twist))

    def filled(self, stamp: int, frame: np.ndarray) -> bytes:
        """Return the message of an instant; the frame is a row of an Observation's."""
        place, motion = self._template.numbers
        place[:], motion[:] = frame[:7], frame[7:]
        return self._template.stamped(stamp)


class Transforms:
    """tf2_msgs/TFMessage of the roots."""

    def __init__(self, world: str, frames: Sequence[str]) -> None:
        groups = marks(*(7,) * len(frames))
        poses = [Pose(group[:3], group[3:]) for group in groups]
        message = conversions.transforms_to_msg(
            mark_stamp(), world, dict(zip(frames, poses, strict=True))
        )
        self._template = Template(message, groups)

    def filled(self, stamp: int, frames: np.ndarray) -> bytes:
        """Return the message of an instant."""
        for place, frame in zip(self._template.numbers, frames, strict=True):
            place[:] = frame[:7]
        return self._template.stamped(stamp)


class Clock:
    """rosgraph_msgs/Clock."""

    def __init__(self) -> None:
        self._template = Template(conversions.clock_to_msg(mark_stamp()), ())

    def filled(self, stamp: int) -> bytes:
        """Return the message of an instant."""
        return self._template.stamped(stamp)
