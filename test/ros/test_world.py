# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What a world adds to a simulator."""

from itertools import pairwise
from types import SimpleNamespace

import free_flyer_dynamics as ffd
from free_flyer_dynamics.pace import Pace
from free_flyer_dynamics.ros.world import World
import numpy as np
import pytest

from test.ros.twin import twin
from test.worlds import wheel_robot

MS = 1e-3


@pytest.mark.jit
def test_commands_run_out_on_their_step():
    """In one call as in many."""
    once, often = (World(twin(), ['J8']) for _ in range(2))
    for world in (once, often):
        world.set_efforts({'J1': 3.0}, 0.0105)
    once.advance(25)
    for _ in range(25):
        often.advance(1)
    sim = twin()
    sim.set_efforts({'J1': 3.0})
    sim.step(10)
    sim.set_efforts({'J1': 0.0})
    sim.step(15)
    np.testing.assert_array_equal(once.sim.velocities, sim.velocities)
    np.testing.assert_array_equal(often.sim.velocities, sim.velocities)
    assert once.timeouts == 0


@pytest.mark.jit
@pytest.mark.parametrize('pace', [None, Pace(0.1, 0.0)])
def test_steps_before_one_that_goes_bad_are_counted(pace):
    """Time has gone on by them, so what runs out is so much nearer."""
    sim = ffd.Simulator(dt=0.1)
    sim.add(wheel_robot(damping=1e5), joint_velocities={'wheel': 1.0})
    world = World(sim, ['wheel'])
    with pytest.raises(ffd.StateError, match='finite'):
        world.advance(1000, pace)
    assert world.tick == round(sim.time / sim.dt) > 0


@pytest.mark.jit
def test_a_new_command_takes_the_place_of_one_that_runs_out():
    """Held means held."""
    world = World(twin(), [])
    world.set_efforts({'J1': 3.0}, 0.01, by_topic=True)
    world.set_efforts({'J1': 2.0})
    world.advance(20)
    assert world.sim.efforts[0] == 2.0
    assert world.timeouts == 0


@pytest.mark.jit
def test_what_a_command_led_to_is_counted_across_states_that_are_set():
    """The simulator's own count of clips goes back with its state; what was by topic stays so."""
    world = World(twin(), [])
    world.set_efforts({'J8': 5.0, 'J9': -5.0, 'J1': 1.0}, 0.01, by_topic=True)
    world.keep('here')
    world.set_efforts({'J8': 5.0})
    world.reset()
    assert world.clipped == 3
    world.load('here')
    world.advance(20)
    assert world.clipped == 3
    assert world.timeouts == 3
    assert not world.sim.efforts.any()


@pytest.mark.jit
def test_the_clock_is_above_zero_and_goes_on_across_resets():
    """No two states bear one stamp."""
    world = World(twin(), [])
    stamps = [world.stamp]
    for _ in range(3):
        world.advance(5)
        stamps.append(world.stamp)
        world.keep('here')
        world.reset()
        stamps.append(world.stamp)
        world.load('here')
        stamps.append(world.stamp)
    assert stamps[0] > 0
    assert all(a < b for a, b in pairwise(stamps))


@pytest.mark.jit
def test_a_change_that_takes_a_joint_away_takes_its_command_too():
    """What runs out on a joint that is gone hurts nobody."""
    world = World(twin(), [])
    world.change([('attach', 'end_effector', 'target_target', {'joint': 'revolute', 'name': 'g'})])
    world.set_efforts({'g': 1.0}, 0.005)
    world.change([('detach', 'g')])
    world.advance(10)


@pytest.mark.parametrize('duration', [-1.0, float('nan'), float('inf')])
@pytest.mark.jit
def test_a_duration_is_a_time(duration):
    """And nothing is set when it is not."""
    world = World(twin(), [])
    with pytest.raises(ffd.CommandError, match='duration'):
        world.set_efforts({'J1': 3.0}, duration)
    assert world.sim.efforts[0] == 0.0


def test_a_crash_in_a_callback_is_logged_counted_and_answered(caplog):
    """The node lives on; who called is told."""
    pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
    from free_flyer_dynamics.ros.guard import Guard
    from std_srvs.srv import Trigger

    guard = Guard()

    def crash(*_):
        raise ZeroDivisionError('a slip of ours')

    response = guard.around('reset', crash)(Trigger.Request(), Trigger.Response(success=True))
    assert not response.success
    assert 'a slip of ours' in response.message
    guard.around('joint_commands', crash)('a message')
    result = SimpleNamespace(result=0, error_message='', RESULT_OPERATION_FAILED=4)
    guard.around('step_simulation', crash)('a request', SimpleNamespace(result=result))
    assert (result.result, 'a slip of ours' in result.error_message) == (4, True)
    counts = {'reset': 1, 'joint_commands': 1, 'step_simulation': 1}
    assert guard.crashes.counts() == counts
    assert 'Traceback' in caplog.text
    caplog.clear()
    leaving = Guard(lambda: False)  # on its way down it is no crash
    assert not leaving.around('reset', crash)(Trigger.Request(), Trigger.Response()).success
    assert (leaving.crashes.total, caplog.text) == (0, '')


@pytest.mark.jit
def test_physics_that_fails_stands_still_and_says_so(caplog):
    """It never vanishes in silence: paused, with the reason, and it obeys still."""
    import time

    from free_flyer_dynamics.ros.physics import PhysicsLoop
    from free_flyer_dynamics.ros.sampling import Sampler, Wanted

    world = World(twin(), [])
    loop = PhysicsLoop(
        world, Sampler(world, [], (0, 0, 0)), Wanted, Pace(MS, 1.0, 0.05), 100.0, False
    )

    def fail(_pace, _n):
        raise ffd.StateError('The motion stopped being finite.')

    world.sim.step_on_time = fail
    loop.start()
    try:
        end = time.monotonic() + 10
        while not loop.fault and time.monotonic() < end:
            time.sleep(0.01)
        assert 'finite' in loop.fault
        assert loop.paused
        answers = []
        loop.submit(lambda: 42, lambda *answer: answers.append(answer))
        while time.monotonic() < end:
            item = loop.outbox.get(timeout=5)
            if hasattr(item, 'done'):
                assert (item.result, item.error) == (42, None)
                break
    finally:
        loop.stop()
    assert 'Physics stopped' in caplog.text
