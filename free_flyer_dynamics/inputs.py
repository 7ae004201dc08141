# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What users command, by name, and the arrays kernels read it from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
import logging
from math import isfinite

from free_flyer_dynamics.assembly import Assembly
from free_flyer_dynamics.checks import mapping, number, vector
from free_flyer_dynamics.errors import CommandError, unknown_name
from free_flyer_dynamics.graph import WORLD
from free_flyer_dynamics.joint_table import JointTable
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import Inputs
from free_flyer_dynamics.values import Clip
import numpy as np

_LOG = logging.getLogger(__name__)
_NO_LOOPS = np.zeros((0, 3))
_NO_WRENCHES = (
    np.zeros(0, dtype=np.int64),
    np.zeros(0, dtype=np.int64),
    np.zeros((0, 3)),
    np.zeros((0, 3)),
    np.zeros((0, 3)),
)


@dataclass(frozen=True, eq=False)
class HeldWrench:
    """A force [N] and torque [N m] at a point [m] of a link, in world or link axes."""

    force: np.ndarray
    torque: np.ndarray
    in_world: bool
    point: np.ndarray


def held_wrench(force, torque, frame: str, point) -> HeldWrench:
    """Return the wrench of these arrays; a frame is 'world' or 'link'."""
    if frame not in ('world', 'link'):
        raise CommandError(f"frame must be 'world' or 'link', got {frame!r}.")
    return HeldWrench(force, torque, frame == 'world', vector(point, 'point'))


def pushed(assembly: Assembly, link: str) -> int:
    """Return a link that a wrench can push."""
    index = assembly.link(link, CommandError)
    if index == WORLD:
        raise CommandError("A wrench cannot push 'world', which does not move: name a link.")
    return index


def seen_by_node(structure: Structure, link: int, wrench: HeldWrench) -> HeldWrench:
    """Return a link's wrench, or a row of them, in the frame of its node; in world axes it is."""
    rotation, position = structure.plan.link_rotation[link], structure.plan.link_position[link]
    force, torque = wrench.force, wrench.torque
    if not wrench.in_world:
        force, torque = (_turned(rotation, each) for each in (force, torque))
    return HeldWrench(force, torque, wrench.in_world, position + rotation @ wrench.point)


def _turned(rotation: np.ndarray, given: np.ndarray) -> np.ndarray:
    """Turn a vector, or a row of them; a row comes out as it would alone, to the last bit."""
    return sum(given[..., k, None] * rotation[:, k] for k in range(3))


class Commands:
    """Efforts and wrenches as they were last set; held until set again."""

    def __init__(self, gravity) -> None:
        self.gravity = vector(gravity, 'gravity')
        self.efforts: dict[str, float] = {}
        self.wrenches: dict[str, HeldWrench] = {}
        self.clips = 0
        self._told: set[str] = set()
        self._listed: tuple[JointTable, np.ndarray] | None = None

    def set_efforts(self, structure: Structure, efforts: Mapping[str, float]) -> tuple[Clip, ...]:
        """Hold these efforts, clipped to the limits; all or none are taken."""
        joints, limits = structure.assembly.joints, structure.effort_limits
        checked = {}
        clips = []
        for name, value in mapping(efforts, 'set_efforts').items():
            if not isinstance(name, str) or name not in joints.index:
                raise CommandError(unknown_name('joint', name, joints.names))
            asked = value
            if type(value) is not float or not isfinite(value):
                asked = number(value, f"The effort of joint '{name}'")
            limit = limits[joints.index[name]]
            checked[name] = asked
            if not -limit <= asked <= limit:
                checked[name] = min(max(asked, -limit), limit)
                clips.append(Clip(name, asked, checked[name]))
        self.efforts.update(checked)
        self._listed = None
        self.clips += len(clips)
        for clip in clips:
            if clip.joint not in self._told:
                self._told.add(clip.joint)
                _LOG.warning(
                    "Effort %g on joint '%s' is beyond its limit; %g is applied.",
                    clip.asked,
                    clip.joint,
                    clip.applied,
                )
        return tuple(clips)

    def set_wrench(self, assembly: Assembly, link: str, wrench: HeldWrench) -> None:
        """Hold a wrench on a link; zero force and torque take it away."""
        pushed(assembly, link)
        if wrench.force.any() or wrench.torque.any():
            self.wrenches[link] = wrench
        else:
            self.wrenches.pop(link, None)

    def pushed_links(self, assembly: Assembly) -> np.ndarray:
        """Return the links that wrenches act on, in the order of `inputs`."""
        if not self.wrenches:
            return _NO_WRENCHES[0]
        links = [assembly.link_index[link] for link in self.wrenches]
        return np.array(links, dtype=np.int64)

    def forget(self, joints: Iterable[str]) -> None:
        """Forget the efforts of joints that are gone."""
        for name in joints:
            if self.efforts.pop(name, None) is not None:
                self._listed = None

    def _by_joint(self, joints: JointTable, gone: Collection[str]) -> np.ndarray:
        """Return the effort of every public joint; kept, as most changes leave the joints be."""
        lost = [name for name in gone if name in self.efforts]
        if not lost and self._listed is not None and self._listed[0] is joints:
            return self._listed[1]
        by_joint = np.zeros(len(joints.names))
        known = self._listed
        if not lost and known is not None and joints.names[: len(known[1])] == known[0].names:
            by_joint[: len(known[1])] = known[1]  # those that came since have none yet
        else:
            told, index = by_joint.tolist(), joints.index
            for name, value in self.efforts.items():
                if not lost or name not in lost:
                    told[index[name]] = value
            by_joint[:] = told
        self._listed = None if lost else (joints, by_joint)
        return by_joint

    def inputs(self, structure: Structure, gone: Collection[str] = ()) -> Inputs:
        """Return the arrays for a structure, less the efforts of joints that are gone."""
        assembly = structure.assembly
        told = np.zeros(structure.nv + 1)
        by_joint = self._by_joint(assembly.joints, gone)
        told[structure.joint_v] = by_joint
        effort = told[:-1]  # less the last, where those that do not move are told
        loop_effort = _NO_LOOPS
        if structure.loops:
            loop_effort = self._loop_efforts(structure, by_joint, int(np.count_nonzero(effort)))
        count = len(self.wrenches)
        if not count:
            return Inputs(effort, loop_effort, self.gravity, *_NO_WRENCHES)
        node = np.zeros(count, dtype=np.int64)
        in_world = np.zeros(count, dtype=np.int64)
        point, force, torque = (np.zeros((count, 3)) for _ in range(3))
        for row, (name, wrench) in enumerate(self.wrenches.items()):
            link = assembly.link_index[name]
            on = seen_by_node(structure, link, wrench)
            node[row], in_world[row] = structure.plan.link_node[link], wrench.in_world
            point[row], force[row], torque[row] = on.point, on.force, on.torque
        return Inputs(effort, loop_effort, self.gravity, node, in_world, point, force, torque)

    @staticmethod
    def _loop_efforts(structure: Structure, told: np.ndarray, elsewhere: int) -> np.ndarray:
        """Return the efforts of the joints that close loops; so many efforts are elsewhere."""
        loop_effort = np.zeros((structure.loops, 3))
        joints = structure.assembly.joints
        if np.count_nonzero(told) == elsewhere:
            return loop_effort
        for row in np.flatnonzero(structure.joint_v < 0).tolist():
            loop = structure.plan.edge_loop[joints.edge[row]]
            if loop >= 0:
                loop_effort[loop, joints.part[row]] = told[row]
        return loop_effort
