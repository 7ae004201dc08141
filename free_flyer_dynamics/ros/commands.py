# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Commands by topic: what can be used is taken, the rest is refused and counted.

ros2_control's topic hardware sends every joint it has, NaN for those that no controller has
claimed. So in joint_commands an entry that cannot be used is left out, alone; arrays that do not
fit their names are refused whole, because nobody can tell which number is whose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
import logging
import math

from free_flyer_dynamics.errors import CommandError, FreeFlyerError, unknown_name
from free_flyer_dynamics.ros.conversions import by_name
from free_flyer_dynamics.ros.tally import Tally
from free_flyer_dynamics.ros.world import World

_LOG = logging.getLogger(__name__)


class TopicCommands:
    """
    What the topics do to a world, on the physics thread.

    Parameters
    ----------
    world : World
    refused : Tally
    base : str
        The link base_wrench pushes when its frame is the world.
    world_frame : str
    effort_joints : sequence of str
        The order of effort_commands.
    timeout : float
        Simulated seconds after which a command stops acting; 0: never.

    """

    def __init__(
        self,
        world: World,
        refused: Tally,
        base: str,
        world_frame: str,
        effort_joints: Sequence[str],
        timeout: float,
    ) -> None:
        self._world, self._refused = world, refused
        self._base, self._world_frame = base, world_frame
        self._effort_joints = tuple(effort_joints)
        self.timeout = timeout

    def set_timeout(self, timeout: float) -> None:
        """Let commands act that long from now on."""
        self.timeout = timeout

    def joints(self, names: Sequence[str], efforts: Sequence[float]) -> None:
        """Take joint_commands."""
        topic = 'joint_commands'
        if len(efforts) == 0 and names:
            self._refuse(topic, 'A command without efforts: this robot is driven by effort alone.')
            return
        try:
            given = by_name(names, efforts)
        except CommandError as error:
            self._refuse(topic, str(error))
            return
        known = self._world.sim.joint_names
        strangers = [name for name in given if name not in known]
        vague = [n for n, effort in given.items() if n in known and not math.isfinite(effort)]
        if strangers:
            self._refuse(topic, unknown_name('joint', strangers[0], known), len(strangers))
        if vague:
            sentence = f"The effort of joint '{vague[0]}' must be finite, got {given[vague[0]]}."
            self._refuse(topic, sentence, len(vague))
        left_out = {*strangers, *vague}
        self._drive(topic, {name: given[name] for name in given if name not in left_out})

    def wheels(self, names: Sequence[str], efforts: Sequence[float]) -> None:
        """Take wheel_commands: all or nothing."""
        try:
            given = by_name(names, efforts)
            for name in given:
                self._world.check_wheel(name)
        except CommandError as error:
            self._refuse('wheel_commands', str(error))
            return
        self._drive('wheel_commands', given)

    def efforts(self, efforts: Sequence[float]) -> None:
        """Take effort_commands, in the order of effort_joints: all or nothing."""
        topic = 'effort_commands'
        if len(efforts) != len(self._effort_joints):
            self._refuse(
                topic,
                f'{len(efforts)} efforts came; expected {len(self._effort_joints)}, in the order '
                f'{", ".join(self._effort_joints)}.',
            )
            return
        self._drive(topic, dict(zip(self._effort_joints, efforts, strict=True)))

    def _drive(self, topic: str, efforts: Mapping[str, float]) -> None:
        try:
            if efforts:
                self._world.set_efforts(efforts, self.timeout, by_topic=True)
        except FreeFlyerError as error:
            self._refuse(topic, str(error))

    def wrench(self, frame: str, force, torque) -> None:
        """Take base_wrench: on the base in world axes, or on the link it names, in its axes."""
        in_world = frame in ('', self._world_frame)
        link = self._base if in_world else frame
        axes = 'world' if in_world else 'link'
        try:
            self._world.set_wrench(link, force, torque, axes, self.timeout)
        except FreeFlyerError as error:
            self._refuse('base_wrench', str(error))

    def _refuse(self, topic: str, sentence: str, count: int = 1) -> None:
        if self._refused.add(topic, sentence, count):
            _LOG.warning('%s: %s Further ones are counted in /diagnostics.', topic, sentence)
