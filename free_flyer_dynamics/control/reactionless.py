# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Joint rates and accelerations that leave the base alone. [Dimitrov] (3.7) to (3.15)."""

from __future__ import annotations

from typing import NamedTuple

from free_flyer_dynamics.control.inverses import right_inverse
from free_flyer_dynamics.control.situation import ATTITUDE, reduce, Reduced, Situation
import numpy as np


def form(situation: Situation, held: tuple[int, ...]) -> Reduced:
    """Return the reduced form for these base motions; that of the attitude is kept for reuse."""
    return situation.reduced if held == ATTITUDE else reduce(situation, held)


def reactionless_rates(
    situation: Situation,
    wish: np.ndarray,
    coupling: np.ndarray | None = None,
    held: tuple[int, ...] = ATTITUDE,
) -> np.ndarray:
    """
    Return the arm's rates nearest to a wish that leave the held base motions as they are.

    phi_dot = H+ L0 + (E - H+ H) xi_dot

    Parameters
    ----------
    situation : Situation
        The robot at this instant.
    wish : ndarray, shape (p,)
        The arm's rates one would like, xi_dot [rad/s].
    coupling : ndarray, shape (s,), optional
        The coupling momentum L0 to keep; none when not given.
    held : tuple of int
        Which base motions: the attitude, all six, or any choice of axes (the selective reaction
        null space). Those not held answer the arm freely.

    References
    ----------
    [Dimitrov] (3.12); selective: 3.1.1.

    """
    H = form(situation, held).Hbm
    missing = -(H @ wish) if coupling is None else coupling - H @ wish
    return wish + right_inverse(H) @ missing


class Answered(NamedTuple):
    """The equations of base and arm, the wheels' accelerations eliminated: bars of [Dimitrov]."""

    Hb: np.ndarray
    Hbm: np.ndarray
    cb: np.ndarray
    Hm: np.ndarray
    cm: np.ndarray


def answered(form: Reduced, wheel_torques: np.ndarray | None = None) -> Answered:
    """
    Return the equations of base and arm whose wheels are driven so, or coast when not given.

    Of balanced wheels, with the whole attitude held, the thesis's H_mr is zero; of others not.
    """
    s = form.s
    Hb, Hbm, cb, Hm, cm = form.Hb, form.Hbm, form.c[:s], form.Hm, form.c[form.arm]
    if not len(form.velocity[form.wheels]):
        return Answered(Hb, Hbm, cb, Hm, cm)
    Hbr, Hmr, load = form.Hbr, form.H[form.arm][:, form.wheels], form.c[form.wheels]
    if wheel_torques is not None:
        load = load - wheel_torques
    answer = np.linalg.solve(form.Hr, np.column_stack((Hbr.T, Hmr.T, load)))
    base, arm, drift = answer[:, :s], answer[:, s:-1], answer[:, -1]
    return Answered(
        Hb - Hbr @ base, Hbm - Hbr @ arm, cb - Hbr @ drift, Hm - Hmr @ arm, cm - Hmr @ drift
    )


def reactionless_accelerations(
    situation: Situation, wish: np.ndarray, held: tuple[int, ...] = ATTITUDE
) -> np.ndarray:
    """
    Return the arm's accelerations nearest to a wish that do not accelerate the held base motions.

    phi_ddot = -H+ c_b + (E - H+ H) xi_ddot, for wheels that coast. The c_b of the thesis with the
    base at rest is the time derivative of H times the rates.

    References
    ----------
    [Dimitrov] (3.15).

    """
    now = answered(form(situation, held))
    return wish - right_inverse(now.Hbm) @ (now.cb + now.Hbm @ wish)
