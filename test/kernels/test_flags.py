# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Numba's flags compared at once, as Numba compares them."""

from free_flyer_dynamics.kernels._flags import is_known, quick_flags
from numba.core.compiler import Flags
from numba.core.targetconfig import TargetConfig
import pytest


def some_flags() -> list[Flags]:
    """Return flags that differ in what is set, by value, and by default."""
    plain, set_as_by_default, nogil, other = (Flags() for _ in range(4))
    set_as_by_default.nrt = plain.nrt
    nogil.release_gil = True
    other.fastmath = {'contract'}
    return [plain, set_as_by_default, nogil, other]


def test_they_tell_the_same_as_numba():
    flags = some_flags()
    slowly = [(each.values(), hash(each)) for each in flags]
    equal = [[a == b for b in flags] for a in flags]
    with quick_flags():
        assert [(each.values(), hash(each)) for each in flags] == slowly
        assert [[a == b for b in flags] for a in flags] == equal


def test_numba_is_left_as_it_was_whatever_happens():
    before = TargetConfig.values
    with pytest.raises(KeyboardInterrupt), quick_flags():
        assert TargetConfig.values is not before
        raise KeyboardInterrupt
    assert TargetConfig.values is before


def test_they_are_compared_at_once_until_the_last_has_done():
    """A kernel compiles those that it calls."""
    before = TargetConfig.values
    with quick_flags():
        with quick_flags():
            pass
        assert TargetConfig.values is not before
    assert TargetConfig.values is before


def test_a_numba_that_keeps_them_otherwise_is_left_alone():
    assert is_known(TargetConfig)
    assert not is_known(None)
    assert not is_known(type('Other', (), {'values': lambda flags: {}}))
