# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Machine code that several kernels share."""

import json
import os
from pathlib import Path
import subprocess
import sys

from free_flyer_dynamics.engine import CLOSED_DOORS, DOORS, IMPACT_DOORS
from free_flyer_dynamics.kernels._jit import inlined, kernel, out_of_line
from free_flyer_dynamics.kernels._names import call_to, sign_of
from free_flyer_dynamics.kernels.tags import Lane
from numba import njit
import numpy as np
import pytest

PACKAGE = Path(__file__).parents[2]
KERNELS = """
@kernel
def deep(k):
    out_of_line()
    return 3 * k

@inlined
def between(k):
    return deep(k) + 1

@kernel
def shared(k):
    out_of_line()
    return deep(between(k))

@kernel
def one(k):
    return shared(k) + 1

@kernel
def two(k):
    return between(k) + shared(k)
"""
FILE = f"""
from free_flyer_dynamics.kernels._jit import inlined, kernel, out_of_line
{KERNELS}
"""
WIDTH = """
import os
LANES = int(os.environ.get('FREE_FLYER_LANES', '8'))
@kernel
def width(k):
    return LANES + k
"""
CALL = """
import json
from numba.core import event
class Listener(event.Listener):
    compiled = []
    def on_start(self, event):
        self.compiled.append(event.data['dispatcher'].py_func.__name__)
    def on_end(self, event):
        pass
event.register('numba:compile', Listener())
import called
print(json.dumps([called.{name}(4), Listener.compiled]))
"""


@pytest.fixture
def kernels():
    """Return kernels of no file, so that nothing comes from a cache."""
    room = {'__name__': __name__, 'inlined': inlined, 'kernel': kernel, 'out_of_line': out_of_line}
    exec(KERNELS, room)
    return room


@pytest.mark.jit
def test_code_is_compiled_once_and_called_where_it_lies(kernels):
    """Numba alone would compile it whole into each caller."""
    assert kernels['one'](4) == 40
    assert kernels['two'](4) == 52
    for name in ('deep', 'shared'):
        assert len(kernels[name].part().signatures) == 1
    for name in ('one', 'two'):
        (compiled,) = kernels[name].overloads.values()
        ours = 'deep', 'between', 'shared'
        assert not [f for f in compiled.library.symbols if any(each in f for each in ours)]
        assert len(compiled.library.needs) == 2


@pytest.mark.jit
def test_code_is_called_by_python_too(kernels):
    """By a door of its own, which has nothing in it."""
    assert kernels['shared'](4) == 39
    assert kernels['one'](4) == 40
    (door,) = kernels['shared'].overloads.values()
    (code,) = kernels['shared'].part().overloads.values()
    assert [*door.library.needs][-1] == code.library.name
    assert not [name for name in door.library.symbols if name in code.library.symbols]


def over(lane):
    """Return a function of a lane tag."""
    return lambda: lane


def test_a_function_of_a_tag_is_called_by_what_the_tag_is():
    """Not by where it lies: another process has another tag there."""
    tag, like, other = Lane('states', 2), Lane('states', 2), Lane('states', 4)
    assert sign_of(over(tag)) == sign_of(over(like))
    assert sign_of(over(tag)) != sign_of(over(other))
    assert sign_of(over(tag)) != sign_of(over(Lane('branches', 2)))


def test_functions_that_look_alike_are_told_apart():
    """Of one line, but for a constant or what they ask for; of tables that print alike."""
    twice, thrice = lambda x: 2.0 * x, lambda x: 3.0 * x
    assert sign_of(twice) != sign_of(thrice)
    real, imaginary = (lambda x: x.real), (lambda x: x.imag)
    assert sign_of(real) != sign_of(imaginary)
    assert sign_of(lambda k=2: k) != sign_of(lambda k=3: k)
    assert sign_of(lambda x: [2 * k for k in x]) != sign_of(lambda x: [3 * k for k in x])
    for table in (np.ones(1), np.ones(2000)):
        near = table.copy()
        near[len(near) // 2] += 1e-12
        assert repr(near) == repr(table)
        assert sign_of(over(near)) != sign_of(over(table))
        assert sign_of(over((2, near))) != sign_of(over((2, table)))
        assert sign_of(over(table.copy())) == sign_of(over(table))


def test_a_function_is_called_alike_in_all_processes():
    """Sets are not told by the order in which they happen to lie."""
    script = (
        'from free_flyer_dynamics.kernels._names import sign_of;'
        "print(sign_of(lambda x: x in {'a', 'b', 'c', 'd'} or [2 * k for k in x]))"
    )
    signs = {
        subprocess.run(
            [sys.executable, '-c', script],
            env={**os.environ, 'PYTHONHASHSEED': str(seed)},
            cwd=PACKAGE,
            capture_output=True,
            check=True,
        ).stdout
        for seed in range(1, 4)
    }
    assert len(signs) == 1


@pytest.mark.jit
def test_no_kernel_is_called_by_where_something_lies():
    """Those of all lanes among them."""
    doors = [*DOORS.values(), *CLOSED_DOORS.values(), *IMPACT_DOORS.values()]
    kernels = [each._kernel for door in doors for each in door]
    held = [cell.cell_contents for each in kernels for cell in each.py_func.__closure__]
    assert held
    assert not [each for each in held if hex(id(each)) in repr(each)]


@kernel
def _code_of_many(code, *more):
    out_of_line()
    return 100 * code + 10 * more[0] + len(more)


@kernel
def _code_of_two(code, called=3):
    out_of_line()
    return 10 * code + called


@pytest.mark.jit
def test_a_door_takes_arguments_as_its_kernel_does():
    """Whatever they are called, left out, by name, or as many as there are."""
    assert _code_of_two(1) == 13
    assert _code_of_two(called=5, code=2) == 25
    assert _code_of_many(1, 2, 9) == 122


@pytest.mark.jit
def test_errors_of_a_door_show_its_kernel():
    """Not the first lines of its file, where the licence is."""
    ours, door = _code_of_two.py_func.__code__, call_to(_code_of_two).__code__
    assert (door.co_filename, door.co_firstlineno) == (ours.co_filename, ours.co_firstlineno)


@pytest.mark.jit
def test_who_is_no_kernel_takes_all_in(kernels):
    """A library of Numba's own finds no other object."""
    two = kernels['two']
    assert njit(lambda k: two(k) + 1)(4) == 53


@pytest.mark.jit
def test_what_is_kept_of_a_door_has_all_that_it_calls(tmp_path):
    """What is kept of each code is for other kernels; a door does without."""
    (tmp_path / 'called.py').write_text(FILE)
    assert call('one', tmp_path) == [40, ['one', 'shared', 'between', 'deep']]
    assert call('one', tmp_path) == [40, []]
    assert call('two', tmp_path) == [52, ['two', 'between']]
    cache = tmp_path / '__pycache__'
    for kept in [*cache.glob('called.deep*.nb?'), *cache.glob('called.shared*.nb?')]:
        kept.unlink()
    assert call('one', tmp_path) == [40, []]
    assert call('two', tmp_path) == [52, []]


@pytest.mark.jit
def test_kernels_of_another_width_are_others(tmp_path):
    """How many lanes there are is no source that would have changed."""
    (tmp_path / 'called.py').write_text(FILE + WIDTH)
    assert call('width', tmp_path) == [12, ['width']]
    assert call('width', tmp_path, FREE_FLYER_LANES='4') == [8, ['width']]
    assert call('width', tmp_path) == [12, []]


@pytest.mark.jit
def test_kernels_that_look_for_the_ends_of_arrays_are_others(tmp_path):
    """Who asks for them gets them, whatever has been kept."""
    (tmp_path / 'called.py').write_text(FILE)
    for compiled in (['two', 'between', 'shared', 'deep'], []):
        for looks in ('0', '1'):
            _, found = call('two', tmp_path, NUMBA_BOUNDSCHECK=looks)
            assert sorted(found) == sorted(compiled)


@pytest.mark.jit
def test_where_numba_is_built_otherwise_kernels_are_compiled_its_way(tmp_path):
    """Kept too, and what Python calls is not taken for what kernels call."""
    unknown = (
        'from free_flyer_dynamics.kernels import _parts\n_parts.KNOWN, _parts._OURS = False, {}\n'
    )
    (tmp_path / 'called.py').write_text(unknown + FILE)
    for compiled in (['two', 'between', 'deep', 'shared'], []):
        returned, found = call('two', tmp_path)
        assert (returned, sorted(found)) == (52, sorted(compiled))
    for compiled in (['shared', 'between', 'deep'], []):
        returned, found = call('shared', tmp_path)
        assert (returned, sorted(set(found))) == (39, sorted(compiled))


def call(name, folder, **variables):
    """Return what a kernel of a fresh process returns, and what was compiled for it."""
    path = f'{folder}{os.pathsep}{PACKAGE}'
    environment = {**os.environ, 'PYTHONPATH': path, **variables}
    environment.pop('NUMBA_CACHE_DIR', None)
    script = CALL.format(name=name)
    command = [sys.executable, '-c', script]
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.jit
def test_kernels_of_others_are_made_anew_when_ours_have_changed(tmp_path, monkeypatch):
    """They have some of ours in them, and we how they are kept."""
    (tmp_path / 'called.py').write_text(FILE)
    assert call('two', tmp_path)[1]
    assert not call('two', tmp_path)[1]
    other = 'from free_flyer_dynamics.kernels import _code\n_code.our_digest = lambda: "other"'
    monkeypatch.setitem(globals(), 'CALL', other + CALL)
    _, compiled = call('two', tmp_path)
    assert sorted(compiled) == ['between', 'deep', 'shared', 'two']
