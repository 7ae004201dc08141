# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The standard simulation services, where simulation_interfaces is installed."""

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
pytest.importorskip('simulation_interfaces', reason='simulation_interfaces is not installed')
pytestmark = [pytest.mark.ros, pytest.mark.jit, pytest.mark.slow]

from simulation_interfaces.msg import (  # noqa: E402
    Result,
    SimulationState,
    SimulatorFeatures,
)
from simulation_interfaces.srv import (  # noqa: E402
    GetEntities,
    GetEntityState,
    GetSimulationState,
    GetSimulatorFeatures,
    ResetSimulation,
    SetEntityState,
    SetSimulationState,
    StepSimulation,
)

from test.ros.conftest import TWO  # noqa: E402
from test.ros.twin import twin, xyz  # noqa: E402


@pytest.fixture(scope='module', autouse=True)
def simulator(start):
    """Run chaser and target, paused."""
    return start(*TWO, 'paused:=true')


def test_features_come_first(peer):
    """What is said to be there is there."""
    features = peer.call(GetSimulatorFeatures, 'get_simulator_features').features.features
    assert SimulatorFeatures.STEP_SIMULATION_MULTIPLE in features
    assert SimulatorFeatures.SPAWNING not in features


def test_stepping_resetting_and_the_state_of_an_entity(peer):
    """The twist is in the header's frame, the world."""
    reset = peer.call(ResetSimulation, 'reset_simulation')
    assert reset.result.result == Result.RESULT_OK
    step = peer.call(StepSimulation, 'step_simulation', steps=50)
    assert step.result.result == Result.RESULT_OK
    assert list(peer.call(GetEntities, 'get_entities').entities) == ['chaser', 'target']
    got = peer.call(GetEntityState, 'get_entity_state', entity='target')
    sim = twin()
    sim.step(50)
    assert got.state.header.frame_id == 'world'
    twist = sim.twist('target_target')
    np.testing.assert_array_equal(xyz(got.state.twist.linear), twist.linear)
    np.testing.assert_array_equal(xyz(got.state.twist.angular), twist.angular)
    position = sim.pose('target_target').position
    np.testing.assert_array_equal(xyz(got.state.pose.position), position)


def test_playing_and_pausing(peer):
    """A step while it plays is refused."""
    kind = SimulationState

    def state():
        return peer.call(GetSimulationState, 'get_simulation_state').state.state

    def go(wanted):
        response = peer.call(
            SetSimulationState, 'set_simulation_state', state=SimulationState(state=wanted)
        )
        return response.result.result

    assert state() == kind.STATE_PAUSED
    assert go(kind.STATE_PLAYING) == Result.RESULT_OK
    assert state() == kind.STATE_PLAYING
    assert go(kind.STATE_PLAYING) == 101
    step = peer.call(StepSimulation, 'step_simulation', steps=5)
    assert step.result.result != Result.RESULT_OK
    assert go(kind.STATE_STOPPED) == Result.RESULT_OK
    assert state() == kind.STATE_PAUSED


def test_what_is_not_there_is_said(peer):
    """By its code and a sentence."""
    got = peer.call(GetEntityState, 'get_entity_state', entity='moon').result
    assert got.result == Result.RESULT_NOT_FOUND
    assert 'chaser' in got.error_message
    got = peer.call(SetEntityState, 'set_entity_state', entity='target').result
    assert got.result == Result.RESULT_FEATURE_UNSUPPORTED
