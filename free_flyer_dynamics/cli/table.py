# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A recording as a table in CSV, every column with its name and unit, and back."""

from __future__ import annotations

from collections.abc import Sequence
import csv
from pathlib import Path
import re

from free_flyer_dynamics.cli.recording import Recording
from free_flyer_dynamics.errors import CommandError
import numpy as np

_ENERGY, _FREEDOMS = 'kinetic energy [J]', 'freedoms'
_JOINT = re.compile(r'(.*) position \[(rad|m)\]')
_BASE = re.compile(r'(.*) qx')
_SHARE = re.compile(r'angular momentum of (.*) x \[N m s\]')
_POSE = ('x [m]', 'y [m]', 'z [m]', 'qx', 'qy', 'qz', 'qw')
_TWIST = tuple(f'v{axis} [m/s]' for axis in 'xyz') + tuple(f'w{axis} [rad/s]' for axis in 'xyz')


def save_csv(recording: Recording, path: Path) -> None:
    """Write a row for each instant; the first row says what and in which unit."""
    r, rows = recording, len(recording.time)
    columns = [
        r.time[:, None], r.positions, r.velocities, r.efforts,
        np.concatenate((r.poses, r.twists), axis=2).reshape(rows, -1),
        r.momentum, r.shares.reshape(rows, -1), r.freedoms[:, None],
    ]  # fmt: skip
    with path.open('w', newline='', encoding='utf-8') as file:
        writer = csv.writer(file)
        writer.writerow(_heads(r.joint_names, r.joint_units, r.bases, r.robots))
        writer.writerows(np.hstack(columns).tolist())


def load_csv(path: Path) -> Recording:
    """Read what save_csv wrote; of a structure change a table knows the freedoms alone."""
    try:
        with path.open(newline='', encoding='utf-8') as file:
            heads, *lines = csv.reader(file)
        joints = [found.groups() for found in map(_JOINT.fullmatch, heads) if found]
        names, units = ([joint[k] for joint in joints] for k in (0, 1))
        bases, robots = (
            [found[1] for found in map(kind.fullmatch, heads) if found] for kind in (_BASE, _SHARE)
        )
        if heads != _heads(names, units, bases, robots):
            raise ValueError('its first row is another one')
        table = np.array(lines, dtype=float).reshape(len(lines), len(heads))
    except (ValueError, OSError) as error:
        reason = getattr(error, 'strerror', None) or error
        raise CommandError(
            f"'{path}' is no recording of ours ({reason}); expected what "
            '`free-flyer run --out flight.csv` writes.'
        ) from None
    j, b, n = len(names), len(bases), len(lines)
    ends = np.cumsum([1, j, j, j, 13 * b, 10, 3 * len(robots)])
    time, positions, velocities, efforts, motion, momentum, shares, last = np.split(
        table, ends, axis=1
    )
    freedoms = last[:, 0].astype(int)
    changed = np.flatnonzero(np.diff(freedoms)) + 1
    return Recording(
        time=time[:, 0],
        joint_names=tuple(names),
        bases=tuple(bases),
        robots=tuple(robots),
        positions=positions,
        velocities=velocities,
        efforts=efforts,
        poses=motion.reshape(n, b, 13)[..., :7],
        twists=motion.reshape(n, b, 13)[..., 7:],
        momentum=momentum,
        shares=shares.reshape(n, -1, 3),
        freedoms=freedoms,
        changes=tuple((float(time[k, 0]), f'{freedoms[k]} DOF') for k in changed),
        joint_units=tuple(units),
    )


def _heads(
    names: Sequence[str], units: Sequence[str], bases: Sequence[str], robots: Sequence[str]
) -> list[str]:
    """Return the first row."""
    heads = ['time [s]']
    heads += [f'{name} position [{unit}]' for name, unit in zip(names, units, strict=True)]
    heads += [f'{name} velocity [{unit}/s]' for name, unit in zip(names, units, strict=True)]
    heads += [
        f'{name} effort [{"N" if unit == "m" else "N m"}]'
        for name, unit in zip(names, units, strict=True)
    ]
    heads += [f'{base} {part}' for base in bases for part in (*_POSE, *_TWIST)]
    heads += [f'linear momentum {axis} [N s]' for axis in 'xyz']
    heads += [f'angular momentum {axis} [N m s]' for axis in 'xyz']
    heads += [f'angular momentum about the centre {axis} [N m s]' for axis in 'xyz']
    heads.append(_ENERGY)
    heads += [f'angular momentum of {robot} {axis} [N m s]' for robot in robots for axis in 'xyz']
    return [*heads, _FREEDOMS]
