# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A node that steps by one of the papers' algorithms, and what it cannot do."""

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
pytestmark = [pytest.mark.ros, pytest.mark.jit, pytest.mark.slow]

from free_flyer_dynamics.algorithms import ALGORITHMS  # noqa: E402, I100
from free_flyer_dynamics.ros.parameters import Parameters, RobotParameters  # noqa: E402
from free_flyer_dynamics.ros.scene import build  # noqa: E402
from free_flyer_interfaces.msg import TopologyOperation  # noqa: E402
from free_flyer_interfaces.srv import ChangeTopology, Step  # noqa: E402
from sensor_msgs.msg import Imu, JointState  # noqa: E402

from test.ros.conftest import TWO  # noqa: E402
from test.ros.peer import stamp  # noqa: E402
from test.ros.twin import twin  # noqa: E402

SAME = 1e-12  # rad: ten steps of the same stages


@pytest.mark.parametrize('algorithm', ALGORITHMS)
def test_the_parameter_takes_every_algorithm(algorithm, monkeypatch):
    """The world that is built steps by it."""
    calls = []
    by = ALGORITHMS[algorithm]
    monkeypatch.setitem(ALGORITHMS, algorithm, lambda *given: calls.append(given) or by(*given))
    robot = RobotParameters('one', urdf='thesis_target')
    given = Parameters(algorithm=algorithm, robot=(robot,))
    sim, _ = build(given, lambda *_: {})
    sim.step()
    sim.joint_accelerations()
    assert len(calls) == (1 if algorithm == 'articulated_body' else 5)  # that steps compiled


def test_a_loop_that_the_algorithm_cannot_close_stops_physics_and_nothing_else(start, peer):
    """Who asked is answered, a step says why not; opened again, it goes on as the library does."""
    process = start(*TWO, 'paused:=true', 'algorithm:=base_invariant')
    joints = peer.listen(JointState, '/joint_states')
    peer.listen(Imu, '/imu/data_raw')  # which wants accelerations
    close = TopologyOperation(
        kind='attach', frame_a='end_effector', frame_b='base', joint_type='spherical', name='loop'
    )
    peer.done(ChangeTopology, 'change_topology', operations=[close])
    answer = peer.call(Step, 'step', steps=1)
    assert not answer.success and "'base_invariant' cannot close loops" in answer.message
    opened = TopologyOperation(kind='detach', name='loop')
    peer.done(ChangeTopology, 'change_topology', operations=[opened])
    end = peer.done(Step, 'step', steps=10).time
    peer.until(lambda: joints and stamp(joints[-1]) == end.sec * 1_000_000_000 + end.nanosec)
    sim = twin()
    sim.attach('end_effector', 'base', joint='spherical', name='loop')
    sim.detach('loop')
    sim.step(10)
    assert np.abs(np.array(joints[-1].position) - sim.positions).max() < SAME
    assert process.alive
