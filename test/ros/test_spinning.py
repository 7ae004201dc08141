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
