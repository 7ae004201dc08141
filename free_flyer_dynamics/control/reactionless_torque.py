# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Torques that move the arm and leave the base alone. [Dimitrov] (3.25)."""

from __future__ import annotations

from free_flyer_dynamics.control.reactionless import (
    answered,
    form,
    reactionless_accelerations,
)
from free_flyer_dynamics.control.situation import ATTITUDE, Situation
import numpy as np


def torques_of(
    situation: Situation, accelerations: np.ndarray, held: tuple[int, ...] = ATTITUDE
) -> np.ndarray:
    """
    Return H_phi phi_ddot + c_phi: the arm's torques of accelerations that leave the base alone.

    Parameters
    ----------
    situation : Situation
        The robot at this instant, its wheels coasting.
    accelerations : ndarray, shape (p,)
        Of the arm, such as do not accelerate the held base motions [rad/s^2].
    held : tuple of int
        Those base motions.

    References
    ----------
    [Dimitrov] (3.1), lower part, above (3.25).

    """
    now = answered(form(situation, held))
    return now.Hm @ accelerations + now.cm


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
    return torques_of(situation, reactionless_accelerations(situation, wish, held), held)
