# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A hundred thousand structure changes: `make soak`."""

from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test
import pytest

from test.topology.programmes import Programme

pytestmark = [pytest.mark.jit, pytest.mark.soak]

LONG = settings(
    max_examples=120,
    stateful_step_count=1000,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)


def test_a_thousand_changes_obey_every_law():
    """The same laws as in the short programmes, after each."""
    run_state_machine_as_test(Programme, settings=LONG)
