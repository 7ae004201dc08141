# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A minute of motion that leaves the base alone, in the simulator, by torques."""

import free_flyer_dynamics as ffd
from free_flyer_dynamics.control import (
    attitude_error,
    reaction_null_space_torques,
    reactionless_rates,
    reactionless_torques,
    task_priority_rates,
)
import numpy as np
import pytest

from test.control.robots import model, seven_joint, START

pytestmark = pytest.mark.jit

TICK = 0.01  # s
SWING = np.array([1.0, -1.0, 1.0, 1.0, -1.0, 1.0, 1.0])
STILL = np.zeros(3)


# Far from where base and hand contradict each other: smallest singular value 0.71.
ROOMY = np.array([0.45, 2.23, -0.49, 0.93, -1.66, 1.67, -0.86])


def run(seconds, efforts, tick=TICK, start=START):
    """Fly the thesis's robot by torques of a situation; return base errors, arm and hand."""
    robot, sim = seven_joint(), ffd.Simulator(dt=tick)
    sim.add(model(), joint_positions=dict(zip(robot.joint_names, start, strict=False)))
    errors, arm, hand = [], [], []
    for _ in range(round(seconds / tick)):
        now = robot.read(sim)
        errors.append(attitude_error(now.rotation))
        arm.append(now.positions[:7])
        hand.append(now.hand)
        torques = efforts(now, sim.time, errors[-1])
        sim.set_efforts(dict(zip(robot.joint_names, torques, strict=False)))
        sim.step()
    return np.array(errors), np.array(arm), np.array(hand)


def held(now, error, rates, accelerations):
    """Return torques for rates within the null space, the base held by damping and stiffness."""
    wish = accelerations + 2.0 * (rates - now.joint_rates[:7])
    return reaction_null_space_torques(now, -60.0 * now.base_rate - 900.0 * error, wish, STILL)


def swing(time):
    """Return the arm's rates and accelerations one would like."""
    w = 2 * np.pi / 30.0
    return 0.05 * np.sin(w * time) * SWING, 0.05 * w * np.cos(w * time) * SWING


def test_reactionless_motion_keeps_the_attitude_for_a_minute():
    """Joints swing by tens of degrees; the base stays within 1e-9 rad."""

    def efforts(now, time, error):
        rates, accelerations = swing(time)
        return held(now, error, reactionless_rates(now, rates), accelerations)

    errors, arm, _ = run(60.0, efforts)
    assert np.abs(errors).max() < 1e-9
    assert np.degrees(np.ptp(arm, axis=0)).max() > 25.0


def test_torques_without_feedback_drift_with_the_length_of_a_tick_only():
    """(3.25) held over a tick: halving the tick halves what is lost."""

    def efforts(now, time, error):
        return reactionless_torques(now, swing(time)[1] - 0.5 * now.joint_rates[:7])

    worst = [np.abs(run(10.0, efforts, tick)[0]).max() for tick in (0.02, 0.01)]
    assert worst[0] < 1e-6
    assert 0.4 < worst[1] / worst[0] < 0.6


def test_task_priority_follows_a_path_of_the_hand_and_keeps_the_base():
    """A circle of 10 cm in half a minute: hand within 1 mm, base within 1e-9 rad."""
    w, radius = 2 * np.pi / 30.0, 0.05
    start = seven_joint().geometry([*ROOMY, 0, 0, 0]).hand

    def circle(time):
        x = w * time - np.sin(w * time)  # starts and ends at rest
        speed = w * (1.0 - np.cos(w * time))
        at = start + radius * np.array([np.cos(x) - 1.0, np.sin(x), 0.0])
        return at, radius * speed * np.array([-np.sin(x), np.cos(x), 0.0])

    last = {'rates': np.zeros(7)}

    def efforts(now, time, error):
        at, velocity = circle(time)
        rates = task_priority_rates(now, velocity + 1.0 * (at - now.hand))
        accelerations, last['rates'] = (rates - last['rates']) / TICK, rates
        wish = accelerations + 5.0 * (rates - now.joint_rates[:7])
        return reaction_null_space_torques(now, -60.0 * now.base_rate - 900.0 * error, wish, STILL)

    errors, _, hand = run(30.0, efforts, start=ROOMY)
    wanted = np.array([circle(k * TICK)[0] for k in range(len(hand))])
    assert np.abs(errors).max() < 1e-9
    assert np.linalg.norm(hand - wanted, axis=1).max() < 1e-3
    assert np.ptp(hand[:, 1]) > 0.09
