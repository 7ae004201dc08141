# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Arrays cut from flat ones: compiled, and as Python does it."""

from free_flyer_dynamics.kernels._jit import kernel
from free_flyer_dynamics.kernels.cut import cut
import numpy as np
import pytest

SHAPES = [(5,), (4, 3), (2, 3, 3), (0, 3)]


@kernel
def _add_one(flat, at, n, out):
    """Copy what is cut, then write through it."""
    pieces = cut(flat, at, (n,)), cut(flat, at, (n, 3)), cut(flat, at, (n, 3, 2))
    for i in range(n):
        out[i] = pieces[0][i]
        for j in range(3):
            out[n + 3 * i + j] = pieces[1][i, j]
            for k in range(2):
                out[4 * n + 6 * i + 2 * j + k] = pieces[2][i, j, k]
    for i in range(n):
        for j in range(3):
            for k in range(2):
                pieces[2][i, j, k] += 1


@pytest.mark.parametrize('shape', SHAPES)
def test_what_is_cut_is_a_view_of_its_shape(shape):
    """As a slice that is reshaped: nothing is copied."""
    flat = np.arange(40.0)
    piece = cut(flat, 3, shape)
    np.testing.assert_array_equal(piece, flat[3 : 3 + piece.size].reshape(shape))
    piece[...] = -1.0
    assert (flat == -1.0).sum() == piece.size == np.prod(shape)


@pytest.mark.parametrize('dtype', [np.float64, np.int64])
@pytest.mark.parametrize('n', [0, 1, 4])
def test_kernels_cut_the_same(dtype, n):
    """Numbers and integers, of one, two and three dimensions, read and written."""
    flat, out = np.arange(40, dtype=dtype), np.zeros(10 * n, dtype=dtype)
    _add_one(flat, 5, n, out)
    start = np.arange(40, dtype=dtype)
    expected = [start[5 : 5 + size * n] for size in (1, 3, 6)]
    np.testing.assert_array_equal(out, np.concatenate(expected))
    start[5 : 5 + 6 * n] += 1
    np.testing.assert_array_equal(flat, start)
