# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Holonomic Distribution Control: reactionless paths out of primitives. [Dimitrov] 4.4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from free_flyer_dynamics.control.robot import Robot
from free_flyer_dynamics.control.situation import ATTITUDE, reduce, Situation
from free_flyer_dynamics.planning.kinematic import center_of_mass
import numpy as np


def primitives(joints: int, held: int) -> tuple[tuple[int, ...], ...]:
    """
    Return the sets of joints that move together: one more than the base rotations they hold.

    Ascending; primitive k of the thesis is entry k - 1, and -k goes the other way.
    """
    return tuple(combinations(range(joints), held + 1))


@dataclass(frozen=True, eq=False)
class Distribution:
    """
    What primitives are made of.

    Parameters
    ----------
    robot : Robot
        With a free base.
    held : tuple of int
        Base rotations to leave alone: (2,) for a planar robot.
    drive : ndarray, shape (held + 1,)
        The thesis's xi: what is projected onto the null space of the joints that move. With one
        dimension its direction matters only for the sign, its size for the speed [rad/s].
    step : float
        Of the integration at most [s].

    """

    robot: Robot
    held: tuple[int, ...] = ATTITUDE
    drive: np.ndarray | None = None
    step: float = 2.0

    @property
    def primitives(self) -> tuple[tuple[int, ...], ...]:
        """Return the primitives of the robot's arm."""
        return primitives(len(self._arm), len(self.held))

    @property
    def _arm(self) -> np.ndarray:
        return np.arange(len(self.robot.joint_names))[self.robot.arm]

    def _situation(self, q: np.ndarray) -> Situation:
        positions = np.zeros(len(self.robot.joint_names))
        positions[self.robot.arm] = q
        return self.robot.geometry(positions)

    def rates(self, q: np.ndarray, moving: tuple[int, ...], way: float = 1.0) -> np.ndarray:
        """Return the arm's rates of a primitive: (E - H+ H) xi of the joints that move. (4.18)."""
        at = list(moving)
        H = reduce(self._situation(q), self.held).Hbm[:, at]
        drive = np.full(len(at), 0.05) if self.drive is None else self.drive
        out = np.zeros(len(q))
        out[at] = way * (drive - H.T @ np.linalg.solve(H @ H.T, H @ drive))
        return out

    def arm_path(
        self, start: np.ndarray, sequence: Sequence[int], durations: Sequence[float]
    ) -> tuple[np.ndarray, np.ndarray]:
        """
        Return times and the arm's positions along a sequence of primitives.

        Parameters
        ----------
        start : ndarray, shape (p,)
            [rad]
        sequence : sequence of int
            0 rests, k moves primitive k, -k moves it the other way.
        durations : sequence of float
            Of each, one after the other [s].

        """
        q, time = np.array(start, dtype=float), 0.0
        times, path = [0.0], [q]
        for number, duration in zip(sequence, durations, strict=True):
            count = max(1, int(np.ceil(duration / self.step))) if number and duration > 0 else 0
            for _ in range(count):
                h = duration / count
                moving, way = self.primitives[abs(number) - 1], float(np.sign(number))
                k1 = self.rates(q, moving, way)
                k2 = self.rates(q + 0.5 * h * k1, moving, way)
                k3 = self.rates(q + 0.5 * h * k2, moving, way)
                k4 = self.rates(q + h * k3, moving, way)
                q, time = q + h / 6 * (k1 + 2 * (k2 + k3) + k4), time + h
                times.append(time)
                path.append(q)
            if not count:
                time += duration
                times.append(time)
                path.append(q)
        return np.array(times), np.array(path)

    def hands(self, path: np.ndarray) -> np.ndarray:
        """Return where the hand is along the arm's positions, the base's start the origin [m]."""
        center = center_of_mass(self._situation(path[0]))
        situations = [self._situation(q) for q in path]
        return np.array([now.hand + center - center_of_mass(now) for now in situations])

    def bases(self, path: np.ndarray) -> np.ndarray:
        """Return where the base is along the arm's positions [m]."""
        center = center_of_mass(self._situation(path[0]))
        return np.array([center - center_of_mass(self._situation(q)) for q in path])
