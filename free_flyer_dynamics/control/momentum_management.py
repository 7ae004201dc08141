# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Angular momentum managed between wheels and arm. [Dimitrov] (4.21), (4.28), (4.29)."""

from __future__ import annotations

from free_flyer_dynamics.control.coordinate_partition import solve_partitioned
from free_flyer_dynamics.control.inverses import right_inverse
from free_flyer_dynamics.control.situation import Situation
import numpy as np


def managed_rates(
    situation: Situation,
    wheel_rates: np.ndarray,
    momentum: np.ndarray | None = None,
    wish: np.ndarray | None = None,
    dependent: tuple[int, ...] | None = None,
) -> np.ndarray:
    """
    Return the arm's rates that take up what the wheels give away, the base's attitude kept.

    phi_dot_m = Hbm+ (L - Hbr phi_dot_r) + (E - Hbm+ Hbm) xi_dot

    Parameters
    ----------
    situation : Situation
        The robot at this instant.
    wheel_rates : ndarray, shape (r,)
        [rad/s]
    momentum : ndarray, shape (3,), optional
        The robot's angular momentum L about its centre of mass, base axes; none when not given.
    wish : ndarray, shape (p,), optional
        Rates to come near to within the null space.
    dependent : tuple of int, optional
        Take another generalized inverse (4.29): these joints of the arm alone do the work, the
        others move as wished.

    References
    ----------
    [Dimitrov] (4.21).

    """
    form = situation.reduced
    H = form.Hbm
    to_take = -(form.Hbr @ wheel_rates)
    if momentum is not None:
        to_take = to_take + momentum
    if dependent is not None:
        others = np.zeros(H.shape[1]) if wish is None else wish
        return solve_partitioned(H, to_take, others, dependent)
    if wish is None:
        return right_inverse(H) @ to_take
    return wish + right_inverse(H) @ (to_take - H @ wish)


def balancing_wheel_rates(situation: Situation, arm_rates: np.ndarray) -> np.ndarray:
    """
    Return the wheels' rates that take up what the arm's give away. [Dimitrov] (4.28).

    Of more than three wheels the smallest that do.
    """
    form = situation.reduced
    return -right_inverse(form.Hbr) @ (form.Hbm @ arm_rates)
