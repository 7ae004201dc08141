# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The rules of ROS 2's pep257."""

import pytest


@pytest.mark.linter
@pytest.mark.ros
def test_pep257():
    """The docstrings keep ament_pep257's rules."""
    from ament_pep257.main import main

    assert main(argv=['.']) == 0
