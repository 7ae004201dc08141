# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Records are handed over by address; whoever calls a kernel, and whatever it does with them."""

from types import FunctionType
from typing import NamedTuple

from free_flyer_dynamics.direct import Direct
from free_flyer_dynamics.kernels._by_address import is_record
from free_flyer_dynamics.kernels._jit import kernel, out_of_line
from free_flyer_dynamics.tree import Tree
from numba import njit, typeof
import numpy as np
import pytest


class Inner(NamedTuple):
    """Fields of one type."""

    a: np.ndarray
    b: np.ndarray


class Outer(NamedTuple):
    """Fields of different types, a record among them."""

    inner: Inner
    counts: np.ndarray
    scale: float


class Numbers(NamedTuple):
    """No arrays: nothing to be gained."""

    x: float
    y: float


for each in (Inner, Outer, Numbers):
    each.__module__ = Tree.__module__  # as if they were the package's own


def record(start):
    """Return a record that tells where its numbers come from."""
    inner = Inner(np.arange(start, start + 3.0), np.zeros(3))
    return Outer(inner, np.array([2, 0, 1]), 10.0)


@kernel
def _pick(outer, k):
    out_of_line()
    return outer.scale * outer.inner.a[outer.counts[k]]


@kernel
def _exchanged(outer):
    return Outer(Inner(outer.inner.b, outer.inner.a), outer.counts, -outer.scale)


@kernel
def _picked_from_another(outer, k):
    return _pick(_exchanged(outer), k)


@kernel
def _both(one, other, k):
    """Hand on what came, a part of it, and what is made here; the same place serves each turn."""
    total = 0.0
    for turn in range(3):
        chosen = one
        if turn == 1:
            chosen = _exchanged(other)
        total = 10 * total + _pick(chosen, k)
        _write(chosen.inner, k, total)
    return total


@kernel
def _write(inner, k, value):
    out_of_line()
    inner.b[k] = value


@kernel
def _sum(numbers):
    out_of_line()
    return numbers.x + numbers.y


def expected(one, other, k):
    """Return the same by Python itself."""
    uncompiled = {'_exchanged': _exchanged.py_func}  # a door would hand out arrays
    both = FunctionType(_both.py_func.__code__, {**globals(), **uncompiled})
    return both(one, other, k)


@pytest.mark.jit
def test_records_are_what_they_were_where_they_come_from():
    """Handed on, taken apart, made anew in a loop: each call sees its own."""
    for k in range(3):
        ours, plain = (record(1.0), record(4.0)), (record(1.0), record(4.0))
        assert _both(*ours, k) == expected(*plain, k)
        for mine, theirs in zip(ours, plain, strict=True):
            assert np.array_equal(mine.inner.b, theirs.inner.b)
            assert np.array_equal(mine.inner.a, theirs.inner.a)


@pytest.mark.jit
def test_functions_of_others_hand_records_to_kernels_too():
    """They are compiled as Numba does, and agree on where records are."""

    @njit
    def others(outer, k):
        return _pick(outer, k) + _picked_from_another(outer, k)

    assert others(record(1.0), 0) == 30.0


@pytest.mark.jit
def test_only_tuples_of_arrays_are_records():
    """Numbers stay where they are quick, and what others have named is theirs."""

    class Foreign(NamedTuple):
        a: np.ndarray
        b: np.ndarray

    assert is_record(typeof(record(0.0)))
    assert is_record(typeof(record(0.0).inner))
    assert not is_record(typeof(Numbers(1.0, 2.0)))
    assert not is_record(typeof(Foreign(np.zeros(1), np.zeros(1))))
    assert not is_record(typeof((np.zeros(1), np.zeros(1))))
    assert _sum(Numbers(1.0, 2.0)) == 3.0


@pytest.mark.jit
def test_a_kernels_code_takes_a_record_as_one_argument():
    """Not as seven for each of its arrays."""
    _pick(record(0.0), 0)
    (code,) = _pick.part().overloads.values()
    (function,) = [
        each
        for each in code.library._final_module.functions
        if code.fndesc.llvm_func_name == each.name
    ]
    assert len(list(function.arguments)) == 4  # the result, errors, the record, and k


@pytest.mark.jit
@pytest.mark.parametrize(
    'wrong',
    [
        None,
        tuple(record(1.0))[:1],
        (*record(1.0), 1.0),
        record(1.0)._replace(inner=None),
        record(1.0)._replace(inner=(np.zeros(3),)),
        record(1.0)._replace(counts=[2, 0, 1]),
        record(1.0)._replace(counts=np.zeros(3, np.int8)),
        record(1.0)._replace(scale='ten'),
    ],
)
def test_what_is_no_such_record_is_refused(wrong):
    """Where nobody looks at types before; and the next call is none the worse for it."""
    pick = Direct(_pick)
    assert pick(record(1.0), 0) == 30.0
    with pytest.raises(TypeError):
        pick(wrong, 0)
    assert pick(record(1.0), 0) == 30.0
