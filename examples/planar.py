# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The thesis's robot with two arms in a plane, drawn as it is at an instant."""

from __future__ import annotations

import free_flyer_dynamics as ffd
from free_flyer_dynamics import plotting
import numpy as np

ARMS = (
    ('link1', 'link2', 'link3', 'end_effector_right'),
    ('link4', 'link5', 'link6', 'end_effector_left'),
)
SQUARE = 0.5 * np.array([[1, -1, -1, 1, 1], [1, 1, -1, -1, 1]])  # the base's outline [m]


def robot() -> ffd.Model:
    """Return the model: a square base and two arms of three links of a metre."""
    return ffd.load_urdf('package://free_flyer_dynamics/urdf/thesis_planar_dual_arm.urdf')


def draw(axes, sim: ffd.Simulator, colour: str, alpha: float, label: str | None = None) -> None:
    """Draw the robot where it is."""
    base = sim.pose('base')
    angle = 2 * np.arctan2(base.quaternion[2], base.quaternion[3])
    c, s = np.cos(angle), np.sin(angle)
    corners = np.array([[c, -s], [s, c]]) @ SQUARE + base.position[:2, None]
    axes.fill(*corners, color=colour, alpha=0.25 * alpha, lw=0)
    axes.plot(*corners, color=colour, alpha=alpha, lw=1.2, label=label)
    for arm in ARMS:
        points = np.array([sim.pose(link).position[:2] for link in arm]).T
        axes.plot(*points, color=colour, alpha=alpha, lw=3.5, solid_capstyle='round')
        axes.plot(*points, ls='', marker='o', ms=3.5, color=plotting.INK, alpha=alpha)


def frame(axes) -> None:
    """Let a metre be as long one way as the other, and hide the axes."""
    axes.set_aspect('equal')
    axes.margins(0.04)
    axes.set_axis_off()
