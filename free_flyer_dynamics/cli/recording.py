# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What is noted of a flight: a record for each instant, and all of them as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from free_flyer_dynamics.connectivity import Connectivity
from free_flyer_dynamics.simulator import Simulator
from free_flyer_dynamics.values import Momentum, Pose, Twist
import numpy as np


@dataclass(frozen=True, eq=False)
class Record:
    """One instant; `commands` is what was given at it, for the tick that follows."""

    time: float
    joint_names: tuple[str, ...]
    joint_units: tuple[str, ...]  # of positions
    positions: np.ndarray
    velocities: np.ndarray
    efforts: np.ndarray
    bases: tuple[str, ...]
    poses: tuple[Pose, ...]
    twists: tuple[Twist, ...]  # in the bases' own axes
    momentum: Momentum  # of all
    shares: Mapping[str, Momentum]  # of each robot, by its name
    connectivity: Connectivity | None  # where it is another one than before
    commands: Mapping[str, Any] = field(default_factory=dict)


class Recorder:
    """Makes records of a world."""

    def __init__(self, sim: Simulator, robots: Mapping[str, Mapping[str, Any]]) -> None:
        self._prefixes = {name: robot.get('prefix', '') for name, robot in robots.items()}
        self._bases = tuple(
            robot.get('prefix', '') + robot['model'].root for robot in robots.values()
        )
        self._begun = False

    def record(self, sim: Simulator, commands: Mapping[str, Any]) -> Record:
        """Return the present instant."""
        seen = sim.observe(self._bases)
        changed = not self._begun or bool(commands.get('operations'))
        self._begun = True
        return Record(
            sim.time,
            sim.joint_names,
            sim.joint_units,
            seen.positions,
            seen.velocities,
            seen.efforts,
            self._bases,
            seen.poses,
            seen.twists,
            sim.momentum(),
            {name: sim.momentum(prefix) for name, prefix in self._prefixes.items()},
            sim.connectivity() if changed else None,
            commands,
        )


@dataclass(eq=False)
class Recording:
    """
    A flight as arrays, NaN where something was not there yet.

    Parameters
    ----------
    time : ndarray, shape (n,)
    joint_names, bases, robots : sequence of str
    positions, velocities, efforts : ndarray, shape (n, joints)
    poses : ndarray, shape (n, bases, 7)
        Position and quaternion (x, y, z, w).
    twists : ndarray, shape (n, bases, 6)
        Linear and angular velocity, in the base's own axes.
    momentum : ndarray, shape (n, 10)
        Linear, angular about the world's origin, about the centre of mass; kinetic energy.
    shares : ndarray, shape (n, robots, 3)
        Each robot's part of the angular momentum about the world's origin.
    freedoms : ndarray, shape (n,)
        Independent ones, of all robots together.
    changes : sequence of (float, str)
        When the structure changed, and to what.
    joint_units : sequence of str
        Of the positions, rad or m; empty where that is not known.

    """

    time: np.ndarray
    joint_names: Sequence[str]
    bases: Sequence[str]
    robots: Sequence[str]
    positions: np.ndarray
    velocities: np.ndarray
    efforts: np.ndarray
    poses: np.ndarray
    twists: np.ndarray
    momentum: np.ndarray
    shares: np.ndarray
    freedoms: np.ndarray
    changes: Sequence[tuple[float, str]] = ()
    joint_units: Sequence[str] = ()


def collect(records: Iterable[Record]) -> Recording:
    """Return records as arrays."""
    kept = list(records)
    units = {n: u for r in kept for n, u in zip(r.joint_names, r.joint_units, strict=True)}
    names = tuple(units)
    at = {name: k for k, name in enumerate(names)}
    columns = {}
    for key in ('positions', 'velocities', 'efforts'):
        values = np.full((len(kept), len(names)), np.nan)
        for row, r in enumerate(kept):
            values[row, [at[name] for name in r.joint_names]] = getattr(r, key)
        columns[key] = values
    shown = [(r.time, r.connectivity) for r in kept if r.connectivity is not None]
    last = np.cumsum([r.connectivity is not None for r in kept]) - 1
    return Recording(
        time=np.array([r.time for r in kept]),
        joint_names=names,
        bases=kept[0].bases,
        robots=tuple(kept[0].shares),
        poses=np.array([[np.r_[p.position, p.quaternion] for p in r.poses] for r in kept]),
        twists=np.array([[np.r_[t.linear, t.angular] for t in r.twists] for r in kept]),
        momentum=np.array([momentum_row(r.momentum) for r in kept]),
        shares=np.array([[m.angular for m in r.shares.values()] for r in kept]),
        freedoms=np.array([now.dof for _, now in shown])[last],
        changes=tuple((time, what(now)) for time, now in shown[1:]),
        joint_units=tuple(units.values()),
        **columns,
    )


def momentum_row(m: Momentum) -> np.ndarray:
    """Return momentum and energy as a row of Recording.momentum."""
    return np.r_[m.linear, m.angular, m.angular_about_center, m.kinetic_energy]


def what(now: Connectivity) -> str:
    """Return in a few words how a structure is."""
    parts = [f'{now.dof} DOF']
    parts += [f'{len(now.locked)} locked'] if now.locked else []
    parts += [', '.join(now.attachments)] if now.attachments else []
    return ' · '.join(parts)
