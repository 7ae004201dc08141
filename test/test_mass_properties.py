# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What a robot weighs as a whole, against the simulator with all joints locked."""

import free_flyer_dynamics as ffd
from free_flyer_dynamics.generate import random_tree
from free_flyer_dynamics.mass_properties import mass_properties
from free_flyer_dynamics.urdf_source import named
import numpy as np
import pytest

# Rounding of sums over some forty links, relative to the largest entry.
ROUNDING = 1e-13


def of_simulator(model):
    """Return centre and inertia as the momentum of a rigid turn tells them."""
    sim = ffd.Simulator()
    sim.add(model)
    sim.lock(*sim.joint_names)
    H = sim.mass_matrix()
    return sim.momentum().center, H[:3, :3] - H[:3, 3:] @ H[3:, :3] / H[3, 3]


def load(name):
    """Return a shipped robot, or one grown at random."""
    return random_tree(12, seed=3) if name == 'grown' else ffd.load_urdf(named(name))


@pytest.mark.jit
@pytest.mark.filterwarnings('ignore::free_flyer_dynamics.model.ModelWarning')
@pytest.mark.parametrize('name', ['thesis_seven_joint', 'four_arm_37dof', 'grown'])
def test_a_robot_weighs_what_it_weighs_with_its_joints_locked(name):
    """Fixed joints, turned frames and links that are only frames included."""
    model = load(name)
    center, inertia = mass_properties(model)
    expected_center, expected = of_simulator(model)
    np.testing.assert_allclose(center, expected_center, atol=ROUNDING * np.abs(center).max())
    np.testing.assert_allclose(inertia, expected, atol=ROUNDING * np.abs(expected).max())
