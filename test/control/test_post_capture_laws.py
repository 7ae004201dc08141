# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The laws of chapter 5, momentum management, joints, wheels and thrusters, one instant each."""

from free_flyer_dynamics.control import (
    absorbing_wheel_torques,
    attitude_error,
    attitude_wheel_torques,
    balancing_wheel_rates,
    computed_torques,
    damping_torques,
    distributed_momentum_rates,
    joint_pd_torques,
    managed_rates,
    reaction_null_space_torques,
    Robot,
    servo_torques,
    task_priority_rates,
    thruster_torque,
    tracking_torques,
    wheel_axes,
)
from free_flyer_dynamics.generate import random_tree
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from test.control.robots import random_situation, seven_joint
from test.oracles import relative

pytestmark = pytest.mark.jit


def accelerations(now, arm, wheels, base=None):
    """Return what the dense equations of motion (3.1) make of torques."""
    load = np.concatenate((np.zeros(6) if base is None else base, arm, wheels))
    return np.linalg.solve(now.H, load - now.c)


def test_oracle_reaction_null_space_control_gives_the_base_exactly_its_acceleration(rng):
    """On the chaser alone omega_dot = u_b, whatever the arm's own wish and the wheels do."""
    now, u_b, wheels = random_situation(rng), rng.normal(size=3), rng.uniform(-0.2, 0.2, 3)
    torques = reaction_null_space_torques(now, u_b, rng.normal(size=7), wheels)
    assert relative(accelerations(now, torques, wheels)[:3], u_b) < 1e-10


@pytest.mark.parametrize('seed', range(3))
def test_oracle_laws_hold_whatever_turns_as_a_wheel(seed):
    """Wheels out of balance, driven: base and arm accelerate as asked; sliders in the arm."""
    rng = np.random.default_rng(seed)
    given = random_tree(12, seed, kinds=('revolute', 'prismatic'))
    wheels = [joint.name for joint in given.joints if joint.kind == 'revolute'][1:4]
    robot = Robot(given, hand='link12', wheels=wheels)
    rates, turning = rng.uniform(-0.3, 0.3, 12), rng.uniform(-0.3, 0.3, 6)
    now = robot.situation(rng.uniform(-1, 1, 12), rates, base_twist=turning)
    u_b, wish, drives = rng.normal(size=3), rng.normal(size=9), rng.normal(size=3)
    assert np.abs(now.reduced.H[now.reduced.arm][:, now.reduced.wheels]).max() > 1e-2
    for torques, what, asked in (
        (reaction_null_space_torques(now, u_b, wish, drives), slice(3), u_b),
        (computed_torques(now, wish, drives), 6 + np.arange(12)[robot.arm], wish),
    ):
        load = np.zeros(18)
        load[6 + np.arange(12)[robot.arm]] = torques
        load[6 + np.arange(12)[robot.wheels]] = drives
        assert relative(np.linalg.solve(now.H, load - now.c)[what], asked) < 1e-9
    form, v = now.reduced, now.velocity[[0, 1, 2, *range(6, 18)]]
    v[3 + np.arange(12)[robot.arm]] = task_priority_rates(now, u_b, wish[:3])
    assert relative((form.J @ v + form.drift)[3:], u_b) < 1e-9
    assert relative(form.Hbm @ v[form.arm], wish[:3]) < 1e-9


def test_oracle_reaction_null_space_control_is_the_thesiss_formula(rng):
    """(5.3), its matrices with a bar written out."""
    now, u_b, u_m = random_situation(rng), rng.normal(size=3), rng.normal(size=7)
    wheels, form = rng.uniform(-0.2, 0.2, 3), now.reduced
    inverse = np.linalg.pinv(form.Hbm)
    Hr_bar = form.Hm @ inverse @ form.Hbr @ np.linalg.inv(form.Hr)
    H_bar = form.Hbm.T - form.Hm @ inverse @ form.Hb + Hr_bar @ form.Hbr.T
    c_bar = form.c[form.arm] - form.Hm @ inverse @ form.c[:3] + Hr_bar @ form.c[form.wheels]
    R = np.eye(7) - inverse @ form.Hbm
    expected = H_bar @ u_b - Hr_bar @ wheels + c_bar + form.Hm @ R @ u_m
    assert relative(reaction_null_space_torques(now, u_b, u_m, wheels), expected) < 1e-10
    by_gains = damping_torques(now, wheels, 25.0, 10.0)
    u_b, u_m = -25.0 * now.base_rate, -10.0 * now.joint_rates[:7]
    assert np.array_equal(by_gains, reaction_null_space_torques(now, u_b, u_m, wheels))


def test_oracle_distributed_momentum_takes_over_what_the_base_carries(rng):
    """(5.6): with the arm at those rates and the wheels as they are, the base does not turn."""
    now = random_situation(rng)
    joints = np.concatenate((distributed_momentum_rates(now), now.joint_rates[7:]))
    base = np.linalg.solve(now.H[:6, :6], now.momentum - now.H[:6, 6:] @ joints)
    assert np.abs(base[:3]).max() < 1e-13


def test_oracle_distributed_momentum_is_momentum_management_without_a_target(rng):
    """As 5.2 says: before the contact (5.6) and the first term of (4.21) are the same."""
    now = random_situation(rng)
    managed = managed_rates(now, now.joint_rates[7:], now.reduced.momentum)
    assert relative(distributed_momentum_rates(now), managed) < 1e-10


def test_oracle_managed_rates_leave_the_base_at_rest_and_wheels_can_answer(rng):
    """(4.21), (4.28) and (4.29): momentum zero, base at rest, by any inverse and either way."""
    now, wish = random_situation(rng), rng.normal(size=7)
    wheels = rng.uniform(-30, 30, 3)
    for options in ({}, {'wish': wish}, {'dependent': (0, 1, 2)}):
        rates = managed_rates(now, wheels, **options)
        assert np.abs(now.reduced.Hbm @ rates + now.reduced.Hbr @ wheels).max() < 1e-11
    assert not rates[3:].any()
    assert relative(balancing_wheel_rates(now, rates), wheels) < 1e-9
    more = seven_joint(arm=['J1', 'J2', 'J3'], wheels=['J7', 'J8', 'J9', 'J10'])
    form = more.situation(now.positions).reduced
    balanced = balancing_wheel_rates(more.situation(now.positions), wish[:3])
    assert np.abs(form.Hbm @ wish[:3] + form.Hbr @ balanced).max() < 1e-10
    with pytest.raises(np.linalg.LinAlgError, match='2 joints cannot'):
        balancing_wheel_rates(seven_joint(wheels=['J8', 'J9']).geometry(np.zeros(10)), wish[:8])


def test_oracle_computed_torques_accelerate_the_arm_as_asked(rng):
    """(E.3): base and wheels answer, the arm does as told; servo and PD are made of it."""
    now, asked, wheels = random_situation(rng), rng.normal(size=7), rng.uniform(-0.2, 0.2, 3)
    found = accelerations(now, computed_torques(now, asked, wheels), wheels)
    assert relative(found[6:13], asked) < 1e-10
    found = accelerations(now, servo_torques(now, asked, 3.0, wheels), wheels)
    assert relative(found[6:13], 3.0 * (asked - now.joint_rates[:7])) < 1e-10
    q, v = now.positions[:7], now.joint_rates[:7]
    torques = tracking_torques(now, q + 0.1, v - 0.2, asked, wheels, frequency=2.0)
    expected = asked + 4.0 * 0.1 - 4.0 * 0.2
    assert relative(accelerations(now, torques, wheels)[6:13], expected) < 1e-10
    assert np.allclose(joint_pd_torques(now, q + 0.1, v + 0.2, 3.0, 5.0), 1.3)


def test_wheels_and_thrusters_turn_the_base_back_within_their_limits(rng):
    """PD: the wheels' reaction is the torque asked; what they cannot do is clipped."""
    now, error = random_situation(rng), rng.uniform(-0.01, 0.01, 3)
    assert np.allclose(wheel_axes(now), np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]]), atol=1e-12)
    wanted = 2.0 * error + 3.0 * now.base_rate
    assert np.allclose(attitude_wheel_torques(now, error, 2.0, 3.0, np.full(3, 9.0)), wanted)
    limited = attitude_wheel_torques(now, error, 200.0, 300.0, np.full(3, 0.2))
    assert np.array_equal(np.abs(limited), np.full(3, 0.2))
    assert np.allclose(thruster_torque(now, error, 2.0, 3.0), -wanted)
    assert np.abs(thruster_torque(now, error, 2e4, 3e4, limit=1.0)).max() == 1.0
    goal = now.reduced.wheel_momentum + np.array([1e-3, 5.0, -5.0])
    assert np.allclose(absorbing_wheel_torques(now, goal, np.full(3, 0.2)), [5e-4, 0.2, -0.2])


@pytest.mark.parametrize('angle', [0.0, 1e-12, 1e-5, 0.5, 2.9, 3.1, 3.1415926])
def test_oracle_attitude_errors_are_scipys_rotation_vectors(angle, rng):
    """At every size, near half a turn too, and from any wanted attitude."""
    axis = rng.normal(size=3)
    vector = angle * axis / np.linalg.norm(axis)
    wanted = Rotation.from_rotvec(axis)
    turned = wanted * Rotation.from_rotvec(vector)
    found = attitude_error(turned.as_matrix(), wanted.as_matrix())
    assert np.allclose(found, vector, atol=2e-8)
    assert np.allclose(attitude_error(Rotation.from_rotvec(vector).as_matrix()), vector, atol=2e-8)


def test_half_a_turn_is_half_a_turn_about_its_axis(rng):
    """Where the sine says nothing: either way round, but not none."""
    for axis in (*np.eye(3), rng.normal(size=3)):
        turned = Rotation.from_rotvec(np.pi * axis / np.linalg.norm(axis)).as_matrix()
        found = attitude_error(turned)
        assert np.linalg.norm(found) == pytest.approx(np.pi, abs=1e-12)
        assert np.allclose(Rotation.from_rotvec(found).as_matrix(), turned, atol=1e-12)


def test_a_robot_without_wheels_is_controlled_all_the_same(rng):
    """The laws take a robot whose wheels are none."""
    robot = seven_joint(arm=[f'J{i}' for i in range(1, 8)], wheels=[])
    now = random_situation(rng, robot)
    u_b, wish = rng.normal(size=3), rng.normal(size=7)
    torques = reaction_null_space_torques(now, u_b, wish, np.zeros(0))
    load = np.concatenate((np.zeros(6), torques)) - now.c[:13]  # the wheels' axes held
    assert relative(np.linalg.solve(now.H[:13, :13], load)[:3], u_b) < 1e-10
    rates = distributed_momentum_rates(now)
    assert (
        relative(now.reduced.Hbm @ rates, now.reduced.arm_momentum + now.reduced.base_momentum)
        < 1e-10
    )
