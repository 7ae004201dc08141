# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A cold start shared by two processes, and a third that helps."""

from contextlib import contextmanager, nullcontext
import errno
from pathlib import Path
import subprocess
import sys
import time
from types import SimpleNamespace
import warnings

import free_flyer_dynamics as ffd
from free_flyer_dynamics import ahead as second
from free_flyer_dynamics import rehearsal
from free_flyer_dynamics.engine import CLOSED_DOORS, DOORS
from free_flyer_dynamics.kernels import events
from free_flyer_dynamics.kernels._turns import Busy, one_by_one, turn, without_waiting
from free_flyer_dynamics.kernels.arrange import lay_out
from free_flyer_dynamics.kernels.batch import run_states
from free_flyer_dynamics.kernels.furnish import furnish
from free_flyer_dynamics.kernels.given import put_state
from free_flyer_dynamics.kernels.lanes import WIDEST
from free_flyer_dynamics.kernels.structure import compile_structure
from free_flyer_dynamics.rerooting import halves
from free_flyer_dynamics.urdf import load_known
from numba import njit
import pytest

ROBOT = Path(__file__).parents[1] / 'urdf' / 'thesis_seven_joint.urdf'
HOLD = """
import sys, time
from free_flyer_dynamics.kernels._turns import turn
with turn(sys.argv[1], 'held'):
    print('held', flush=True)
    time.sleep(float(sys.argv[2]))
time.sleep(20)
"""
LISTEN = """
from free_flyer_dynamics.rehearsal import _end_with_the_first
_end_with_the_first()
"""


@pytest.mark.jit
@pytest.mark.filterwarnings('ignore::free_flyer_dynamics.ModelWarning')
def test_what_is_rehearsed_is_what_a_first_step_calls():
    """One variant of each kernel: rehearsed for other types, a start would compile it again."""
    rehearsal.compile_first(runs=2)
    sim = ffd.Simulator()
    sim.add(ffd.load_urdf(ROBOT))
    sim.step()
    for kernel in (lay_out, furnish, put_state, DOORS[min(2, WIDEST)][0]._kernel):
        assert len(kernel.signatures) == 1, kernel


@pytest.mark.jit
@pytest.mark.slow
def test_what_may_follow_a_first_step_is_rehearsed_too():
    """A loop, an event and a batch, each as often as lanes are guessed."""
    robot = rehearsal.robot_like(1, 2)
    rehearsal._compile_closed_steps(robot)
    rehearsal.play(robot)
    for kernel in (CLOSED_DOORS[1][0]._kernel, events.step, run_states):
        assert len(kernel.signatures) == 1, kernel


@pytest.mark.parametrize(
    ('name', 'limbs', 'joints', 'runs'),
    [
        ('thesis_seven_joint', 1, 7, 2),
        ('thesis_planar_three_joint', 1, 3, 1),
        ('thesis_planar_dual_arm', 2, 6, 2),
        ('four_arm_37dof', 4, 28, 4),
    ],
)
def test_a_model_that_was_loaded_tells_what_to_expect(name, limbs, joints, runs, monkeypatch):
    """Wheels are no limbs, nor is an arm two for the fixed joints on it, but for its length."""
    told = []
    monkeypatch.setattr(second.ahead, 'expect', lambda *given: told.append(given))
    load_known(ROBOT.with_name(f'{name}.urdf'))
    assert told == [(limbs, joints)]
    assert halves(limbs, joints) == runs


@pytest.mark.jit
@pytest.mark.parametrize(
    ('limbs', 'joints', 'lanes'), [(1, 7, 2), (1, 3, 1), (2, 6, 2), (4, 28, 4)]
)
def test_who_rehearses_steps_as_many_side_by_side_as_users_do(limbs, joints, lanes):
    """Kernels of another width are others: they would be compiled for nobody."""
    robot = rehearsal.robot_like(limbs, joints)
    assert len(robot.joints) == joints
    sim = ffd.Simulator()
    sim.add(robot)
    sim.step()
    motion = getattr(sim._motion, 'inner', sim._motion)
    assert motion.lanes == min(lanes, WIDEST)


@pytest.fixture
def holder(tmp_path):
    """Return how to let another process hold a kernel's turn for some seconds."""
    processes = []

    def hold(seconds):
        command = [sys.executable, '-c', HOLD, str(tmp_path), str(seconds)]
        processes.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        assert processes[-1].stdout.readline() == 'held\n'
        return processes[-1]

    yield hold
    for process in processes:
        process.kill()
        process.communicate()


def waited(folder, name):
    """Return how long a turn is waited for [s]."""
    start = time.monotonic()
    with turn(folder, name):
        return time.monotonic() - start


def test_a_kernel_that_another_process_compiles_is_waited_for(holder, tmp_path):
    """That one alone, and until it is there."""
    holder(0.5)
    assert waited(str(tmp_path), 'another') < 0.2
    assert waited(str(tmp_path), 'held') > 0.2
    assert waited(str(tmp_path), 'held') < 0.2


def test_who_does_not_wait_is_told_that_another_is_at_it(holder, tmp_path):
    """At once; and what nobody is at it may have."""
    process = holder(60)
    with turn(str(tmp_path), 'another', waits=False):
        pass
    start = time.monotonic()
    with pytest.raises(Busy), turn(str(tmp_path), 'held', waits=False):
        pass
    assert time.monotonic() - start < 0.2
    process.kill()
    process.wait()
    with turn(str(tmp_path), 'held', waits=False):
        pass


@pytest.mark.parametrize('number', [errno.EACCES, errno.EAGAIN, errno.EDEADLK, errno.ENOLCK])
def test_who_waits_is_never_told_that_another_is_at_it(number, monkeypatch, tmp_path):
    """Where the system refuses a lock, users go on without; helpers know what it means."""

    def refused(*_asked):
        raise OSError(number, 'refused')

    monkeypatch.setattr('free_flyer_dynamics.kernels._turns.lockf', refused)
    with turn(str(tmp_path), 'held'):
        pass
    is_held = number in (errno.EACCES, errno.EAGAIN)
    told = pytest.raises(Busy) if is_held else nullcontext()
    with told, turn(str(tmp_path), 'held', waits=False):
        pass


def test_a_process_that_dies_is_not_waited_for(holder, tmp_path):
    """The next then compiles what it was about to."""
    holder(60).kill()
    assert waited(str(tmp_path), 'held') < 5


def test_where_nothing_is_kept_nobody_is_waited_for(tmp_path):
    """There is nothing to wait for: each compiles for itself."""
    (tmp_path / 'file').touch()
    for folder in (None, str(tmp_path / 'file')):
        with turn(folder, 'held'):
            assert waited(folder, 'held') < 0.2


def began(monkeypatch, script):
    """Return what begins a second process with that script, once it was told to twice."""
    monkeypatch.setattr(second, '_SCRIPT', script)
    ahead = second.Ahead()
    ahead.begin()
    process = ahead.process
    ahead.begin()
    assert ahead.process is process
    return process


def test_the_second_process_ends_with_the_first(monkeypatch):
    """Whatever it compiles then is for nobody."""
    process = began(monkeypatch, LISTEN)
    time.sleep(0.1)
    assert process.poll() is None
    process.stdin.close()
    assert process.wait(20) == 0


def test_a_third_process_helps_where_there_is_a_core_for_it(monkeypatch):
    """It ends with the second, as that does with the first."""
    monkeypatch.setattr(second, '_HELP', LISTEN)
    monkeypatch.setattr('os.sched_getaffinity', lambda _process: {0}, raising=False)
    assert second.call_for_help(1, 2) is None
    monkeypatch.setattr('os.sched_getaffinity', lambda _process: {0, 1}, raising=False)
    process = second.call_for_help(1, 2)
    process.stdin.close()
    assert process.wait(20) == 0


def test_who_helps_plays_from_the_other_end(monkeypatch):
    """Where the two meet, both have worked all the time; and both give way to users."""
    played, nice = [], []
    acts = [lambda robot, name=name: played.append((name, robot.name)) for name in 'abc']
    monkeypatch.setattr(rehearsal, 'ACTS', acts)
    monkeypatch.setattr(rehearsal, '_attend', lambda: None)
    monkeypatch.setattr('os.nice', nice.append)
    monkeypatch.setattr('logging.disable', lambda: None)
    with warnings.catch_warnings():
        rehearsal.help_rehearse(2, 4)
    assert played == [(name, 'rehearsed') for name in 'cba']
    assert nice == [rehearsal._POLITE]


def test_what_another_is_at_is_left_for_later(monkeypatch):
    """Not waited for; users do wait, and so does whoever has played all."""
    played = []

    def refused(_robot):
        played.append('refused')
        if played.count('refused') < 3:
            raise Busy

    acts = [refused, lambda _robot: played.append('done')]
    monkeypatch.setattr('os.nice', lambda _more: None)
    monkeypatch.setattr('logging.disable', lambda: None)
    with warnings.catch_warnings():
        rehearsal._play_aside(None, acts)
    assert played == ['refused', 'done', 'refused', 'refused']


def test_kernels_are_waited_for_unless_told_otherwise(monkeypatch):
    """By who plays ahead alone, and while it does."""
    told = []

    @contextmanager
    def watched(_folder, _name, waits):
        told.append(waits)
        yield

    monkeypatch.setattr('free_flyer_dynamics.kernels._turns.turn', watched)
    compiled = one_by_one(njit(lambda: 0), lambda: None)
    compiled(())
    with pytest.raises(Busy), without_waiting():
        compiled(())
        raise Busy
    compiled(())
    assert told == [True, False, True]


def test_a_python_that_cannot_be_started_again_goes_on_alone(monkeypatch):
    """As where Python is a part of another program."""
    monkeypatch.setattr('sys.executable', '/nowhere/python')
    assert began(monkeypatch, LISTEN) is None


@pytest.mark.jit
def test_it_begins_only_where_what_is_compiled_is_kept(monkeypatch):
    """With nowhere to meet, both would compile the same."""
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
    assert began(monkeypatch, LISTEN) is None
    assert not trace.exists()


def test_it_imports_from_where_the_first_does(monkeypatch, tmp_path):
    """A file that lies where we run, and is called as one of Python's, is nobody's module."""
    (tmp_path / 'queue.py').write_text('raise SystemExit(1)')
    (tmp_path / 'mine').mkdir()
    (tmp_path / 'mine' / 'only_here.py').write_text("name = 'run'")
    monkeypatch.chdir(tmp_path)
    script = second._SCRIPT.partition('from free_flyer')[0]
    script += 'import queue, only_here; raise SystemExit(7 if only_here.name == "run" else 1)'
    monkeypatch.setattr('sys.path', [str(tmp_path / 'mine'), *filter(None, sys.path)])
    assert began(monkeypatch, script).wait(20) == 7
