# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Torques that move the arm and leave the base alone. [Dimitrov] (3.25)."""

from __future__ import annotations

from free_flyer_dynamics.control.inverses import right_inverse
from free_flyer_dynamics.control.reactionless import coasting, form
from free_flyer_dynamics.control.situation import ATTITUDE, Situation
import numpy as np


def reactionless_torques(
    situation: Situation, wish: np.ndarray, held: tuple[int, ...] = ATTITUDE
) -> np.ndarray:
    """
    Return the arm's torques that accelerate it near a wish and do not accelerate the base.

    tau = H_phi (E - H+ H) xi_ddot + c_phi - H_phi H+ c_b, for wheels that coast.

    Parameters
    ----------
    situation : Situation
        The robot at this instant.
    wish : ndarray, shape (p,)
        xi_ddot [rad/s^2].
    held : tuple of int
        Base motions to leave alone.

    References
    ----------
    [Dimitrov] (3.25).

    """
    Hbm, bias, Hm, cm = coasting(form(situation, held))
    accelerations = wish - right_inverse(Hbm) @ (bias + Hbm @ wish)
    return Hm @ accelerations + cm
