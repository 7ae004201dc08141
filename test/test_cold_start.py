# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0


"""A cold start shared by two processes."""

from pathlib import Path
import time

import free_flyer_dynamics as ffd
from free_flyer_dynamics import ahead as second
from free_flyer_dynamics import rehearsal
from free_flyer_dynamics.engine import DOORS
from free_flyer_dynamics.kernels.arrange import lay_out
from free_flyer_dynamics.kernels.fill import furnish, put_state
from free_flyer_dynamics.urdf import load_known
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
