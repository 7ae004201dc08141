# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Arrays handed to parts of kernels, by where they lie and how long they are."""

from free_flyer_dynamics.kernels._jit import kernel, out_of_line
from free_flyer_dynamics.kernels._parts import KNOWN
from llvmlite import binding
from numba import njit
from numba.core.errors import LoweringError
import numpy as np
import pytest

pytestmark = pytest.mark.jit


@kernel
def _told(array, weight):
    """Return what an array says of itself, with what is in it."""
    total = 0.0
    for each in array.flat:
        total = weight * total + each
    return array.size, array.ndim, array.itemsize, array.shape, array.strides, total


@kernel
def _through_a_part(array, weight):
    return _told(array, weight)


@kernel
def _in_code(array, weight):
    out_of_line()
    return _told(array, weight)


@kernel
def _through_code(array, weight):
    return _in_code(array, weight)


@kernel
def _strict(array, k):
    if k >= len(array):
        raise IndexError('beyond its end')
    array[k] += 1
    return array


@kernel
def _twice(array, k):
    _strict(array, k)
    return _strict(array, k + 1)[k]


@kernel
def _one_by_one(array):
    yield array[0]
    yield array[1]


@kernel
def _handed_out(array):
    return 1.0, array


@kernel
def _handed_out_or_not(array):
    return array if array[0] > 0 else None


ARRAYS = {
    'one dimension': np.arange(5.0),
    'two': np.arange(6.0).reshape(2, 3),
    'three': np.arange(24.0).reshape(2, 3, 4),
    'integers': np.arange(6).reshape(3, 2),
    'narrow ones': np.arange(4, dtype=np.int16),
    'narrow numbers': np.arange(4, dtype=np.float32),
    'nothing': np.zeros((3, 0)),
    'truth': np.array([True, False, True]),
    'with gaps': np.arange(12.0).reshape(3, 4)[:, ::2],
    'backwards': np.arange(5.0)[::-1],
    'by columns': np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    'read only': np.frombuffer(np.arange(3.0).tobytes()),
}


@pytest.mark.parametrize('name', ARRAYS)
def test_an_array_arrives_whole(name):
    """Of any kind, also through code, and in a function of others."""
    array = ARRAYS[name]
    expected = _told.py_func(array, 2.0)
    assert expected[3:5] == (array.shape, array.strides) or 0 in array.shape
    for call in (_through_a_part, _through_code, njit(lambda a, w: _told(a, w))):
        told = call(array, 2.0)
        assert told[:4] + told[5:] == expected[:4] + expected[5:]
        assert told[4] == array.strides or array.size < 2


def test_what_a_part_returns_and_raises_arrives():
    """An array that came, and an error."""
    numbers = np.zeros(3)
    assert _twice(numbers, 1) == 1.0
    assert list(numbers) == [0.0, 1.0, 1.0]
    with pytest.raises(IndexError, match='beyond its end'):
        _twice(numbers, 2)


@pytest.mark.skipif(not KNOWN, reason='Numba is built otherwise')
def test_no_kernel_hands_python_an_array():
    """Whose it is, it cannot say; nor does it hand out one number after the other."""
    with pytest.raises(LoweringError, match='it returns none'):
        _handed_out(np.zeros(3))
    with pytest.raises(LoweringError, match='it returns none'):
        _handed_out_or_not(np.zeros(3))
    with pytest.raises(LoweringError, match='yields nothing'):
        _one_by_one(np.zeros(3))


@pytest.mark.skipif(not KNOWN, reason='Numba is built otherwise')
def test_no_more_of_it_is_handed_on_than_is_needed():
    """Of three dimensions an address and three numbers, and as many as ever of one with gaps."""
    counts = {}
    for name in ('three', 'with gaps'):
        _through_a_part(ARRAYS[name], 2.0)
    for signature, compiled in _told.part().overloads.items():
        module = binding.parse_assembly(compiled.library.get_llvm_str())
        function = module.get_function(compiled.fndesc.llvm_func_name)
        counts[signature[0].ndim, signature[0].layout] = len([*function.arguments])
    told_of_it = 2 + 1  # where the answer and an error go; the weight
    assert counts[3, 'C'] == told_of_it + 4
    assert counts[2, 'A'] == told_of_it + 9
