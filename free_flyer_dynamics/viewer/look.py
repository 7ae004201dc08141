# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""One look for the page: its colours, its sky, its sizes."""

from __future__ import annotations

import numpy as np

ACCENT = (70, 140, 255)
BASE = (90, 200, 250)
LOCKED = (235, 64, 52)
GRIP = (255, 159, 10)
LOOP = (50, 215, 200)
LINEAR = (90, 200, 250)
ANGULAR = (191, 90, 242)
FORCE = (255, 214, 10)
HAND_TRAIL = (255, 159, 10)
BASE_TRAIL = (90, 200, 250)
BARE = (150, 165, 185)  # of links without a colour
CURVES = ('#5ac8fa', '#ff9f0a', '#30d158', '#bf5af2', '#ff453a', '#ffd60a', '#64d2ff', '#ff7eb6')
_SKY_TOP, _SKY_BOTTOM = np.array([6, 9, 18]), np.array([24, 32, 52])
_STARS = 420


def sky(width: int = 1280, height: int = 720) -> np.ndarray:
    """Return a night sky, always the same one."""
    rng = np.random.default_rng(1)
    fade = np.linspace(0.0, 1.0, height)[:, None, None]
    image = np.broadcast_to(_SKY_TOP + fade * (_SKY_BOTTOM - _SKY_TOP), (height, width, 3)).copy()
    rows, columns = rng.integers(0, height, _STARS), rng.integers(0, width, _STARS)
    image[rows, columns] += rng.uniform(40, 190, _STARS)[:, None]
    return np.clip(image, 0, 255).astype(np.uint8)


def path_of(name: str) -> str:
    """Return a link's name as a part of the path of a node in the scene."""
    return name.replace('/', '⁄')  # a fraction slash: the real one would nest
