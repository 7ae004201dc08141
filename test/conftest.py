# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What many tests share: chance that repeats, and a scene played by both ways to walk a chain."""

import zlib

import numpy as np
import pytest


@pytest.fixture
def rng(request):
    """Return random numbers that are the same for a test on every run and every machine."""
    return np.random.default_rng(zlib.crc32(request.node.name.encode()))


@pytest.fixture
def both(monkeypatch):
    """Return what plays a scene twice: as it is, and walked from the base."""

    def play(scene):
        first = scene()
        with monkeypatch.context() as patch:
            patch.setattr('free_flyer_dynamics.rerooting.LONG', 10**6)
            return first, scene()

    return play
