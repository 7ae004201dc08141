# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The live plots: one for each group of curves, in a panel of their own."""

from __future__ import annotations

from free_flyer_dynamics.viewer import look
from free_flyer_dynamics.viewer.history import History
import numpy as np
import viser
from viser import uplot

_INK = '#9aa7b8'
_AROUND = (8, 24, 0, 0)  # px; above, so that the topmost number is whole
_BELOW = 40  # px; ticks above, the legend in what is left
_DIGITS = 9  # behind the point; what is smaller is rounding, and would fill a plot if alone
_GRID = {'stroke': 'rgba(150,165,185,0.15)', 'width': 1}


class Plots:
    """
    Curves of a history, drawn in the page.

    Parameters
    ----------
    gui : viser.GuiApi
        Where they go: inside whatever container is open.
    history : History

    """

    def __init__(self, gui: viser.GuiApi, history: History) -> None:
        self._gui, self._history = gui, history
        self._handles: dict[str, viser.GuiUplotHandle] = {}
        self._shown: tuple = ()

    def build(self) -> None:
        """Make the plots, empty; what was there goes."""
        self.remove()
        groups = self._history.groups()
        self._shown = tuple((title, names) for title, (_, names) in groups.items())
        self._handles = {title: self._one(title, names) for title, (_, names) in groups.items()}

    def remove(self) -> None:
        """Take the plots out of the page."""
        for handle in self._handles.values():
            handle.remove()
        self._handles = {}

    def fits(self) -> bool:
        """Tell whether the curves are still those that the plots were made for."""
        groups = self._history.groups()
        return self._shown == tuple((title, names) for title, (_, names) in groups.items())

    def _one(self, title: str, names: tuple[str, ...]) -> viser.GuiUplotHandle:
        axis = {
            'stroke': _INK,
            'grid': _GRID,
            'ticks': _GRID,
            'font': '11px sans-serif',
        }
        return self._gui.add_uplot(
            data=tuple(np.zeros(2) for _ in range(len(names) + 1)),
            series=(
                uplot.Series(label='time'),
                *(
                    uplot.Series(label=name, stroke=look.CURVES[k % len(look.CURVES)], width=1.6)
                    for k, name in enumerate(names)
                ),
            ),
            title=title,
            scales={'x': uplot.Scale(time=False, auto=True), 'y': uplot.Scale(auto=True)},
            axes=(uplot.Axis(**axis, size=_BELOW), uplot.Axis(**axis, size=52)),
            legend=uplot.Legend(show=True, live=False),
            height=200,
            padding=_AROUND,
        )

    def draw(self) -> None:
        """Show what the history holds."""
        columns = np.round(self._history.columns(), _DIGITS)
        if columns.shape[1] < 2:
            return
        for title, (rows, _) in self._history.groups().items():
            if title in self._handles:
                self._handles[title].data = (columns[0], *columns[rows])
