# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Spatial algebra against the matrices of the book. [RBDA] chapter 2."""

from free_flyer_dynamics.kernels import linear, spatial
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

# A dozen products of numbers near one.
ROUNDING = 1e-13


def cross(a):
    """Return the matrix of a x."""
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def body(rng):
    """Return mass, first moment, inertia about the origin, and the book's matrix of them."""
    mass, center = rng.uniform(1, 5), rng.normal(size=3)
    A = rng.normal(size=(3, 3))
    about_center = A @ A.T + np.eye(3)
    inertia = about_center - mass * cross(center) @ cross(center)
    C = cross(center)
    book = np.block([[inertia, mass * C], [mass * C.T, mass * np.eye(3)]])
    return mass, mass * center, inertia, book


def transform(rng):
    """Return orientation, origin, and the book's motion transform to that frame."""
    E, r = Rotation.from_rotvec(rng.normal(size=3)).as_matrix(), rng.normal(size=3)
    return E, r, np.block([[E.T, np.zeros((3, 3))], [-E.T @ cross(r), E.T]])


def test_motion_transform_is_the_books(rng):
    """X takes parent coordinates to the frame's."""
    E, r, book = transform(rng)
    X = np.full((6, 6), np.nan)
    spatial.motion_transform(E, r, X)
    np.testing.assert_allclose(X, book, atol=ROUNDING)


def test_products_are_the_dense_ones(rng):
    """X a, adding X a, adding X.T a, adding X.T I X."""
    _, _, X = transform(rng)
    a, out, start = rng.normal(size=6), np.zeros(6), rng.normal(size=6)
    spatial.mul(X, a, out)
    np.testing.assert_allclose(out, X @ a, atol=ROUNDING)
    out[:] = start
    spatial.mul_add(X, a, out)
    np.testing.assert_allclose(out, start + X @ a, atol=ROUNDING)
    out[:] = start
    spatial.mul_transposed_add(X, a, out)
    np.testing.assert_allclose(out, start + X.T @ a, atol=ROUNDING)
    inertia, total = body(rng)[3], np.ones((6, 6))
    spatial.congruence_add(X, inertia, np.zeros((6, 6)), total)
    np.testing.assert_allclose(total, 1 + X.T @ inertia @ X, atol=10 * ROUNDING)


def test_inertia_and_momentum_are_the_books(rng):
    """One from the other, and both from mass, first moment and inertia."""
    mass, moment, inertia, book = body(rng)
    matrix, v, h = np.full((6, 6), np.nan), rng.normal(size=6), np.zeros(6)
    spatial.inertia_matrix(mass, moment, inertia, matrix)
    np.testing.assert_allclose(matrix, book, atol=ROUNDING)
    spatial.body_momentum(mass, moment, inertia, v, h)
    np.testing.assert_allclose(h, book @ v, atol=10 * ROUNDING)


def test_cross_force_is_minus_the_transpose_of_the_motion_cross(rng):
    """Virtual power: f . (v x m) + (v x* f) . m = 0."""
    v, f, out = rng.normal(size=6), rng.normal(size=6), np.zeros(6)
    crm = np.block([[cross(v[:3]), np.zeros((3, 3))], [cross(v[3:]), cross(v[:3])]])
    spatial.cross_force(v, f, out)
    np.testing.assert_allclose(out, -crm.T @ f, atol=ROUNDING)


@pytest.mark.parametrize('n', [1, 3, 6])
def test_cholesky_solves(n, rng):
    """And tells what is not positive definite."""
    A = rng.normal(size=(n, n))
    A = A @ A.T + np.eye(n)
    L, x = np.zeros((n, n)), rng.normal(size=n)
    expected = np.linalg.solve(A, x)
    assert linear.cholesky(A, n, L)
    np.testing.assert_allclose(L @ L.T, A, atol=10 * ROUNDING)
    linear.cholesky_solve(L, n, x)
    np.testing.assert_allclose(x, expected, atol=10 * ROUNDING)
    A[n - 1, n - 1] = -1.0
    assert not linear.cholesky(A, n, L)
