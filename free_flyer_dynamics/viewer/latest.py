# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The newest of everything the page shows: written by who listens, read by who draws."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True, eq=False)
class Joints:
    """Every joint at a stamp [s]."""

    stamp: float
    names: tuple[str, ...]
    positions: np.ndarray
    velocities: np.ndarray
    efforts: np.ndarray

    def by_name(self) -> dict[str, float]:
        """Return the positions by joint."""
        return dict(zip(self.names, self.positions.tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class Moving:
    """Momentum of a robot, or of all: centre of mass, linear, angular about it, energy."""

    center: np.ndarray
    linear: np.ndarray
    angular: np.ndarray
    energy: float


@dataclass(frozen=True)
class Table:
    """The connectivity: its rows are link, name, parent, end effector, connect and cflag."""

    revision: int = 0
    dof: int = 0
    base: str = ''
    rows: tuple[tuple, ...] = ()
    locked: tuple[str, ...] = ()
    attachments: tuple[str, ...] = ()
    loops: tuple[str, ...] = ()


@dataclass(eq=False)
class Latest:
    """
    What is known at the moment. Fields are replaced, never changed, so no lock is needed.

    Who reads more than one field, or one field twice, reads from what `at_once` returns.

    Parameters
    ----------
    descriptions : dict of str to str
        URDF text by the topic it came from.
    roots : dict of str to (ndarray, ndarray)
        Position and quaternion (x, y, z, w) of each robot's root link.
    momenta : dict of str to Moving
        By prefix; of all under ''.
    wrenches : dict of str to (str, ndarray, ndarray)
        By attachment: the frame it sits on, force and torque in that frame's axes.

    """

    descriptions: dict[str, str] = field(default_factory=dict)
    joints: Joints | None = None
    roots: dict[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    momenta: dict[str, Moving] = field(default_factory=dict)
    table: Table = field(default_factory=Table)
    wrenches: dict[str, tuple[str, np.ndarray, np.ndarray]] = field(default_factory=dict)
    phase: str = ''  # what a controller says it is doing
    began: float = -1.0  # when the simulator was put back to its start, as far as known [s]
    note: str = ''  # what the simulator answered last

    def at_once(self) -> Latest:
        """Return all of it as it is now: what is read of that twice is the same twice."""
        return Latest(**vars(self))
