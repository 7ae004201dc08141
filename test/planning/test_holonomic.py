# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Holonomic Distribution Control: the printed sequence, and sequences of our own."""

from itertools import pairwise
import sys

from free_flyer_dynamics.control import reduce, Robot
from free_flyer_dynamics.planning import Distribution, find_sequence, PlannerError, primitives
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


def test_a_missing_search_library_is_named(monkeypatch):
    """The planner says what to install."""
    monkeypatch.setitem(sys.modules, 'PyNomad', None)
    with pytest.raises(PlannerError, match='PyNomadBBO'):
        find_sequence(planar([0.0, 0.05]), START, GOAL, LIMITS)
