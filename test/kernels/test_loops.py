# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Loops through ranges, as kernels count."""

import itertools

from free_flyer_dynamics.kernels._jit import kernel, shared
from free_flyer_dynamics.kernels._parts import KNOWN
from numba.core.errors import LoweringError
import numpy as np
import pytest

pytestmark = pytest.mark.jit


@kernel
def _digits(start, stop, step):
    """Write what a loop counts as digits, and what is left of it."""
    found, last = 1, -7
    for number in range(start, stop, step):
        found = 31 * found + number
        last = number
    return found, last


@kernel
def _triangles(n):
    """Go through loops in loops, that end early, that change the number, or that never begin."""
    total = 0
    for i in range(n):
        for j in range(i, 2 * n):
            if j > n + i:
                break
            if j % 3 == 0:
                continue
            total += 10 * i + j
            j += 5
        for _ in range(-i):
            total = -1
        else:
            total += 1
    numbers = range(n)
    for i in numbers:
        for k in numbers:
            total += i * k
    return total + len(numbers)


@kernel
def _narrow(n):
    total = 0
    for k in range(np.int32(n)):
        total += k
    for k in range(np.uint8(n)):
        total += k
    return total


@kernel
def _sum(numbers):
    total = 0.0
    for k in range(len(numbers)):
        total += numbers[k]
    for each in numbers:
        total += each
    for k, each in enumerate(numbers):
        total += k * each
    return total


@shared
def _even(n):
    return range(0, n, 2)


@kernel
def _other_ranges(n):
    """Add up ranges that are not written as one."""
    total = 0
    for k in _even(n):
        total += k
    for k in range(*(1, n)):
        total += 100 * k
    return total


@kernel
def _by_iter(n):
    total, numbers = 0, iter(range(n))
    for a, b in zip(numbers, numbers):  # noqa: B905
        total += a * b
    return total


@kernel
def _door(numbers):
    return _counted(numbers)


@kernel
def _counted(numbers):
    total = 0.0
    for k in range(len(numbers)):
        total += numbers[k]
    return total


def test_a_loop_counts_what_python_counts():
    """Up and down, by one and more, with nothing to count too."""
    for start, stop in itertools.product(range(-3, 4), repeat=2):
        for step in (-3, -2, -1, 1, 2, 3):
            assert _digits(start, stop, step) == _digits.py_func(start, stop, step)


def test_a_step_of_zero_leads_nowhere():
    """Kernels raise nothing, and would else never end."""
    for start, stop in ((0, 3), (3, 0), (1, 1)):
        assert _digits(start, stop, 0) == (1, -7)


def test_loops_in_loops_are_each_their_own():
    """One range may be gone through twice at once."""
    for n in range(6):
        assert _triangles(n) == _triangles.py_func(n)


def test_other_loops_are_as_ever():
    """Through ranges of narrow numbers, through arrays, through what is numbered."""
    assert _narrow(5) == 20
    numbers = np.arange(5.0)
    assert _sum(numbers) == _sum.py_func(numbers)


def test_a_range_may_come_from_elsewhere():
    """From a function, or with its bounds in a tuple."""
    assert _other_ranges(7) == _other_ranges.py_func(7)


@pytest.mark.skipif(not KNOWN, reason='Numba is built otherwise')
def test_an_iterator_by_hand_is_refused():
    """It would not know how many numbers are left."""
    with pytest.raises(LoweringError, match='by `for` alone'):
        _by_iter(6)


@pytest.mark.skipif(not KNOWN, reason='Numba is built otherwise')
def test_a_loop_cannot_fail():
    """Whoever calls it need not look whether it went well."""
    assert _door(np.arange(4.0)) == 6.0
    (compiled,) = _counted.part().overloads.values()
    assert compiled.fndesc.llvm_func_name in compiled.library.quiet
