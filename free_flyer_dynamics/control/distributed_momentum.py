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
