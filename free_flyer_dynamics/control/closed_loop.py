# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Two arms that hold one body: some joints are free, the others follow. [Dimitrov] 2.4.2, 5.4."""

from __future__ import annotations

from free_flyer_dynamics.control.inverses import solve
from free_flyer_dynamics.control.situation import Reduced
import numpy as np


def loop_of_two_hands(
    first: np.ndarray, second: np.ndarray, arm: np.ndarray, between: np.ndarray, rows
) -> np.ndarray:
    """
    Return the rows that keep two hands from moving to each other.

    Parameters
    ----------
    first, second : ndarray, shape (6, 6 + n)
        The hands' Jacobians, angular first, world axes.
    arm : slice or ndarray of int
        The arms' joints among the n.
    between : ndarray, shape (3,)
        From the first hand to the second, world axes [m].
    rows : sequence of int
        Of the twist's six that say something: (2, 3, 4) in the x-y plane.

    """
    x, y, z = between
    carried = first.copy()
    # v at the second hand, were it part of the first: v + omega x between
    carried[3] += first[1] * z - first[2] * y
    carried[4] += first[2] * x - first[0] * z
    carried[5] += first[0] * y - first[1] * x
    return (second - carried)[list(rows), 6:][:, arm]


def loop_rates(loop: np.ndarray, independent: tuple[int, ...]) -> np.ndarray:
    """
    Return S, (p, i), which makes all of the arms' rates of the independent ones.

    Parameters
    ----------
    loop : ndarray, shape (m, p)
        loop @ rates = 0 holds while the arms hold the same body; m = p - i.
    independent : tuple of int
        Which of the p rates are free to choose.

    References
    ----------
    [Dimitrov] 2.4.2.

    """
    p = loop.shape[1]
    free = list(independent)
    bound = [j for j in range(p) if j not in independent]
    S = np.zeros((p, len(free)))
    S[free, range(len(free))] = 1.0
    S[bound] = -solve(loop[:, bound], loop[:, free])
    return S


def closed(form: Reduced, S: np.ndarray, bend: np.ndarray | None = None) -> Reduced:
    """
    Return the equations of a robot whose arms are bound to S, its arm the independent joints.

    Parameters
    ----------
    form : Reduced
        Of the robot with its arms open.
    S : ndarray, shape (p, i)
        Of `loop_rates`.
    bend : ndarray, shape (p,), optional
        The time derivative of S times the independent rates; left out when not given, which slow
        motion allows [rad/s^2].

    References
    ----------
    [Dimitrov] (2.40): the equations projected on the motions that the loop leaves.

    """
    s, size = form.s, len(form.c)
    arm = np.arange(size)[form.arm]
    rest = np.arange(size)[form.wheels]
    T = np.zeros((size, s + S.shape[1] + len(rest)))
    T[:s, :s] = np.eye(s)
    T[arm, s : s + S.shape[1]] = S
    T[rest, s + S.shape[1] :] = np.eye(len(rest))
    c = form.c if bend is None else form.c + form.H[:, arm] @ bend
    # The independent rates are those of v that S leaves: S has a row of the unit matrix for each.
    v = np.linalg.lstsq(T, form.velocity, rcond=None)[0]
    i = s + S.shape[1]
    return Reduced(
        T.T @ form.H @ T, T.T @ c, form.J @ T, form.drift, v, s, slice(s, i), slice(i, T.shape[1])
    )
