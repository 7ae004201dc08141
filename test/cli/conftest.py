# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The flight that several tests look at."""

import pytest

TWO = """
seconds: 2
rate: 50
robots:
  chaser:
    model: thesis_seven_joint
    angular_velocity: [0.02, -0.01, 0.03]
    joint_velocities: {J1: 0.1}
  target: {model: thesis_target, prefix: target/, position: [3, 0, 1]}
events:
  - {at: 0.2, efforts: {J2: 3.0, J4: [[0, 0], [0.5, 2], [1, 0]]}}
  - {at: 0.4, wrench: {link: base, force: [3, 0, 0], point: [0, 0.5, 0], frame: link, for: 0.2}}
  - at: 1
    change:
      - {attach: [end_effector, target/grasp], name: grip, joint: revolute, axis: [0, 0, 1]}
      - lock: J1
  - {at: 1.5, change: [{detach: grip}]}
"""


@pytest.fixture
def two(tmp_path):
    """Return the file of a flight with every kind of event."""
    path = tmp_path / 'two.yaml'
    path.write_text(TWO)
    return path
