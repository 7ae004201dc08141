# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Other threads of Python go on while one is in a call that may be long."""

import sys
from threading import Lock, Thread

import free_flyer_dynamics as ffd
from free_flyer_dynamics.generate import random_chain
import pytest

pytestmark = pytest.mark.jit

TRIES = 1000  # for a busy machine to wake the other thread amid one of so many calls
NEVER = 1e6  # how long Python lets a thread go on that does not let go by itself [s]


@pytest.fixture
def chain():
    """Return a chain that has moved, so all is compiled."""
    sim = ffd.Simulator()
    sim.add(random_chain(12, 3, kinds='revolute'))
    sim.step()
    return sim


@pytest.fixture
def patient():
    """Let no thread of Python take its turn from another."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(NEVER)
    yield
    sys.setswitchinterval(interval)


def another_goes_on(call):
    """Tell whether another thread goes on amid calls that this one makes."""
    gate, gone_on = Lock(), []
    gate.acquire()

    def wait():
        with gate:
            gone_on.append(True)

    other = Thread(target=wait)
    other.start()
    gate.release()
    for _ in range(TRIES):
        call()
        if gone_on:
            break
    there = bool(gone_on)
    other.join()
    return there


def test_a_step_lets_other_threads_go_on(chain, patient):
    """However many there are in a call."""
    assert another_goes_on(lambda: chain.step(20))


def test_a_step_on_time_lets_other_threads_go_on(chain, patient):
    """While it sleeps, and while it steps."""
    pace = ffd.Pace(chain.dt, 0.0)
    chain.step_on_time(pace, 1)
    assert another_goes_on(lambda: chain.step_on_time(pace, 20))


def test_a_step_of_a_batch_lets_other_threads_go_on(chain, patient):
    """On one core, which is the caller's own."""
    batch = chain.batch(2, cores=1)
    batch.step()
    assert another_goes_on(lambda: batch.step(20))


def test_the_impact_of_closed_loops_lets_other_threads_go_on(chain, patient):
    """It takes the cube of their number: a quarter of a second for two hundred."""
    loops = [(f'link{k}', f'link{k + 3}') for k in range(1, 10)]
    chain.change([('attach', *ends, {'joint': 'revolute'}) for ends in loops])
    strike = chain._motion.engine.strike
    assert another_goes_on(lambda: strike(moves=False))
