# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The demo: what it prints, what it leaves, and the physics it shows."""

from examples import demo
from examples.manoeuvre import conservation_errors, fly, load, Manoeuvre, PHASES
import free_flyer_dynamics as ffd
import numpy as np
import pytest

pytestmark = pytest.mark.jit

SECONDS = 6.0  # of simulated time: enough for every phase
ROUNDING = 1e-12  # relative, of momentum


@pytest.fixture(scope='module')
def samples():
    sim, model = ffd.Simulator(), load()
    sim.add(model)
    return list(fly(Manoeuvre(sim, model, SECONDS), SECONDS))


@pytest.mark.jit
def test_every_phase_is_flown(samples):
    """The names come in the order of the script."""
    flown = list(dict.fromkeys(sample.phase for sample in samples))
    assert flown == [name for name, _ in PHASES]


@pytest.mark.jit
def test_momentum_changes_by_the_push_alone(samples):
    """Arm and wheels move the base, and the momentum of the whole stays what it was."""
    errors = conservation_errors(samples)
    assert np.nanmax(errors) < ROUNDING
    assert np.linalg.norm(samples[-1].linear) > 0.1
    assert np.isnan(errors).sum() == sum(sample.phase == 'push' for sample in samples)


@pytest.mark.jit
def test_the_base_recoils_from_the_arm(samples):
    """A free base turns when its arm reaches out."""
    reached = [sample for sample in samples if sample.phase == 'reach'][-1]
    assert np.abs(reached.attitude).max() > 5.0


@pytest.mark.jit
def test_it_prints_as_it_goes_and_leaves_a_plot(tmp_path, capsys):
    """Time, attitude, momentum and speed in every line; the folder is made."""
    path = tmp_path / 'plots' / 'demo.png'
    assert demo.main(['--seconds', '2', '--out', str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    rows = [line for line in lines if 'x real' in line]
    assert len(rows) >= demo.LINES
    assert all('digits' in row or 'pushed' in row for row in rows)
    assert path.read_bytes().startswith(b'\x89PNG')


@pytest.mark.parametrize('seconds', ['0', '-1', 'nan', 'inf'])
def test_a_length_that_is_none_is_refused(seconds, capsys):
    """By one sentence, before anything is loaded."""
    with pytest.raises(SystemExit):
        demo.main([f'--seconds={seconds}'])
    assert 'positive number' in capsys.readouterr().err
