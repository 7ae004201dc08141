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


@pytest.mark.parametrize('how', [signal.SIGINT, signal.SIGTERM])
def test_what_still_starts_ends_at_once_whatever_it_does(how):
    """No exception goes through code that is being compiled or loaded: that can crash."""
    process = subprocess.Popen([sys.executable, '-c', DEAF], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == 'begun\n'
    start = time.monotonic()
    process.send_signal(how)
    assert process.wait(20) == 0
    assert time.monotonic() - start < PROMPT
    assert process.stdout.read() == ''
