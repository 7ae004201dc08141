# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What Numba is answered at once, and where variables are kept, while kernels are compiled."""

from functools import wraps
import operator

from free_flyer_dynamics.kernels._answers import quick_answers
from free_flyer_dynamics.kernels._jit import inlined, kernel
from free_flyer_dynamics.kernels._lower import set_once
from numba import float64, int64, types
from numba.core import base, event, ir
from numba.core.compiler import run_frontend
from numba.core.registry import cpu_target
from numba.core.types.functions import BaseFunction
import numpy as np
import pytest

LISTENED = (
    (BaseFunction, 'get_call_type'),
    (ir.Stmt, 'list_vars'),
    (ir.Expr, 'list_vars'),
    (event, 'install_timer'),
    (base, '_has_loc'),
)
TAKES = """
@inlined
def pair(a, b):
    return a + b, a - b

@kernel
def takes_apart(numbers, count):
    first = pair(numbers[0], numbers[1])
    last = first
    total = 0.0
    for i in range(count):
        if i % 2:
            total += first[0] + last[1]
            last = pair(last[0], numbers[i])
        else:
            inner = pair(total, numbers[i])
            for j in range(2):
                total += inner[1] * first[j]
    return total + last[0]
"""


def various(a, b, items):
    total = 0
    for k in range(a):
        if k in items:
            total += {'a': a, 'b': (b, k)}['a']
        items[k:a] = [b, total]
    return items[0], total


def test_variables_of_a_line_are_those_that_numba_finds():
    lines = [line for block in run_frontend(various).blocks.values() for line in block.body]
    held = [line.value for line in lines if isinstance(getattr(line, 'value', None), ir.Expr)]
    slowly = [each.list_vars() for each in [*lines, *held]]
    with quick_answers():
        assert [each.list_vars() for each in [*lines, *held]] == slowly
    assert sum(map(len, slowly)) > 50


@pytest.mark.parametrize('function', [operator.add, operator.mul, operator.lt, abs])
def test_calls_have_the_types_that_numba_finds(function):
    """The second time, too."""
    context = cpu_target.typing_context
    context.refresh()
    kinds = [(int64, float64), (float64, float64), (types.literal(4), int64)]
    kinds = [(a,) for a, _ in kinds] if function is abs else kinds
    slowly = [context.resolve_function_type(function, each, {}) for each in kinds]
    with quick_answers():
        for _ in range(2):
            assert [context.resolve_function_type(function, each, {}) for each in kinds] == slowly


def wrapped(function):
    """Return a function whose code is that of all that are wrapped so."""

    @wraps(function)
    def wrapper(*given, **more):
        return function(*given, **more)

    return wrapper


def test_whether_a_function_takes_a_location_is_what_numba_finds():
    """Of what is wrapped it is the inner one that tells."""
    functions = [lambda x: x, lambda x, loc: x]
    functions += [*map(wrapped, functions)]
    slowly = [base._has_loc(each) for each in functions]
    assert slowly == [False, True] * 2
    with quick_answers():
        for _ in range(2):
            assert [base._has_loc(each) for each in functions] == slowly


def test_numba_is_left_as_it_was():
    before = [getattr(*each) for each in LISTENED]
    with quick_answers():
        assert all(getattr(*each) is not old for each, old in zip(LISTENED, before, strict=True))
    assert [getattr(*each) for each in LISTENED] == before


@pytest.mark.jit
@pytest.mark.parametrize('count', [0, 1, 2, 5])
def test_what_is_set_once_or_in_a_loop_is_as_python_has_it(count):
    """Before a loop, in it, and from one turn of it to the next."""
    room = {'__name__': __name__, 'kernel': kernel, 'inlined': inlined}
    exec(TAKES, room)
    takes_apart = room['takes_apart']
    plain = {'kernel': lambda each: each, 'inlined': lambda each: each}
    exec(TAKES, plain)
    numbers = np.arange(1.0, 8.0)
    assert takes_apart(numbers, count) == plain['takes_apart'](numbers, count)


def test_what_is_set_once_before_it_is_read_needs_no_memory():
    """Numba alone keeps there what is read in another block."""

    def function(a, b):
        first = a + b
        last = first
        for k in range(b):
            if k > first:
                late = k
            inner = first * k
            if k:
                last += inner
        return last + late

    once = set_once(run_frontend(function).blocks)
    assert once >= {'a', 'b', 'first', 'inner'}
    assert not once & {'last', 'late'}
