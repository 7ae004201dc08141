# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What the examples draw on: a headline, room for a picture at the left, charts in a grid."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from free_flyer_dynamics import plotting
import numpy as np


def columns(rows: Sequence[tuple]) -> list[np.ndarray]:
    """Return rows noted tick by tick as an array for each of their columns."""
    return [np.array(column) for column in zip(*rows, strict=True)]


class Sheet:
    """
    One figure; use it as a context, and it is written at the end.

    Parameters
    ----------
    path : Path
        Where it is left.
    title, subtitle : str
    shape : (int, int)
        Rows and columns of charts, filled row by row.
    left : float
        Where they begin, of the width; the picture is left of it.

    """

    def __init__(
        self, path: Path, title: str, subtitle: str, shape: tuple[int, int] = (3, 1), left=0.47
    ) -> None:
        self._path, self._left = path, left
        self._stack = ExitStack()
        self._stack.enter_context(plotting.look())
        self._figure = plotting.figure(title, subtitle)
        grid = self._figure.add_gridspec(
            *shape, left=left, right=0.975, top=0.83, bottom=0.085, hspace=0.5, wspace=0.24
        )
        self._places = [grid[k] for k in np.ndindex(*shape)]
        self.charts: list = []

    def __enter__(self) -> Sheet:
        """Begin to draw."""
        return self

    def __exit__(self, kind, *_rest) -> None:
        """Write the figure, unless something failed."""
        with self._stack:
            if kind is None:
                plotting.leave(self._figure, self._path)

    def picture(self, **how):
        """Return axes for the picture."""
        return self._figure.add_axes((0.01, 0.03, self._left - 0.06, 0.85), **how)

    def chart(self, title: str, **how):
        """Return axes for the next chart."""
        axes = self._figure.add_subplot(self._places[len(self.charts)])
        axes.set(title=title, **how)
        axes.grid(axis='y')
        self.charts.append(axes)
        return axes

    def curves(self, title: str, time, values, names: Sequence[str] = (), **how):
        """Draw columns of values over time as the next chart, and return its axes."""
        axes = self.chart(title, **how)
        many = np.ndim(values) > 1 and len(values[0]) > len(plotting.COLOURS)
        axes.plot(time, values, label=list(names) or None, lw=0.8 if many else 1.4)
        axes.set_xlim(time[0], time[-1])
        if names:
            plotting.names_above(axes, len(names))
        if len(self.charts) == len(self._places):
            axes.set_xlabel('time [s]')
        return axes

    def zeros(self, title: str, time, **errors):
        """Draw, by name, what should be zero as the next chart, logarithmic."""
        rows = [np.reshape(error, (len(time), -1)) for error in errors.values()]
        sizes = np.column_stack([np.linalg.norm(row, axis=1) for row in rows]) + 1e-18
        names = [name.replace('_', ' ') for name in errors] if len(errors) > 1 else ()
        axes = self.curves(title, time, sizes, names)
        axes.set(yscale='log', ylim=(1e-18, 1e-9))

    def phases(self, names: Sequence[str], ends: Sequence[float]) -> None:
        """Shade all charts by the spans of time between ends, named above the first."""
        for k, axes in enumerate(self.charts):
            plotting.bands(axes, list(zip(names, ends, ends[1:], strict=False)), named=k == 0)
