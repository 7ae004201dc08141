# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A flight as a bag: the simulator's topics, names and types, in one MCAP file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
import shutil
import tempfile
from typing import Any

from free_flyer_dynamics.cli import bag_topic, messages
from free_flyer_dynamics.cli.recording import Record
from free_flyer_dynamics.cli.scenario import Scenario
from free_flyer_dynamics.errors import CommandError
from free_flyer_dynamics.transition import Transition
from free_flyer_dynamics.urdf_prefix import prefixed

START = messages.NANOSECONDS  # stamps start above 0, which tf2 takes for `the newest`


class BagWriter:
    """
    Writes records as they come; use it as a context.

    Parameters
    ----------
    path : Path
        Of the .mcap file; it is there when all is written.
    scenario : Scenario

    """

    def __init__(self, path: Path, scenario: Scenario) -> None:
        messages.typestore()
        from rosbags.rosbag2 import StoragePlugin, Writer

        self._path, self._scenario = path, scenario
        self._folder = Path(tempfile.mkdtemp(prefix='free_flyer_'))
        self._bag = Writer(self._folder / 'bag', version=9, storage_plugin=StoragePlugin.MCAP)
        self._writers: dict[str, Any] = {}
        self._topics = [_topics(k, robot, name) for k, (name, robot) in _numbered(scenario)]
        self._transitions: list[Transition] = []

    def __enter__(self) -> BagWriter:
        """Begin the file."""
        self._bag.open()
        return self

    def __exit__(self, kind, *_rest) -> None:
        """End the file, and put it where it belongs unless something failed."""
        self._bag.close()
        if kind is None:
            (made,) = (self._folder / 'bag').glob('*.mcap')
            try:
                shutil.move(made, self._path)
            except OSError as error:
                raise CommandError(f"Cannot write '{self._path}': {error.strerror}.") from None
        shutil.rmtree(self._folder, ignore_errors=True)

    def told(self, time: float, transition: Transition) -> None:
        """Keep a change until the instant it belongs to is written."""
        self._transitions.append(transition)

    def _write(self, topic: str, stamp: int, message, lasting: bool = False) -> None:
        if topic not in self._writers:
            self._writers[topic] = bag_topic.writer(f'/{topic}', self._bag, lasting)
        self._writers[topic](stamp, message)

    def add(self, record: Record) -> None:
        """Write an instant: how things are, then what is commanded from it on."""
        stamp = START + round(record.time * messages.NANOSECONDS)
        if record.time == 0.0:
            self._begin(stamp)
        if record.connectivity is not None:
            self._write(
                'connectivity', stamp, messages.connectivity(stamp, record.connectivity), True
            )
        for transition in self._transitions:
            self._write('transitions', stamp, messages.transition(transition))
        self._transitions.clear()
        self._write('clock', stamp, messages.clock(stamp))
        self._write('tf', stamp, messages.transforms(stamp, record.bases, record.poses))
        state = (record.joint_names, record.positions, record.velocities, record.efforts)
        self._write('joint_states', stamp, messages.joint_state(stamp, *state))
        self._write('momentum', stamp, messages.momentum(stamp, '', record.momentum))
        for k, share in enumerate(record.shares.values()):
            before, prefix = self._topics[k]
            odometry = messages.odometry(stamp, record.bases[k], record.poses[k], record.twists[k])
            self._write(f'{before}odom', stamp, odometry)
            if k and prefix:
                self._write(f'{before}momentum', stamp, messages.momentum(stamp, prefix, share))
        self._commands(stamp, record.commands)

    def _begin(self, stamp: int) -> None:
        self._write('scenario', stamp, messages.text(self._scenario.text), True)
        for (before, prefix), robot in zip(
            self._topics, self._scenario.robots.values(), strict=True
        ):
            description = messages.text(prefixed(robot['model'].xml, prefix))
            self._write(f'{before}robot_description', stamp, description, True)

    def _commands(self, stamp: int, commands: Mapping[str, Any]) -> None:
        efforts = commands.get('efforts')
        if efforts:
            values = list(efforts.values())
            message = messages.joint_state(stamp, list(efforts), [], [], values)
            self._write('joint_commands', stamp, message)
        for link, (force, torque) in commands.get('wrenches', {}).items():
            self._write('base_wrench', stamp, messages.wrench(stamp, link, force, torque))


def _numbered(scenario: Scenario):
    return enumerate(scenario.robots.items())


def _topics(k: int, robot: Mapping[str, Any], name: str) -> tuple[str, str]:
    """Return what the topics of a robot begin with, as in the node, and its prefix."""
    prefix = robot.get('prefix', '')
    return ('' if k == 0 else prefix or f'{name}_'), prefix
