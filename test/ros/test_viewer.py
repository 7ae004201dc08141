# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The viewer in a real browser: the page loads, its buttons move what they should."""

import os
from pathlib import Path
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
pytest.importorskip('viser', reason='needs the package viser')
pytestmark = [pytest.mark.ros, pytest.mark.jit, pytest.mark.slow]

from free_flyer_interfaces.msg import Connectivity, Momentum  # noqa: E402, I100
from rclpy.qos import DurabilityPolicy, QoSProfile  # noqa: E402
from sensor_msgs.msg import JointState  # noqa: E402

from test.ros import browser as chromium  # noqa: E402
from test.ros.conftest import TWO  # noqa: E402
from test.ros.peer import stamp  # noqa: E402
from test.ros.twin import xyz  # noqa: E402

MODULE = 'free_flyer_dynamics.ros.viewer_node'
PORT = 8461
# Simulated time, as the launch files have it: it stands still while paused.
GIVEN = ('-p', f'port:={PORT}', '-p', 'use_sim_time:=true')
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)


@pytest.fixture(scope='module')
def viewer(start, tmp_path_factory):
    """Start a simulator, and the viewer attached to it."""
    if chromium.executable() is None:
        pytest.skip('needs a browser: apt install chromium')
    start(*TWO)
    log = tmp_path_factory.mktemp('viewer') / 'log.txt'
    with log.open('w') as file:
        process = subprocess.Popen(
            [sys.executable, '-m', MODULE, '--ros-args', *GIVEN],
            stdout=file,
            stderr=subprocess.STDOUT,
            env={**os.environ, 'PYTHONUNBUFFERED': '1'},
        )
        end = time.monotonic() + 60
        while 'Open http://localhost' not in log.read_text():
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.1)
        yield process
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 0, log.read_text()
    text = log.read_text()
    assert 'could not be drawn' not in text
    assert 'frames a second.' in text  # its last word, said when the log is closed already
    assert 'Failed to' not in text


@pytest.fixture(scope='module')
def page(viewer, peer):
    """Open the page, and wait until it shows the simulator."""
    peer.listen(JointState, '/joint_states')
    peer.listen(Momentum, '/momentum')
    peer.listen(Connectivity, '/connectivity', LATCHED)
    one = chromium.Browser()
    one.load(f'http://127.0.0.1:{PORT}')
    one.until(lambda: one.shows('22 DOF'), 'the simulator')
    one.run("document.querySelector('.mantine-Notification-closeButton')?.click()")
    yield one
    assert one.errors == []
    one.close()


def newest(peer, topic):
    """Return the newest message of a topic."""
    peer.spin(0.3)
    return peer.heard[topic][-1]


def stands(peer):
    """Tell whether the stamps of the states stand still."""
    before = stamp(newest(peer, '/joint_states'))
    peer.spin(0.5)
    return stamp(newest(peer, '/joint_states')) == before


def pace(peer, seconds=2.0):
    """Return how many simulated seconds pass in a second."""
    before, start = stamp(newest(peer, '/joint_states')), time.monotonic()
    peer.spin(seconds)
    after, end = stamp(newest(peer, '/joint_states')), time.monotonic()
    return 1e-9 * (after - before) / (end - start)


def test_the_page_shows_curves_and_moves(page, tmp_path):
    """Five plots, and pictures that differ as time goes on."""
    page.until(lambda: page.run("document.querySelectorAll('.uplot').length") == 5, 'plots')
    first = page.picture(tmp_path / 'one.png')
    time.sleep(1.5)
    assert page.picture(tmp_path / 'two.png') != first


def test_pause_stops_step_steps_and_run_runs(page, peer):
    """By the stamps of the states."""
    page.press('Pause')
    page.until(lambda: page.shows('Run'), 'the pause')
    page.until(lambda: page.shows('Paused.'), 'the answer')
    peer.until(lambda: stands(peer), what='the last state to be heard')
    before = stamp(newest(peer, '/joint_states'))
    page.press('Step')
    page.until(lambda: page.shows('100 steps made.'), 'the steps')
    peer.until(lambda: stamp(newest(peer, '/joint_states')) - before == 100_000_000)
    page.press('Run')
    page.until(lambda: page.shows('Running.'), 'the run')
    peer.until(lambda: stamp(newest(peer, '/joint_states')) > before + 100_000_000)


@pytest.fixture
def _real_time(peer):
    """Go on in real time whatever a test has done."""
    yield
    assert peer.set_number('real_time_factor', 1.0).successful


@pytest.mark.usefixtures('_real_time')
@pytest.mark.parametrize(('share', 'least', 'most'), [(0.04, 0.2, 0.9), (0.3, 2.0, 4.0)])
def test_the_slider_sets_the_speed(page, peer, share, least, most):
    """Dragged, it sets the simulator's parameter, and simulated time runs at that pace."""
    asked = page.slide('Speed', share)
    assert least < asked < most
    page.until(lambda: page.shows(f'{asked:g} × real time.'), 'the answer')
    assert peer.number('real_time_factor') == pytest.approx(asked)
    assert pace(peer) == pytest.approx(asked, rel=0.2)


def test_keys_do_what_buttons_do(page, peer):
    """Space, S, P and R, by what the messages say."""
    page.key(' ', 'Space')
    page.until(lambda: stands(peer), 'the pause')
    before = stamp(newest(peer, '/joint_states'))
    page.key('s', 'KeyS')
    peer.until(lambda: stamp(newest(peer, '/joint_states')) - before == 100_000_000)
    page.key(' ', 'Space')
    page.until(lambda: not stands(peer), 'the run')
    pushed = xyz(newest(peer, '/momentum').linear)[1]
    page.key('p', 'KeyP')
    peer.until(lambda: xyz(newest(peer, '/momentum').linear)[1] > pushed + 30.0)
    peer.spin(2.0)
    page.key('r', 'KeyR')
    peer.until(lambda: xyz(newest(peer, '/momentum').linear)[1] < pushed + 1.0)


def test_a_push_moves_the_base_by_its_impulse(page, peer):
    """40 N for a second, by default, as long as a message may take."""
    before = xyz(newest(peer, '/momentum').linear)
    page.press('+y')
    page.until(lambda: page.shows('Pushed with 40 N for 1 s.'), 'the push')
    peer.spin(2.5)
    gained = np.subtract(xyz(newest(peer, '/momentum').linear), before)
    assert 35.0 < gained[1] < 60.0  # a browser drawn by the processor may be late with the end
    assert abs(gained[0]) + abs(gained[2]) < 1e-6


def test_structure_buttons_change_the_structure(page, peer):
    """Grasp, lock, another base, free, release: as the connectivity says."""
    page.press('Structure')
    page.press('Grasp')
    page.until(lambda: page.shows('16 DOF'), 'the grasp')
    page.press('Lock')
    page.until(lambda: page.shows('15 DOF'), 'the lock')
    now = newest(peer, '/connectivity')
    assert list(now.locked) == ['J1']
    assert list(now.attachments) == ['end_effector_target_grasp']
    page.press('Free')
    page.until(lambda: page.shows('16 DOF'), 'the freeing')
    page.press('Release')
    page.until(lambda: page.shows('22 DOF'), 'the release')
    assert not list(newest(peer, '/connectivity').attachments)


def test_what_is_refused_is_told_on_the_page(page):
    """Freeing what is free: the library's own sentence."""
    page.press('Free')
    page.until(lambda: page.shows('⚠'), 'the refusal')
    assert page.shows('J1')


def test_reset_begins_anew(page, peer):
    """The arm is where it was at the start."""
    page.press('Flight')
    page.press('Reset')
    page.until(lambda: page.shows('Back at the start.'), 'the reset')
    now = newest(peer, '/joint_states')
    start = dict(zip(now.name, now.position, strict=True))
    assert abs(start['J2'] - 0.5) < 0.2


def test_pictures_for_the_documentation_can_be_taken(page, tmp_path):
    """A picture is a PNG of the whole page."""
    data = page.picture(tmp_path / 'page.png')
    assert data.startswith(b'\x89PNG')
    assert len(data) > 50_000
    assert Path(tmp_path / 'page.png').stat().st_size == len(data)
