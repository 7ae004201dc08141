# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Holonomic Distribution Control: the printed sequence, and sequences of our own."""

from itertools import pairwise
import sys
from threading import Thread

from free_flyer_dynamics.control import reduce, Robot
from free_flyer_dynamics.planning import (
    center_of_mass,
    Distribution,
    find_sequence,
    PlannerError,
    primitives,
    Progress,
    show,
)
import numpy as np
import pytest

from test.control.robots import model, seven_joint, TABLES

pytestmark = pytest.mark.jit

TABLE = TABLES['dimitrov_table_4_1']
START = np.radians(TABLE['initial_angles_deg'])
GOAL = np.array(TABLE['end_effector_goal_m'])
LIMITS = tuple(np.radians(TABLE['joint_limits_deg']))
PRINTED = TABLE['primitives_sequence'], TABLE['durations_s']
NEAR = 0.05  # m


def planar(drive, step=2.0):
    """Return the planar robot's primitives."""
    return Distribution(Robot(model('thesis_planar_three_joint')), (2,), np.array(drive), step)


def test_printed_sequence_ends_at_the_goal_with_a_tenth_of_the_printed_drive():
    """
    Within 10 mm of [1, 1, 0] with xi = [0, 0.05], ten times less than printed.

    With xi = [0, 0.5] as printed the arm leaves its own joint limits and misses by 0.66 m.
    """
    tenth, whole = planar([0.0, 0.05]), planar([0.0, 0.5], step=0.2)
    _, path = tenth.arm_path(START, *PRINTED)
    assert np.linalg.norm(tenth.hands(path)[-1] - GOAL) < 0.010
    assert np.abs(path).max() < LIMITS[1]
    _, path = whole.arm_path(START, *PRINTED)
    assert np.linalg.norm(whole.hands(path)[-1] - GOAL) == pytest.approx(0.66, abs=0.01)
    assert np.abs(path).max() > LIMITS[1]


def test_oracle_primitives_move_their_own_joints_and_not_the_base():
    """On every stretch only two joints move, and the momentum they make of the base is zero."""
    plan = planar([0.0, 0.05])
    assert plan.primitives == ((0, 1), (0, 2), (1, 2))  # 1, 2 and 3 of the thesis
    assert len(primitives(5, 3)) == 5 and len(primitives(6, 3)) == 15  # as 4.4.2 counts
    _, path = plan.arm_path(START, [1, 2, 3, -1], [5.0, 5.0, 5.0, 5.0])
    for before, after in pairwise(path):
        assert (before != after).sum() == 2
    for moving in plan.primitives:
        rates = plan.rates(START, moving)
        H = reduce(plan.robot.geometry(START), (2,)).Hbm
        assert np.abs(H @ rates).max() < 1e-14 and np.abs(rates).max() > 1e-3


def test_oracle_along_a_path_the_centre_of_mass_rests():
    """Base and hand move so; a rest takes its time and moves nothing."""
    plan = planar([0.0, 0.05])
    times, path = plan.arm_path(START, [1, 0, 2], [6.0, 3.0, 5.0])
    assert times[-1] == pytest.approx(14.0)
    at = np.searchsorted(times, [6.0 - 1e-9, 9.0 - 1e-9])
    assert np.array_equal(path[at[0]], path[at[1]])
    bases, hands = plan.bases(path), plan.hands(path)
    assert np.abs(bases).max() > 1e-3
    situations = [plan.robot.geometry(q) for q in path]
    centers = [center_of_mass(now) for now in situations] + bases
    assert np.abs(centers - centers[0]).max() < 1e-12
    assert np.allclose([now.hand for now in situations] + bases, hands, atol=1e-12)


@pytest.mark.parametrize('lower', [True, False])
def test_both_joint_limits_are_looked_at(lower):
    """How far beyond either a path goes is what the search is told."""
    pytest.importorskip('PyNomad')
    plan = planar([0.0, 0.05])
    _, path = plan.arm_path(START, [1], [20.0])
    limits = (path.min() + 0.3, 9.0) if lower else (-9.0, path.max() - 0.3)
    guess = (np.array([1]), np.array([20.0]))
    options = {'entries': 1, 'longest': 40.0, 'guess': guess, 'evaluations': 1}
    found = find_sequence(plan, START, GOAL, limits, **options)
    assert found.violation == pytest.approx(0.3)


def test_a_primitive_and_its_opposite_cancel():
    """Each primitive is a curve in joint space: there and back again."""
    plan = planar([0.0, 0.05])
    _, path = plan.arm_path(START, [1, -1, 0, 3, -3], [9.0, 9.0, 4.0, 6.0, 6.0])
    assert np.allclose(path[-1], START, atol=1e-8)


def test_primitives_in_three_dimensions_hold_the_attitude():
    """Four of seven joints hold three rotations."""
    plan = Distribution(seven_joint())
    assert len(plan.primitives) == 35
    q = np.linspace(0.1, 0.7, 7)
    rates = plan.rates(q, plan.primitives[7])
    H = plan.robot.geometry([*q, 0, 0, 0]).reduced.Hbm
    assert np.abs(H @ rates).max() < 1e-11 and np.linalg.norm(rates) > 1e-4


@pytest.mark.parametrize('seed', [0, 1])
def test_the_search_finds_its_own_sequence_from_the_trivial_start(seed):
    """Ten entries at rest for 8 s; within 5 cm of the goal and the joint limits."""
    pytest.importorskip('PyNomad')
    plan = planar([0.0, 0.05], step=4.0)
    found = find_sequence(plan, START, GOAL, LIMITS, tolerance=NEAR, evaluations=3000, seed=seed)
    fine = planar([0.0, 0.05], step=0.5)
    _, path = fine.arm_path(START, found.primitives, found.durations)
    assert np.linalg.norm(fine.hands(path)[-1] - GOAL) < NEAR + 1e-4
    assert found.violation == 0.0 and np.abs(path).max() <= LIMITS[1] + 1e-6
    assert set(found.primitives) <= {0, 1, 2, 3}


@pytest.mark.soak
@pytest.mark.parametrize('seed', range(8))
def test_the_search_comes_within_a_centimetre(seed):
    """The same, five times as near."""
    pytest.importorskip('PyNomad')
    plan = planar([0.0, 0.05])
    found = find_sequence(plan, START, GOAL, LIMITS, tolerance=0.01, evaluations=10000, seed=seed)
    assert found.distance < 0.01 and found.violation == 0.0


def test_the_search_can_be_stopped_with_the_best_so_far():
    """A watcher that says stop gets the best of what was tried."""
    pytest.importorskip('PyNomad')
    seen = []

    def watch(progress):
        seen.append(progress.objective if progress.violation == 0.0 else np.inf)
        return len(seen) == 20

    found = find_sequence(
        planar([0.0, 0.05], step=8.0), START, GOAL, LIMITS, tolerance=0.0, watch=watch
    )
    assert found.evaluations == len(seen) == 20
    assert found.distance == seen[-1] == min(seen)


@pytest.mark.parametrize('error', [KeyboardInterrupt, ValueError('mine')])
def test_what_a_watcher_raises_ends_the_search(error, capfd):
    """Ctrl-C in the watcher gives the best so far; anything else is the caller's to see, once."""
    pytest.importorskip('PyNomad')
    seen = []

    def watch(progress):
        seen.append(progress)
        if len(seen) == 5:
            raise error

    def search():
        return find_sequence(
            planar([0.0, 0.05], step=8.0), START, GOAL, LIMITS, tolerance=0.0, watch=watch
        )

    if error is KeyboardInterrupt:
        assert search().distance == seen[-1].objective
    else:
        with pytest.raises(ValueError, match='mine'):
            search()
    assert len(seen) == 5
    assert 'Traceback' not in capfd.readouterr().err


def test_a_search_in_a_thread_can_be_stopped():
    """Where no signal can be sent: what is left is passed over."""
    pytest.importorskip('PyNomad')
    found = []

    def search():
        plan = planar([0.0, 0.05], step=8.0)
        found.append(
            find_sequence(
                plan, START, GOAL, LIMITS, tolerance=0.0, watch=lambda p: p.evaluations > 4
            )
        )

    thread = Thread(target=search)
    thread.start()
    thread.join(60)
    assert found[0].evaluations == 5


PLAN = {'goal': GOAL, 'joint_limits': LIMITS}
SENSELESS = {
    'a guess of another length': ({'guess': (np.zeros(3), np.ones(3))}, 'guess must be 10'),
    'a guess out of bounds': ({'guess': (np.full(10, 7), np.ones(10))}, 'primitives from 0 to 3'),
    'primitives there are not': ({'numbers': (0, 9)}, 'from -3 to 3'),
    'no entries': ({'entries': 0}, 'one entry or more'),
    'no time': ({'longest': 0.0}, 'longest duration above zero'),
    'a goal in the plane': ({'goal': GOAL[:2]}, 'goal must be 3 numbers'),
    'limits the wrong way': ({'joint_limits': (2.0, -2.0)}, 'lowest, highest'),
}


@pytest.mark.parametrize('case', SENSELESS)
def test_a_search_for_what_makes_no_sense_is_refused(case):
    """The search library would end the whole process for most of these."""
    pytest.importorskip('PyNomad')
    given, sentence = SENSELESS[case]
    with pytest.raises(PlannerError, match=sentence):
        find_sequence(planar([0.0, 0.05]), START, **{**PLAN, **given}, evaluations=3)


def test_primitives_that_the_arm_cannot_make_are_refused():
    """Three joints hold no three rotations; a drive is for as many joints as move."""
    pytest.importorskip('PyNomad')
    robot = Robot(model('thesis_planar_three_joint'))
    with pytest.raises(PlannerError, match='no primitives'):
        find_sequence(Distribution(robot), START, GOAL, LIMITS, evaluations=3)
    with pytest.raises(PlannerError, match='drive must be 2 numbers'):
        find_sequence(planar([0.0, 0.05, 1.0]), START, GOAL, LIMITS, evaluations=3)


def test_progress_is_written_over_whole(capsys, monkeypatch):
    """A shorter line leaves nothing of a longer one; a file gets none of them."""
    show(Progress(9, 0.9, 0.6, 0.01))
    assert not capsys.readouterr().out
    monkeypatch.setattr(sys.stdout, 'isatty', lambda: True)
    for progress in (Progress(10, 1.0, 0.51234, 0.00123), Progress(11, 1.1, 0.5, 0.0)):
        show(progress)
    first, second = capsys.readouterr().out.split('\r')[1:]
    assert 'off by 0.00123' in first and 'feasible' in second
    assert len(first) == len(second)


def test_a_missing_search_library_is_named(monkeypatch):
    """The planner says what to install."""
    monkeypatch.setitem(sys.modules, 'PyNomad', None)
    with pytest.raises(PlannerError, match='PyNomadBBO'):
        find_sequence(planar([0.0, 0.05]), START, GOAL, LIMITS)
