# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The demo: everything starts, says where to look, and all of it ends."""

import os
import re
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

from examples import live
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
pytest.importorskip('viser', reason='needs the package viser')

pytestmark = [pytest.mark.ros, pytest.mark.jit, pytest.mark.slow]
PORT = 8471


def descendants(pid):
    """Return the processes that a process has started and that still run."""
    found = subprocess.run(['ps', '-eo', 'pid,ppid,stat'], capture_output=True, text=True)
    rows = [line.split() for line in found.stdout.splitlines()[1:]]
    return [int(row[0]) for row in rows if int(row[1]) == pid and not row[2].startswith('Z')]


def play(log, *arguments, until, how):
    """Run the demo until a word is told, end it by a signal; return its text and processes."""
    command = [sys.executable, '-m', 'examples.live', '--no-browser', '--port', str(PORT)]
    with log.open('w') as file:
        demo = subprocess.Popen(
            [*command, *arguments], cwd=live.ROOT, stdout=file, stderr=subprocess.STDOUT,
            env={**os.environ},
        )  # fmt: skip
        end = time.monotonic() + 300
        while until not in log.read_text():
            assert time.monotonic() < end, log.read_text()
            assert demo.poll() is None, log.read_text()
            time.sleep(0.2)
        running = descendants(demo.pid)
        demo.send_signal(how)
        assert demo.wait(20) == 0, log.read_text()
    return log.read_text(), running


def test_it_approaches_grasps_locks_absorbs_holds_and_releases(tmp_path):
    """In this order."""
    text, _ = play(tmp_path / 'log.txt', until='released: ', how=signal.SIGINT)
    told = re.findall(r'^ *controller  (\w+): base off by', text, re.MULTILINE)
    assert told[-6:] == ['approach', 'grasp', 'lock', 'absorb', 'hold', 'released']


@pytest.mark.parametrize('how', [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_starts_tells_where_to_look_and_ends_whole(how, tmp_path):
    """Ctrl-C, a kill, a terminal that is closed: one signal ends all three, with the code 0."""
    text, running = play(tmp_path / 'log.txt', until='approach', how=how)
    assert f'open http://localhost:{PORT}' in text
    assert 'ROS_DOMAIN_ID=' in text
    assert text.rstrip().endswith('All ended.')
    assert text.count('link6') == 1  # the simulator warns, nobody repeats it
    assert 'Failed to' not in text
    assert len(running) == 3
    assert not [pid for pid in running if os.path.exists(f'/proc/{pid}')]


def test_it_says_from_where_the_page_can_be_seen():
    """Here, through ssh, or from everywhere."""
    here = live.where('http://localhost:8080', '127.0.0.1')
    assert 'http://localhost:8080' in here
    assert 'ssh -L 8080:localhost:8080' in here
    everywhere = live.where('http://localhost:8080', '0.0.0.0')
    assert 'localhost' not in everywhere
    assert ':8080' in everywhere


def test_without_ros_it_says_what_runs_instead(monkeypatch, capsys):
    """One sentence, and the code 1."""
    monkeypatch.setattr(live, 'find_spec', lambda name: None)
    assert live.main([]) == 1
    assert 'examples.demo' in capsys.readouterr().err


def test_what_a_process_said_before_it_failed_is_passed_on(capsys):
    """Not only that it is gone."""
    failed = SimpleNamespace(
        name='controller', popen=SimpleNamespace(poll=lambda: 1), last=['first', 'no such robot']
    )
    assert live.watch([failed], 5.0) == 1
    told = capsys.readouterr().err
    assert 'no such robot\nthe controller ended' in told
