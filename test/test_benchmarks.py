# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The benchmarks run, compare equals with equals, and write down what they found."""

import json
from math import isfinite

from benchmarks.__main__ import benchmarks, main
from benchmarks.agreement import check, DisagreementError
from benchmarks.figures import Figure, Settings
from benchmarks.guard import lost_ratios, recorded_ratios
from benchmarks.models import arms_and_wheels, flyers, random_motion
from benchmarks.report import markdown, write
from benchmarks.timing import alternate
import numpy as np
import pytest

MACHINE = {'processor': 'abacus'}


class Slow:
    """A competitor that takes a known time and answers a known thing."""

    note = ''

    def __init__(self, answer=1.0):
        self.answer = answer

    def take(self, motion):
        pass

    def accelerations(self):
        return np.array([self.answer])

    def coordinates(self):
        return np.array([1.0])

    def step(self, count):
        return 1e-6 * count


def test_the_flyers_have_the_freedoms_they_are_named_for():
    """Six of the base and one a joint; the same robot every time."""
    for flyer, again in zip(flyers(), flyers(), strict=True):
        assert f'{6 + flyer.joints}dof' == flyer.name
        assert np.array_equal(flyer.inertia, again.inertia)
        assert len(flyer.model.joints) == flyer.joints


def test_motions_are_drawn_the_same_from_the_same_seed():
    """And their rotation is one."""
    flyer = arms_and_wheels('16dof', 1)
    motion, again = (random_motion(flyer, 3) for _ in range(2))
    assert np.array_equal(motion.q, again.q)
    assert np.allclose(motion.rotation @ motion.rotation.T, np.eye(3), atol=1e-14)


def test_competitors_take_turns_and_the_best_burst_counts():
    """Every loop gets as many bursts as the others."""
    calls = []

    def loop(name, seconds):
        def run(count):
            calls.append(name)
            return seconds * count

        return run

    times = alternate({'a': loop('a', 2e-6), 'b': loop('b', 3e-6)}, Settings(rounds=4, burst=1e-6))
    assert times == pytest.approx({'a': 2.0, 'b': 3.0})
    assert calls[-8:] == ['a', 'b', 'b', 'a'] * 2


def test_those_who_disagree_are_not_timed():
    """The sentence names them and the difference."""
    flyer = arms_and_wheels('16dof', 1)
    assert check(flyer, {'ours': Slow(), 'theirs': Slow(1.0 + 1e-12)})['theirs'] < 1e-11
    with pytest.raises(DisagreementError, match=r'ours and theirs differ by .* on 16dof'):
        check(flyer, {'ours': Slow(), 'theirs': Slow(1.1)})


def test_a_figure_says_whether_it_meets_its_goal():
    """A ratio is to reach its goal, a time to stay below it."""
    assert Figure('a', 29.0, 'us', 30.0).verdict == 'goal <= 30 us, met'
    assert Figure('a', 31.0, 'us', 30.0).verdict == 'goal <= 30 us, MISSED'
    assert Figure('a', 2.0, 'x', 3.0).verdict == 'goal >= 3 x, MISSED'
    assert Figure('a', 2.0, 'x').verdict == ''


def test_results_are_written_for_programs_and_for_people(tmp_path):
    """The same numbers in both."""
    figures = [
        Figure('step.16dof.ours', 20.0, 'us', 30.0, 'ours'),
        Figure('step.16dof.peer', 40.0, 'us', note='theirs'),
        Figure('step.16dof.over_peer', 2.0, 'x'),
    ]
    write(tmp_path, MACHINE, [('Steps', figures)])
    document = json.loads((tmp_path / 'results.json').read_text())
    assert [row['value'] for row in document['figures']] == [20.0, 40.0, 2.0]
    page = markdown(MACHINE, [('Steps', figures)])
    assert '| step, 16dof | 20 us | 40 us | 2 x | goal <= 30 us, met |' in page
    assert page == (tmp_path / 'results.md').read_text()


def test_a_name_that_is_none_is_refused(capsys):
    """And the names that are known are listed."""
    with pytest.raises(SystemExit):
        main(['steps'])
    said = capsys.readouterr().err
    assert all(name in said for name in benchmarks())


@pytest.mark.jit
def test_python_calls_are_timed(capsys):
    """One named number a line."""
    assert main(['--smoke', 'python_call']) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 5
    for line in lines:
        name, value, unit, *_verdict = line.split()
        assert name.startswith('python_call.')
        assert isfinite(float(value))
        assert unit == 'us'


@pytest.mark.jit
@pytest.mark.slow
def test_peers_agree_and_are_timed(capsys, tmp_path):
    """Ours, Pinocchio and MuJoCo answer alike on all four robots."""
    pytest.importorskip('pinocchio')
    pytest.importorskip('mujoco')
    assert main(['--smoke', 'dynamics', '--out', str(tmp_path)]) == 0
    said = capsys.readouterr().out
    for name in (*(flyer.name for flyer in flyers()), '37dof_grippers'):
        assert f'agreement.{name}.pinocchio' in said
        assert f'step.{name}.over_mujoco' in said
    assert (tmp_path / 'results.md').exists()


@pytest.mark.jit
@pytest.mark.slow
@pytest.mark.parametrize('name', ['papers', 'papers_drift'])
def test_the_papers_algorithms_are_timed_and_drift_is_measured(name, capsys):
    """Ways that disagree would be refused; nothing is drawn of what means nothing."""
    assert main(['--smoke', name]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(line.startswith(name.partition('_')[2] or name) for line in lines)


def test_a_ratio_below_four_fifths_of_the_recorded_one_is_lost(tmp_path):
    """Only ratios, only the same ones, only on the same kind of machine."""
    machine = {'vectors': 'AVX-512', 'compiler': 'cc'}
    recorded = [Figure('a.over_peer', 5.0, 'x'), Figure('a.ours', 1.0, 'us')]
    write(tmp_path, machine, [('Heading', recorded)])
    ratios = recorded_ratios(tmp_path, machine)
    assert ratios == {'a.over_peer': 5.0}
    assert recorded_ratios(tmp_path, {**machine, 'vectors': 'AVX2'}) == {}
    assert recorded_ratios(tmp_path / 'nowhere', machine) == {}
    assert lost_ratios([Figure('a.over_peer', 4.1, 'x'), Figure('b', 1.0, 'x')], ratios) == []
    (sentence,) = lost_ratios([Figure('a.over_peer', 3.9, 'x')], ratios)
    assert sentence.startswith('a.over_peer is 3.9 x, 78% of the 5 x recorded')
