# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""How a process begins and ends."""

import signal
import subprocess
import sys
import time

import pytest

pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
pytestmark = [pytest.mark.ros]

from free_flyer_dynamics.ros.guard import Guard  # noqa: E402, I100
from free_flyer_interfaces.srv import Step  # noqa: E402
import rclpy  # noqa: E402
from std_srvs.srv import Trigger  # noqa: E402

from test.ros.conftest import CHASER  # noqa: E402
from test.ros.peer import START  # noqa: E402

PROMPT = 1.0  # s
DEAF = """
import time
from free_flyer_dynamics.ros import spinning

def make():
    print('begun', flush=True)
    for _ in range(100):  # as what is loaded does where an exception is of no use
        try:
            time.sleep(0.1)
        except BaseException:
            pass

spinning.leave(spinning.run('deaf', make, []))
"""


STUCK = """
import time
from free_flyer_dynamics.ros import spinning

class Stuck(spinning.ServedNode):
    def __init__(self):
        super().__init__('stuck')
        self.create_timer(0.01, self.dawdle)

    def dawdle(self):
        print('begun', flush=True)
        time.sleep(20)

spinning.leave(spinning.run('stuck', Stuck, []))
"""


NODE = [sys.executable, '-X', 'importtime', '-m', 'free_flyer_dynamics.ros.simulator_node']


@pytest.mark.parametrize('loaded', ['numpy', 'numba', 'free_flyer_dynamics.simulator', 'rclpy'])
def test_one_that_is_stopped_while_it_loads_says_nothing(loaded):
    """Python tells what it has loaded; then it is long before anything of ours could hear."""
    with subprocess.Popen(NODE, stderr=subprocess.PIPE, text=True) as node:
        for line in node.stderr:
            if line.split('|')[-1].strip() == loaded:
                break
        start = time.monotonic()
        node.send_signal(signal.SIGINT)
        said = node.stderr.read()
    assert time.monotonic() - start < PROMPT
    assert 'Traceback' not in said


@pytest.mark.parametrize('code', [DEAF, STUCK])
@pytest.mark.parametrize('how', [signal.SIGINT, signal.SIGTERM])
def test_it_ends_within_a_second_whatever_it_does(how, code):
    """
    Amid its start, or amid a callback.

    No exception goes through code that is being compiled or loaded: that can crash.
    """
    process = subprocess.Popen([sys.executable, '-c', code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == 'begun\n'
    start = time.monotonic()
    process.send_signal(how)
    assert process.wait(20) == 0
    assert time.monotonic() - start < PROMPT
    assert process.stdout.read() == ''


def test_what_fails_because_the_middleware_goes_is_no_crash(_ros, caplog):
    """It goes a moment before the context is told so; amid running, the same error counts."""
    context = rclpy.Context()
    rclpy.init(context=context)
    node = rclpy.create_node('going', context=context)
    guard = Guard(context.ok)
    client = node.create_client(Trigger, 'nobody')
    answers = iter([True])  # as it seems at first

    def fail(*_):
        context.shutdown()
        client.service_is_ready()

    late = Guard(lambda: next(answers, False))
    late.around('turn', fail)()
    assert late.crashes.total == 0
    assert caplog.text == ''
    guard.around('turn', lambda: 1 / 0)()
    assert guard.crashes.total == 0
    alive = Guard(lambda: True)
    alive.around('turn', fail)()
    assert alive.crashes.total == 1


@pytest.mark.jit
@pytest.mark.slow
@pytest.mark.parametrize('how', [signal.SIGINT, signal.SIGTERM])
def test_told_to_stop_while_it_starts_it_stops_without_a_word(start, how):
    """The model is read, which leaves a warning, and compiled kernels are being loaded."""
    process = start('robots:=[a]', f'a.urdf:={CHASER}', '__node:=hasty')
    end = time.monotonic() + 60.0
    while 'principal' not in process.log() and process.alive and time.monotonic() < end:
        time.sleep(0.005)
    assert process.alive
    assert process.stop(how) < PROMPT
    assert process.popen.returncode == 0
    log = process.log()
    assert 'Traceback' not in log
    assert 'ERROR' not in log
    assert 'free_flyer_simulator:' not in log


@pytest.mark.jit
@pytest.mark.slow
@pytest.mark.parametrize('how', [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize('stepping', [False, True])
def test_it_stops_within_a_second_and_without_a_word(start, peer, how, stepping):
    """Running, with listeners; or amid a step that nobody lives to see the end of."""
    parameters = [f'paused:={stepping}'.lower(), 'publish_rate:=0.1'] if stepping else []
    process = start('robots:=[a]', 'a.urdf:=thesis_target', '__node:=other', *parameters)
    peer.until(lambda: 'Simulating' in process.log() or not process.alive, START)
    if stepping:
        client = peer.node.create_client(Step, '/other/step')
        peer.until(client.service_is_ready, what='the step')
        client.call_async(Step.Request(steps=2**64 - 1))
    peer.spin(0.5)
    assert process.stop(how) < PROMPT
    assert process.popen.returncode == 0
    starting = 'Simulating', 'ompiling'  # the latter if nobody has run this before
    log = process.log().splitlines()
    assert [line for line in log if not any(word in line for word in starting)] == []
    peer.until(lambda: 'other' not in peer.node.get_node_names(), PROMPT, 'others to know')
