# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What the viewer makes of what it hears, without a page."""

from types import SimpleNamespace

import pytest

pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
pytestmark = pytest.mark.ros

from free_flyer_dynamics.ros import viewer_topics  # noqa: E402, I100
from free_flyer_dynamics.viewer.latest import Latest  # noqa: E402
from free_flyer_interfaces.msg import Connectivity, Momentum  # noqa: E402
from std_msgs.msg import String  # noqa: E402

KINDS = {'/robot_description': 'std_msgs/msg/String',
         '/target_robot_description': 'std_msgs/msg/String',
         '/momentum': 'free_flyer_interfaces/msg/Momentum'}  # fmt: skip


@pytest.fixture
def heard(monkeypatch):
    """Return what is known, callbacks by topic, who publishes, and a clock that stands."""
    callbacks, there, clock = {}, set(KINDS), SimpleNamespace(monotonic=lambda: 0.0)
    monkeypatch.setattr(viewer_topics, 'time', clock)
    node = SimpleNamespace(
        get_namespace=lambda: '/',
        create_subscription=lambda kind, topic, callback, qos: callbacks.update({topic: callback}),
        create_timer=lambda period, callback, clock: None,
        get_topic_names_and_types=lambda: [(topic, [kind]) for topic, kind in KINDS.items()],
        count_publishers=lambda topic: int(topic in there),
    )
    latest = Latest()
    topics = viewer_topics.Topics(node, latest, 'free_flyer', lambda *_: None)
    return latest, callbacks, there, clock, topics


def test_robots_of_a_simulator_that_is_gone_go_with_it_when_another_comes(heard):
    """Not before: what it did last may be looked at. And not those that are there again."""
    latest, callbacks, there, clock, topics = heard
    callbacks['connectivity'](Connectivity(revision=3, base='base'))
    for topic in ('/robot_description', '/target_robot_description'):
        callbacks[topic](String(data=topic))
    callbacks['/momentum'](Momentum(prefix='target_'))
    there.remove('/target_robot_description')
    clock.monotonic = lambda: 100.0
    topics._look_round()
    assert len(latest.descriptions) == 2
    callbacks['connectivity'](Connectivity(revision=0, base='base'))
    assert not latest.momenta
    assert len(latest.descriptions) == 2
    clock.monotonic = lambda: 103.0
    topics._look_round()
    assert list(latest.descriptions) == ['/robot_description']
