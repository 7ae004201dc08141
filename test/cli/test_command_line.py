# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The command line: what it tells, what it leaves, and what it says when it cannot."""

import os
from pathlib import Path
import subprocess
import sys

import free_flyer_dynamics as ffd
from free_flyer_dynamics.cli import main as command_line
from free_flyer_dynamics.cli import run, scenario
from free_flyer_dynamics.cli.flight import Flight
from free_flyer_dynamics.cli.main import main
from free_flyer_dynamics.errors import FreeFlyerError
import numpy as np
import pytest
import yaml

ROOT = Path(__file__).parents[2]
SHIPPED = sorted((ROOT / 'config/scenarios').glob('*.yaml'))
# Rounding of a flight of seconds, of momentum relative to its size.
ROUNDING = 1e-11


def test_check_tells_mass_freedoms_wheels_and_oddities(capsys):
    """And an oddity is a failure only when asked."""
    assert main(['check', 'thesis_seven_joint']) == 0
    told = capsys.readouterr().out
    for words in ('1173.07 kg', '16: 10 joints', 'J8, J9, J10', "warning: Link 'link6'"):
        assert words in told
    assert main(['check', 'thesis_seven_joint', '--strict']) == 1
    assert main(['check', 'thesis_target', '--strict']) == 0
    assert 'No warnings' in capsys.readouterr().out


def test_check_compiles_nothing():
    """The first command a newcomer types answers at once."""
    done = subprocess.run(
        [sys.executable, '-m', 'free_flyer_dynamics', 'check', 'thesis_target'],
        cwd=ROOT,
        env={**os.environ, 'FREE_FLYER_CACHE': '0'},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith('robot')
    assert 'Compiling' not in done.stderr


@pytest.mark.parametrize(
    'name', [command.__name__.rpartition('.')[2] for command in command_line.COMMANDS]
)
def test_help_teaches_by_examples(name, capsys):
    """Each command shows how it is used."""
    with pytest.raises(SystemExit) as left:
        main([name, '--help'])
    assert left.value.code == 0
    assert f'free-flyer {name} ' in capsys.readouterr().out.partition('examples:')[2]


def test_the_scenario_of_the_help_is_one():
    """What it teaches can be flown."""
    found = scenario.parse(scenario.EXAMPLE)
    assert [event.at for event in found.events] == [0, 4, 10]
    run.fly(scenario.parse(scenario.EXAMPLE.replace('seconds: 20', 'seconds: 0.1')))


@pytest.mark.jit
@pytest.mark.parametrize('path', SHIPPED, ids=lambda path: path.stem)
def test_shipped_scenarios_fly_and_keep_momentum(path):
    """Nothing but a push from outside changes it; each says what it is about."""
    given = scenario.read(path.stem)
    assert yaml.safe_load(given.text)['about']
    found = run.fly(given)
    assert found.time[-1] == pytest.approx(given.seconds)
    pushed = any(event.wrench for event in given.events)
    drift = np.abs(found.momentum[:, :6] - found.momentum[0, :6]).max()
    assert pushed or drift < ROUNDING * max(1.0, np.abs(found.momentum[:, :6]).max())


@pytest.mark.jit
def test_a_wrong_name_is_told_before_the_flight(two):
    """Not when its event comes; a joint that an attachment will make is known."""
    text = two.read_text()
    Flight(scenario.parse(text + '  - {at: 1.2, efforts: {grip: 0.1}}\n'))
    for right, wrong in (('J2: 3.0', 'J77: 3.0'), ('link: base', 'link: bsae')):
        with pytest.raises(FreeFlyerError, match=r'No .* is named'):
            Flight(scenario.parse(text.replace(right, wrong)))


def test_without_a_command_the_help_is_shown(capsys):
    """And the code is that of a question that was not understood."""
    assert main([]) == 2
    assert 'first steps:' in capsys.readouterr().err


@pytest.mark.jit
def test_run_draws_and_writes_a_table(two, tmp_path, capsys):
    """The plot is a picture, the table has a row for each instant under its heads."""
    png, table = tmp_path / 'a' / 'two.png', tmp_path / 'two.csv'
    assert main(['run', str(two), '--plot', str(png), '--out', str(table)]) == 0
    told = capsys.readouterr()
    assert 'attach end_effector target/grasp, lock J1: 22 to 16 DOF' in told.out
    assert '2.0 of 2 s' in told.err
    assert png.read_bytes().startswith(b'\x89PNG')
    lines = table.read_text().splitlines()
    assert len(lines) == 102
    assert lines[0].startswith('time [s],J1 position [rad],')
    assert len({line.count(',') for line in lines}) == 1


@pytest.mark.jit
def test_connectivity_prints_the_table_of_a_robot_and_of_each_change(two, capsys):
    """After locks, another base, and a scenario's changes."""
    assert main(['connectivity', 'thesis_seven_joint', '--lock', 'J2', '--rebase', 'link4']) == 0
    assert '15 DOF, base link4' in capsys.readouterr().out
    assert main(['connectivity', str(two)]) == 0
    told = capsys.readouterr().out
    assert [line for line in told.splitlines() if line.startswith('t = ')] == [
        't = 0 s',
        't = 1 s',
        't = 1.5 s',
    ]
    assert 'Attachments: grip' in told
    assert main(['connectivity', 'lock_in_flight']) == 0  # by name, as run takes it
    assert 'Locked: ' in capsys.readouterr().out


@pytest.mark.parametrize(
    ('arguments', 'sentence'),
    [
        (['check', 'thesis_seven_jont'], "Did you mean 'thesis_seven_joint'?"),
        (['check', 'nowhere.urdf'], "Cannot read 'nowhere.urdf'"),
        (['run', 'captrue'], "Did you mean 'capture'?"),
        (['run', 'nowhere.yaml'], "Cannot read the scenario 'nowhere.yaml'"),
        (['run', 'capture', '--out', 'flight.txt'], '.mcap, .npz, .csv'),
        (['run', 'capture', '--seconds', '-1'], 'expected more than zero'),
        (['replay', 'nowhere.mcap'], "Cannot read the bag 'nowhere.mcap'"),
        (['plot', 'nowhere.npz'], "Cannot read 'nowhere.npz': No such file"),
        (['plot', __file__], 'expected a recording: .npz, .csv, .mcap'),
        (['run', 'capture', '--out', '/proc/x.npz'], "Cannot write '/proc/x.npz'"),
        (['run', 'capture', '--seconds', 'inf'], '--seconds must be finite'),
        (['run', 'capture', '--plot', 'flight.foo'], 'expected a name that ends in'),
        (
            ['run', 'capture', '--out', '/proc/nowhere/x.mcap'],
            "Cannot write '/proc/nowhere/x.mcap'",
        ),
        (['replay', 'flight.npz'], 'holds no commands'),
        (['replay', 'nowhere.mcap', '--tolerance', 'nan'], '--tolerance must be finite'),
        (['connectivity', 'capture', '--lock', 'J1'], 'has changes of its own'),
        (['connectivity', 'thesis_target', '--lock', 'J1'], "No joint is named 'J1'"),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_the_code_1(arguments, sentence, capsys):
    """On stderr, nothing of Python in it."""
    assert main(arguments) == 1
    error = capsys.readouterr().err
    assert sentence in error
    assert len(error.splitlines()) == 1
    assert error.startswith('free-flyer: ')


@pytest.mark.parametrize(
    ('change', 'sentence'),
    [
        (('seconds: 2', 'secnods: 2'), "No key is named 'secnods'. Did you mean 'seconds'?"),
        (('seconds: 2', 'seconds: [2]'), 'seconds must be a number'),
        (('rate: 50', 'rate: 300'), 'a tick would have 3.33333 steps'),
        (('model: thesis_target', 'modle: x'), "Did you mean 'model'?"),
        (('J2: 3.0', 'J22: 3.0'), "No joint is named 'J22'. Did you mean 'J2'?"),
        (('[0.5, 2], [1, 0]', '[0.5, 2], [0.1, 0]'), 'not in the order of time'),
        (('lock: J1', 'lokc: J1'), 'expected one of attach'),
        (('lock: J1', 'lock: J99'), "No joint is named 'J99'"),
        (('link: base', 'link: bsae'), "Did you mean 'base'?"),
        (('at: 1\n', 'at: -1\n'), 'expected seconds from the start'),
        (('robots:', 'robots: ['), 'line'),
    ],
)
@pytest.mark.jit
def test_a_scenario_that_is_wrong_is_told_in_one_sentence(change, sentence, two, capsys):
    """With the name that would have worked."""
    two.write_text(two.read_text().replace(*change))
    assert main(['run', str(two), '--quiet']) == 1
    error = capsys.readouterr().err
    assert sentence in error
    assert len(error.splitlines()) == 1


def test_it_runs_as_a_module_and_a_wrong_question_has_the_code_2():
    """Like the executable."""
    command = [sys.executable, '-m', 'free_flyer_dynamics']
    asked = subprocess.run([*command, 'fly'], cwd=ROOT, capture_output=True, text=True)
    assert asked.returncode == 2
    assert 'invalid choice' in asked.stderr


def test_it_tells_its_version(capsys):
    """The package's own."""
    with pytest.raises(SystemExit) as left:
        main(['--version'])
    assert left.value.code == 0
    assert capsys.readouterr().out == f'free-flyer {ffd.__version__}\n'
