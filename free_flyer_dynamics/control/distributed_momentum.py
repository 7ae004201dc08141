# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Distributed Momentum Control: the arm takes what the base would. [Dimitrov] 5.2 and 5.4."""

from __future__ import annotations

from free_flyer_dynamics.control.inverses import right_inverse
from free_flyer_dynamics.control.situation import ATTITUDE, reduce, Situation
import numpy as np


def distributed_momentum_rates(situation: Situation) -> np.ndarray:
    """
    Return the arm's rates that take over the base's angular momentum.

    phi_dot_d = Hbm+ (Hbm phi_dot + Hb omega). Nothing of the target is known.

    References
    ----------
    [Dimitrov] (5.6).

    """
    form = situation.reduced
    return right_inverse(form.Hbm) @ (form.arm_momentum + form.base_momentum)


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
    S[bound] = -np.linalg.solve(loop[:, bound], loop[:, free])
    return S


def distributed_momentum_loop_rates(
    situation: Situation, S: np.ndarray, held: tuple[int, ...] = ATTITUDE
) -> np.ndarray:
    """
    Return the independent rates of arms that hold one target which take over the base's momentum.

    phi_dot_i = (Hbm S)+ (Hbm phi_dot + Hb omega)

    Parameters
    ----------
    situation : Situation
        The robot at this instant.
    S : ndarray, shape (p, i)
        Of `loop_rates`.
    held : tuple of int
        Base rotations that matter: (2,) for a planar robot.

    References
    ----------
    [Dimitrov] (5.6) and 5.4.

    """
    form = situation.reduced if held == ATTITUDE else reduce(situation, held)
    return right_inverse(form.Hbm @ S) @ (form.arm_momentum + form.base_momentum)


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
