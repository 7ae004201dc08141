# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Values to messages and back. Pure: no node, no clock, nothing kept."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence

from builtin_interfaces.msg import Time
from free_flyer_dynamics.errors import CommandError
from free_flyer_dynamics.values import Momentum, Pose, Twist, Wrench
from free_flyer_interfaces import msg as own
from geometry_msgs import msg as geometry
from nav_msgs.msg import Odometry
import numpy as np
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import Imu, JointState
from std_msgs.msg import Header
from tf2_msgs.msg import TFMessage

Numbers = Sequence[float] | np.ndarray
NANOSECONDS = 1_000_000_000
_MOST_NAMES = 15  # in a sentence


def time_to_msg(stamp: int) -> Time:
    """Return a stamp [ns] as a message."""
    return Time(sec=stamp // NANOSECONDS, nanosec=stamp % NANOSECONDS)


def time_from_msg(message: Time) -> int:
    """Return a stamp [ns]."""
    return message.sec * NANOSECONDS + message.nanosec


def header(stamp: int, frame: str) -> Header:
    """Return the head of a message."""
    return Header(stamp=time_to_msg(stamp), frame_id=frame)


def clock_to_msg(stamp: int) -> Clock:
    """Return simulated time."""
    return Clock(clock=time_to_msg(stamp))


def vector_to_msg(vector: Numbers) -> geometry.Vector3:
    """Return three numbers as a vector."""
    x, y, z = (float(v) for v in vector)
    return geometry.Vector3(x=x, y=y, z=z)


def point_to_msg(vector: Numbers) -> geometry.Point:
    """Return three numbers as a point."""
    x, y, z = (float(v) for v in vector)
    return geometry.Point(x=x, y=y, z=z)


def xyz_from_msg(message) -> tuple[float, float, float]:
    """Return a vector or a point as three numbers."""
    return (message.x, message.y, message.z)


def quaternion_to_msg(xyzw: Numbers) -> geometry.Quaternion:
    """Return a quaternion (x, y, z, w)."""
    x, y, z, w = (float(v) for v in xyzw)
    return geometry.Quaternion(x=x, y=y, z=z, w=w)


def quaternion_from_msg(message: geometry.Quaternion) -> tuple[float, float, float, float]:
    """Return a quaternion (x, y, z, w)."""
    return (message.x, message.y, message.z, message.w)


def joint_state_to_msg(
    stamp: int, names: Sequence[str], positions, velocities, efforts
) -> JointState:
    """Return every joint's motion [rad or m] and applied effort [N m or N]."""
    return JointState(
        header=header(stamp, ''),
        name=list(names),
        position=array('d', positions),
        velocity=array('d', velocities),
        effort=array('d', efforts),
    )


def joint_state_from_msg(message: JointState) -> tuple[int, tuple[str, ...], array, array]:
    """Return stamp [ns], names, positions [rad or m] and velocities."""
    stamp = time_from_msg(message.header.stamp)
    return stamp, tuple(message.name), message.position, message.velocity


def joint_command_to_msg(stamp: int, efforts: Mapping[str, float]) -> JointState:
    """Return efforts by joint as a command [N m or N]; it answers the state of that stamp."""
    return JointState(
        header=header(stamp, ''), name=list(efforts), effort=array('d', efforts.values())
    )


def by_name(names: Sequence[str], efforts: Sequence[float]) -> dict[str, float]:
    """Return efforts by name; one for each name, and no name twice."""
    if len(names) != len(efforts):
        raise CommandError(
            f'{len(names)} names came with {len(efforts)} efforts; expected one for each name.'
        )
    found = dict(zip(names, efforts, strict=True))
    if len(found) < len(names):
        twice = sorted(name for name, count in Counter(names).items() if count > 1)
        more = ' and more' if len(twice) > _MOST_NAMES else ''
        raise CommandError(f'Given more than once: {", ".join(twice[:_MOST_NAMES])}{more}.')
    return found


def odometry_to_msg(stamp: int, world: str, base: str, pose: Pose, twist: Twist) -> Odometry:
    """Return where a base is in world, and its twist in its own axes."""
    message = Odometry(header=header(stamp, world), child_frame_id=base)
    message.pose.pose.position = point_to_msg(pose.position)
    message.pose.pose.orientation = quaternion_to_msg(pose.quaternion)
    message.twist.twist = twist_to_msg(twist)
    return message


def odometry_from_msg(message: Odometry) -> tuple[int, str, Pose, Twist]:
    """Return stamp [ns], the base's frame, its pose in world and its twist in its own axes."""
    pose, twist = message.pose.pose, message.twist.twist
    return (
        time_from_msg(message.header.stamp),
        message.child_frame_id,
        Pose(
            np.array(xyz_from_msg(pose.position)),
            np.array(quaternion_from_msg(pose.orientation)),
        ),
        twist_from_msg(twist),
    )


def twist_from_msg(message: geometry.Twist) -> Twist:
    """Return a twist, in the axes it is in."""
    return Twist(np.array(xyz_from_msg(message.linear)), np.array(xyz_from_msg(message.angular)))


def twist_to_msg(twist: Twist) -> geometry.Twist:
    """Return a twist, in the axes it is in."""
    return geometry.Twist(linear=vector_to_msg(twist.linear), angular=vector_to_msg(twist.angular))


def transforms_to_msg(stamp: int, world: str, poses: Mapping[str, Pose]) -> TFMessage:
    """Return the poses of frames in world."""
    return TFMessage(
        transforms=[
            geometry.TransformStamped(
                header=header(stamp, world),
                child_frame_id=frame,
                transform=geometry.Transform(
                    translation=vector_to_msg(pose.position),
                    rotation=quaternion_to_msg(pose.quaternion),
                ),
            )
            for frame, pose in poses.items()
        ]
    )


def imu_to_msg(
    stamp: int, frame: str, force, angular_velocity, force_noise: float, rate_noise: float
) -> Imu:
    """Return a raw reading: no orientation; covariances from the noise, 0 where unknown."""
    message = Imu(
        header=header(stamp, frame),
        linear_acceleration=vector_to_msg(force),
        angular_velocity=vector_to_msg(angular_velocity),
    )
    message.orientation_covariance[0] = -1.0
    for k in (0, 4, 8):
        message.linear_acceleration_covariance[k] = force_noise**2
        message.angular_velocity_covariance[k] = rate_noise**2
    return message


def wrench_to_msg(stamp: int, frame: str, wrench: Wrench) -> geometry.WrenchStamped:
    """Return a wrench at a frame's origin, in its axes."""
    return geometry.WrenchStamped(
        header=header(stamp, frame),
        wrench=geometry.Wrench(
            force=vector_to_msg(wrench.force), torque=vector_to_msg(wrench.torque)
        ),
    )


def momentum_to_msg(stamp: int, world: str, prefix: str, momentum: Momentum) -> own.Momentum:
    """Return momentum and energy."""
    return own.Momentum(
        header=header(stamp, world),
        prefix=prefix,
        mass=momentum.mass,
        center=point_to_msg(momentum.center),
        linear=vector_to_msg(momentum.linear),
        angular=vector_to_msg(momentum.angular),
        angular_about_center=vector_to_msg(momentum.angular_about_center),
        kinetic_energy=momentum.kinetic_energy,
    )
