# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A cold start shared by two processes."""

from pathlib import Path
import sys
from threading import Thread
import time
from types import SimpleNamespace

import free_flyer_dynamics as ffd
from free_flyer_dynamics import ahead as second
from free_flyer_dynamics import rehearsal
from free_flyer_dynamics.engine import DOORS
from free_flyer_dynamics.kernels.arrange import lay_out
from free_flyer_dynamics.kernels.fill import furnish, put_state
from free_flyer_dynamics.kernels.structure import compile_structure
from free_flyer_dynamics.urdf import load_known
from numba import njit
import pytest

ROBOT = Path(__file__).parents[1] / 'urdf' / 'thesis_seven_joint.urdf'
SLOW = """
import sys, time
for name in ('lay_out', 'run'):
    print(name, flush=True)
    time.sleep(0.5)
"""


@pytest.mark.jit
@pytest.mark.filterwarnings('ignore::free_flyer_dynamics.ModelWarning')
def test_what_is_rehearsed_is_what_a_first_step_calls(capsys):
    """One variant of each kernel: rehearsed for other types, a start would compile it again."""
    rehearsal.rehearse(limbs=1)
    assert set(capsys.readouterr().out.split()) == set(second.LATER)
    sim = ffd.Simulator()
    sim.add(ffd.load_urdf(ROBOT))
    sim.step()
    for kernel in (lay_out, furnish, put_state, DOORS[1][0]._kernel):
        assert len(kernel.signatures) == 1, kernel


@pytest.mark.parametrize(
    ('name', 'limbs'),
    [('thesis_seven_joint', 1), ('thesis_planar_dual_arm', 2), ('four_arm_37dof', 4)],
)
def test_a_model_that_was_loaded_tells_how_many_limbs_to_expect(name, limbs, monkeypatch):
    """Wheels are none, nor is an arm two for the fixed joints on it."""
    told = []
    monkeypatch.setattr(second.ahead, 'expect', told.append)
    load_known(ROBOT.with_name(f'{name}.urdf'))
    assert told == [limbs]


def waited(monkeypatch, script, names):
    """Return how long each of those kernels is waited for [s], with that second process."""
    monkeypatch.setattr(second, '_SCRIPT', script)
    ahead = second.Ahead()
    ahead.begin()
    times = []
    for name in names:
        start = time.monotonic()
        ahead.wait_for(name)
        times.append(time.monotonic() - start)
    return times


def test_each_kernel_is_waited_for_until_it_is_there(monkeypatch):
    """What the second process does not compile is not waited for."""
    survey, _lay_out, run, again = waited(
        monkeypatch, SLOW, ('survey', 'lay_out', 'run', 'lay_out')
    )
    assert survey < 0.1
    assert run > 0.4
    assert again < 0.1


def test_a_second_process_that_dies_is_not_waited_for(monkeypatch):
    """The first then compiles all by itself."""
    (time_lost,) = waited(monkeypatch, 'raise SystemExit(1)', ('run',))
    assert time_lost < 5


def test_a_python_that_cannot_be_started_again_goes_on_alone(monkeypatch):
    """As where Python is a part of another program."""
    monkeypatch.setattr('sys.executable', '/nowhere/python')
    (time_lost,) = waited(monkeypatch, SLOW, ('run',))
    assert time_lost < 0.1


@pytest.mark.jit
def test_it_begins_only_where_what_is_compiled_is_kept(monkeypatch):
    """With nowhere to meet, the first would wait for what it cannot have."""
    begun = []
    monkeypatch.setattr(second.ahead, 'begin', lambda: begun.append(True))
    for options, count in (({}, 0), ({'cache': True}, 1)):
        dispatcher = njit(**options)(compile_structure.py_func)
        second._ColdStart().on_start(SimpleNamespace(data={'dispatcher': dispatcher}))
        assert len(begun) == count


def test_a_program_with_python_inside_is_not_started_again(monkeypatch, tmp_path):
    """It would take our script for its own business, or none, and fly all over."""
    program, trace = tmp_path / 'program', tmp_path / 'trace'
    program.write_text(f'#!/bin/sh\necho again > {trace}\n')
    program.chmod(0o755)
    monkeypatch.setattr('sys.executable', str(program))
    waited(monkeypatch, SLOW, ('run',))
    assert not trace.exists()


def test_it_imports_from_where_the_first_does(monkeypatch, tmp_path):
    """A file that lies where we run, and is called as one of Python's, is nobody's module."""
    (tmp_path / 'queue.py').write_text('raise SystemExit(1)')
    (tmp_path / 'mine').mkdir()
    (tmp_path / 'mine' / 'only_here.py').write_text("name = 'run'")
    monkeypatch.chdir(tmp_path)
    script = second._SCRIPT.partition('from free_flyer')[0]
    script += 'import queue, only_here, time; print(only_here.name, flush=True); time.sleep(20)'
    monkeypatch.setattr('sys.path', [str(tmp_path / 'mine'), *filter(None, sys.path)])
    monkeypatch.setattr(second, '_SCRIPT', script)
    ahead = second.Ahead()
    ahead.begin()
    ahead.wait_for('run')
    ahead._process.kill()
    assert ahead._ready == {'run'}


def test_two_threads_may_wait_at_once(monkeypatch):
    """Each hears what the other was told."""
    monkeypatch.setattr(second, '_SCRIPT', SLOW + 'time.sleep(30)')
    ahead = second.Ahead()
    ahead.begin()
    threads = [Thread(target=ahead.wait_for, args=('run',), daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    still = [thread.is_alive() for thread in threads]
    ahead._process.kill()
    assert not any(still)
