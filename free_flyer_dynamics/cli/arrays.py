# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A recording as a file of numpy arrays, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from free_flyer_dynamics.cli.recording import Recording
from free_flyer_dynamics.errors import CommandError
import numpy as np

_TEXTS = ('joint_names', 'joint_units', 'bases', 'robots')
_NUMBERS = (
    'time', 'positions', 'velocities', 'efforts', 'poses', 'twists', 'momentum', 'shares',
    'freedoms',
)  # fmt: skip
ABOUT = """\
A row for each instant; NaN where something was not there.
time: [s]
positions, velocities, efforts: a column for each of joint_names. joint_units says rad or m: then
    [rad, rad/s, N m] or [m, m/s, N]
poses: (instant, one of bases, 7): position x, y, z in world [m], quaternion x, y, z, w
twists: (instant, one of bases, 6): linear [m/s] and angular velocity [rad/s], in its own axes
momentum: linear [N s], angular about the world's origin, about the centre of mass [N m s],
    kinetic energy [J]
shares: (instant, one of robots, 3): each robot's angular momentum about the world's origin [N m s]
freedoms: independent ones, of all robots together
change_times [s], changes: when the structure changed, and to what
"""


def save_npz(recording: Recording, path: Path) -> None:
    """Write the arrays under the names they have here, and what they are."""
    arrays: dict[str, Any] = {name: getattr(recording, name) for name in _NUMBERS}
    arrays.update({name: np.array(getattr(recording, name), dtype=str) for name in _TEXTS})
    arrays['change_times'] = np.array([time for time, _ in recording.changes])
    arrays['changes'] = np.array([text for _, text in recording.changes], dtype=str)
    with path.open('wb') as file:
        np.savez_compressed(file, about=np.array(ABOUT), **arrays)


def load_npz(path: Path) -> Recording:
    """Read what save_npz wrote."""
    try:
        with np.load(path, allow_pickle=False) as file:
            texts: dict[str, Any] = {name: tuple(map(str, file[name])) for name in _TEXTS}
            changes = tuple(
                (float(time), str(text))
                for time, text in zip(file['change_times'], file['changes'], strict=True)
            )
            return Recording(**texts, **{name: file[name] for name in _NUMBERS}, changes=changes)
    except (KeyError, ValueError, OSError, EOFError, TypeError, BadZipFile) as error:
        raise CommandError(
            f"'{path}' is no recording of ours ({error}); expected what "
            '`free-flyer run --out flight.npz` writes.'
        ) from None
