# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Whoever waits for the compiler is told so, again and again, until it is done."""

import time
from types import SimpleNamespace

from free_flyer_dynamics import patience
from free_flyer_dynamics.patience import Patience
from numba import float64, njit
from numba.experimental import jitclass
import pytest

INTERVAL = 0.02  # s
LONG = 5.0  # s


def told(module, kept_in='a folder'):
    """Return what Numba tells of a function of that module, when it begins and when it ends."""

    def function():
        """Do nothing."""

    function.__module__ = module
    stats = SimpleNamespace(cache_path=kept_in)
    return SimpleNamespace(data={'dispatcher': SimpleNamespace(py_func=function, stats=stats)})


def test_it_speaks_while_a_kernel_of_ours_is_compiled_and_no_longer(caplog):
    """Once that it begins, then again and again with the seconds; then its thread ends."""
    one, kernel = Patience(INTERVAL), told('free_flyer_dynamics.kernels.spatial')
    one.on_start(kernel)
    teller, end = one._teller, time.monotonic() + LONG
    while len(caplog.records) < 3:
        assert time.monotonic() < end
        time.sleep(INTERVAL)
    one.on_end(kernel)
    teller.join(LONG)
    assert not teller.is_alive()
    words = [record.getMessage() for record in caplog.records]
    assert words[0].startswith('Compiling kernels: ')
    assert words[1:] == ['Still compiling, 0 s so far.'] * (len(words) - 1)
    one.on_start(kernel)
    one.on_end(kernel)
    assert sum('Compiling kernels' in record.getMessage() for record in caplog.records) == 1


def test_after_a_rest_the_seconds_count_from_the_new_kernel(caplog, monkeypatch):
    """A minute of flight between two kernels was no compiling."""
    now = [100.0]
    clock = SimpleNamespace(monotonic=lambda: now[0], sleep=time.sleep)
    monkeypatch.setattr(patience, 'time', clock)
    one, kernel = Patience(INTERVAL), told('free_flyer_dynamics.kernels.spatial')
    one.on_start(kernel)
    one.on_end(kernel)
    now[0] += 60.0
    one.on_start(kernel)
    now[0] += 3.0
    end = time.monotonic() + LONG
    while len(caplog.records) < 2:
        assert time.monotonic() < end
        time.sleep(INTERVAL)
    one.on_end(kernel)
    now[0] += 1.0
    one._teller.join(LONG)
    assert caplog.records[1].getMessage() == 'Still compiling, 3 s so far.'


def test_of_what_somebody_else_compiles_it_says_nothing(caplog):
    """A user's own functions are no business of ours."""
    one, theirs = Patience(INTERVAL), told('their.module')
    one.on_start(theirs)
    time.sleep(5 * INTERVAL)
    one.on_end(theirs)
    assert one._teller is None
    assert not caplog.records


@pytest.mark.parametrize('folder', ['a folder', None])
def test_it_promises_no_quicker_start_where_there_is_none(folder, caplog):
    """Kernels that nobody may write down are compiled at each."""
    one, kernel = Patience(INTERVAL), told('free_flyer_dynamics.kernels.spatial', folder)
    one.on_start(kernel)
    one.on_end(kernel)
    assert caplog.text.count('are kept') == (folder is not None)


@pytest.mark.jit
def test_what_has_no_module_is_compiled_as_ever():
    """Numba makes such functions of a class; our listeners must not trip over them."""

    class Point:
        """A user's class."""

        def __init__(self):
            self.x = 2.0

    def double(point):
        return 2 * point.x

    double.__module__ = None
    point = jitclass([('x', float64)])(Point)()
    assert njit(double)(point) == 4.0
