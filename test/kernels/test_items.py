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
def _from_the_end(table, k):
    """Read and write where a constant below zero is one index of two, and cut by it."""
    table[-1, k] += 7
    table[k, -2] = table[-2, k]
    table[1:, -1] = table[-1, k]
    return table[-1, k], table[k, -1], _weighed(table[1:, -1]), _weighed(table[-1, :2])


@kernel
def _of_fields(rows):
    return rows['number'][1], rows[2]['byte'], rows[-1]['number']


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
        ours, plain = table.copy('F'), table.copy('F')
        assert _from_the_end(ours, 1) == _from_the_end.py_func(plain, 1)
        assert np.array_equal(ours, plain)
    rows = np.array([(1, 2.0), (3, 4.0), (5, 6.0)], dtype=[('byte', 'u1'), ('number', 'f8')])
    assert _of_fields(rows) == (4.0, 5, 6.0)


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


@kernel
def _rows(table, deep, k, out):
    """Add what is cut out of tables, by indices of every kind."""
    out[0] = _total(table[k]) + 2 * _total(table[-1]) + 3 * _total(table[0])
    out[1] = _total(deep[k, 1]) + 2 * _total(deep[-1, -2]) + 3 * _total(deep[np.uint8(0), k])
    out[2] = _total(deep[k][0]) + 2 * _total(deep[1, k:][0])
    deep[k, 0][1] = out[0]
    deep[0][k, 1] = out[1]


@kernel
def _slices(row, first, end):
    return (
        _weighed(row[first:end]),
        _weighed(row[first:]),
        _weighed(row[:end]),
        _weighed(row[:]),
        _weighed(row[-2:]),
        _weighed(row[:-1]),
        _weighed(row[1:3]),
        _weighed(row[first:end][1:]),
    )


@kernel
def _blocks(table, first, end):
    part = table[1, first:end]
    rows = table[first:end]
    part[:1] = -1.0
    return _weighed(part), rows.shape, rows.size, _weighed(rows.reshape(rows.size))


@kernel
def _every_other(row, first):
    return _weighed(row[first::2]), _weighed(row[::-1])


@kernel
def _total(row):
    total = 0.0
    for each in row:
        total += each
    return total


@kernel
def _weighed(row):
    total = len(row) * 1000.0
    for k in range(len(row)):
        total += (k + 1) * row[k]
    return total


@pytest.mark.jit
def test_rows_are_cut_out_as_python_does():
    """Rows of rows, of tables of numbers of any kind, and written to where they lie."""
    for kind in (np.float64, np.int64, np.float32):
        tables = [np.arange(12).reshape(3, 4).astype(kind) for _ in range(2)]
        deeper = [np.arange(24).reshape(2, 3, 4).astype(kind) for _ in range(2)]
        ours, plain = np.zeros(3), np.zeros(3)
        _rows(tables[0], deeper[0], 1, ours)
        _rows.py_func(tables[1], deeper[1], 1, plain)
        assert np.array_equal(ours, plain)
        assert np.array_equal(deeper[0], deeper[1])


@pytest.mark.jit
def test_slices_begin_and_end_as_python_says():
    """Beyond either end, from the end, the wrong way round."""
    row = np.arange(1.0, 6.0)
    for first in range(-8, 9):
        for end in range(-8, 9):
            assert _slices(row, first, end) == _slices.py_func(row, first, end)
    assert _slices(row[:0], 0, 3) == _slices.py_func(row[:0], 0, 3)


@pytest.mark.jit
def test_slices_of_tables_are_tables():
    """Of rows, and within one."""
    for first, end in ((0, 2), (1, 9), (2, 1), (-2, 3)):
        ours, plain = np.arange(12.0).reshape(3, 4), np.arange(12.0).reshape(3, 4)
        assert _blocks(ours, first, end) == _blocks.py_func(plain, first, end)
        assert np.array_equal(ours, plain)


@pytest.mark.jit
def test_slices_with_steps_are_as_ever():
    """They are no longer one number beside the other."""
    row = np.arange(7.0)
    assert _every_other(row, 1) == _every_other.py_func(row, 1)
