# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A recording as one plot: attitude, momentum, joints, energy, and when the structure changed."""

from __future__ import annotations

from pathlib import Path

from free_flyer_dynamics.cli.recording import Recording
from free_flyer_dynamics.errors import CommandError
from free_flyer_dynamics.turns import nearest_turn
import numpy as np
from scipy.spatial.transform import Rotation

_SPINS = 8 * np.pi  # rad; a joint that comes so far is a wheel to the eye
_MOST_NAMED = 16


def _plotting():
    try:
        from free_flyer_dynamics import plotting
    except ImportError:
        raise CommandError('Plots need matplotlib: pip install matplotlib.') from None
    return plotting


def refuse_unknown(path: Path) -> None:
    """Refuse a name whose ending is that of no kind of picture."""
    known = _plotting().endings()
    if path.suffix.lower() not in known:
        raise CommandError(
            f"Cannot draw '{path}': expected a name that ends in {', '.join(known)}."
        )


def draw(recording: Recording, title: str, path: Path) -> None:
    """Leave the plot."""
    plotting = _plotting()
    refuse_unknown(path)
    panels = [panel for panel in _panels(recording) if panel[1]]
    rows = -(-len(panels) // 2)
    with plotting.look():
        figure = plotting.figure(title, _subtitle(recording), size=(13.0, 1.6 + 2.2 * rows))
        top = 1.0 - 1.25 / (1.6 + 2.2 * rows)
        grid = figure.add_gridspec(
            rows, 2, left=0.05, right=0.92, top=top, bottom=0.07, hspace=0.5, wspace=0.32
        )
        for k, (head, curves) in enumerate(panels):
            axes = figure.add_subplot(grid[k % rows, k // rows])
            for n, (name, values) in enumerate(curves.items()):
                style = '-' if n < len(plotting.COLOURS) else '--'
                axes.plot(recording.time, values, label=name, lw=1.4, ls=style)
            axes.set_title(head)
            _name(axes, len(curves))
            _mark(axes, recording, plotting)
            _widen(axes)
            if k % rows == rows - 1 or k == len(panels) - 1:
                axes.set_xlabel('time [s]')
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            figure.savefig(path)
        except OSError as error:
            raise CommandError(f"Cannot write '{path}': {error.strerror}.") from None


def _subtitle(recording: Recording) -> str:
    changes = '     '.join(f'{time:g} s: {text}' for time, text in recording.changes[:5])
    more = ' …' if len(recording.changes) > 5 else ''
    return changes + more or 'The structure stays as it is.'


def _name(axes, curves: int) -> None:
    if 1 < curves <= _MOST_NAMED:
        axes.legend(
            loc='upper left',
            bbox_to_anchor=(1.005, 1.04),
            handlelength=1.2,
            handletextpad=0.4,
            labelspacing=0.25,
            fontsize=7 if curves <= 9 else 6,
        )


def _panels(r: Recording):
    """Return a head and named curves for each panel; empty ones are left out."""
    attitude = {}
    for k, base in enumerate(r.bases[:3]):
        turned = attitude_of(r.poses[:, k])
        start = '' if len(r.bases) == 1 else f'{base} '
        attitude.update({f'{start}{axis}': turned[:, i] for i, axis in enumerate('xyz')})
    shares = {
        f'{robot} {axis}': r.shares[:, k, i]
        for k, robot in enumerate(r.robots)
        for i, axis in enumerate('xyz')
    }
    energy = {'energy': r.momentum[:, 9]} if np.isfinite(r.momentum[:, 9]).any() else {}
    spins = np.nanmax(np.abs(r.positions), axis=0, initial=0.0) > _SPINS
    joints = [k for k in range(len(r.joint_names)) if not spins[k]]
    wheels = [k for k in range(len(r.joint_names)) if spins[k]]
    driven = np.nanmax(np.abs(r.efforts), axis=0, initial=0.0) > 0.0
    return [
        ('Attitude of the bases since the start [deg]', attitude),
        ('Angular momentum about the origin, by robot [N m s]', shares),
        ('Kinetic energy [J]', energy),
        ('Joint positions [rad or m]', {r.joint_names[k]: r.positions[:, k] for k in joints}),
        ('Joint rates [rad/s or m/s]', {r.joint_names[k]: r.velocities[:, k] for k in joints}),
        (
            'Speeds of spinning joints [rad/s]',
            {r.joint_names[k]: r.velocities[:, k] for k in wheels},
        ),
        (
            'Joint efforts [N m or N]',
            {name: r.efforts[:, k] for k, name in enumerate(r.joint_names) if driven[k]},
        ),
    ]


def attitude_of(poses: np.ndarray) -> np.ndarray:
    """Return rotations since the first as rotation vectors that do not jump [deg]."""
    there = np.isfinite(poses).all(axis=1)
    out = np.full((len(poses), 3), np.nan)
    if not there.any():
        return out
    turns = Rotation.from_quat(poses[there, 3:])
    vectors = (turns[0].inv() * turns).as_rotvec()
    for k in range(1, len(vectors)):
        vectors[k] = nearest_turn(vectors[k], vectors[k - 1])
    out[there] = np.degrees(vectors)
    return out


def _mark(axes, recording: Recording, plotting) -> None:
    for time, _ in recording.changes:
        axes.axvline(time, color=plotting.INK, lw=0.8, ls=(0, (4, 3)), zorder=1)
    axes.set_xlim(recording.time[0], max(recording.time[-1], recording.time[0] + 1e-9))
    axes.grid(axis='y')


def _widen(axes) -> None:
    """Let what does not change look as if it did not, instead of showing rounding."""
    low, high = axes.get_ylim()
    least = 1e-6 * max(abs(low), abs(high), 1e-3)
    if high - low < least:
        middle = 0.5 * (low + high)
        axes.set_ylim(middle - 0.5 * least - 1e-9, middle + 0.5 * least + 1e-9)
