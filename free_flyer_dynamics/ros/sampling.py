# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What publishers are handed: the state of one instant, read on the physics thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
import contextlib
from dataclasses import dataclass
from typing import NamedTuple

from free_flyer_dynamics.errors import TopologyError
from free_flyer_dynamics.ros.scene import Robot, told_apart
from free_flyer_dynamics.ros.world import World
from free_flyer_dynamics.values import Momentum, Observation, Pose, Wrench
import numpy as np


class Wanted(NamedTuple):
    """What somebody listens to, beside what is always read."""

    momentum: bool = False
    imu: bool = False
    wrenches: tuple[str, ...] = ()


@dataclass(frozen=True)
class ImuReading:
    """Specific force [m/s^2] and angular velocity [rad/s], axes of the IMU."""

    frame: str
    specific_force: np.ndarray
    angular_velocity: np.ndarray


class Sample(NamedTuple):
    """The state at one stamp [ns]; nothing of it changes any more."""

    stamp: int
    joint_names: tuple[str, ...]
    seen: Observation  # links: the root of each robot
    momenta: Mapping[str | None, Momentum]  # by prefix; None: all
    imu: tuple[ImuReading, ...]
    wrenches: Mapping[str, tuple[str, Wrench]]  # frame, its axes


class Sampler:
    """Reads what is wanted of a world."""

    def __init__(self, world: World, robots: Sequence[Robot], gravity: Sequence[float]) -> None:
        self._world = world
        self._robots = tuple(robots)
        self._roots = tuple(robot.root for robot in robots)
        self._prefixes = tuple(robot.prefix for robot in told_apart(robots))
        self._gravity = np.array(gravity)

    def sample(self, wanted: Wanted) -> Sample:
        """Return the present state."""
        sim = self._world.sim
        momenta: dict[str | None, Momentum] = {}
        if wanted.momentum:
            momenta = {None: sim.momentum(), **{p: sim.momentum(p) for p in self._prefixes}}
        return Sample(
            self._world.stamp,
            sim.joint_names,
            sim.observe(self._roots),
            momenta,
            tuple(self._imu(robot.imu) for robot in self._robots) if wanted.imu else (),
            self._held_wrenches(wanted.wrenches) if wanted.wrenches else {},
        )

    def _imu(self, link: str) -> ImuReading:
        sim = self._world.sim
        rotation = matrix(sim.pose(link))
        force = sim.acceleration(link).linear - self._gravity
        return ImuReading(link, rotation.T @ force, rotation.T @ sim.twist(link).angular)

    def _held_wrenches(self, names: tuple[str, ...]) -> dict[str, tuple[str, Wrench]]:
        found = {}
        for name in names:
            with contextlib.suppress(TopologyError):  # it went since somebody was asked
                found[name] = self._wrench(name)
        return found

    def _wrench(self, name: str) -> tuple[str, Wrench]:
        sim = self._world.sim
        frame = sim.attachment_frame(name)
        rotation = matrix(sim.pose(frame))
        wrench = sim.attachment_wrench(name)
        return frame, Wrench(rotation.T @ wrench.force, rotation.T @ wrench.torque)


def matrix(pose: Pose) -> np.ndarray:
    """Return the matrix that takes a frame's axes to world axes."""
    x, y, z, w = pose.quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
