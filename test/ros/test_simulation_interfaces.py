# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The standard simulation services, where simulation_interfaces is installed."""

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
pytest.importorskip('simulation_interfaces', reason='simulation_interfaces is not installed')
pytestmark = [pytest.mark.ros, pytest.mark.jit, pytest.mark.slow]

from free_flyer_interfaces.msg import TopologyOperation  # noqa: E402, I100
from free_flyer_interfaces.srv import ChangeTopology  # noqa: E402
from nav_msgs.msg import Odometry  # noqa: E402
from simulation_interfaces.msg import (  # noqa: E402
    EntityCategory,
    EntityFilters,
    EntityState,
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

ROUNDING = 1e-12  # of numbers of a few metres, turned and turned back


@pytest.fixture(scope='module', autouse=True)
def simulator(start):
    """Run chaser and target, paused."""
    return start(*TWO, 'paused:=true')


def test_features_come_first(peer):
    """What is said to be there is there."""
    features = peer.call(GetSimulatorFeatures, 'get_simulator_features').features.features
    assert SimulatorFeatures.STEP_SIMULATION_MULTIPLE in features
    assert SimulatorFeatures.ENTITY_STATE_SETTING in features
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


def whole_state(peer, entity):
    """Return a state as sent back to the simulator, in world."""
    return peer.call(GetEntityState, 'get_entity_state', entity=entity).state


def place(peer, entity, state, **flags):
    """Set a state; say what of it is meant where the version lets one say."""
    known = SetEntityState.Request.get_fields_and_field_types()
    flags = {name: value for name, value in flags.items() if name in known}
    return peer.call(
        SetEntityState, 'set_entity_state', entity=entity, state=state, **flags
    ).result


BOTH = {'set_pose': True, 'set_twist': True}


def test_an_entity_set_elsewhere_is_there_with_its_twist_and_published(peer):
    """What follows is what the library makes of it; the other robot feels nothing."""
    heard = peer.listen(Odometry, '/target_odom')
    peer.call(ResetSimulation, 'reset_simulation')
    before = whole_state(peer, 'chaser')
    state = whole_state(peer, 'target')
    state.pose.position.x, state.twist.angular.z = 5.0, 0.3
    heard.clear()
    assert place(peer, 'target', state, **BOTH).result == Result.RESULT_OK
    peer.until(lambda: heard, 5.0, 'the state it was set to')
    assert heard[-1].pose.pose.position.x == pytest.approx(5.0)
    peer.call(StepSimulation, 'step_simulation', steps=20)
    sim = twin()
    sim.place(
        'target_', position=(5.0, 0.5, 1.0), angular_velocity=(*xyz(state.twist.angular)[:2], 0.3)
    )
    sim.step(20)
    got = whole_state(peer, 'target')
    np.testing.assert_allclose(
        xyz(got.pose.position), sim.pose('target_target').position, atol=ROUNDING
    )
    twist = sim.twist('target_target')
    np.testing.assert_allclose(xyz(got.twist.linear), twist.linear, atol=ROUNDING)
    np.testing.assert_allclose(xyz(got.twist.angular), twist.angular, atol=ROUNDING)
    np.testing.assert_allclose(
        xyz(got.acceleration.angular), sim.acceleration('target_target').angular, atol=ROUNDING
    )
    sim = twin()
    assert before.pose.position.x == sim.pose('base').position[0]


def test_what_is_not_meant_stays(peer):
    """From 2.1 on the request says what it means; before, a state was meant whole."""
    peer.call(ResetSimulation, 'reset_simulation')
    before = whole_state(peer, 'target')
    state = EntityState()
    state.pose.position.y = 4.0
    assert place(peer, 'target', state, set_pose=True, set_twist=False).result == 1
    after = whole_state(peer, 'target')
    assert after.pose.position.y == pytest.approx(4.0)
    flags = 'set_twist' in SetEntityState.Request.get_fields_and_field_types()
    expected = xyz(before.twist.angular) if flags else np.zeros(3)
    np.testing.assert_allclose(xyz(after.twist.angular), expected, atol=ROUNDING)


def other_frame(state):
    """Give the state in a frame that is not the world."""
    state.header.frame_id = 'base'


def no_number(state):
    """Let a position be no number."""
    state.pose.position.x = float('nan')


def no_rotation(state):
    """Let a quaternion be none."""
    state.pose.orientation.w = state.pose.orientation.x = 0.0
    state.pose.orientation.y = state.pose.orientation.z = 0.0


WRONG = {
    'another frame': (other_frame, Result.RESULT_OPERATION_FAILED, "frame 'world'"),
    'no number': (no_number, 101, 'finite'),
    'no rotation': (no_rotation, 101, 'unit length'),
}


@pytest.mark.parametrize('case', WRONG)
def test_a_state_that_cannot_be_is_refused_and_changes_nothing(peer, case):
    """By its code and the library's sentence."""
    spoil, code, sentence = WRONG[case]
    peer.call(ResetSimulation, 'reset_simulation')
    before = whole_state(peer, 'target')
    state = whole_state(peer, 'target')
    spoil(state)
    got = place(peer, 'target', state, **BOTH)
    assert (got.result, sentence in got.error_message) == (code, True), got
    assert whole_state(peer, 'target') == before


def test_a_robot_that_is_held_cannot_be_set_elsewhere(peer):
    """A grasp is not torn; a reset undoes it, and its topic goes."""
    peer.call(ResetSimulation, 'reset_simulation')
    grip = TopologyOperation(
        kind='attach', frame_a='end_effector', frame_b='target_target', name='grip'
    )
    peer.done(ChangeTopology, 'change_topology', operations=[grip])
    peer.until(lambda: peer.node.count_publishers('/wrenches/grip'), 5.0)
    got = place(peer, 'target', whole_state(peer, 'target'), **BOTH)
    assert got.result == Result.RESULT_OPERATION_FAILED
    assert "'grip'" in got.error_message
    peer.call(ResetSimulation, 'reset_simulation')
    peer.until(lambda: not peer.node.count_publishers('/wrenches/grip'), 5.0)


def test_entities_are_filtered_by_name(peer):
    """A regular expression; filters nobody supports are refused, not passed over."""
    filters = EntityFilters(filter='^tar')
    assert list(peer.call(GetEntities, 'get_entities', filters=filters).entities) == ['target']
    got = peer.call(GetEntities, 'get_entities', filters=EntityFilters(filter='(')).result
    assert got.result == Result.RESULT_OPERATION_FAILED
    filters = EntityFilters(categories=[EntityCategory()])
    got = peer.call(GetEntities, 'get_entities', filters=filters).result
    assert got.result == Result.RESULT_FEATURE_UNSUPPORTED


def test_what_is_not_there_is_said(peer):
    """By its code and a sentence."""
    for kind, name in ((GetEntityState, 'get_entity_state'), (SetEntityState, 'set_entity_state')):
        got = peer.call(kind, name, entity='moon').result
        assert got.result == Result.RESULT_NOT_FOUND
        assert 'chaser' in got.error_message
    time = ResetSimulation.Request.SCOPE_TIME
    got = peer.call(ResetSimulation, 'reset_simulation', scope=time).result
    assert got.result == Result.RESULT_FEATURE_UNSUPPORTED
