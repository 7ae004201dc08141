# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Calls of kernels that cannot fail are not looked after; errors of others arrive as ever."""

from pathlib import Path
import subprocess
import sys

from free_flyer_dynamics.kernels._jit import inlined, kernel, out_of_line
from free_flyer_dynamics.kernels._parts import KNOWN
from numba import njit
import pytest

PACKAGE = Path(__file__).parents[2]
FILE = """
from free_flyer_dynamics.kernels._jit import kernel, out_of_line
@kernel
def strict(k):
    out_of_line()
    if k < 0:
        raise ValueError('below zero')
    return k
@kernel
def one(k):
    return strict(k) + 1
@kernel
def two(k):
    return strict(k) + 2
"""

ASKED = """
from free_flyer_dynamics.kernels._jit import kernel
from numba import njit
import numpy as np
@kernel
def total(row, k):
    if k > len(row):
        raise IndexError('beyond its end')
    found = 0.0
    for n in range(k):
        found += row[n]
    return found
@kernel
def door(row, k):
    return total(row, k)
@njit
def asks_first(row, k):
    return total(row, k)
row = np.arange(5.0)
assert asks_first(row, 3) == door(row, 3) == 3.0
"""


@kernel
def _strict_code(k):
    out_of_line()
    if k < 0:
        raise ValueError('below zero')
    return 2 * k


@kernel
def _strict_part(k):
    if k > 9:
        raise IndexError('beyond nine')
    return k


@kernel
def _quiet_code(k):
    out_of_line()
    return k + 1


@inlined
def _quiet_part(k):
    return _quiet_code(k) + 1


@kernel
def _between(k):
    return _strict_code(_strict_part(k)) + _quiet_part(k)


@kernel
def _door(k):
    total = 0
    for n in range(3):
        total += _between(k + n)
    return total


@kernel
def _none_beyond(k):
    return None if k > 3 else 2 * k


@kernel
def _none_or_error(k):
    if k < 0:
        raise ValueError('below zero')
    return None if k > 3 else 2 * k


@kernel
def _optional(k):
    quiet, strict = _none_beyond(k), _none_or_error(k)
    return -1 if quiet is None or strict is None else quiet + strict


def is_quiet(part):
    """Tell of a compiled part, or code, whether calls of it are not looked after."""
    (compiled,) = part.overloads.values()
    return compiled.fndesc.llvm_func_name in compiled.library.quiet


@pytest.mark.jit
def test_errors_arrive_through_calls_that_are_looked_after():
    """From code and from parts, by a kernel that calls quiet ones too."""
    assert _door(1) == _door.py_func(1)
    with pytest.raises(ValueError, match='below zero'):
        _door(-1)
    with pytest.raises(IndexError, match='beyond nine'):
        _door(8)
    with pytest.raises(ValueError, match='below zero'):
        njit(lambda k: _between(k))(-1)


@pytest.mark.jit
@pytest.mark.skipif(not KNOWN, reason='Numba is built otherwise')
def test_what_cannot_fail_is_known_from_how_it_ends():
    """Who calls what can fail can fail."""
    _door(1)
    for quiet in (_quiet_code, _quiet_part):
        assert is_quiet(quiet.part())
    for loud in (_strict_code, _strict_part, _between):
        assert not is_quiet(loud.part())


@pytest.mark.jit
def test_code_that_was_kept_still_fails(tmp_path):
    """For a caller that is compiled where the code was loaded."""
    (tmp_path / 'called.py').write_text(FILE)
    for name in ('one', 'two'):
        script = f'import sys; sys.path.append({str(PACKAGE)!r}); import called; called.{name}(-1)'
        done = subprocess.run(
            [sys.executable, '-c', script], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 1
        assert 'ValueError: below zero' in done.stderr


@pytest.mark.jit
def test_a_part_may_return_nothing():
    """Where it can fail, and where it cannot."""
    assert _optional(2) == 8
    assert _optional(4) == -1
    with pytest.raises(ValueError, match='below zero'):
        _optional(-1)


@pytest.mark.jit
def test_functions_of_others_may_ask_for_a_part_first(tmp_path):
    """It is called as parts are all the same, now and where it was kept."""
    (tmp_path / 'asked.py').write_text(ASKED)
    script = f'import sys; sys.path.append({str(PACKAGE)!r}); import asked'
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, '-c', script], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
