# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A user's own URDF by its path, with nothing in it that only we know, and default parameters."""

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
pytestmark = [pytest.mark.ros, pytest.mark.jit, pytest.mark.slow]

from nav_msgs.msg import Odometry  # noqa: E402, I100
from sensor_msgs.msg import Imu, JointState  # noqa: E402

from test.ros.twin import xyz  # noqa: E402

URDF = """<robot name="own">
  <link name="hub"><inertial>
    <mass value="10"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
  </inertial></link>
  <link name="arm"><inertial>
    <mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/>
  </inertial></link>
  <joint name="hinge" type="continuous">
    <parent link="hub"/><child link="arm"/><axis xyz="0 0 1"/>
  </joint>
  {imu}
</robot>"""
IMU = """<link name="imu_link"/>
  <joint name="imu_joint" type="fixed">
    <parent link="arm"/><child link="imu_link"/>
    <origin xyz="0.2 0 0" rpy="0 1.5707963267948966 0"/>
  </joint>"""


@pytest.fixture(scope='module', autouse=True)
def simulator(start, tmp_path_factory):
    """Run one that is held, and one that falls."""
    folder = tmp_path_factory.mktemp('own robots')
    for name, imu in (('held', IMU), ('falling', '')):
        (folder / f'{name}.urdf').write_text(URDF.format(imu=imu))
    return start(
        'robots:=[held, falling]',
        *(f'{name}.urdf:="{folder}/{name}.urdf"' for name in ('held', 'falling')),
        'held.fixed:=true',
        'falling.prefix:=b_',
        'falling.position:=[3.0, 0.0, 0.0]',
        'gravity:=[0.0, 0.0, -9.81]',
    )


def test_joints_and_bases_bear_the_names_of_the_urdf(peer):
    """Behind the prefix."""
    joints = peer.listen(JointState, '/joint_states')
    bases = [peer.listen(Odometry, topic) for topic in ('/odom', '/b_odom')]
    peer.until(lambda: joints and all(bases), what='the states')
    assert list(joints[-1].name) == ['hinge', 'b_hinge']
    assert [base[-1].child_frame_id for base in bases] == ['hub', 'b_hub']


@pytest.mark.parametrize(
    ('topic', 'frame', 'force'),
    [('/imu/data_raw', 'imu_link', (-9.81, 0.0, 0.0)), ('/b_imu/data_raw', 'b_hub', (0, 0, 0))],
)
def test_an_imu_is_on_the_usual_link_or_else_on_the_root(peer, topic, frame, force):
    """At rest on what holds it, it feels gravity upwards, in its own axes; falling, nothing."""
    heard = peer.listen(Imu, topic)
    peer.until(lambda: heard, what=topic)
    assert heard[-1].header.frame_id == frame
    np.testing.assert_allclose(xyz(heard[-1].linear_acceleration), force, atol=1e-9)
