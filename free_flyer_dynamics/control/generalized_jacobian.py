# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Resolved motion rate of a hand whose base answers. [Dimitrov] (E.6), (E.7); [Umetani]."""

from __future__ import annotations

from free_flyer_dynamics.control.inverses import right_inverse, singular_damping
from free_flyer_dynamics.control.situation import reduce, Situation
import numpy as np

ALL_ROWS = slice(0, 6)
LINEAR_ROWS = slice(3, 6)


def generalized_jacobian(situation: Situation) -> np.ndarray:
    """Return J_phi - J_b H_b^-1 H_c, (6, n): angular rows first, world axes. [Dimitrov] (E.6)."""
    return reduce(situation, ()).J


def resolved_motion_rates(
    situation: Situation,
    twist: np.ndarray,
    rows: slice = ALL_ROWS,
    wish: np.ndarray | None = None,
    threshold: float = 0.0,
    damping: float = 0.0,
) -> np.ndarray:
    """
    Return the arm's rates that move the hand as asked while the base floats.

    phi_dot = Jg+ (twist - J_b H_b^-1 momentum) + (E - Jg+ Jg) xi_dot; what the wheels do is taken
    as it is.

    Parameters
    ----------
    situation : Situation
        The robot at this instant.
    twist : ndarray, shape (rows,)
        Of the hand, world axes, angular first.
    rows : slice
        Of the twist: all six, or `LINEAR_ROWS`.
    wish : ndarray, shape (p,), optional
        The arm's rates to come near to with what redundancy is left [rad/s].
    threshold, damping : float
        Damp from this smallest singular value on, up to this much.

    References
    ----------
    [Dimitrov] (E.7).

    """
    form = reduce(situation, ())
    J = form.J[rows]
    Jm = J[:, form.arm]
    missing = twist - form.drift[rows] - J[:, form.wheels] @ form.velocity[form.wheels]
    if wish is not None:
        missing = missing - Jm @ wish
    amount = singular_damping(Jm, threshold, damping) if threshold else 0.0
    found = right_inverse(Jm, amount) @ missing
    return found if wish is None else found + wish
