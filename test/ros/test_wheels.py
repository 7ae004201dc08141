# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Reaction wheels driven into saturation from another process."""

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
pytestmark = [pytest.mark.ros, pytest.mark.jit, pytest.mark.slow]

from free_flyer_interfaces.msg import Momentum  # noqa: E402, I100
from free_flyer_interfaces.srv import Step  # noqa: E402
from nav_msgs.msg import Odometry  # noqa: E402
from sensor_msgs.msg import JointState  # noqa: E402
from std_srvs.srv import Trigger  # noqa: E402

from test.ros.peer import stamp, START  # noqa: E402
from test.ros.twin import xyz  # noqa: E402
from test.urdf_text import inertial, joint, link, robot  # noqa: E402

BASE, WHEEL = 2.0, 0.01  # kg m^2, about the wheels' axes
TORQUE = 0.5  # N m, a wheel's limit
FASTEST = 20.0  # rad/s, the limit of x
MOST = 0.3  # N m s, the limit of y: 30 rad/s
TURNING = 0.1  # rad/s; all turns about z
EXACT = 1e-12  # N m s, of 0.2: rounding of some hundred steps
LITTLE = 1e-3  # N m; of the gyroscopic torques at some 0.1 rad/s
HELD = 1e-9  # rad/s; a limit is met to rounding


def wheeled(path):
    """Write a cube with two wheels that saturate, one by speed and one by momentum."""
    cube = inertial('10', f'ixx="{BASE}" ixy="0" ixz="0" iyy="{BASE}" iyz="0" izz="{BASE}"')
    disk = inertial('0.5', f'ixx="{WHEEL}" ixy="0" ixz="0" iyy="{WHEEL}" iyz="0" izz="{WHEEL}"')
    path.write_text(
        robot(
            f'<free_flyer><reaction_wheel joint="x" torque_limit="{TORQUE}" '
            f'speed_limit="{FASTEST}"/><reaction_wheel joint="y" torque_limit="{TORQUE}" '
            f'momentum_limit="{MOST}"/></free_flyer>',
            link('base', cube),
            link('wheel_x', disk),
            link('wheel_y', disk),
            joint('x', 'base', 'wheel_x', inside='<axis xyz="1 0 0"/>'),
            joint('y', 'base', 'wheel_y', inside='<axis xyz="0 1 0"/>'),
        )
    )
    return path


@pytest.fixture(scope='module', autouse=True)
def simulator(start, tmp_path_factory):
    """Run the cube, paused."""
    path = wheeled(tmp_path_factory.mktemp('urdf') / 'wheeled.urdf')
    velocity = f'a.angular_velocity:=[0.0, 0.0, {TURNING}]'
    return start('robots:=[a]', f'a.urdf:={path}', velocity, 'paused:=true')


@pytest.fixture(autouse=True)
def from_the_start(peer):
    """Begin each test at the start."""
    peer.done(Trigger, 'reset')


def heard_after(peer, steps):
    """Step, and return joints, base and momentum of the state it led to."""
    topics = {'/joint_states': JointState, '/odom': Odometry, '/momentum': Momentum}
    heard = [peer.listen(kind, topic) for topic, kind in topics.items()]
    time = peer.done(Step, 'step', steps=steps, patience=START).time  # events may be compiled
    when = time.sec * 10**9 + time.nanosec
    peer.until(lambda: all(any(stamp(m) == when for m in some) for some in heard), 5.0)
    return [next(m for m in some if stamp(m) == when) for some in heard]


def command(peer, **efforts):
    """Send wheel_commands, and let them arrive."""
    message = JointState(name=list(efforts), effort=list(efforts.values()))
    peer.say(message, '/wheel_commands')
    peer.spin(0.2)


@pytest.mark.parametrize(('wheel', 'limit'), [('x', FASTEST), ('y', MOST / WHEEL)])
@pytest.mark.parametrize('sign', [1.0, -1.0])
def test_a_wheel_saturates_and_its_base_keeps_what_it_got(peer, wheel, limit, sign):
    """The torque is clipped, the speed meets its limit and holds; no momentum is made or lost."""
    k = 'xy'.index(wheel)
    joints, _, before = heard_after(peer, 1)
    assert joints.velocity[k] == 0.0
    command(peer, **{wheel: sign * 100.0})
    joints, _, _ = heard_after(peer, 100)
    assert joints.effort[k] == sign * TORQUE
    assert 0.0 < sign * joints.velocity[k] < limit  # about 5 rad/s
    speeds, turns = [], []
    for _ in range(3):
        joints, odometry, momentum = heard_after(peer, 300)
        speeds.append(joints.velocity[k])
        turns.append(xyz(odometry.twist.twist.angular)[k])
        if abs(abs(speeds[-1]) - limit) < HELD:  # what turning about z takes off is put back
            assert 0.0 <= sign * joints.effort[k] < LITTLE
        np.testing.assert_allclose(xyz(momentum.linear), xyz(before.linear), atol=EXACT)
        np.testing.assert_allclose(xyz(momentum.angular), xyz(before.angular), atol=EXACT)
    np.testing.assert_allclose(speeds[1:], sign * limit, atol=HELD)
    assert np.linalg.norm(xyz(before.angular)) > 0.1
    assert sign * turns[-1] < 0.0  # the base turns the other way


def test_a_saturated_wheel_takes_torque_the_other_way(peer):
    """It is blocked on one side alone."""
    command(peer, x=TORQUE)
    joints, _, _ = heard_after(peer, 1000)
    assert joints.velocity[0] == pytest.approx(FASTEST, abs=HELD)
    command(peer, x=-TORQUE)
    joints, _, _ = heard_after(peer, 100)
    assert joints.effort[0] == -TORQUE
    assert joints.velocity[0] < 0.9 * FASTEST
