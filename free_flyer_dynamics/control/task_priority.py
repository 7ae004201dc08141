# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Base first, hand second: tasks with priority. [Dimitrov] (3.26) to (3.34)."""

from __future__ import annotations

from free_flyer_dynamics.control.generalized_jacobian import LINEAR_ROWS
from free_flyer_dynamics.control.inverses import projector, right_inverse, singular_damping
from free_flyer_dynamics.control.situation import Situation
import numpy as np


def restricted_jacobian(situation: Situation, rows: slice = LINEAR_ROWS) -> np.ndarray:
    """
    Return the hand's Jacobian J (E - H+ H) for rates that leave the base's attitude alone.

    Unlike [Dimitrov] (3.27), the base's linear motion, which answers the arm, is folded into J as
    in appendix E instead of being taken as given.
    """
    form = situation.reduced
    H = form.Hbm
    return form.J[rows, form.arm] @ projector(H, right_inverse(H))


def restricted_manipulability(situation: Situation, rows: slice = LINEAR_ROWS) -> float:
    """Return sqrt(det(J J^T)) of the restricted Jacobian: zero where tasks conflict. (3.32)."""
    J = restricted_jacobian(situation, rows)
    return float(np.sqrt(max(np.linalg.det(J @ J.T), 0.0)))


def task_priority_rates(
    situation: Situation,
    hand: np.ndarray,
    coupling: np.ndarray | None = None,
    rows: slice = LINEAR_ROWS,
    wish: np.ndarray | None = None,
    threshold: float = 0.0,
    damping: float = 0.0,
) -> np.ndarray:
    """
    Return the arm's rates that keep the coupling momentum and, as a second task, move the hand.

    phi_dot = H+ L + J+ Psi + (E - H+ H)(E - J+ J) xi_dot, with J the restricted Jacobian.

    Parameters
    ----------
    situation : Situation
        The robot at this instant.
    hand : ndarray, shape (rows,)
        Velocity of the hand, world axes.
    coupling : ndarray, shape (3,), optional
        Coupling angular momentum to keep, base axes; none when not given [N m s].
    rows : slice
        Of the hand's twist: linear, or all six.
    wish : ndarray, shape (p,), optional
        Third task: rates to come near to.
    threshold, damping : float
        Damp the hand's task from this smallest singular value of J on, up to this much. The base's
        task is not touched by it.

    References
    ----------
    [Dimitrov] (3.29).

    """
    form = situation.reduced
    H, Jm = form.Hbm, form.J[rows, form.arm]
    inverse = right_inverse(H)
    N = projector(H, inverse)
    J = Jm @ N
    first = np.zeros(len(N)) if coupling is None else inverse @ coupling
    if wish is not None:
        first = first + N @ wish
    # What the hand does already: of the base's rotation, the wheels, momentum and the first task.
    given = form.drift[rows] + form.J[rows, :3] @ form.velocity[:3]
    given = given + form.J[rows, form.wheels] @ form.velocity[form.wheels] + Jm @ first
    amount = singular_damping(J, threshold, damping) if threshold else 0.0
    return first + right_inverse(J, amount) @ (hand - given)
