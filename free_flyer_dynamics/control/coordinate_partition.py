# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Reactionless motion by coordinate partition. [Dimitrov] (3.16) to (3.20)."""

from __future__ import annotations

from free_flyer_dynamics.control.inverses import pivot_columns, solve
from free_flyer_dynamics.control.reactionless import answered, form
from free_flyer_dynamics.control.reactionless_torque import torques_of
from free_flyer_dynamics.control.situation import ATTITUDE, Situation
import numpy as np


def solve_partitioned(
    A: np.ndarray, b: np.ndarray | None, independent: np.ndarray, dependent: tuple[int, ...]
) -> np.ndarray:
    """
    Return x with A x = b that takes its independent entries as given: [Dimitrov] (3.20).

    Parameters
    ----------
    A : ndarray, shape (m, n)
        Wide.
    b : ndarray, shape (m,), optional
        Zero when not given: (3.18).
    independent : ndarray, shape (n,)
        The dependent entries of it do not matter.
    dependent : tuple of int
        m columns of A.

    """
    at = list(dependent)
    if len(set(at)) != len(A) or len(at) != len(A):
        raise ValueError(f'dependent must name {len(A)} joints, each once, got {dependent}.')
    x = np.array(independent, dtype=float)
    x[at] = 0.0
    rest = -(A @ x) if b is None else b - A @ x
    x[at] = solve(A[:, at], rest)
    return x


def partitioned_rates(
    situation: Situation,
    independent: np.ndarray,
    coupling: np.ndarray | None = None,
    held: tuple[int, ...] = ATTITUDE,
    dependent: tuple[int, ...] | None = None,
) -> np.ndarray:
    """
    Return the arm's rates that keep the coupling momentum, some of them as given.

    Parameters
    ----------
    situation : Situation
        The robot at this instant.
    independent : ndarray, shape (p,)
        The arm's rates; those of dependent joints are found, not taken [rad/s].
    coupling : ndarray, shape (s,), optional
        The coupling momentum to keep; none when not given.
    held : tuple of int
        Base motions to leave alone.
    dependent : tuple of int, optional
        Joints of the arm that pay, as many as motions are held; where Gauss-Jordan elimination
        has its pivots when not given.

    References
    ----------
    [Dimitrov] (3.17) to (3.20).

    """
    H = form(situation, held).Hbm
    return solve_partitioned(H, coupling, independent, _paying(H, dependent))


def partitioned_accelerations(
    situation: Situation,
    independent: np.ndarray,
    held: tuple[int, ...] = ATTITUDE,
    dependent: tuple[int, ...] | None = None,
) -> np.ndarray:
    """
    Return the arm's accelerations that do not accelerate the base, some of them as given.

    Parameters
    ----------
    situation : Situation
        The robot at this instant, its wheels coasting.
    independent : ndarray, shape (p,)
        The arm's accelerations; those of dependent joints are found, not taken [rad/s^2].
    held : tuple of int
        Base motions not to accelerate.
    dependent : tuple of int, optional
        As for `partitioned_rates`.

    References
    ----------
    [Dimitrov] (3.6), solved as (3.20).

    """
    now = answered(form(situation, held))
    return solve_partitioned(now.Hbm, -now.cb, independent, _paying(now.Hbm, dependent))


def partitioned_torques(
    situation: Situation,
    independent: np.ndarray,
    held: tuple[int, ...] = ATTITUDE,
    dependent: tuple[int, ...] | None = None,
) -> np.ndarray:
    """Return the torques of `partitioned_accelerations`: (3.25) by coordinate partition."""
    wanted = partitioned_accelerations(situation, independent, held, dependent)
    return torques_of(situation, wanted, held)


def _paying(H: np.ndarray, dependent: tuple[int, ...] | None) -> tuple[int, ...]:
    """Return the columns of the dependent joints, as given or where elimination has its pivots."""
    if dependent is not None:
        return dependent
    chosen = pivot_columns(H)
    if len(chosen) < len(H):
        raise np.linalg.LinAlgError(
            f'The coupling inertia has rank {len(chosen)} of {len(H)}: these joints cannot hold '
            'these base motions here.'
        )
    return chosen
