# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Quaternions and rotation vectors against scipy's."""

from free_flyer_dynamics.kernels import rotation
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

# Some products and one root.
ROUNDING = 1e-14
# Central differences at a step of 1e-6: the cube root of rounding, squared.
DIFFERENCE = 1e-9
TURNS = [0.0, 1e-9, 1e-5, 1e-4, 0.0999, 0.1001, 1.0, 3.0]


def wxyz(turned):
    """Return our quaternion of scipy's rotation."""
    x, y, z, w = turned.as_quat()
    return np.array([w, x, y, z]) * (1 if w >= 0 else -1)


@pytest.mark.parametrize('angle', [*TURNS, np.pi - 1e-9, np.pi])
def test_matrix_and_quaternion_are_scipys(angle, rng):
    """Both ways, at half a turn too, where the real part vanishes."""
    R, quat = np.zeros((3, 3)), np.zeros(4)
    for axis in (*np.eye(3), *-np.eye(3), *rng.normal(size=(20, 3))):
        turned = Rotation.from_rotvec(angle * axis / np.linalg.norm(axis))
        rotation.matrix_from_quat(wxyz(turned), R)
        np.testing.assert_allclose(R, turned.as_matrix(), atol=ROUNDING)
        rotation.quat_from_matrix(R, quat)
        assert abs(abs(quat @ wxyz(turned)) - 1) < ROUNDING
        assert quat[0] >= 0


@pytest.mark.parametrize('angle', TURNS)
def test_turning_is_multiplying_by_exp(angle, rng):
    """About the frame's own axes; the quaternion stays unit to the last digit."""
    out, theta_out = np.zeros(4), np.zeros(3)
    for axis in rng.normal(size=(20, 3)):
        theta = angle * axis / np.linalg.norm(axis)
        start = Rotation.from_rotvec(rng.normal(size=3))
        rotation.turn(wxyz(start), theta, out)
        expected = wxyz(start * Rotation.from_rotvec(theta))
        assert abs(abs(out @ expected) - 1) < ROUNDING
        assert abs(np.linalg.norm(out) - 1) < ROUNDING
        rotation.turn(np.array([1.0, 0, 0, 0]), theta, out)
        rotation.rotation_vector(out, theta_out)
        np.testing.assert_allclose(theta_out, theta, atol=10 * ROUNDING)


@pytest.mark.parametrize('angle', TURNS)
def test_rate_of_the_rotation_vector_belongs_to_the_spin(angle, rng):
    """d/dt exp(theta) is exp(theta) times w, however far theta has turned."""
    rate, h = np.zeros(3), 1e-6
    for axis in rng.normal(size=(10, 3)):
        theta, w = angle * axis / np.linalg.norm(axis), rng.normal(size=3)
        rotation.rotation_vector_rate(theta, w, rate)
        ahead, behind = (Rotation.from_rotvec(theta + s * h * rate) for s in (1, -1))
        spin = (behind.inv() * ahead).as_rotvec() / (2 * h)
        np.testing.assert_allclose(spin, w, atol=DIFFERENCE)


def test_swapping_sides_is_its_own_inverse_with_the_other_quaternion(rng):
    """Velocity of a in b, velocity of b in a: -R w; and the torque goes back."""
    for _draw in range(20):
        turned = Rotation.from_rotvec(rng.normal(size=3))
        w = rng.normal(size=3)
        swapped = w.copy()
        rotation.swap_side(wxyz(turned), swapped)
        np.testing.assert_allclose(swapped, -turned.apply(w), atol=ROUNDING)
        rotation.swap_side_back(wxyz(turned), swapped)
        np.testing.assert_allclose(swapped, w, atol=ROUNDING)
