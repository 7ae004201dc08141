# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The thesis's figures of a capture: momentum shares, base attitude, joint rates, torques."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from examples.capture_scene import CONTACT, LIMIT, Record
from free_flyer_dynamics import plotting
import numpy as np

NAMES = {
    'distributed_momentum': 'Distributed Momentum Control',
    'reaction_null_space': 'Reaction Null Space Control',
}
SHARES = ('arm_momentum', 'wheel_momentum', 'target_momentum')
AXES = ('x', 'y', 'z')


def summary(found, flights: Mapping[str, Sequence[Record]]) -> str:
    """Return what happened, in figures."""
    momentum = np.round(found.path.arm_momentum[-1], 2)
    lines = [
        f'\napproach: {1e3 * found.position_error:.3f} mm, '
        f'{1e3 * found.velocity_error:.4f} mm/s off; the arm carries {momentum} N m s'
    ]
    for law, records in flights.items():
        worst = max(np.linalg.norm(r.attitude) for r in records)
        wheels = np.round(records[-1].wheel_momentum, 3)
        lines.append(
            f'{NAMES[law]}: base off by at most {worst:.4f} deg; wheels end with {wheels} N m s'
        )
    return '\n'.join(lines)


def draw(flights: Mapping[str, Sequence[Record]], path: Path) -> None:
    """Leave the plot: a column for each law."""
    with plotting.look():
        figure = plotting.figure(
            'A tumbling satellite is caught, and the base stays where it is',
            'Approach with bias momentum, contact at 30 s; then the arm alone holds the base and '
            'the wheels store what the target brought.',
            size=(12.0, 11.0),
        )
        grid = figure.add_gridspec(
            7, len(flights), left=0.06, right=0.985, top=0.855, bottom=0.05, hspace=0.62,
            wspace=0.16,
        )  # fmt: skip
        for column, (law, records) in enumerate(flights.items()):
            rows = [figure.add_subplot(grid[row, column]) for row in range(7)]
            _column(rows, law, records)
        plotting.leave(figure, path)


def _column(rows, law: str, records: Sequence[Record]) -> None:
    time = np.array([r.time for r in records])
    for axis in range(3):
        for share in SHARES:
            values = [getattr(r, share)[axis] for r in records]
            rows[axis].plot(time, values, label=share.split('_')[0])
        rows[axis].set_title(f'Angular momentum about {AXES[axis]} [N m s]')
        rows[axis].set_ylim(-4, 4)
    plotting.names_above(rows[0], 3)
    curves = (
        ('Base attitude [deg]', [r.attitude for r in records], AXES),
        ('Joint rates [rad/s]', [r.arm_rates for r in records], [f'J{i}' for i in range(1, 8)]),
        ('Joint torques [N m]', [r.arm_torques for r in records], [f'J{i}' for i in range(1, 8)]),
        ('Wheel torques [N m]', [r.wheel_torques for r in records], AXES),
    )
    for axes, (title, values, names) in zip(rows[3:], curves, strict=True):
        axes.plot(time, np.array(values), label=names, lw=1.2)
        axes.set_title(title)
        plotting.names_above(axes, len(names))
    rows[6].set(ylim=(-1.15 * LIMIT, 1.15 * LIMIT), xlabel='time [s]')
    spans = [('approach', 0.0, CONTACT), (NAMES[law], CONTACT, time[-1])]
    for i, axes in enumerate(rows):
        plotting.bands(axes, spans, named=i == 0)
        axes.tick_params(labelbottom=i == 6)
