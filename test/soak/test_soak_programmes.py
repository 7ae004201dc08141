# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A hundred thousand structure changes and more: `make soak`."""

import pytest

from test.topology.programmes import Programme

pytestmark = [pytest.mark.jit, pytest.mark.soak]

SEEDS = 200
OPERATIONS = 1000


@pytest.mark.parametrize('seed', range(SEEDS))
def test_a_thousand_changes_obey_every_law(seed):
    """The same laws as in the short programmes, after each."""
    programme = Programme(10_000 + seed)
    for _ in range(OPERATIONS):
        programme.turn()
