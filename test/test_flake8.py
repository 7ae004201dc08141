# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The rules of ROS 2's flake8."""

from pathlib import Path

import pytest


@pytest.mark.linter
@pytest.mark.ros
def test_flake8():
    """The sources keep ament_flake8's rules."""
    from ament_flake8.main import main_with_errors

    rules = Path(__file__).parents[1] / 'tools' / 'flake8.ini'
    found, errors = main_with_errors(argv=['--config', str(rules)])
    assert found == 0, '\n'.join(errors)
