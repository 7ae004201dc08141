# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What a control law needs of one instant, and the thesis's reduced forms of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

ATTITUDE = (0, 1, 2)  # rows of the base: its angular motion
WHOLE_BASE = (0, 1, 2, 3, 4, 5)
Columns = slice | np.ndarray


@dataclass(frozen=True, eq=False)
class Situation:
    """
    One instant of a robot as its own controller sees it: nothing of what it has caught.

    Base rows come first, angular then linear, at the base link's origin in base axes; then the n
    joints. [Dimitrov] (3.1) is H (rates of velocity) + c = (0, torques).

    Parameters
    ----------
    H : ndarray, shape (6 + n, 6 + n)
        Inertia matrix.
    c : ndarray, shape (6 + n,)
        Forces of the velocities alone, the thesis's nonlinear term.
    J : ndarray, shape (6, 6 + n)
        Jacobian of the hand's origin, angular rows first, world axes.
    velocity : ndarray, shape (6 + n,)
        Twist of the base in base axes, then the joints' rates [rad/s, m/s].
    positions : ndarray, shape (n,)
        Of the joints [rad].
    rotation : ndarray, shape (3, 3)
        Base axes to world axes.
    base, hand : ndarray, shape (3,)
        Origins of base link and hand, in world [m].
    arm, wheels : slice or ndarray of int
        Which of the n joints are the arm's and the wheels'.

    """

    H: np.ndarray
    c: np.ndarray
    J: np.ndarray
    velocity: np.ndarray
    positions: np.ndarray
    rotation: np.ndarray
    base: np.ndarray
    hand: np.ndarray
    arm: Columns
    wheels: Columns

    @property
    def joint_rates(self) -> np.ndarray:
        """Return the rates of all joints [rad/s]."""
        return self.velocity[6:]

    @property
    def base_rate(self) -> np.ndarray:
        """Return the angular velocity of the base, base axes [rad/s]."""
        return self.velocity[:3]

    @property
    def momentum(self) -> np.ndarray:
        """Return the robot's own momentum about the base's origin, base axes, angular first."""
        return self.H[:6] @ self.velocity

    @cached_property
    def reduced(self) -> Reduced:
        """Return the form of [Dimitrov] (4.4): the base's linear motion left to answer."""
        return reduce(self, ATTITUDE)


@dataclass(frozen=True, eq=False)
class Reduced:
    """
    The equations once some of the base's motions are left to answer: [Dimitrov] appendix E.

    With the attitude kept, s = 3, these are the thesis's matrices with a tilde (E.2); with nothing
    kept, s = 0, the generalized ones (E.3, E.6); with all six, those of (3.1).

    Parameters
    ----------
    H : ndarray, shape (s + n, s + n)
        Inertia matrix.
    c : ndarray, shape (s + n,)
        Forces of the velocities alone.
    J : ndarray, shape (6, s + n)
        What base rates and joint rates do to the hand, the other base motions answering.
    drift : ndarray, shape (6,)
        The hand's twist that momentum along the answering motions makes, world axes.
    velocity : ndarray, shape (s + n,)
        The held base motions, then the joints.
    s : int
        How many base motions are kept.
    arm, wheels
        Their columns here.

    """

    H: np.ndarray
    c: np.ndarray
    J: np.ndarray
    drift: np.ndarray
    velocity: np.ndarray
    s: int
    arm: Columns
    wheels: Columns

    @property
    def Hb(self) -> np.ndarray:
        """Return the inertia of the base, all joints rigid."""
        return self.H[: self.s, : self.s]

    @property
    def Hbm(self) -> np.ndarray:
        """Return the coupling inertia of base and arm."""
        return self.H[: self.s, self.arm]

    @property
    def Hbr(self) -> np.ndarray:
        """Return the coupling inertia of base and wheels."""
        return self.H[: self.s, self.wheels]

    @property
    def Hm(self) -> np.ndarray:
        """Return the inertia of the arm."""
        return self.H[self.arm, self.arm] if isinstance(self.arm, slice) else (
            self.H[np.ix_(self.arm, self.arm)]
        )  # fmt: skip

    @property
    def Hr(self) -> np.ndarray:
        """Return the inertia of the wheels."""
        return self.H[self.wheels, self.wheels] if isinstance(self.wheels, slice) else (
            self.H[np.ix_(self.wheels, self.wheels)]
        )  # fmt: skip

    @property
    def base_momentum(self) -> np.ndarray:
        """Return what the base carries, Hb omega: [Dimitrov] below (4.5), base axes."""
        return self.Hb @ self.velocity[: self.s]

    @property
    def arm_momentum(self) -> np.ndarray:
        """Return the coupling momentum of the arm, Hbm times its rates."""
        return self.Hbm @ self.velocity[self.arm]

    @property
    def wheel_momentum(self) -> np.ndarray:
        """Return what the wheels carry, Hbr times their rates."""
        return self.Hbr @ self.velocity[self.wheels]

    @property
    def momentum(self) -> np.ndarray:
        """Return the whole robot's: with the attitude kept, about its centre of mass (4.5)."""
        return self.H[: self.s] @ self.velocity


def reduce(situation: Situation, held: tuple[int, ...] = ATTITUDE) -> Reduced:
    """
    Eliminate the base motions that are not held.

    Parameters
    ----------
    situation : Situation
        The robot at this instant.
    held : tuple of int
        Base motions that stay: 0 to 2 rotate about its x, y and z, 3 to 5 shift along them.

    Returns
    -------
    Reduced
        Columns: the held base motions in the order given, then the joints.

    """
    H, c, J, v = situation.H, situation.c, situation.J, situation.velocity
    held = tuple(held)
    s, keep, free = _rows(held, len(c))
    if free is None:
        H, c, J, drift, v = H[keep][:, keep], c[keep], J[:, keep], np.zeros(6), v[keep]
    else:
        rows = H[free]
        # Linear motion alone is the whole mass times a unit matrix.
        X = rows / H[3, 3] if held == ATTITUDE else np.linalg.solve(rows[:, free], rows)
        drift = J[:, free] @ (X @ v)
        Xk = X[:, keep]
        H = H[keep][:, keep] - rows[:, keep].T @ Xk
        c = c[keep] - c[free] @ Xk
        J = J[:, keep] - J[:, free] @ Xk
        v = v[keep]
    return Reduced(H, c, J, drift, v, s, shifted(situation.arm, s), shifted(situation.wheels, s))


@lru_cache(maxsize=64)
def _rows(held: tuple[int, ...], size: int):
    if held != tuple(dict.fromkeys(held)) or not all(k in WHOLE_BASE for k in held):
        raise ValueError(f'held must name base motions 0 to 5, each once, got {held}.')
    free = [k for k in WHOLE_BASE if k not in held]
    keep = np.array([*held, *range(6, size)])
    if held == ATTITUDE:
        return 3, np.r_[0:3, 6:size], slice(3, 6)
    if not held:
        return 0, slice(6, size), slice(0, 6)
    return len(held), keep, np.array(free) if free else None


def shifted(columns: Columns, by: int) -> Columns:
    """Return columns moved by a number of places."""
    if isinstance(columns, slice):
        return slice(columns.start + by, columns.stop + by)
    return columns + by


def as_columns(indices) -> Columns:
    """Return indices as a slice where they are in a row: views instead of copies."""
    given = np.asarray(indices, dtype=np.int64)
    if not len(given):
        return slice(0, 0)
    if (np.diff(given) == 1).all():
        return slice(int(given[0]), int(given[-1]) + 1)
    return given
