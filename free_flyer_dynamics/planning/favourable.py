# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Which momentum in the arm is of use when a tumbling target is caught. [Dimitrov] (4.20)."""

from __future__ import annotations

import numpy as np


def is_favourable(arm, target, tolerance: float = 1e-9) -> bool:
    """
    Tell whether the arm's coupling momentum goes against the target's, and not beyond it.

    In each axis |L_bm| <= |L_t| and L_t L_bm < 0; an axis in which the target has none is
    favourable when the arm has none either.

    Parameters
    ----------
    arm, target : array, shape (3,)
        L_bm and L_t in the same axes [N m s].
    tolerance : float
        [N m s]

    References
    ----------
    [Dimitrov] (4.20).

    """
    arm, target = np.asarray(arm, dtype=float), np.asarray(target, dtype=float)
    small = np.abs(arm) <= np.abs(target) + tolerance
    none = np.abs(target) <= tolerance
    return bool((small & (none | (arm * target < 0))).all())


def bias(arm, target, tolerance: float = 1e-6) -> str:
    """
    Name a distribution: 'full', 'partial', 'none' or 'unfavourable'. [Dimitrov] 4.5.1.

    Parameters
    ----------
    arm, target : array, shape (3,)
        L_bm and L_t in the same axes [N m s].
    tolerance : float
        [N m s]

    """
    arm, target = np.asarray(arm, dtype=float), np.asarray(target, dtype=float)
    if np.abs(arm).max() <= tolerance:
        return 'none'
    if np.abs(arm + target).max() <= tolerance:
        return 'full'
    return 'partial' if is_favourable(arm, target, tolerance) else 'unfavourable'


def left_to_absorb(arm, target) -> np.ndarray:
    """Return what the wheels have still to take after the contact, L_t + L_bm [N m s]."""
    return np.asarray(target, dtype=float) + np.asarray(arm, dtype=float)
