# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Bags back: those of `free-flyer run`, and those `ros2 bag record` makes of the node's topics."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from free_flyer_dynamics.cli import messages
from free_flyer_dynamics.cli.recording import Recording
from free_flyer_dynamics.errors import CommandError
import numpy as np

COMMANDS = ('joint_commands', 'wheel_commands', 'base_wrench')
_PLAIN = ('joint_states', 'connectivity', 'transitions', 'scenario', *COMMANDS)
_ENDS = ('odom', 'robot_description', 'momentum')


@dataclass(eq=False)
class Bag:
    """
    The messages of a bag that are ours, by topic, in the order they came.

    Parameters
    ----------
    topics : mapping of str to list of (int, message)
        Names without the leading slash and namespace; the number orders all messages of the bag.

    """

    topics: dict[str, list[tuple[int, Any]]] = field(default_factory=lambda: defaultdict(list))

    def ending(self, end: str) -> dict[str, list[tuple[int, Any]]]:
        """Return the topics whose name is that, or ends so: one for each robot."""
        return {name: found for name, found in self.topics.items() if name.endswith(end)}

    def messages(self, topic: str) -> list:
        """Return the messages of a topic."""
        return [message for _, message in self.topics.get(topic, ())]


def read(path: Path) -> Bag:
    """Return what is in a bag: a file .mcap or .db3, or a folder of rosbag2."""
    store = messages.typestore()
    from rosbags.rosbag2 import Reader, ReaderError

    bag = Bag()
    try:
        with Reader(path) as reader:
            names = {c.topic: _short(c.topic) for c in reader.connections}
            wanted = [c for c in reader.connections if names[c.topic]]
            for k, (connection, _, data) in enumerate(reader.messages(wanted)):
                message = store.deserialize_cdr(data, connection.msgtype)
                bag.topics[names[connection.topic]].append((k, message))
    except (ReaderError, OSError, KeyError) as error:
        reason = str(error).rstrip('.')
        raise CommandError(f"Cannot read the bag '{path}': {reason}.") from None
    if not bag.topics.get('joint_states'):
        raise CommandError(
            f"The bag '{path}' has no joint_states; expected what `free-flyer run --out x.mcap` "
            'or `ros2 bag record --all` writes.'
        )
    # A state is published again when the structure changes at its instant: the last one counts.
    states: dict[int, tuple[int, Any]] = {}
    for k, message in bag.topics['joint_states']:
        stamp = messages.stamp_of(message)
        states[stamp] = (states.get(stamp, (k,))[0], message)
    bag.topics['joint_states'] = list(states.values())
    return bag


def _short(topic: str) -> str:
    """Return the name of a topic of ours without its namespace, or nothing."""
    name = topic.lstrip('/')
    for end in _PLAIN:
        if name == end or name.endswith(f'/{end}'):
            return end
    return name if name.endswith(_ENDS) else ''


def recording(bag: Bag) -> Recording:
    """Return the states of a bag as arrays, time counted from the first."""
    states = bag.messages('joint_states')
    stamps = [messages.stamp_of(message) for message in states]
    row = {stamp: k for k, stamp in enumerate(stamps)}
    names = tuple(dict.fromkeys(name for message in states for name in message.name))
    at = {name: k for k, name in enumerate(names)}
    joints = np.full((3, len(states), len(names)), np.nan)
    for k, message in enumerate(states):
        places = [at[name] for name in message.name]
        joints[:, k, places] = message.position, message.velocity, message.effort
    odometry = {found[0][1].child_frame_id: found for found in bag.ending('odom').values()}
    poses = np.full((len(states), len(odometry), 7), np.nan)
    twists = np.full((len(states), len(odometry), 6), np.nan)
    for b, found in enumerate(odometry.values()):
        for _, message in found:
            at_row = row.get(messages.stamp_of(message))
            if at_row is not None:
                poses[at_row, b], twists[at_row, b] = pose_of(message), twist_of(message)
    momentum, robots, shares = _momenta(bag, row)
    return Recording(
        time=(np.array(stamps) - stamps[0]) / messages.NANOSECONDS,
        joint_names=names,
        bases=tuple(odometry),
        robots=robots,
        positions=joints[0],
        velocities=joints[1],
        efforts=joints[2],
        poses=poses,
        twists=twists,
        momentum=momentum,
        shares=shares,
        freedoms=_freedoms(bag, stamps),
        changes=_changes(bag, stamps[0]),
    )


def _momenta(bag: Bag, row: dict[int, int]):
    """Return all momentum, and each robot's share: the first has what is not the others'."""
    total = np.full((len(row), 10), np.nan)
    parts: dict[str, np.ndarray] = {}
    for name, found in bag.ending('momentum').items():
        for _, message in found:
            k = row.get(messages.stamp_of(message))
            values = _momentum_row(message)
            if k is None:
                continue
            if name == 'momentum' or (name.endswith('/momentum') and not message.prefix):
                total[k] = values
            else:
                parts.setdefault(message.prefix, np.full((len(row), 3), np.nan))[k] = values[3:6]
    first = total[:, 3:6] - sum(parts.values(), np.zeros(3))
    robots = ('robot', *(prefix.rstrip('/_') for prefix in parts))
    return total, robots, np.stack([first, *parts.values()], axis=1)


def _freedoms(bag: Bag, stamps: list[int]) -> np.ndarray:
    """Return how many freedoms there were at each state; NaN where no table tells."""
    found = bag.messages('connectivity')
    told = np.array([np.nan, *(message.dof for message in found)])
    return told[np.searchsorted([*map(messages.stamp_of, found)], stamps, side='right')]


def _changes(bag: Bag, start: int) -> tuple[tuple[float, str], ...]:
    found = []
    for message in bag.messages('connectivity')[1:]:
        words = [f'{message.dof} DOF']
        words += [f'{len(message.locked)} locked'] if message.locked else []
        words += [', '.join(message.attachments)] if message.attachments else []
        time = (messages.stamp_of(message) - start) / messages.NANOSECONDS
        found.append((time, ' · '.join(words)))
    return tuple(found)


def xyz(message) -> np.ndarray:
    """Return a vector or a point."""
    return np.array([message.x, message.y, message.z])


def pose_of(message) -> np.ndarray:
    """Return position and quaternion (x, y, z, w) of an odometry message."""
    pose = message.pose.pose
    return np.r_[xyz(pose.position), xyz(pose.orientation), pose.orientation.w]


def twist_of(message) -> np.ndarray:
    """Return linear and angular velocity of an odometry message, the base's axes."""
    twist = message.twist.twist
    return np.r_[xyz(twist.linear), xyz(twist.angular)]


def _momentum_row(message) -> np.ndarray:
    three = (message.linear, message.angular, message.angular_about_center)
    return np.r_[(*map(xyz, three), message.kinetic_energy)]
