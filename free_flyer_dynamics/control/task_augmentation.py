# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Reactionless motion by an augmented task. [Dimitrov] (3.21) to (3.24)."""

from __future__ import annotations

from free_flyer_dynamics.control.inverses import solve
from free_flyer_dynamics.control.reactionless import answered, form
from free_flyer_dynamics.control.reactionless_torque import torques_of
from free_flyer_dynamics.control.situation import ATTITUDE, Situation
import numpy as np


def augmented_rates(
    situation: Situation,
    W: np.ndarray,
    task_rates: np.ndarray,
    coupling: np.ndarray | None = None,
    held: tuple[int, ...] = ATTITUDE,
) -> np.ndarray:
    """
    Return the arm's rates that keep the coupling momentum and do W phi_dot = xi_dot.

    phi_dot = (H; W)^-1 (L0; xi_dot)

    Parameters
    ----------
    situation : Situation
        The robot at this instant.
    W : ndarray, shape (p - s, p)
        Rows independent of each other and of the coupling inertia's.
    task_rates : ndarray, shape (p - s,)
        Rates of the task.
    coupling : ndarray, shape (s,), optional
        Zero when not given.
    held : tuple of int
        Base motions to leave alone.

    References
    ----------
    [Dimitrov] (3.23).

    """
    H = form(situation, held).Hbm
    kept = np.zeros(len(H)) if coupling is None else coupling
    return solve(np.vstack((H, W)), np.concatenate((kept, task_rates)))


def augmented_accelerations(
    situation: Situation,
    W: np.ndarray,
    task_accelerations: np.ndarray,
    held: tuple[int, ...] = ATTITUDE,
) -> np.ndarray:
    """
    Return the arm's accelerations that do not accelerate the base and do W phi_ddot = xi_ddot.

    phi_ddot = (H; W)^-1 (-c_b; xi_ddot), for wheels that coast and a W that stays as it is.

    Parameters
    ----------
    situation : Situation
        The robot at this instant.
    W : ndarray, shape (p - s, p)
        As for `augmented_rates`.
    task_accelerations : ndarray, shape (p - s,)
        Of the task.
    held : tuple of int
        Base motions not to accelerate.

    References
    ----------
    [Dimitrov] (3.6), solved as (3.23).

    """
    now = answered(form(situation, held))
    return solve(np.vstack((now.Hbm, W)), np.concatenate((-now.cb, task_accelerations)))


def augmented_torques(
    situation: Situation,
    W: np.ndarray,
    task_accelerations: np.ndarray,
    held: tuple[int, ...] = ATTITUDE,
) -> np.ndarray:
    """Return the torques of `augmented_accelerations`: (3.25) by task augmentation."""
    wanted = augmented_accelerations(situation, W, task_accelerations, held)
    return torques_of(situation, wanted, held)
