# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Two arms hold one tumbling target; three joints of six keep the base. [Dimitrov] 5.4."""

from dataclasses import replace

import free_flyer_dynamics as ffd
from free_flyer_dynamics.control import (
    attitude_error,
    distributed_momentum_loop_rates,
    loop_of_two_hands,
    loop_rates,
    loop_servo_torques,
    reaction_null_space_loop_torques,
    reduce,
    Robot,
)
from free_flyer_dynamics.generate import random_tree
import numpy as np
import pytest

from test.control.robots import model, TABLES
from test.worlds import random_start

pytestmark = pytest.mark.jit

HANDS = ('end_effector_right', 'end_effector_left')
PLANE = (2, 3, 4)  # of a twist: about z, along x and y
YAW = (2,)
INDEPENDENT = tuple(
    int(k) - 1 for k in TABLES['dimitrov_F4_F5']['independent_joints_after_capture']
)
FOLDED = np.radians([70.0, 40.0, 30.0, -70.0, -40.0, -30.0])
SPIN = 0.02  # of the target [rad/s]


def hold_target(tick=0.01):
    """Return the planar robot with both hands on the turning target, and its two copies."""
    given = model('thesis_planar_dual_arm')
    robots = [Robot(given, hand=hand) for hand in HANDS]
    sim = ffd.Simulator(dt=tick)
    sim.add(given, joint_positions=dict(zip(robots[0].joint_names, FOLDED, strict=True)))
    places = [sim.pose(hand).position for hand in HANDS]
    middle = 0.5 * (places[0] + places[1])
    sim.add(model('thesis_target'), 't/', position=middle, angular_velocity=(0, 0, SPIN))
    sim.change([('attach', hand, 't/target', {'name': hand + '_grip'}) for hand in HANDS])
    return sim, robots


def loop_of(robots, sim):
    """Return the right arm's situation and the loop's S, from the robot's own measurements."""
    right, left = (robot.read(sim) for robot in robots)
    loop = loop_of_two_hands(right.J, left.J, right.arm, left.hand - right.hand, PLANE)
    return right, loop, loop_rates(loop, INDEPENDENT)


def test_oracle_the_loop_binds_the_rates_that_the_simulator_shows():
    """The joints' rates of the closed loop are S times the independent ones."""
    sim, robots = hold_target()
    sim.set_efforts({'J1': 3.0, 'J5': -2.0})
    sim.step(300)
    now, loop, S = loop_of(robots, sim)
    rates = now.joint_rates
    assert np.abs(rates).max() > 1e-4
    assert np.abs(loop @ rates).max() < 1e-9
    assert np.allclose(S @ rates[list(INDEPENDENT)], rates, atol=1e-9)


def test_oracle_the_loop_binds_two_hands_in_space(rng):
    """All six rows: two branches of a tree hold one body, moving and turning somehow."""
    given = random_tree(14, 8, kinds=('revolute', 'prismatic'))
    first, second = 'link13', 'link14'
    robots = [Robot(given, hand=hand) for hand in (first, second)]
    sim = ffd.Simulator()
    random_start(rng, given, speed=0.3).add_to(sim, given)
    sim.add(model('thesis_target'), 't/', position=(1, 2, 3), angular_velocity=(0.3, -0.2, 0.4))
    sim.change([('attach', hand, 't/target') for hand in (first, second)])
    one, other = (robot.read(sim) for robot in robots)
    loop = loop_of_two_hands(one.J, other.J, one.arm, other.hand - one.hand, range(6))
    assert np.linalg.matrix_rank(loop) == 6
    assert np.abs(one.joint_rates).max() > 0.1
    assert np.abs(loop @ one.joint_rates).max() < 1e-9


def test_oracle_loop_rates_take_over_the_base_momentum():
    """(5.6) through the independent joints: the coupling momentum is what arm and base carry."""
    sim, robots = hold_target()
    now, _, S = loop_of(robots, sim)
    form = reduce(now, YAW)
    rates = distributed_momentum_loop_rates(now, S, YAW)
    carried = form.arm_momentum + form.base_momentum
    assert np.allclose(form.Hbm @ S @ rates, carried, atol=1e-10)


def test_oracle_reaction_null_space_control_of_a_loop_gives_the_base_its_acceleration(rng):
    """
    On the chaser alone, its hands bound to each other by a massless bar: omega_dot = u_b.

    Against the dense equations with the loop's forces as multipliers; S's own derivative, which
    both need, by finite differences.
    """
    robots = [Robot(model('thesis_planar_dual_arm'), hand=hand) for hand in HANDS]
    middle = robots[0].situation(FOLDED)
    joints = list(INDEPENDENT)

    def loop_at(q):
        right, left = (robot.situation(q) for robot in robots)
        return loop_of_two_hands(right.J, left.J, right.arm, left.hand - right.hand, PLANE)

    S = loop_rates(loop_at(middle.positions), INDEPENDENT)
    rates = S @ rng.uniform(-0.2, 0.2, 3)
    h = 1e-5
    ahead, behind = (
        loop_rates(loop_at(middle.positions + t * rates), INDEPENDENT) for t in (h, -h)
    )
    bend = (ahead - behind) @ rates[joints] / (2 * h)
    turning = np.array([0, 0, 0.03, 0.01, -0.02, 0])
    now = robots[0].situation(FOLDED, rates, base_twist=turning)
    u_b, wish = rng.normal(size=1), rng.normal(size=3)
    torques = np.zeros(12)
    torques[[6 + k for k in joints]] = reaction_null_space_loop_torques(
        now, S, u_b, wish, bend, YAW
    )
    loop = np.hstack((np.zeros((3, 6)), loop_at(now.positions)))
    rows = [2, 3, 4, *range(6, 12)]  # the plane's
    loop, H = loop[:, rows], now.H[np.ix_(rows, rows)]
    whole = np.block([[H, loop.T], [loop, np.zeros((3, 3))]])
    given = np.concatenate((torques[rows] - now.c[rows], loop[:, 3:] @ bend))
    found = np.linalg.solve(whole, given)
    assert abs(found[0] - u_b[0]) < 1e-6  # bend is by finite differences
    still = reaction_null_space_loop_torques(now, S, u_b, wish, held=YAW)
    assert np.abs(still - torques[[6 + k for k in joints]]).max() > 1e-3  # and it matters


@pytest.mark.parametrize('wheel', [False, True])
def test_oracle_the_loop_s_servo_accelerates_the_independent_joints_as_asked(wheel, rng):
    """At rest, the hands bound by a massless bar, a wheel coasting: gain times what is missing."""
    given = model('thesis_planar_dual_arm')
    if wheel:
        heavy = ffd.Body('rim', 50.0, np.zeros(3), np.diag([30.0, 30.0, 60.0]))
        axle = ffd.Joint('J7', 'continuous', 'base', 'rim')
        bodies, joints = (*given.bodies, heavy), (*given.joints, axle)
        given = replace(given, bodies=bodies, joints=joints)
    robots = [Robot(given, hand=hand, wheels=['J7'] if wheel else []) for hand in HANDS]
    n = len(robots[0].joint_names)
    right, left = (robot.situation([*FOLDED, 0.0][:n]) for robot in robots)
    loop = loop_of_two_hands(right.J, left.J, right.arm, left.hand - right.hand, PLANE)
    joints, asked = 6 + np.array(INDEPENDENT), rng.normal(size=3)
    torques = np.zeros(6 + n)
    torques[joints] = loop_servo_torques(
        right, loop_rates(loop, INDEPENDENT), asked, np.zeros(3), 3.0
    )
    rows = np.hstack((np.zeros((3, 6)), loop, np.zeros((3, n - 6))))
    whole = np.block([[right.H, rows.T], [rows, np.zeros((3, 3))]])
    found = np.linalg.solve(whole, np.concatenate((torques, np.zeros(3))))
    assert np.allclose(found[joints], 3.0 * asked, rtol=1e-9)


def dmc(now, S):
    """Return the independent joints' torques of (5.6)."""
    current = now.joint_rates[list(INDEPENDENT)]
    rates = distributed_momentum_loop_rates(now, S, YAW)
    return loop_servo_torques(now, S, rates, current, 20.0)


def rnsc(now, S):
    """Return the independent joints' torques of (5.5); the arms are left to move as they do."""
    return reaction_null_space_loop_torques(
        now, S, -20.0 * now.base_rate[2:], np.zeros(3), held=YAW
    )


@pytest.mark.parametrize('law', [dmc, rnsc, None])
def test_the_base_is_held_while_the_closed_loop_moves(law):
    """Joints 1, 3 and 5 alone, no wheels: the arms go on moving, the base does not."""
    sim, robots = hold_target(tick=0.02)
    before, start = sim.momentum(), sim.positions[:6]
    errors = []
    for _ in range(2000):
        if law:
            now, _, S = loop_of(robots, sim)
            names = [robots[0].joint_names[k] for k in INDEPENDENT]
            sim.set_efforts(dict(zip(names, law(now, S), strict=True)))
        sim.step()
        errors.append(np.degrees(attitude_error(robots[0].read(sim).rotation))[2])
    after = sim.momentum()
    assert np.abs(after.angular - before.angular).max() < 1e-10
    assert np.abs(after.linear - before.linear).max() < 1e-10
    assert np.ptp(sim.positions[:6] - start) > np.radians(0.5)  # the loop moves
    worst = np.abs(errors).max()
    assert worst < 0.01 if law else worst > 0.1
