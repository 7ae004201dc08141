# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The rules of ROS 2's flake8."""

import pytest


@pytest.mark.linter
def test_flake8():
    """The sources keep ament_flake8's rules."""
    main = pytest.importorskip('ament_flake8.main')
    found, errors = main.main_with_errors(argv=[])
    assert found == 0, '\n'.join(errors)
