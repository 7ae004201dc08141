# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Resolved motion rate and task priority: the hand does as asked on a base that floats."""

import free_flyer_dynamics as ffd
from free_flyer_dynamics.control import (
    ALL_ROWS,
    generalized_jacobian,
    LINEAR_ROWS,
    resolved_motion_rates,
    restricted_jacobian,
    restricted_manipulability,
    right_inverse,
    singular_damping,
    task_priority_rates,
)
import numpy as np
import pytest

from test.control.robots import model, random_situation, seven_joint
from test.oracles import relative

pytestmark = pytest.mark.jit


def hand_twist(now, arm_rates):
    """Return the hand's twist once the arm's rates are these: dense momentum conservation."""
    joints = np.concatenate((arm_rates, now.joint_rates[7:]))
    base = np.linalg.solve(now.H[:6, :6], now.momentum - now.H[:6, 6:] @ joints)
    return now.J @ np.concatenate((base, joints)), base


def test_oracle_the_generalized_jacobian_is_that_of_finite_differences():
    """A robot at rest whose joint is turned a little, all else answering: a simulator's hand."""
    robot, q = seven_joint(), {f'J{i}': 0.3 * i for i in range(1, 8)}
    J = generalized_jacobian(robot.geometry([*q.values(), 0, 0, 0]))
    h = 1e-3
    for column in range(7):
        ends = []
        for rate in (-1.0, 1.0):  # a joint rate as from an inner impulse: no momentum
            sim = ffd.Simulator(dt=h)
            sim.add(model(), joint_positions=q)
            now = robot.read(sim)
            unit = rate * np.eye(7)[column]
            base = -np.linalg.solve(now.H[:6, :6], now.H[:6, 6:13] @ unit)
            sim = ffd.Simulator(dt=h)
            sim.add(
                model(),
                joint_positions=q,
                joint_velocities={f'J{column + 1}': rate},
                angular_velocity=base[:3],
                linear_velocity=base[3:],
            )
            sim.step()
            ends.append(sim.pose('end_effector').position)
        slope = (ends[1] - ends[0]) / (2 * h)
        assert relative(slope, J[3:, column]) < 1e-5


@pytest.mark.parametrize('rows', [ALL_ROWS, LINEAR_ROWS])
def test_oracle_resolved_motion_gives_the_hand_its_twist(rows, rng):
    """(E.7), with momentum and running wheels: the dense conservation law says so."""
    now, asked = random_situation(rng), rng.normal(size=6)[rows]
    for wish in (None, rng.normal(size=7)):
        rates = resolved_motion_rates(now, asked, rows, wish)
        assert relative(hand_twist(now, rates)[0][rows], asked) < 1e-10


def test_oracle_task_priority_moves_the_hand_and_not_the_base(rng):
    """(3.29): first the base's attitude, then the hand's velocity, both exactly."""
    now = random_situation(rng, rest=True, wheels_rest=True)
    robot = seven_joint()
    now = robot.situation(now.positions)  # at rest, without momentum
    asked = rng.normal(size=3)
    for wish in (None, rng.normal(size=7)):
        twist, base = hand_twist(now, task_priority_rates(now, asked, wish=wish))
        assert relative(twist[3:], asked) < 1e-10
        assert np.abs(base[:3]).max() < 1e-12


def test_oracle_task_priority_keeps_a_coupling_momentum_too(rng):
    """The general case: the base turns, the wheels run and the robot drifts."""
    now, asked, kept = random_situation(rng), rng.normal(size=3), rng.normal(size=3)
    rates = task_priority_rates(now, asked, kept)
    form = now.reduced
    assert relative(form.Hbm @ rates, kept) < 1e-10
    v = np.concatenate((now.velocity[:3], rates, now.joint_rates[7:]))
    assert relative((form.J @ v + form.drift)[3:], asked) < 1e-10


def test_oracle_manipulability_is_the_product_of_singular_values(rng):
    """(3.34), and no larger than that of the unrestricted Jacobian."""
    now = random_situation(rng)
    J = restricted_jacobian(now)
    found = restricted_manipulability(now)
    assert relative(found, np.prod(np.linalg.svd(J)[1])) < 1e-9
    free = now.reduced.J[3:, now.reduced.arm]
    assert found < np.sqrt(np.linalg.det(free @ free.T))


def test_damping_keeps_rates_bounded_where_tasks_conflict():
    """A stretched arm is singular: the damped law stays small, its first task exact."""
    robot = seven_joint(arm=['J1', 'J2', 'J3', 'J4', 'J5', 'J6'])
    asked = np.array([0.0, 0.0, 0.01])
    found = []
    for fold in (1.0, 1e-3, 1e-6):
        now = robot.geometry(np.array([0, 0.1, 0, fold, fold, fold, 0, 0, 0, 0]))
        S = np.linalg.svd(restricted_jacobian(now))[1][-1]
        damped = task_priority_rates(now, asked, threshold=0.05, damping=0.05)
        found.append((S, np.linalg.norm(damped), np.linalg.norm(task_priority_rates(now, asked))))
        assert np.abs(now.reduced.Hbm @ damped).max() < 1e-12  # the first task stays exact
    assert all(damped <= plain + 1e-12 for _, damped, plain in found)
    assert max(damped for _, damped, _ in found) < 0.5


def test_damping_begins_at_its_threshold():
    """Nothing above it, the most at a singularity, smooth between."""
    A = np.diag([1.0, 0.1])
    assert singular_damping(A, 0.05, 0.2) == 0.0
    assert singular_damping(np.diag([1.0, 0.0]), 0.05, 0.2) == pytest.approx(0.2)
    assert singular_damping(A, 0.2, 0.2) == pytest.approx(0.2 * np.sqrt(0.75))
    assert np.isfinite(right_inverse(np.diag([1.0, 0.0]), 0.2)).all()
