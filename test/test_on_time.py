# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Steps that keep time, by a pace."""

from dataclasses import replace
import signal
import subprocess
import sys
import threading
import time

import free_flyer_dynamics as ffd
from free_flyer_dynamics import pace as pace_module
from free_flyer_dynamics.kernels import on_time
from free_flyer_dynamics.pace import Pace
from free_flyer_dynamics.urdf import shipped
import numpy as np
import pytest

MS = 1e-3
ARM = ffd.load_urdf(shipped('thesis_seven_joint'))


def arm(**options):
    """Return an arm that swings, and has been stepped."""
    sim = ffd.Simulator(dt=MS, **options)
    sim.add(ARM, joint_velocities={'J1': 0.4, 'J4': -0.3})
    sim.set_efforts({'J2': 1.0})
    sim.step(2)
    return sim


def started(factor=1.0, most_behind=0.05):
    """Return a pace whose first step is due in a period."""
    return Pace(MS, factor, most_behind)


def welded(**options):
    """Return the arm with its hand welded to its base."""
    sim = arm(**options)
    sim.attach('base', 'end_effector', name='weld')
    sim.step(1)
    return sim


def stopped(**options):
    """Return an arm whose elbow runs into its stop after 50 ms."""
    joints = tuple(
        replace(joint, lower=-1.0, upper=0.05) if joint.name == 'J4' else joint
        for joint in ARM.joints
    )
    sim = ffd.Simulator(dt=MS, **options)
    sim.add(replace(ARM, joints=joints), joint_velocities={'J4': 1.0})
    sim.step(2)
    return sim


@pytest.mark.jit
@pytest.mark.parametrize('compiled', [True, False], ids=['compiled', 'plain'])
@pytest.mark.parametrize('make', [arm, welded, stopped])
def test_steps_on_time_are_the_same_steps(monkeypatch, make, compiled):
    """To the last bit, and none before its time."""
    monkeypatch.setattr(pace_module, 'COMPILED', compiled and on_time.COMPILED)
    at_once, timed = make(), make()
    for sim in (at_once, timed):
        sim.step_on_time(started(), 1)  # compiled by now
    pace, start = started(most_behind=1.0), time.monotonic()
    assert timed.step_on_time(pace, 150) == 150
    assert time.monotonic() - start >= 0.150
    at_once.step(150)
    assert timed.time == at_once.time
    np.testing.assert_array_equal(timed.positions, at_once.positions)
    np.testing.assert_array_equal(timed.velocities, at_once.velocities)
    wakes = pace.take_lateness()
    assert len(wakes) + pace.overruns >= 150
    assert min(wakes) >= 0
    assert len(pace.take_lateness()) == 0


@pytest.mark.jit
def test_without_a_factor_steps_are_taken_at_once():
    """In less time than they stand for, by far."""
    sim, start = arm(), time.monotonic()
    assert sim.step_on_time(started(0.0), 10_000) == 10_000
    assert time.monotonic() - start < 5.0


@pytest.mark.jit
def test_any_integrator_keeps_time():
    """By the same rules, through Python."""
    sim, twin = arm(integrator='dop853'), arm(integrator='dop853')
    assert sim.step_on_time(started(), 5) == 5
    twin.step(5)
    np.testing.assert_array_equal(sim.velocities, twin.velocities)


@pytest.mark.jit
def test_the_interpreter_is_left_to_others_between_steps():
    """
    Somebody keeps it for the whole time; the steps are on time all the same.

    Where each waits for it, all of them are late. On a busy machine some are anyhow.
    """
    if not on_time.COMPILED:
        pytest.skip('the clock is not to be had without Python here')
    sim = arm()
    sim.step_on_time(started(), 2)
    before = sys.getswitchinterval()
    sys.setswitchinterval(5.0)
    missed = []
    try:
        while len(missed) < 8 and min(missed, default=100) >= 20:
            done = threading.Event()

            def keep(done=done):
                time.sleep(0.01)
                while not done.is_set():
                    sum(range(20_000_000))  # one call that lets nobody in

            thread = threading.Thread(target=keep)
            thread.start()
            pace = started(most_behind=1.0)
            sim.step_on_time(pace, 100)
            done.set()
            thread.join()
            missed.append(pace.overruns)
    finally:
        sys.setswitchinterval(before)
    assert min(missed) < 20, missed


@pytest.mark.jit
def test_who_steps_is_called_away_and_comes_back():
    """At its next step at the latest; no step is left out."""
    sim, pace = arm(), started()
    timer = threading.Timer(0.03, pace.call_away)
    timer.start()
    done = sim.step_on_time(pace, 100_000)
    assert pace.went
    assert 0 < done < 100_000
    assert sim.step_on_time(pace, 20) == 20
    assert not pace.went


@pytest.mark.jit
@pytest.mark.parametrize('compiled', [True, False], ids=['compiled', 'plain'])
@pytest.mark.parametrize('factor', [0.0, 1e-5, 1e-320])
def test_who_is_called_hears_it_soon(monkeypatch, factor, compiled):
    """Also where no step is due for long, or for ever, and where none is waited for."""
    monkeypatch.setattr(pace_module, 'COMPILED', compiled and on_time.COMPILED)
    sim, pace = arm(), started(factor)
    sim.step_on_time(pace, 0)
    timer = threading.Timer(0.03, pace.call_away)
    start = time.monotonic()
    timer.start()
    assert sim.step_on_time(pace, 10**9) < 10**9
    assert time.monotonic() - start < 5.0  # a step is due in 100 s, or never; all are hours
    assert pace.went


@pytest.mark.jit
def test_another_factor_is_taken_amid_steps():
    """From another thread, without pace too: what is owed may vanish under who steps."""
    sim, pace = arm(), started(0.1)
    sim.step_on_time(pace, 1)
    timer = threading.Timer(0.03, pace.set_factor, (0.0,))
    start = time.monotonic()
    timer.start()
    assert sim.step_on_time(pace, 2000) == 2000
    assert time.monotonic() - start < 10.0  # it would have been 20


@pytest.mark.jit
@pytest.mark.parametrize('pace', [Pace(10 * MS), 5, None], ids=['of another dt', 'number', 'none'])
def test_a_pace_for_other_steps_is_refused(pace):
    """Time would not be what it seems."""
    with pytest.raises(ffd.CommandError, match='Pace for steps of'):
        arm().step_on_time(pace, 1)


@pytest.mark.jit
def test_whoever_warmed_up_is_on_time_from_the_first_step():
    """All that steps on time run is compiled by then, or loaded."""
    sim = arm()
    doors = pace_module._compiled
    fresh = {arrays: type(door)(door._kernel) for arrays, door in doors.items()}
    pace_module._compiled = fresh
    try:
        sim.warm_up()
    finally:
        pace_module._compiled = doors
    assert fresh[2].is_open == on_time.COMPILED


_ENDLESS = """
import time, warnings
import free_flyer_dynamics as ffd
from free_flyer_dynamics.urdf import shipped
warnings.simplefilter('ignore')
sim = ffd.Simulator(dt=1e-3)
sim.add(ffd.load_urdf(shipped('thesis_seven_joint')), joint_velocities={'J1': 0.4})
sim.warm_up()
pace = ffd.Pace(1e-3, %s)
print('ready', flush=True)
try:
    sim.step_on_time(pace, 10**9)
except KeyboardInterrupt:
    twin = ffd.Simulator(dt=1e-3)
    twin.add(ffd.load_urdf(shipped('thesis_seven_joint')), joint_velocities={'J1': 0.4})
    twin.step(round(sim.time / 1e-3))
    print('stopped', (sim.positions == twin.positions).all(), flush=True)
"""


@pytest.mark.jit
@pytest.mark.skipif(sys.platform == 'win32', reason='Ctrl-C is no signal there')
@pytest.mark.parametrize('factor', [1.0, 0.0, 1e-6])
def test_ctrl_c_ends_a_long_call(factor):
    """Soon, and the clock stands where the state does."""
    process = subprocess.Popen(
        [sys.executable, '-c', _ENDLESS % factor], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout.readline() == 'ready\n'
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=30)
    finally:
        process.kill()
        process.wait()
    assert out == 'stopped True\n'


@pytest.mark.jit
def test_who_is_called_all_the_time_goes_on_all_the_same():
    """Somebody who calls without end does not stop time."""
    sim, pace = arm(), started()
    end, done = time.monotonic() + 0.1, 0
    while time.monotonic() < end:
        pace.call_away()
        done += sim.step_on_time(pace, 10)
    assert done + int(pace.lost / MS) > 80


@pytest.mark.jit
@pytest.mark.parametrize('called', [False, True])
def test_a_motion_that_goes_bad_is_told(called):
    """Also while somebody calls."""
    sim, pace = arm(), started()
    sim.set_wrench('base', force=(1e300, 0, 0), torque=(1e300, 1e300, 0))
    if called:
        pace.call_away()
        time.sleep(2 * MS)
        sim.step_on_time(pace, 1)  # looks at the clock, and goes
    with pytest.raises(ffd.StateError, match='finite'):
        for _ in range(50):
            sim.step_on_time(pace, 50)
