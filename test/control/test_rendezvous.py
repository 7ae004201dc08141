# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A hand that meets a point that moves, and a base that recoils meanwhile."""

from examples import capture_scene as stage
from free_flyer_dynamics.control import attitude_error, meeting_velocity, ResolvedMotion, Robot
import numpy as np
import pytest

CONTACT = stage.CONTACT


def test_it_starts_at_rest_and_ends_with_the_point():
    """Velocity of the hand at the two ends, and where it is at the contact."""
    drift, start, dt = np.array([0.02, -0.01, 0.03]), np.array([1.0, -0.5, 0.3]), 1e-3
    assert not meeting_velocity(start, drift, 0.0, CONTACT).any()
    hand, point = np.zeros(3), start.copy()
    for k in range(round(CONTACT / dt)):
        velocity = meeting_velocity(point - hand, drift, k * dt, CONTACT)
        hand += dt * velocity
        point += dt * drift
    assert np.linalg.norm(point - hand) < 2e-3  # m
    assert np.linalg.norm(velocity - drift) < 5e-3  # m/s


def test_who_is_held_far_away_does_not_race():
    """Near the contact the way is closed quickly, if it is short."""
    far = meeting_velocity(np.array([4.0, 0.0, 3.0]), np.zeros(3), CONTACT - 1.0, CONTACT)
    np.testing.assert_allclose(far, [0.4, 0.0, 0.3])


@pytest.mark.jit
def test_the_hand_meets_the_grasp_point_while_the_base_turns_away():
    """Wheels coast, nothing holds the base: ten degrees of recoil, and a contact all the same."""
    sim = stage.scene(dt=0.01)
    robot, twist = Robot(stage.chaser()), np.zeros(6)
    law = ResolvedMotion(gain=20.0, reference=lambda: twist)
    for _ in range(round(CONTACT / sim.dt)):
        now, point = robot.read(sim), sim.twist('target/grasp')
        gap = sim.pose('target/grasp').position - now.hand
        twist[3:] = meeting_velocity(gap, point.linear, sim.time, CONTACT)
        sim.set_efforts(dict(zip(robot.joint_names, law.efforts(now, sim.time), strict=True)))
        sim.step()
    assert np.linalg.norm(gap) < 2e-3
    assert np.linalg.norm(sim.twist('end_effector').linear - point.linear) < 5e-3
    assert 8.0 < np.degrees(np.linalg.norm(attitude_error(now.rotation))) < 15.0
    assert not sim.efforts[now.wheels].any()  # they coast
