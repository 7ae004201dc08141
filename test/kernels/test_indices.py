# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Kernels take indices as they are; whoever else is compiled counts from the end as ever."""

from free_flyer_dynamics.kernels import _indices
from free_flyer_dynamics.kernels._indices import quick_indices
from free_flyer_dynamics.kernels._jit import kernel, out_of_line
from free_flyer_dynamics.kernels._parts import KNOWN
from numba import njit
import numpy as np
import pytest

TABLE = np.arange(6.0)
AMID = TABLE[3:]


def _entry(column, k):
    return column[k]


@kernel
def _last(column):
    return column[-1]


@kernel
def _part(column, k):
    return column[k]


@kernel
def _asked_first(table, i, j):
    return table[i, j]


@kernel
def _asks(table, i, j):
    return _asked_first(table, i, j)


@kernel
def _code(column, k):
    out_of_line()
    return column[k]


@kernel
def _both(column, k):
    return _part(column, k), _code(column, k)


@pytest.mark.jit
@pytest.mark.skipif(not (KNOWN and _indices._WANTED), reason='Numba is built otherwise')
def test_kernels_do_not_look_whether_an_index_is_below_zero():
    """Doors, parts and code read what lies before the column; Numba alone would read the last."""
    assert _both(AMID, -1) == (2.0, 2.0)
    assert kernel(_entry)(AMID, -1) == 2.0


@pytest.mark.jit
def test_a_constant_counts_from_the_end():
    """As it is written, so it is meant."""
    assert _last(AMID) == 5.0


@pytest.mark.jit
def test_functions_of_others_count_from_the_end():
    """Compiled in another thread while a kernel is, say; and a kernel that they call, for them."""
    with quick_indices():
        assert njit(_entry)(AMID, -1) == 5.0
        assert njit(lambda column, k: _part(column, k))(AMID, -1) == 5.0
    assert njit(_entry)(AMID, -1) == 5.0


@pytest.mark.jit
@pytest.mark.skipif(not (KNOWN and _indices._WANTED), reason='Numba is built otherwise')
def test_a_part_is_the_same_whoever_asks_for_it_first():
    """A function of others has it typed, and takes a whole one; a kernel takes the part."""
    columns = np.asfortranarray(np.arange(12.0).reshape(4, 3))[1:3]
    others = njit(lambda table, i, j: _asked_first(table, i, j))
    assert others(columns, -1, 0) == columns[-1, 0]
    assert _asks(columns, -1, 0) == 0.0
