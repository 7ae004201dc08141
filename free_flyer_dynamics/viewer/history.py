# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The last seconds of what is plotted, as columns of numbers."""

from __future__ import annotations

from collections import deque

from free_flyer_dynamics.model import Model
from free_flyer_dynamics.turns import nearest_turn
from free_flyer_dynamics.viewer.latest import Latest
import numpy as np
from scipy.spatial.transform import Rotation

_KEPT = 600  # instants
_INTERVAL = 0.05  # s between them, simulated


class History:
    """
    What the plots show of the first robot and of all.

    Parameters
    ----------
    model : Model
        The first robot's.

    """

    def __init__(self, model: Model) -> None:
        wheels = {wheel.joint for wheel in model.wheels}
        self.joints = tuple(joint.name for joint in model.joints if joint.name not in wheels)[:8]
        self.wheels = tuple(joint.name for joint in model.joints if joint.name in wheels)[:4]
        self._spins = {
            joint.name: (joint.rotation @ joint.axis)
            * float(joint.axis @ model.body(joint.child).inertia @ joint.axis)
            for joint in model.joints
            if joint.name in wheels
        }
        self._root = model.root
        self._rows: deque[np.ndarray] = deque(maxlen=_KEPT)
        self._vector = np.zeros(3)
        self.others: tuple[str, ...] = ()

    def clear(self) -> None:
        """Begin anew."""
        self._rows.clear()
        self._vector = np.zeros(3)

    def add(self, latest: Latest) -> bool:
        """Take this instant if it is time; tell whether it was taken."""
        joints = latest.joints
        if joints is None or self._root not in latest.roots:
            return False
        if self._rows and joints.stamp < self._rows[-1][0] - 1e-9:
            self.clear()
        if self._rows and joints.stamp - self._rows[-1][0] < _INTERVAL:
            return False
        others = tuple(name for name in latest.momenta if name)
        if others != self.others:
            self.others = others
            self.clear()
        self._rows.append(self._row(latest))
        return True

    def _row(self, latest: Latest) -> np.ndarray:
        joints = latest.joints
        assert joints is not None
        rates = dict(zip(joints.names, joints.velocities.tolist(), strict=True))
        turn = Rotation.from_quat(latest.roots[self._root][1])
        self._vector = nearest_turn(turn.as_rotvec(), self._vector)
        whole = latest.momenta.get('')
        wheels = sum(
            (axis * rates.get(name, 0.0) for name, axis in self._spins.items()), np.zeros(3)
        )
        shares = [np.nan if whole is None else float(np.linalg.norm(whole.angular))]
        if self.wheels:
            shares.append(float(np.linalg.norm(wheels)))
        shares += [float(np.linalg.norm(latest.momenta[name].angular)) for name in self.others]
        return np.array(
            [
                joints.stamp,
                *np.degrees(self._vector),
                *shares,
                np.nan if whole is None else whole.energy,
                *(rates.get(name, 0.0) for name in (*self.joints, *self.wheels)),
            ]
        )

    def columns(self) -> np.ndarray:
        """Return time first, then every curve, a row each; see `groups`."""
        return np.array(self._rows).T if self._rows else np.zeros((self._count, 0))

    @property
    def _count(self) -> int:
        return 5 + sum(len(names) for names in (self._sharing, self.joints, self.wheels))

    @property
    def _sharing(self) -> tuple[str, ...]:
        """Return whose angular momentum is told."""
        names = (name.strip('/_') for name in self.others)
        return ('all', *(('wheels',) if self.wheels else ()), *names)

    def groups(self) -> dict[str, tuple[slice, tuple[str, ...]]]:
        """Return, for each plot's title, which rows of `columns` it shows, and their names."""
        at = 4
        found: dict[str, tuple[slice, tuple[str, ...]]] = {
            'Base attitude [deg]': (slice(1, 4), ('x', 'y', 'z'))
        }
        kinds = (
            ('Angular momentum [N m s]', self._sharing),
            ('Kinetic energy [J]', ('energy',)),
            ('Joint rates [rad/s]', self.joints),
            ('Wheel speeds [rad/s]', self.wheels),
        )
        for title, names in kinds:
            if names:
                found[title] = (slice(at, at + len(names)), names)
            at += len(names)
        return found
