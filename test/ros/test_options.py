# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What is asked for by parameters: an imperfect IMU, a thread before others; and RViz's arrow."""

import os

from free_flyer_dynamics.ros import threads
import numpy as np
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
pytestmark = [pytest.mark.ros, pytest.mark.jit, pytest.mark.slow]

from free_flyer_dynamics.ros.imu import ImuError  # noqa: E402, I100
from free_flyer_dynamics.ros.markers import METERS_PER_NEWTON_SECOND  # noqa: E402
from free_flyer_dynamics.ros.parameters import Parameters  # noqa: E402
from free_flyer_dynamics.ros.sampling import ImuReading  # noqa: E402
from free_flyer_interfaces.srv import Step  # noqa: E402
from sensor_msgs.msg import Imu, JointState  # noqa: E402
from visualization_msgs.msg import Marker  # noqa: E402

from test.ros.conftest import TWO  # noqa: E402
from test.ros.peer import stamp  # noqa: E402
from test.ros.twin import in_axes_of, twin, xyz  # noqa: E402

PRIORITY = 7
BIAS = np.array([0.5, -0.25, 0.125])
NOISE = 0.01  # rad/s
EXACT = 1e-12
# Of n readings the mean strays by NOISE / sqrt(n), the deviation by NOISE / sqrt(2 n).
SIGMAS = 5.0


@pytest.fixture(scope='module')
def simulator(start, peer):
    """Run chaser and target, paused, each state published, with all that may be asked for."""
    return start(
        *TWO,
        'paused:=true',
        'publish_rate:=1000.0',
        f'thread_priority:={PRIORITY}',
        f'imu.linear_acceleration_bias:={BIAS.tolist()}',
        f'imu.angular_velocity_noise:={NOISE}',
        'imu.seed:=3',
    )


def at(peer, messages, when, patience=10.0):
    """Return the message of a stamp."""
    peer.until(lambda: any(stamp(m) == when for m in messages), patience, 'the stamp')
    return next(m for m in messages if stamp(m) == when)


def step(peer, n):
    """Step, and return the stamp of the state [ns]."""
    time = peer.done(Step, 'step', steps=n).time
    return time.sec * 1_000_000_000 + time.nanosec


def test_an_imu_has_its_bias_and_its_noise(peer, simulator):
    """Added to the truth of the same stamp; covariances say how much."""
    heard = peer.listen(Imu, '/imu/data_raw')
    for _ in range(30):  # by tens: a listener in Python keeps up
        step(peer, 10)
    peer.until(lambda: len(heard) > 150, 10.0, 'readings')
    sim, off = twin(), []
    truth = {}
    for k in range(1, 301):
        sim.step(1)
        pose = sim.pose('base')
        truth[1_000_000 * k] = (
            in_axes_of(pose, sim.acceleration('base').linear),
            in_axes_of(pose, sim.twist('base').angular),
        )
    for message in heard:
        if stamp(message) not in truth:  # the start, told to late listeners
            continue
        force, rate = truth[stamp(message)]
        np.testing.assert_allclose(xyz(message.linear_acceleration), force + BIAS, atol=EXACT)
        off.append(xyz(message.angular_velocity) - rate)
    off = np.array(off)
    count = off.size
    assert abs(off.mean()) < SIGMAS * NOISE / np.sqrt(count)
    assert abs(off.std() - NOISE) < SIGMAS * NOISE / np.sqrt(2 * count)
    assert abs(np.mean(off[1:] * off[:-1])) < SIGMAS * NOISE**2 / np.sqrt(count)  # white
    assert heard[-1].angular_velocity_covariance[4] == pytest.approx(NOISE**2)
    assert heard[-1].linear_acceleration_covariance[4] == 0.0


def test_the_same_seed_is_the_same_noise_and_each_robot_has_its_own():
    """So that a run can be repeated."""
    reading = ImuReading('base', np.zeros(3), np.zeros(3))

    def said(seed, robot):
        error = ImuError(Parameters(imu__seed=seed, imu__angular_velocity_noise=NOISE), robot)
        return [xyz(error.message(1, reading).angular_velocity) for _ in range(3)]

    np.testing.assert_array_equal(said(1, 0), said(1, 0))
    assert not np.isclose(said(1, 0), said(2, 0)).any()
    assert not np.isclose(said(1, 0), said(1, 1)).any()


def scheduled(pid):
    """Return policy and priority of each thread of a process."""
    tasks = [int(tid) for tid in os.listdir(f'/proc/{pid}/task')]
    return [(os.sched_getscheduler(t), os.sched_getparam(t).sched_priority) for t in tasks]


@pytest.mark.skipif(not hasattr(os, 'SCHED_FIFO'), reason='needs the schedulers of Linux')
def test_physics_alone_runs_before_others_where_that_is_allowed(peer, simulator):
    """Where it is not, it says so and goes on."""
    step(peer, 1)
    found = [entry for entry in scheduled(simulator.popen.pid) if entry[0] == os.SCHED_FIFO]
    refused = f'thread_priority {PRIORITY} is not to be had' in simulator.log()
    assert found == ([] if refused else [(os.SCHED_FIFO, PRIORITY)])


@pytest.mark.skipif(not hasattr(os, 'SCHED_BATCH'), reason='needs the schedulers of Linux')
def test_publishing_alone_waits_until_physics_has_left_the_core(peer, simulator):
    """One thread of it: who answers others is as quick as before."""
    step(peer, 1)
    found = [entry for entry in scheduled(simulator.popen.pid) if entry[0] == os.SCHED_BATCH]
    assert found == [(os.SCHED_BATCH, 0)]


def test_a_priority_that_is_not_to_be_had_is_told(monkeypatch, caplog):
    """As without the rights for it."""

    def refuse(*_):
        raise PermissionError(1, 'Operation not permitted')

    monkeypatch.setattr(os, 'sched_setscheduler', refuse, raising=False)
    threads.make_punctual(PRIORITY)
    assert 'thread_priority 7 is not to be had' in caplog.text


def test_the_momentum_marker_points_along_the_linear_momentum(peer, simulator):
    """From the centre of mass, in world, where RViz looks for it."""
    heard = peer.listen(Marker, '/momentum_marker')
    states = peer.listen(JointState, '/joint_states')
    when = step(peer, 5)
    marker, state = at(peer, heard, when), at(peer, states, when)
    sim = twin()
    sim.step(when // 1_000_000)
    assert sim.positions[0] == state.position[0]
    momentum = sim.momentum()
    assert (marker.header.frame_id, marker.type) == ('world', Marker.ARROW)
    tail, tip = (xyz(point) for point in marker.points)
    np.testing.assert_allclose(tail, momentum.center, atol=EXACT)
    np.testing.assert_allclose(tip - tail, METERS_PER_NEWTON_SECOND * momentum.linear, atol=EXACT)
    assert np.linalg.norm(momentum.linear) > 1
