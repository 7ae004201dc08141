# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The node as it runs by itself: pace and clock."""

from itertools import pairwise
import signal
import time

import pytest

pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
pytestmark = [pytest.mark.ros, pytest.mark.jit, pytest.mark.slow]

from diagnostic_msgs.msg import DiagnosticArray  # noqa: E402, I100
from nav_msgs.msg import Odometry  # noqa: E402
from rclpy.qos import QoSProfile  # noqa: E402
from rosgraph_msgs.msg import Clock  # noqa: E402
from sensor_msgs.msg import JointState  # noqa: E402
from std_srvs.srv import SetBool  # noqa: E402
from tf2_msgs.msg import TFMessage  # noqa: E402

from test.ros.conftest import CHASER  # noqa: E402
from test.ros.peer import described, reported, stamp  # noqa: E402

BUSY = 0.25  # of a rate; the machine may have other things to do


@pytest.fixture(scope='module', autouse=True)
def simulator(start):
    """Run one robot in real time, given by its description alone."""
    return start(described(CHASER), 'integrator:=rk4')


def test_states_come_at_their_rate_and_time_at_its_own(peer):
    """100 Hz each by default; stamps advance as the clock on the wall."""
    heard = [
        peer.listen(kind, topic)
        for kind, topic in ((JointState, '/joint_states'), (Odometry, '/odom'), (TFMessage, '/tf'))
    ]
    for messages in heard:
        messages.clear()
    start = time.monotonic()
    peer.spin(3.0)
    elapsed = time.monotonic() - start
    for messages in heard:
        assert len(messages) == pytest.approx(100 * elapsed, rel=BUSY)
    stamps = [stamp(m) for m in heard[0]]
    assert (stamps[-1] - stamps[0]) * 1e-9 == pytest.approx(elapsed, rel=BUSY)
    assert {b - a for a, b in pairwise(stamps)} == {10_000_000}


def test_a_kilohertz_on_demand(peer):
    """And back."""
    heard = peer.listen(JointState, '/joint_states')
    assert peer.set_number('publish_rate', 1000.0).successful
    peer.spin(0.3)
    heard.clear()
    peer.spin(1.0)
    assert peer.set_number('publish_rate', 100.0).successful
    stamps = [stamp(m) for m in heard]
    assert min(b - a for a, b in pairwise(stamps)) == 1_000_000
    assert len(heard) > 500


def test_a_pd_controller_at_a_kilohertz_closes_the_loop(peer):
    """Every state answered by a command, in real time: the wrist comes towards 0.3 rad."""
    publisher = peer.node.create_publisher(JointState, '/joint_commands', QoSProfile(depth=1))
    peer.until(publisher.get_subscription_count, what='/joint_commands')
    answered = []

    def control(message):
        effort = 40 * (0.3 - message.position[6]) - 12 * message.velocity[6]
        publisher.publish(JointState(name=['J7'], effort=[effort]))
        answered.append(message)

    assert peer.set_number('publish_rate', 1000.0).successful
    listening = peer.node.create_subscription(JointState, '/joint_states', control, 10)
    try:
        peer.until(lambda: answered, 5.0)
        first = answered[0].position[6]
        peer.spin(3.0)
    finally:
        peer.node.destroy_subscription(listening)
        peer.set_number('publish_rate', 100.0)
        publisher.publish(JointState(name=['J7'], effort=[0.0]))
        peer.spin(0.2)
        peer.node.destroy_publisher(publisher)
    last = answered[-1]
    assert len(answered) > 3000 * BUSY
    assert abs(last.position[6] - 0.3) < 0.2 * abs(first - 0.3)
    before = [abs(m.effort[6]) for m in answered[-20:]]
    assert 0 < max(before) < 12


@pytest.mark.parametrize(('factor', 'low', 'high'), [(0.25, 0.2, 0.3), (0.0, 2.0, 1e9)])
def test_time_runs_as_fast_as_asked(peer, factor, low, high):
    """0: as fast as it goes."""
    heard = peer.listen(Clock, '/clock')
    assert peer.set_number('real_time_factor', factor).successful
    try:
        peer.spin(0.2)
        heard.clear()
        start = time.monotonic()
        peer.spin(2.0)  # a quarter as fast, the clock is told each 40 ms
        elapsed = time.monotonic() - start
        first, last = (m.clock.sec + 1e-9 * m.clock.nanosec for m in (heard[0], heard[-1]))
        assert low < (last - first) / elapsed < high
    finally:
        peer.set_number('real_time_factor', 1.0)


def test_paused_means_the_clock_stands(peer):
    """It is told all the same, to those who come late."""
    heard = peer.listen(Clock, '/clock')
    peer.done(SetBool, 'pause', data=True)
    peer.spin(0.3)
    heard.clear()
    peer.spin(0.5)
    stood = {(m.clock.sec, m.clock.nanosec) for m in heard}
    peer.done(SetBool, 'pause', data=False)
    assert len(stood) == 1


def test_overruns_are_shown_when_the_process_is_held_up(peer, simulator):
    """Stopped for a fifth of a second: missed deadlines are counted, beyond the bound lost."""
    heard = peer.listen(DiagnosticArray, '/diagnostics')

    heard.clear()
    peer.until(lambda: heard, 5.0)
    before = reported(heard[-1])
    simulator.popen.send_signal(signal.SIGSTOP)
    time.sleep(0.2)
    simulator.popen.send_signal(signal.SIGCONT)
    heard.clear()
    least = int(before['overruns']) + 150
    peer.until(lambda: heard and int(reported(heard[-1])['overruns']) >= least, what='overruns')
    after = reported(heard[-1])
    lost = [float(v['time lost'].removesuffix(' s')) for v in (before, after)]
    assert lost[1] - lost[0] > 0.1
