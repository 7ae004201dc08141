# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What acts from outside on a simulator: efforts of joints, wrenches on links."""

from __future__ import annotations

from collections.abc import Mapping

from free_flyer_dynamics.checks import vector
from free_flyer_dynamics.inputs import held_wrench
from free_flyer_dynamics.operations import Operations
from free_flyer_dynamics.values import Clip


class Commanding(Operations):
    """Commands: each acts from the next step on, until it is given again."""

    def set_efforts(self, efforts: Mapping[str, float]) -> tuple[Clip, ...]:
        """
        Drive joints with these torques [N m] or forces [N] until set again.

        What goes beyond a joint's effort limit is clipped; the clips are returned and logged.
        """
        clips = self._commands.set_efforts(self._structure, efforts)
        self._take_inputs()
        return clips

    @property
    def clipped_efforts(self) -> int:
        """Return how many commands have been clipped so far."""
        return self._commands.clips

    def set_wrench(
        self, link: str, force=(0, 0, 0), torque=(0, 0, 0), frame: str = 'world', point=(0, 0, 0)
    ) -> None:
        """
        Push a link until set again.

        Parameters
        ----------
        link : str
            By name, its prefix included.
        force, torque
            [N], [N m]
        frame : str
            'world' or 'link': the axes force and torque are given in.
        point
            Where the force acts, in the link's frame [m].

        """
        wrench = held_wrench(vector(force, 'force'), vector(torque, 'torque'), frame, point)
        self._commands.set_wrench(self._structure.assembly, link, wrench)
        self._take_inputs()
