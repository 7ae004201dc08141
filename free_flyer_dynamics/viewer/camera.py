# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""From where all robots can be seen, however large they are and wherever they fly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import viser

_FROM = np.array([-0.22, -0.87, 0.44])  # in front, a little to the left and above
_DISTANCE = 1.6  # radii; the panels at both sides hide nothing


def view(points: np.ndarray, bulk: float) -> tuple[np.ndarray, np.ndarray]:
    """
    Return where the camera is and what it looks at.

    Parameters
    ----------
    points : ndarray, shape (n, 3)
        What is to be seen [m].
    bulk : float
        How far bodies reach beyond their points [m].

    """
    middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
    radius = np.linalg.norm(points - middle, axis=1).max() + bulk
    return middle + _DISTANCE * radius * _FROM / np.linalg.norm(_FROM), middle


def aim(server: viser.ViserServer, points: Sequence[np.ndarray], bulk: float) -> None:
    """Let those who look, and those who come, see all of it."""
    position, middle = view(np.array(points), bulk)
    cameras = [client.camera for client in server.get_clients().values()]
    for camera in (server.initial_camera, *cameras):
        camera.position, camera.look_at = position, middle
