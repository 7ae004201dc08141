# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0


"""Rotations that are watched over time."""

from __future__ import annotations

import numpy as np


def nearest_turn(vector: np.ndarray, to: np.ndarray) -> np.ndarray:
    """Return the rotation vector of the same rotation that is nearest to another one."""
    angle = float(np.linalg.norm(vector))
    if angle < 1e-9:
        return vector
    axis = vector / angle
    turns = round((float(axis @ to) - angle) / (2 * np.pi))
    return axis * (angle + 2 * np.pi * turns)
