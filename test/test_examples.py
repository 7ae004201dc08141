# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The examples: each flies, shows the physics it speaks of, and leaves its plot."""

import ast
from pathlib import Path

import examples
from examples import (
    anchor_and_rebase,
    batch,
    close_a_loop,
    lock_in_flight,
    reactionless,
    tumble,
)
import free_flyer_dynamics as ffd
import numpy as np
import pytest

pytestmark = pytest.mark.jit

# Rounding of flights of some ten seconds, of momenta of hundreds.
ROUNDING = 1e-10


# What a reader is shown is a short script: thirty lines or so, and two that call main.
LINES = 33 + 2
SHORT = ('anchor_and_rebase', 'batch', 'capture', 'close_a_loop', 'lock_in_flight',
         'reactionless', 'tumble')  # fmt: skip


def lines_of_code(path):
    """Return how many lines are left without docstrings, imports, comments and blank ones."""
    text = path.read_text()
    told = {k + 1 for k, line in enumerate(text.splitlines()) if not line.strip()}
    told |= {k + 1 for k, line in enumerate(text.splitlines()) if line.strip().startswith('#')}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            told |= set(range(node.lineno, node.end_lineno + 1))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            told |= set(range(node.lineno, node.end_lineno + 1))
    return len(text.splitlines()) - len(told)


@pytest.mark.parametrize('name', SHORT)
def test_an_example_is_about_thirty_lines(name):
    """What several of them draw with is beside them."""
    assert 10 < lines_of_code(Path(examples.__file__).parent / f'{name}.py') <= LINES


@pytest.fixture
def plot(tmp_path):
    """Return where a plot goes, and see that it went there."""
    path = tmp_path / 'plots' / 'plot.png'
    yield path
    assert path.read_bytes().startswith(b'\x89PNG')


def test_spin_about_the_middle_axis_turns_over(plot):
    """From +1 to -1 rad/s and back, momentum and energy being what they were."""
    _, rates, momentum, energy = tumble.main(plot)
    assert rates[:, 1].max() > 0.99
    assert rates[:, 1].min() < -0.99
    assert np.abs(momentum - momentum[0]).max() < ROUNDING
    assert np.abs(energy - energy[0]).max() < ROUNDING


def test_every_freeze_takes_energy_and_keeps_momentum(plot):
    """Three plastic collisions; what is left is one rigid body."""
    rates, momentum, energy, done = lock_in_flight.main(plot)
    assert len(done) == 3
    assert np.abs(momentum - momentum[0]).max() < ROUNDING
    lost = sum(one.energy_lost for one in done)
    assert energy[0] - energy[-1] == pytest.approx(lost, rel=1e-6)  # rk4's own share is below
    assert all(one.energy_lost > 0 for one in done)
    assert not rates[-1].any()


def test_the_closed_chain_stays_closed_and_its_energy_is_the_drives_work(plot):
    """Two freedoms less, no gap, no momentum."""
    gap, momentum, missing, closed = close_a_loop.main(plot)
    assert closed.dof_before - closed.dof_after == 2
    assert gap.max() < ROUNDING
    assert np.abs(momentum).max() < ROUNDING
    assert np.abs(missing).max() < 1e-6  # J of 4: torques are held over the ticks of the sum


def test_another_base_makes_no_difference_and_the_rail_gives_what_it_says(plot):
    """Positions agree to rounding; the jump of momentum is the impulse."""
    one, two = anchor_and_rebase.main(plot)
    for column in range(5):
        assert np.abs(one[column] - two[column]).max() < ROUNDING
    before = np.searchsorted(one[0], anchor_and_rebase.GRASP - 1e-6)
    jump = one[2][before] - one[2][before - 1]
    np.testing.assert_allclose(jump, one[5], atol=1e-9)
    assert np.linalg.norm(one[5]) > 100.0


def test_the_base_does_not_feel_a_reactionless_arm(plot):
    """Degrees without, nothing with."""
    plain, silent = reactionless.main(plot)
    assert plain > 5.0
    assert silent < 1e-6


def test_robots_flown_together_fly_as_each_alone(plot):
    """Some of the grid, by a simulator of their own; and strong wagging turns the base."""
    amplitude, phase, angles = batch.main(plot, side=12)
    assert np.abs(angles).max() > 5.0
    for k in (0, 50, 143):
        sim = ffd.Simulator(dt=batch.DT)
        sim.add(ffd.load_urdf(batch.ROBOT))
        for tick in range(batch.TICKS):
            sim.set_efforts(batch.torques(amplitude[k], phase[k], tick * batch.TICK))
            sim.step(round(batch.TICK / batch.DT))
        _, _, z, w = sim.pose('base').quaternion
        assert np.degrees(2 * np.arctan2(z, w)) == pytest.approx(angles[k], abs=1e-6)
