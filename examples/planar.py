# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The thesis's robot with two arms in a plane, drawn as it is at some instants."""

from __future__ import annotations

import free_flyer_dynamics as ffd
from free_flyer_dynamics import plotting
import numpy as np

HANDS = ('end_effector_right', 'end_effector_left')
ARMS = (('link1', 'link2', 'link3', HANDS[0]), ('link4', 'link5', 'link6', HANDS[1]))
SQUARE = 0.5 * np.array([[1, -1, -1, 1, 1], [1, 1, -1, -1, 1]])  # the base's outline [m]


def robot() -> ffd.Model:
    """Return the model: a square base and two arms of three links of a metre."""
    return ffd.load_urdf('package://free_flyer_dynamics/urdf/thesis_planar_dual_arm.urdf')


def bent(*degrees: float) -> dict[str, float]:
    """Return the angles of J1 to J6 by name [rad]."""
    return {f'J{k + 1}': np.radians(angle) for k, angle in enumerate(degrees)}


class Sketch:
    """Draws the robot where it is, each time in another colour."""

    def __init__(self, axes) -> None:
        self._axes, self._count = axes, 0
        axes.set_aspect('equal')
        axes.margins(0.04)
        axes.set_axis_off()

    def draw(self, sim: ffd.Simulator) -> None:
        """Draw it as it is now."""
        colour = plotting.COLOURS[self._count]
        self._count += 1
        base = sim.pose('base')
        angle = 2 * np.arctan2(base.quaternion[2], base.quaternion[3])
        c, s = np.cos(angle), np.sin(angle)
        corners = np.array([[c, -s], [s, c]]) @ SQUARE + base.position[:2, None]
        self._axes.fill(*corners, color=colour, alpha=0.22, lw=0)
        self._axes.plot(*corners, color=colour, alpha=0.9, lw=1.2, label=f'{sim.time:.0f} s')
        for arm in ARMS:
            points = np.array([sim.pose(link).position[:2] for link in arm]).T
            self._axes.plot(*points, color=colour, alpha=0.9, lw=3.5, solid_capstyle='round')
            self._axes.plot(*points, ls='', marker='o', ms=3.5, color=plotting.INK, alpha=0.9)
        spacing = {'ncols': 6, 'columnspacing': 1.2, 'handlelength': 1.0, 'fontsize': 8}
        self._axes.legend(loc='upper left', bbox_to_anchor=(0.0, 0.02), **spacing)

    def trace(self, path: np.ndarray) -> None:
        """Draw a dotted path."""
        self._axes.plot(*path.T[:2], color=plotting.INK, ls=':', lw=1.5)

    def star(self, place: np.ndarray) -> None:
        """Mark a point."""
        self._axes.plot(*place[:2], marker='*', ms=16, color=plotting.INK, zorder=9)
