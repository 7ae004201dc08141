# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The messages of the simulator's topics without ROS, by rosbags: records in, bytes out."""

from __future__ import annotations

from functools import cache
from typing import Any

from free_flyer_dynamics.connectivity import Connectivity
from free_flyer_dynamics.errors import CommandError
from free_flyer_dynamics.operation_fields import fields_of
from free_flyer_dynamics.transition import Transition
from free_flyer_dynamics.urdf_source import own_shares
from free_flyer_dynamics.values import Momentum, Pose, Twist
import numpy as np

OURS = 'free_flyer_interfaces/msg/'
NANOSECONDS = 1_000_000_000


@cache
def typestore() -> Any:
    """Return every message type of ROS 2 Jazzy, ours too."""
    try:
        from rosbags.typesys import get_types_from_msg, get_typestore, Stores
    except ImportError:
        raise CommandError('Bags need the package rosbags: pip install rosbags.') from None
    store = get_typestore(Stores.ROS2_JAZZY)
    folders = [share / 'free_flyer_interfaces/msg' for share in own_shares()]
    for folder in [folder for folder in folders if folder.is_dir()][:1]:
        for path in sorted(folder.glob('*.msg')):
            store.register(get_types_from_msg(path.read_text(), OURS + path.stem))
    return store


def make(name: str, /, **fields) -> Any:
    """Return a message of a type."""
    return typestore().types[name](**fields)


def header(stamp: int, frame: str) -> Any:
    """Return the head of a message."""
    return make('std_msgs/msg/Header', stamp=time(stamp), frame_id=frame)


def time(stamp: int) -> Any:
    """Return a stamp [ns]."""
    return make(
        'builtin_interfaces/msg/Time', sec=stamp // NANOSECONDS, nanosec=stamp % NANOSECONDS
    )


def stamp_of(message) -> int:
    """Return the stamp of a message with a header [ns]."""
    return message.header.stamp.sec * NANOSECONDS + message.header.stamp.nanosec


def vector(values) -> Any:
    """Return three numbers as a vector."""
    return _xyz('Vector3', values)


def _xyz(kind: str, values) -> Any:
    x, y, z = (float(value) for value in values)
    return make(f'geometry_msgs/msg/{kind}', x=x, y=y, z=z)


def _quaternion(values) -> Any:
    x, y, z, w = (float(value) for value in values)
    return make('geometry_msgs/msg/Quaternion', x=x, y=y, z=z, w=w)


def joint_state(stamp: int, names, positions, velocities, efforts) -> Any:
    """Return sensor_msgs/JointState."""
    numbers = (np.asarray(values, dtype=float) for values in (positions, velocities, efforts))
    position, velocity, effort = numbers
    return make(
        'sensor_msgs/msg/JointState',
        header=header(stamp, ''),
        name=list(names),
        position=position,
        velocity=velocity,
        effort=effort,
    )


def odometry(stamp: int, base: str, pose: Pose, twist: Twist) -> Any:
    """Return nav_msgs/Odometry: pose in world, twist in the base's frame."""
    return make(
        'nav_msgs/msg/Odometry',
        header=header(stamp, 'world'),
        child_frame_id=base,
        pose=make(
            'geometry_msgs/msg/PoseWithCovariance',
            pose=make(
                'geometry_msgs/msg/Pose',
                position=_xyz('Point', pose.position),
                orientation=_quaternion(pose.quaternion),
            ),
            covariance=np.zeros(36),
        ),
        twist=make(
            'geometry_msgs/msg/TwistWithCovariance',
            twist=make(
                'geometry_msgs/msg/Twist',
                linear=vector(twist.linear),
                angular=vector(twist.angular),
            ),
            covariance=np.zeros(36),
        ),
    )


def transforms(stamp: int, bases, poses) -> Any:
    """Return tf2_msgs/TFMessage of the bases."""
    return make(
        'tf2_msgs/msg/TFMessage',
        transforms=[
            make(
                'geometry_msgs/msg/TransformStamped',
                header=header(stamp, 'world'),
                child_frame_id=base,
                transform=make(
                    'geometry_msgs/msg/Transform',
                    translation=vector(pose.position),
                    rotation=_quaternion(pose.quaternion),
                ),
            )
            for base, pose in zip(bases, poses, strict=True)
        ],
    )


def momentum(stamp: int, prefix: str, m: Momentum) -> Any:
    """Return free_flyer_interfaces/Momentum."""
    return make(
        OURS + 'Momentum',
        header=header(stamp, 'world'),
        prefix=prefix,
        mass=m.mass,
        center=_xyz('Point', m.center),
        linear=vector(m.linear),
        angular=vector(m.angular),
        angular_about_center=vector(m.angular_about_center),
        kinetic_energy=m.kinetic_energy,
    )


def connectivity(stamp: int, now: Connectivity) -> Any:
    """Return free_flyer_interfaces/Connectivity."""
    return make(
        OURS + 'Connectivity',
        header=header(stamp, 'world'),
        revision=now.revision,
        dof=now.dof,
        base=now.base,
        links=[make(OURS + 'ConnectivityLink', **row._asdict()) for row in now.links],
        locked=list(now.locked),
        attachments=list(now.attachments),
        loops=list(now.loops),
    )


def transition(done: Transition) -> Any:
    """Return free_flyer_interfaces/Transition."""
    operations = [
        make(OURS + 'TopologyOperation', **{**fields, 'axis': vector(fields['axis'])})
        for fields in map(fields_of, done.operations)
    ]
    change = done.momentum_change
    return make(
        OURS + 'Transition',
        revision=done.revision,
        operations=operations,
        impulses=[
            make(
                OURS + 'Impulse',
                name=name,
                linear=vector(impulse.linear),
                angular=vector(impulse.angular),
            )
            for name, impulse in done.impulses.items()
        ],
        energy_lost=float(done.energy_lost),
        momentum_change=make(
            OURS + 'MomentumChange', linear=vector(change.linear), angular=vector(change.angular)
        ),
        dof_before=done.dof_before,
        dof_after=done.dof_after,
        seconds=done.seconds,
    )


def wrench(stamp: int, frame: str, force, torque) -> Any:
    """Return geometry_msgs/WrenchStamped."""
    return make(
        'geometry_msgs/msg/WrenchStamped',
        header=header(stamp, frame),
        wrench=make('geometry_msgs/msg/Wrench', force=vector(force), torque=vector(torque)),
    )


def text(data: str) -> Any:
    """Return std_msgs/String."""
    return make('std_msgs/msg/String', data=data)


def clock(stamp: int) -> Any:
    """Return rosgraph_msgs/Clock."""
    return make('rosgraph_msgs/msg/Clock', clock=time(stamp))
