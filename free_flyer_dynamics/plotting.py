# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""One look for every plot of ours; needs the extra `plot`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cycler import cycler
import matplotlib
from matplotlib.figure import Figure  # no pyplot, so no window and no display
import numpy as np
from scipy.spatial.transform import Rotation

INK = '#26323f'
FAINT = '#c9d2db'
COLOURS = ('#1f6f8b', '#d1603d', '#6a994e', '#8f5c9e', '#c7962c', '#4f6d9a', '#9c4a5b')
STYLE: Any = {
    'axes.edgecolor': FAINT,
    'axes.labelcolor': INK,
    'axes.prop_cycle': cycler(color=COLOURS),
    'axes.spines.right': False,
    'axes.spines.top': False,
    'axes.titlecolor': INK,
    'axes.titlelocation': 'left',
    'axes.titlesize': 11,
    'font.size': 9,
    'grid.color': FAINT,
    'grid.linewidth': 0.5,
    'legend.frameon': False,
    'lines.linewidth': 1.6,
    'text.color': INK,
    'xtick.color': INK,
    'ytick.color': INK,
}


def look():
    """Return the context in which everything is drawn."""
    return matplotlib.rc_context(STYLE)


def figure(title: str, subtitle: str, size: tuple[float, float] = (12.0, 7.0)) -> Figure:
    """Return an empty figure with its headline."""
    made = Figure(figsize=size, dpi=130, facecolor='white')
    made.text(0.035, 0.955, title, fontsize=16, fontweight='bold', color=INK)
    made.text(0.035, 0.92, subtitle, fontsize=10, color=INK)
    return made


def endings() -> tuple[str, ...]:
    """Return how the name of a picture may end."""
    return tuple(f'.{kind}' for kind in sorted(Figure().canvas.get_supported_filetypes()))


def bands(axes, spans: Sequence[tuple[str, float, float]], named: bool) -> None:
    """Shade every second span of time, and name them above when asked."""
    for i, (name, start, end) in enumerate(spans):
        axes.axvspan(start, end, color='#eef2f5' if i % 2 == 0 else 'white', zorder=-2, lw=0)
        if named:
            middle = 0.5 * (start + end)
            axes.annotate(
                name,
                (middle, 1.0),
                xycoords=('data', 'axes fraction'),
                xytext=(0, 22),
                textcoords='offset points',
                ha='center',
                fontsize=9,
                style='italic',
                color=INK,
            )
    axes.set_xlim(spans[0][1], spans[-1][2])
    axes.grid(axis='y')


def names_above(axes, columns: int) -> None:
    """Put the legend on the title's line, at the right."""
    axes.legend(
        loc='lower right',
        bbox_to_anchor=(1.01, 0.97),
        ncols=columns,
        columnspacing=1.2,
        handlelength=1.0,
        handletextpad=0.4,
        fontsize=8,
    )


def box(axes, position, quaternion, size, colour: str, alpha: float) -> None:
    """Draw a box that is somewhere, turned somehow."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    R = Rotation.from_quat(quaternion).as_matrix()
    half = 0.5 * np.asarray(size)
    faces = []
    for axis in range(3):
        for side in (-1.0, 1.0):
            u, v = [k for k in range(3) if k != axis]
            corners = np.zeros((4, 3))
            corners[:, axis] = side * half[axis]
            corners[:, u] = half[u] * np.array([-1, 1, 1, -1])
            corners[:, v] = half[v] * np.array([-1, -1, 1, 1])
            faces.append(corners @ R.T + position)
    axes.add_collection3d(
        Poly3DCollection(faces, facecolor=colour, edgecolor=colour, linewidth=1.0, alpha=alpha)
    )


def leave(figure: Figure, path: Path) -> None:
    """Write a figure, and tell where it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)
    print(f'plot: {path}')
