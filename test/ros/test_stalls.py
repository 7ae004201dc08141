# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What other threads of the node do does not hold physics up."""

import pytest

pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
pytestmark = [pytest.mark.ros, pytest.mark.jit, pytest.mark.slow]

from diagnostic_msgs.msg import DiagnosticArray  # noqa: E402, I100
from std_srvs.srv import Trigger  # noqa: E402

from test.ros.conftest import TWO  # noqa: E402

# Of 1000 deadlines. Where each turn lasts 5 ms, as it does unless told otherwise, a second of
# Python misses some 800; 20 full collections of all a node has loaded, more than 400. Each time.
FEW = 200
TRIES = 8  # of which one is enough: on a busy machine, others cost deadlines too


@pytest.fixture(scope='module', autouse=True)
def simulator(start):
    """Run chaser and target in real time."""
    return start(*TWO, node='test.ros.probe_node')


def overruns(peer):
    """Return how many deadlines have been missed, as the next report tells."""
    heard = peer.listen(DiagnosticArray, '/diagnostics')
    heard.clear()
    peer.until(lambda: heard, 5.0, 'a report')
    return next(int(v.value) for s in heard[-1].status for v in s.values if v.key == 'overruns')


@pytest.mark.parametrize('work', ['compute', 'collect'])
def test_a_callback_that_keeps_python_busy_costs_few_deadlines(peer, work):
    """The executor computes, or garbage is collected, while physics runs on time."""
    cost = []
    while len(cost) < TRIES and min(cost, default=FEW) >= FEW:
        before = overruns(peer)
        peer.done(Trigger, work)
        cost.append(overruns(peer) - before)
    assert min(cost) < FEW, cost
