# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Simulators that several tests share, in processes of their own."""

import os
import random

import pytest

os.environ.setdefault('ROS_DOMAIN_ID', str(random.randint(1, 101)))
os.environ.setdefault('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')

CHASER, TARGET = 'thesis_seven_joint', 'thesis_target'
TWO = (
    'robots:=[chaser, target]',
    f'chaser.urdf:={CHASER}',
    f'target.urdf:={TARGET}',
    'target.prefix:=target_',
    'target.position:=[3.0, 0.5, 1.0]',
    'target.angular_velocity:=[0.0, 0.05, 0.1]',
    'target.linear_velocity:=[-0.02, 0.0, 0.0]',
    'chaser.joint_positions.J2:=0.5',
    'chaser.joint_velocities.J1:=0.1',
)


@pytest.fixture(scope='session')
def _ros():
    rclpy = pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
    # Ctrl-C is pytest's: rclpy would take it, and every later test would fail.
    rclpy.init(signal_handler_options=rclpy.signals.SignalHandlerOptions.NO)
    yield
    rclpy.try_shutdown()


@pytest.fixture(scope='module')
def start(_ros, tmp_path_factory):
    """Start simulators that end with the module."""
    from test.ros.peer import Process

    running = []

    def begin(*parameters, **which):
        log = tmp_path_factory.mktemp('simulator') / 'log.txt'
        running.append(Process(*parameters, log=log, **which))
        return running[-1]

    yield begin
    for process in running:
        process.stop()


@pytest.fixture(scope='module')
def peer(_ros):
    """Return a node that talks to them."""
    from test.ros.peer import Peer

    one = Peer()
    yield one
    one.close()
