# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What Fast DDS is told of our writers, and what it does then."""

import os
from pathlib import Path
import random
import subprocess
import sys

import pytest

pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
pytestmark = [pytest.mark.ros]

from free_flyer_dynamics.ros import middleware  # noqa: E402, I100
import rclpy  # noqa: E402

MESSAGES = 300
LISTENER = """
import rclpy
from std_msgs.msg import Int64
rclpy.init()
node = rclpy.create_node('listener')
node.create_subscription(Int64, 'counted', lambda message: None, 10)
rclpy.spin(node)
"""
# How often the thread of Fast DDS's clocks was woken while messages went out to somebody.
TALKER = """
import os, pathlib, sys, time
from free_flyer_dynamics.ros import spinning
from std_msgs.msg import Int64

def woken():
    tasks = pathlib.Path('/proc/self/task').iterdir()
    clocks = [task for task in tasks if (task / 'comm').read_text().startswith('dds.ev')]
    assert clocks
    return sum(int((task / 'schedstat').read_text().split()[2]) for task in clocks)

def make():
    node = spinning.ServedNode('talker')
    publisher = node.create_publisher(Int64, 'counted', 10)
    while not publisher.get_subscription_count():
        time.sleep(0.05)
    time.sleep(1.0)  # until they have told each other all
    before = woken()
    for k in range(int(sys.argv[1])):
        publisher.publish(Int64(data=k))
        time.sleep(2e-3)
    print(woken() - before, flush=True)
    os._exit(0)

spinning.run('talker', make, [])
"""
NOTHING = """<?xml version="1.0" encoding="UTF-8"?>
<dds><profiles><data_writer profile_name="plain" is_default_profile="true"/></profiles></dds>
"""


needs_fast_dds = pytest.mark.skipif(
    'fastrtps' not in rclpy.get_rmw_implementation_identifier(), reason='about Fast DDS'
)
needs_linux = pytest.mark.skipif(
    not Path('/proc/self/schedstat').is_file(), reason='looks into itself as on Linux'
)


@pytest.fixture
def unset(monkeypatch):
    """Name no profiles, and forget afterwards what was named."""
    for variable in middleware.VARIABLES:
        monkeypatch.setenv(variable, '')
        monkeypatch.delenv(variable)


def named() -> dict[str, str]:
    """Return which profiles are named, by variable."""
    return {name: os.environ[name] for name in middleware.VARIABLES if name in os.environ}


@needs_linux
@needs_fast_dds
def test_ours_are_named_where_nobody_has_named_any(unset):
    middleware.set_up()
    ((variable, path),) = named().items()
    generation = {'FASTRTPS_DEFAULT_PROFILES_FILE': 2, 'FASTDDS_DEFAULT_PROFILES_FILE': 3}
    assert Path(path).name == f'fast_dds_{generation[variable]}.xml'
    assert Path(path).is_file()


@pytest.mark.parametrize('variable', middleware.VARIABLES)
def test_those_of_users_are_left_alone(unset, monkeypatch, variable):
    monkeypatch.setenv(variable, 'theirs.xml')
    middleware.set_up()
    assert named() == {variable: 'theirs.xml'}


@pytest.mark.parametrize(
    ('loaded', 'path'),
    [
        (None, None),
        (b'', None),
        (b'/home/\xff/libfastrtps.so.2.14\n', 'fast_dds_2.xml'),
        (b'/opt/libfastdds.so.3.2\n', 'fast_dds_3.xml'),
    ],
)
def test_only_a_fast_dds_that_is_loaded_is_told(unset, monkeypatch, tmp_path, loaded, path):
    """Any path may be anything but text; where nothing can be read, nothing is said."""
    maps = tmp_path / 'maps'
    if loaded is not None:
        maps.write_bytes(loaded)
    monkeypatch.setattr(middleware, '_LOADED', maps)
    middleware.set_up()
    assert [Path(value).name for value in named().values()] == ([path] if path else [])


@pytest.mark.parametrize('there', [False, True])
def test_a_share_folder_without_our_profiles_is_no_failure(unset, monkeypatch, tmp_path, there):
    monkeypatch.setattr(middleware, 'own_shares', lambda: [tmp_path] if there else [])
    middleware.set_up()
    assert named() == {}


def woken(**environment) -> int:
    """Return how often clocks woke a thread for all messages, with that environment."""
    own = {k: v for k, v in os.environ.items() if k not in middleware.VARIABLES}
    own.update(environment, ROS_DOMAIN_ID=str(random.randint(102, 200)))
    with subprocess.Popen([sys.executable, '-c', LISTENER], env=own) as listener:
        try:
            told = subprocess.run(
                [sys.executable, '-c', TALKER, str(MESSAGES)],
                env=own,
                capture_output=True,
                text=True,
                timeout=60,
            )
        finally:
            listener.kill()
    assert not told.stderr  # Fast DDS says what it cannot read
    return int(told.stdout)


@needs_linux
@needs_fast_dds
def test_a_message_wakes_no_clock(unset, monkeypatch, tmp_path):
    plain = tmp_path / 'plain.xml'
    plain.write_text(NOTHING)
    middleware.set_up()
    (variable,) = named()
    ours, theirs = woken(), woken(**{variable: str(plain)})
    assert theirs > MESSAGES
    assert ours < theirs / 2  # a tenth where nobody else is at work, a quarter on busy cores
