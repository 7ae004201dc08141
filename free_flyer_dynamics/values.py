# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What a simulator answers with: small frozen values, linear and angular apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Pose:
    """Position [m] and unit quaternion (x, y, z, w) of a frame in world."""

    position: np.ndarray
    quaternion: np.ndarray


@dataclass(frozen=True, eq=False)
class Twist:
    """Linear and angular velocity, or acceleration, of a frame's origin in world axes."""

    linear: np.ndarray
    angular: np.ndarray


@dataclass(frozen=True, eq=False)
class Momentum:
    """
    Momentum and kinetic energy, in world axes.

    Parameters
    ----------
    mass : float
        [kg]
    center : ndarray, shape (3,)
        Centre of mass [m].
    linear : ndarray, shape (3,)
        [N s]
    angular : ndarray, shape (3,)
        About the world origin [N m s].
    angular_about_center : ndarray, shape (3,)
        About the centre of mass [N m s].
    kinetic_energy : float
        [J]

    """

    mass: float
    center: np.ndarray
    linear: np.ndarray
    angular: np.ndarray
    angular_about_center: np.ndarray
    kinetic_energy: float


@dataclass(frozen=True)
class Clip:
    """A command that went beyond what the drive can do: what was asked and what is applied."""

    joint: str
    asked: float
    applied: float


@dataclass(frozen=True, eq=False)
class Wrench:
    """Force [N] and torque [N m] at a point, world axes."""

    force: np.ndarray
    torque: np.ndarray


@dataclass(frozen=True, eq=False)
class Impulse:
    """Linear [N s] and angular impulse [N m s] at a point, world axes."""

    linear: np.ndarray
    angular: np.ndarray


class Impulses(Mapping[str, Impulse]):
    """Impulses by the name of what was locked or joined; each is made when somebody asks."""

    def __init__(self, names: Sequence[str], rows: np.ndarray) -> None:
        """Hold rows of an angular and a linear impulse, in the order of the names."""
        self._rows, self._places = rows, dict(zip(names, range(len(rows)), strict=True))

    def __getitem__(self, name: str) -> Impulse:
        row = self._rows[self._places[name]]
        return Impulse(linear=row[3:], angular=row[:3])

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __repr__(self) -> str:
        return repr(dict(self))


class Observation:
    """
    What is read of a world at one instant.

    Parameters
    ----------
    joints : ndarray, shape (3, n)
        Positions, velocities and efforts, in the order of `joint_names`.
    frames : ndarray, shape (k, 13)
        Of the links asked for: position and quaternion (x, y, z, w) in world, linear and angular
        velocity of the origin in the link's own axes.
    world_twists : ndarray, shape (k, 6)
        The same velocities in world axes, angular first.

    """

    __slots__ = ('frames', 'joints', 'world_twists')

    def __init__(self, joints: np.ndarray, frames: np.ndarray, world_twists: np.ndarray) -> None:
        self.joints, self.frames, self.world_twists = joints, frames, world_twists

    @property
    def positions(self) -> np.ndarray:
        """Return the joints' positions [rad or m]."""
        return self.joints[0]

    @property
    def velocities(self) -> np.ndarray:
        """Return the joints' velocities [rad/s or m/s]."""
        return self.joints[1]

    @property
    def efforts(self) -> np.ndarray:
        """Return what the drives apply [N m or N]."""
        return self.joints[2]

    @property
    def poses(self) -> tuple[Pose, ...]:
        """Return where the links are."""
        return tuple(Pose(frame[:3], frame[3:7]) for frame in self.frames)

    @property
    def twists(self) -> tuple[Twist, ...]:
        """Return how the links' origins move, in the links' own axes."""
        return tuple(Twist(frame[7:10], frame[10:]) for frame in self.frames)


@dataclass(frozen=True)
class Residuals:
    """
    What rounding has left over.

    Parameters
    ----------
    momentum : float
        Largest component of momentum less what its own law gives [N s, N m s].
    loops : float
        Largest gap or angle by which a closed loop is open [m, rad].

    """

    momentum: float
    loops: float
