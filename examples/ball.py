# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A ball, and on it the way that a direction takes."""

from __future__ import annotations

from free_flyer_dynamics import plotting
import numpy as np

VIEW = (18.0, 38.0)  # deg: up, around


class Ball:
    """Draws on three-dimensional axes; what is on the far side is faint."""

    def __init__(self, axes, **names: tuple[float, float, float]) -> None:
        self._axes = axes
        along, around = np.mgrid[0 : np.pi : 30j, 0 : 2 * np.pi : 60j]
        surface = np.sin(along) * np.cos(around), np.sin(along) * np.sin(around), np.cos(along)
        axes.computed_zorder = False  # what faces us is drawn last, by `curve`
        axes.plot_surface(*surface, color='#eef2f5', shade=False, zorder=0)
        axes.set_box_aspect((1, 1, 1), zoom=1.35)
        axes.view_init(elev=VIEW[0], azim=VIEW[1])
        axes.set_axis_off()
        for name, place in names.items():
            axes.text(*place, name.replace('_', ' '), color=plotting.INK)

    def curve(self, vectors: np.ndarray, colour: str = '#9fb0bf', width: float = 1.0) -> None:
        """Draw where vectors point, one after the other."""
        up, around = np.radians(VIEW)
        towards = (np.cos(up) * np.cos(around), np.cos(up) * np.sin(around), np.sin(up))
        unit = vectors / np.linalg.norm(vectors, axis=1)[:, None]
        near = (unit @ towards > 0)[:, None]
        for side, alpha, order in ((~near, 0.25, 1), (near, 1.0, 2)):
            line = np.where(side, unit, np.nan).T
            self._axes.plot(*line, color=colour, lw=width, alpha=alpha, zorder=order)
