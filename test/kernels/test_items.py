# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Numbers of arrays, read and written by kernels."""

from free_flyer_dynamics.kernels._jit import kernel
import numpy as np
import pytest


@kernel
def _move(source, target):
    """Turn a table of three dimensions round, by indices of every kind."""
    for i in range(source.shape[0]):
        for j in range(source.shape[1]):
            target[source.shape[2] - 1, j, i] = source[i, j, -1]
            target[0, j, i] = source[i, j, 0]
    target[-1, -1, -1] = 7
    return source[np.uint8(1), -2, np.int32(0)]


@kernel
def _in_row(source, k):
    return source[k], source[-1], source[np.uint64(0)]


@kernel
def _in_table(source, i, j):
    return source[i, j]


@kernel
def _add_one(number):
    number[()] = number[()] + 1
    return number[()]


@kernel
def _write(column, k, value):
    column[k] = value
    return column[k]


@pytest.mark.jit
def test_tables_are_read_and_written_as_python_does():
    """Constants below zero count from the end, inside a tuple too."""
    source = np.arange(24.0).reshape(3, 4, 2)
    for kind in (np.float64, np.int64, np.float32, np.uint8):
        ours, plain = np.zeros((2, 4, 3), kind), np.zeros((2, 4, 3), kind)
        assert _move(source, ours) == _move.py_func(source, plain) == 12.0
        assert np.array_equal(ours, plain)


@pytest.mark.jit
def test_other_arrays_are_read_as_ever():
    """With gaps between numbers, in columns, of truth values or complex, aligned to nothing."""
    wide = np.arange(12.0)
    apart = np.zeros(4, dtype=[('byte', 'u1'), ('number', 'f8')])['number']
    apart[:] = 1.0, 2.0, 3.0, 4.0
    for column in (wide[::3], wide[::-1], apart, wide > 5, 1j * wide):
        assert _in_row(column, 1) == (column[1], column[-1], column[0])
    table = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    for view in (table, table[:, ::2], table.T):
        assert _in_table(view, 1, 0) == view[1, 0]


@pytest.mark.jit
def test_an_array_without_dimensions_is_a_number():
    """It has no index to count by."""
    number = np.array(2.0)
    assert _add_one(number) == number == 3.0


@pytest.mark.jit
def test_a_value_becomes_what_the_array_holds():
    """As in Python: numbers are cast."""
    assert _write(np.zeros(2, np.int64), 1, 2.9) == 2
    assert _write(np.zeros(2), 0, 3) == 3.0
    assert _write(np.zeros(2, np.float32), 0, 0.1) == np.float32(0.1)
    assert _write(np.zeros(2, np.bool_), 0, True) is True
