# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""How far a base is turned away from where it should be."""

from __future__ import annotations

import numpy as np


def attitude_error(rotation: np.ndarray, wanted: np.ndarray | None = None) -> np.ndarray:
    """
    Return the rotation vector from the wanted attitude to the present one, base axes [rad].

    Parameters
    ----------
    rotation : ndarray, shape (3, 3)
        Base axes to world axes.
    wanted : ndarray, shape (3, 3), optional
        The world's own axes when not given.

    """
    R = rotation if wanted is None else wanted.T @ rotation
    twice = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    sine, cosine = 0.5 * np.sqrt(twice @ twice), 0.5 * (R[0, 0] + R[1, 1] + R[2, 2] - 1.0)
    angle = np.arctan2(sine, cosine)
    if angle < 3.0:
        return 0.5 * twice * (angle / sine if sine > 1e-9 else 1.0)
    # Near half a turn the sine says nothing: the axis is in the symmetric part.
    square = 0.5 * (R + R.T) - cosine * np.eye(3)
    k = int(np.argmax(np.diag(square)))
    axis = square[:, k] / np.linalg.norm(square[:, k])
    return angle * (axis if twice @ axis >= 0 else -axis)
