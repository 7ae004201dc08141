# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Chance that repeats: every test has its own seed, made of its name."""

import zlib

import numpy as np
import pytest


@pytest.fixture
def rng(request):
    """Return random numbers that are the same for a test on every run and every machine."""
    return np.random.default_rng(zlib.crc32(request.node.name.encode()))
