# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The physics thread among those that hurry it, and what hands its states on."""

from functools import partial
import time

import free_flyer_dynamics as ffd
from free_flyer_dynamics.pace import Pace
from free_flyer_dynamics.ros.world import World
from free_flyer_dynamics.urdf import shipped
import numpy as np
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
pytestmark = [pytest.mark.ros, pytest.mark.jit]

from free_flyer_dynamics.ros.outbox import Reply  # noqa: E402, I100
from free_flyer_dynamics.ros.parameters import Parameters  # noqa: E402
from free_flyer_dynamics.ros.physics import PhysicsLoop  # noqa: E402
from free_flyer_dynamics.ros.publishers import Publishers  # noqa: E402
from free_flyer_dynamics.ros.sampling import Sampler, Wanted  # noqa: E402
from free_flyer_dynamics.ros.scene import Robot  # noqa: E402
from free_flyer_dynamics.ros.wrench_topics import WrenchTopics  # noqa: E402
from free_flyer_dynamics.values import Wrench  # noqa: E402
import rclpy  # noqa: E402

from test.ros.twin import twin  # noqa: E402

PATIENCE = 10.0  # s
MS = 1e-3
ROBOT = Robot('target', '', ffd.load_urdf(shipped('thesis_target')), '')


def until(condition):
    """Wait for something, or fail."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


@pytest.fixture
def loop():
    """Return a loop of chaser and target that has not been started."""
    world = World(twin(), [])
    sampler = Sampler(world, [], (0, 0, 0))
    one = PhysicsLoop(world, sampler, Wanted, Pace(MS, 1.0, 0.05), 0.1, False)
    yield one
    one.stop()


def answer(loop):
    """Return the next answer to a command."""
    while not isinstance(item := loop.outbox.get(timeout=PATIENCE), Reply):
        pass
    return item


def test_commands_that_never_end_do_not_stop_time(loop):
    """Each of them brings the next one: between two of them is a step."""

    def another():
        loop.submit(another)

    another()
    loop.start()
    until(lambda: loop.world.tick > 3)


def test_a_long_way_to_the_next_sample_is_made_in_short_ones(loop):
    """So that it can be told to stop, however seldom it publishes."""
    made, advance = [], loop.world.advance

    def noted(n, pace=None):
        made.append(n)
        return advance(n, pace)

    loop.world.advance, loop.paused = noted, True
    loop.start()
    loop.submit(lambda: loop.step(2500), lambda *_: None)
    assert answer(loop).error is None
    assert (sum(made), max(made)) == (2500, 100)


def test_who_waits_is_answered_whatever_becomes_of_the_state(loop):
    """A state that cannot be read is told as a fault, and the command's outcome as it is."""
    loop.paused = True
    loop.start()
    until(lambda: not loop.outbox.empty())

    def fail(_):
        raise ZeroDivisionError('a slip in a sample')

    loop._sampler.sample = fail
    loop.submit(lambda: loop.world.advance(1), lambda *_: None)
    assert answer(loop).error is None
    until(lambda: 'a slip in a sample' in loop.fault)


def test_what_changes_nothing_costs_no_look_at_the_structure(loop):
    """The table is made when its revision is another one, and when a state is set."""
    made, connectivity = [], loop.world.connectivity

    def noted():
        made.append(1)
        return connectivity()

    loop.world.connectivity, loop.paused = noted, True
    loop.start()
    for act in (
        lambda: loop.world.set_efforts({'J1': 1.0}),
        lambda: loop.world.advance(5),
        lambda: loop.world.change([('lock', 'J1')]),
        lambda: loop.world.reset(),
    ):
        loop.submit(act, lambda *_: None)
        assert answer(loop).error is None
    assert len(made) == 3


@pytest.fixture
def node(_ros):
    """Return a node in this process."""
    one = rclpy.create_node('publishing')
    yield one
    one.destroy_node()


def test_a_publisher_that_is_taken_away_is_listened_to_by_nobody(node):
    """The physics thread may just be asking when an attachment goes."""
    topics = WrenchTopics(node)
    topics.follow(['grip'])
    (gone,) = topics
    node.destroy_publisher(gone)
    assert topics.wanted() == ()
    topics.publish(1, {'grip': ('base', Wrench(np.zeros(3), np.zeros(3)))}, None)


def test_each_attachment_has_a_topic_of_its_own(node):
    """Names that a topic cannot tell apart are told apart by a number, and keep it."""
    topics = WrenchTopics(node)
    topics.follow(['a b'])
    topics.follow(['a b', 'a/b', 'a_b'])
    topics.follow(['a/b', 'a_b', 'x'])
    topics.follow(['a/b', 'a_b', 'x', 'a-b'])
    assert [p.topic_name for p in topics] == [
        f'/wrenches/{name}' for name in ('a_b_2', 'a_b_3', 'x', 'a_b')
    ]


def test_reports_are_made_amid_a_long_step(loop):
    """Whoever looks at /diagnostics need not wait for its end."""
    loop.paused = True
    loop.start()
    loop.submit(lambda: loop.step(10**12), print)
    told = []
    for _ in range(2):
        loop.look(lambda: loop.world.tick, print)
        told.append(answer(loop).result)
    assert 0 < told[0] < told[1] < 10**12


def looks(loop, period):
    """Return how many steps after it was asked for each of ten looks was taken."""
    loop.set_factor(loop.pace.dt / period)
    loop.start()
    later = []
    for _ in range(10):
        made = loop.pace.made
        while loop.pace.made == made:
            time.sleep(1e-5)  # then it is long to the next step
        made = loop.pace.made
        loop.look(lambda: loop.pace.made, print)
        later.append(answer(loop).result - made)
    return np.array(later)


@pytest.mark.parametrize(('period', 'waits'), [(MS, True), (100 * MS, False)])
def test_no_look_delays_a_step(loop, period, waits):
    """Where the next is near it comes first, and then there is all the time until one more."""
    later = looks(loop, period)
    assert np.count_nonzero(later > 0 if waits else later == 0) >= 8  # the machine may be late


def test_reports_do_not_pile_up(node, loop):
    """The next one is asked for when the last one has come."""
    publishers = Publishers(node, [ROBOT], Parameters())
    # The loop does not run: nothing is answered.
    publishers.start(loop, partial(loop.look, lambda: None))
    time.sleep(2.3)
    asked = len(loop._looks)
    publishers.stop()
    assert asked == 1
