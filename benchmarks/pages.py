# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Plots of benchmarks, where matplotlib is installed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

DOCS = Path(__file__).parents[1] / 'docs'
# One colour a way, the same in every plot; threads dash the line of what they run.
COLOURS = {
    'articulated_body': 'black',
    'base_invariant': 'tab:blue',
    'base_invariant, meeting': 'tab:cyan',
    'spatial_operator': 'tab:green',
    'constraint_force': 'tab:orange',
    'constraint_force, odd-even': 'tab:red',
    'mass_matrix': 'tab:purple',
}
THREADS = ', 2 threads'
Rows = Mapping[str, Mapping[int, float]]


def page(columns: int):
    """Return a page and its axes side by side, or nothing without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return None
    paper = Figure(figsize=(7 * columns, 5.5), layout='constrained')
    return paper, paper.subplots(1, columns, squeeze=False)[0]


def draw(axes, rows: Rows, title: str, unit: str) -> None:
    """Draw rows of values against numbers of links on log axes."""
    for name, row in rows.items():
        base = name.removesuffix(THREADS)
        style = '--' if base != name else '-'
        axes.loglog(
            list(row), list(row.values()), style, marker='.', color=COLOURS[base], label=name
        )
    sizes = sorted({n for row in rows.values() for n in row})
    axes.set(xlabel='links', ylabel=unit, title=title)
    axes.set_xticks(sizes, [str(n) for n in sizes])
    axes.minorticks_off()
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
