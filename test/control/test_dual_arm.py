# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Two arms hold one tumbling target; three joints of six keep the base. [Dimitrov] 5.4."""

import free_flyer_dynamics as ffd
from free_flyer_dynamics.control import (
    attitude_error,
    distributed_momentum_loop_rates,
    loop_of_two_hands,
    loop_rates,
    loop_servo_torques,
    reduce,
    Robot,
)
import numpy as np
import pytest

from test.control.robots import model, TABLES

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


def test_oracle_loop_rates_take_over_the_base_momentum():
    """(5.6) through the independent joints: the coupling momentum is what arm and base carry."""
    sim, robots = hold_target()
    now, _, S = loop_of(robots, sim)
    form = reduce(now, YAW)
    rates = distributed_momentum_loop_rates(now, S, YAW)
    carried = form.arm_momentum + form.base_momentum
    assert np.allclose(form.Hbm @ S @ rates, carried, atol=1e-10)


@pytest.mark.parametrize('controlled', [True, False])
def test_the_base_is_held_while_the_closed_loop_moves(controlled):
    """DMC through joints 1, 3 and 5 alone, no wheels: the arms go on moving, the base does not."""
    sim, robots = hold_target(tick=0.02)
    before, start = sim.momentum(), sim.positions[:6]
    errors = []
    for _ in range(2000):
        if controlled:
            now, _, S = loop_of(robots, sim)
            current = now.joint_rates[list(INDEPENDENT)]
            rates = distributed_momentum_loop_rates(now, S, YAW)
            torques = loop_servo_torques(now, S, rates, current, 20.0)
            names = [robots[0].joint_names[k] for k in INDEPENDENT]
            sim.set_efforts(dict(zip(names, torques, strict=True)))
        sim.step()
        errors.append(np.degrees(attitude_error(robots[0].read(sim).rotation))[2])
    after = sim.momentum()
    assert np.abs(after.angular - before.angular).max() < 1e-10
    assert np.abs(after.linear - before.linear).max() < 1e-10
    assert np.ptp(sim.positions[:6] - start) > np.radians(0.5)  # the loop moves
    worst = np.abs(errors).max()
    assert worst < 0.01 if controlled else worst > 0.1
