# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
How a hand has to move to meet a point that moves, at a given time and with its velocity.

The hand goes by x_d = s x_start + (1 - s) x_point, with s = 1 - 3 u^2 + 2 u^3 and u = t / T: at
rest first, with the point in the end. What is left to go is s (x_point - x_start), so that nobody
has to remember where it began.
"""

from __future__ import annotations

import numpy as np

_FASTEST = 0.5  # m/s, should the hand be far from where it ought to be
_LAST = 1.0  # s before the contact, from when on the way is closed no faster than before


def meeting_velocity(
    gap: np.ndarray, velocity: np.ndarray, time: float, contact: float
) -> np.ndarray:
    """
    Return the velocity that the hand should have now, (3,) [m/s].

    Parameters
    ----------
    gap : ndarray, shape (3,)
        From the hand to the point [m].
    velocity : ndarray, shape (3,)
        Of the point [m/s].
    time, contact : float
        Since the start, and when both shall be one [s].

    """
    latest = contact - min(_LAST, 0.5 * contact)
    t = min(max(time, 0.0), latest)
    u = t / contact
    rate = 6.0 * u / ((1.0 - u) * (1.0 + 2.0 * u) * contact)  # -(ds/dt) / s
    share = u * u * (3.0 - 2.0 * u) if time < latest else 1.0
    wanted = rate * gap + share * velocity
    return wanted * (_FASTEST / max(float(np.linalg.norm(wanted)), _FASTEST))
