# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
What is joined to what: links, joints, attachments and anchors, by name.

An `Assembly` never changes. Every operation returns another one, so a change that fails half
way leaves nothing behind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
import math

from free_flyer_dynamics.edge_table import EdgeTable
from free_flyer_dynamics.errors import ModelError, unknown_name
from free_flyer_dynamics.graph import Edges, empty_links, joined, Links, WORLD
from free_flyer_dynamics.joint_table import JointTable
from free_flyer_dynamics.model import Joint, Model
from free_flyer_dynamics.tree import FIXED, PRISMATIC, REVOLUTE, SPHERICAL
import numpy as np

KINDS = {
    'revolute': REVOLUTE,
    'continuous': REVOLUTE,
    'prismatic': PRISMATIC,
    'spherical': SPHERICAL,
    'fixed': FIXED,
}
JOINT, ATTACHMENT, ANCHOR = 'joint', 'attachment', 'anchor'


@dataclass(frozen=True)
class Robot:
    """A model in the world: its prefix and the first of its links."""

    prefix: str
    model: Model
    first_link: int

    @property
    def links(self) -> range:
        """Return the indices of its links."""
        return range(self.first_link, self.first_link + len(self.model.bodies))


@dataclass(frozen=True)
class Assembly:
    """
    The graph of links and edges.

    Parameters
    ----------
    bases : tuple of int
        One link a robot; the first that a connected part holds is that part's base.

    """

    revision: int = 0
    robots: tuple[Robot, ...] = ()
    links: Links = field(default_factory=empty_links)
    edge_table: EdgeTable = field(default_factory=EdgeTable.empty)
    link_index: Mapping[str, int] = field(default_factory=dict)
    edge_names: tuple[str, ...] = ()
    edge_sources: tuple[str, ...] = ()
    locked: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    bases: tuple[int, ...] = ()
    joints: JointTable = field(default_factory=JointTable)
    edge_index: Mapping[str, int] = field(default_factory=dict)

    @property
    def edges(self) -> Edges:
        """Return the edges, column by column."""
        return self.edge_table.columns

    def changed(self, **fields) -> Assembly:
        """Return the next revision, with other fields."""
        after = object.__new__(Assembly)  # as frozen, without setting field by field
        vars(after).update(vars(self), revision=self.revision + 1, **fields)
        return after

    def robot(self, prefix: str, error: type[Exception]) -> Robot:
        """Return the robot of a prefix, which has to be the only one."""
        found = [robot for robot in self.robots if robot.prefix == prefix]
        if len(found) > 1:
            raise error(f"{len(found)} robots bear the prefix '{prefix}'; give each its own.")
        if not found:
            raise error(unknown_name('robot prefix', prefix, {r.prefix for r in self.robots}))
        return found[0]

    def link(self, name: str, error: type[Exception]) -> int:
        """Return the index of a link; 'world' is inertial space."""
        found = WORLD if name == 'world' else None
        if isinstance(name, str):
            found = self.link_index.get(name, found)
        if found is None:
            raise error(unknown_name('link', name, self.link_index))
        return found

    def link_name(self, index: int) -> str:
        """Return the name of a link."""
        for robot in self.robots:
            if index in robot.links:
                return robot.prefix + robot.model.bodies[index - robot.first_link].name
        return 'world'

    def edge(self, name: str, sources: tuple[str, ...], error: type[Exception]) -> int:
        """Return the index of an edge of one of those sources."""
        e = self.edge_index.get(name, -1) if isinstance(name, str) else -1
        if e >= 0 and self.edge_sources[e] in sources:
            return e
        what = 'joint' if JOINT in sources else 'attachment or anchor'
        raise error(unknown_name(what, name, self.named(*sources)))

    def named(self, *sources: str) -> list[str]:
        """Return the names of the edges of those sources that may be named by a user."""
        return [
            name
            for name, source, kind in zip(
                self.edge_names, self.edge_sources, self.edges.kind, strict=True
            )
            if source in sources and (source != JOINT or kind != FIXED)
        ]

    def with_edges(self, table: EdgeTable, names: tuple[str, ...], source: str) -> Assembly:
        """Return this with more edges at the end: those by which the table is longer."""
        first, index = len(self.edge_names), dict(self.edge_index)
        kinds = table.kinds[first:]
        locked = np.zeros(len(table), dtype=np.int64)
        locked[:first] = self.locked
        index.update(zip(names, range(first, len(table)), strict=True))
        return self.changed(
            edge_table=table,
            edge_names=self.edge_names + names,
            edge_sources=self.edge_sources + (source,) * len(names),
            locked=locked,
            joints=self.joints.grown(names, kinds, first),
            edge_index=index,
        )

    def without_edge(self, e: int, table: EdgeTable) -> Assembly:
        """Return this less one edge, with the table of those that are left."""
        names = self.edge_names[:e] + self.edge_names[e + 1 :]
        locked = np.empty(len(names), dtype=np.int64)
        locked[:e], locked[e:] = self.locked[:e], self.locked[e + 1 :]
        index = dict(self.edge_index)
        del index[self.edge_names[e]]
        if e < len(names):
            index = {name: k for k, name in enumerate(names)}
        return self.changed(
            edge_table=table,
            edge_names=names,
            edge_sources=self.edge_sources[:e] + self.edge_sources[e + 1 :],
            locked=locked,
            joints=self.joints.without(e),
            edge_index=index,
        )

    def with_robot(self, model: Model, prefix: str) -> Assembly:
        """Return this with one more robot, joined to nothing."""
        names = [prefix + body.name for body in model.bodies]
        _refuse_taken('link', names, self.link_index, prefix)
        joints = sorted_joints(model)
        edge_names = tuple(prefix + joint.name for joint in joints)
        _refuse_taken('joint', edge_names, (*self.edge_names, *self.joints.names), prefix)
        first = len(self.links.mass)
        index = {name: first + k for k, name in enumerate(names)}
        grown = replace(
            self,
            robots=(*self.robots, Robot(prefix, model, first)),
            links=joined(self.links, link_rows(model)),
            link_index={**self.link_index, **index},
            bases=(*self.bases, index[prefix + model.root]),
        )
        rows = joint_rows(model, joints, index, prefix)
        return grown.with_edges(self.edge_table.grown(rows), edge_names, JOINT)


def _refuse_taken(what: str, names, taken, prefix: str) -> None:
    clash = sorted(set(names) & set(taken))
    if clash:
        raise ModelError(
            f"The world already has a {what} named '{clash[0]}' (prefix '{prefix}'). "
            'Give this robot another prefix.'
        )


def sorted_joints(model: Model) -> list[Joint]:
    """Return the moving joints, which name coordinates, then the fixed ones."""
    return [*model.joints, *model.fixed_joints]


def link_rows(model: Model) -> Links:
    """Return the inertias of a model's links about their origins."""
    mass = np.array([body.mass for body in model.bodies])
    center = np.array([body.center for body in model.bodies])
    about_center = np.array([body.inertia for body in model.bodies])
    spread = np.einsum('ij,ij->i', center, center)[:, None, None] * np.eye(3)
    shift = mass[:, None, None] * (spread - center[:, :, None] * center[:, None, :])
    return Links(mass, mass[:, None] * center, about_center + shift)


def joint_rows(model: Model, joints: list[Joint], index: Mapping[str, int], prefix: str) -> Edges:
    """Return the edges of a model's joints, their z axes on the joints' axes."""
    turned = [axis_rotation(joint.axis) for joint in joints]
    wheels = {wheel.joint: wheel for wheel in model.wheels}
    speed = []
    effort = []
    for joint in joints:
        wheel = wheels.get(joint.name)
        effort.append(min(joint.effort_limit, wheel.torque_limit if wheel else math.inf))
        speed.append(joint.velocity_limit or math.inf)
        if wheel:
            saturated = wheel.momentum_limit / spin_inertia(model, joint)
            speed[-1] = min(speed[-1], wheel.speed_limit, saturated)
    count = len(joints)
    return Edges(
        kind=np.array([KINDS[joint.kind] for joint in joints], dtype=np.int64),
        a=np.array([index[prefix + joint.parent] for joint in joints], dtype=np.int64),
        b=np.array([index[prefix + joint.child] for joint in joints], dtype=np.int64),
        rotation_a=np.array(
            [joint.rotation @ Q for joint, Q in zip(joints, turned, strict=True)]
        ).reshape(count, 3, 3),
        position_a=np.array([joint.position for joint in joints]).reshape(count, 3),
        rotation_b=np.array(turned).reshape(count, 3, 3),
        position_b=np.zeros((count, 3)),
        damping=np.array([joint.damping for joint in joints]),
        friction=np.array([joint.friction for joint in joints]),
        lower=np.array([joint.lower for joint in joints]),
        upper=np.array([joint.upper for joint in joints]),
        effort_limit=np.array(effort),
        speed_limit=np.array(speed),
    )


def axis_rotation(axis: np.ndarray) -> np.ndarray:
    """
    Return a rotation whose third column is the unit axis; exact when it lies on x, y or z.

    The other two columns are any: a joint's coordinate is about or along its axis alone.
    """
    z = [float(part) for part in axis]
    longest = max(range(3), key=lambda k: abs(z[k]))
    near = (longest + 1) % 3
    along = math.copysign(1.0, z[longest])
    x = [(along if k == near else 0.0) - z[k] * along * z[near] for k in range(3)]
    length = math.hypot(*x)
    x = [part / length for part in x]
    y = (z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0])
    return np.array(list(zip(x, y, z, strict=True)))


def spin_inertia(model: Model, joint: Joint) -> float:
    """Return the inertia about the joint's axis of the child and what is fixed to it [kg m^2]."""
    total = 0.0
    waiting = [(joint.child, np.eye(3), np.zeros(3))]
    while waiting:
        name, rotation, position = waiting.pop()
        body = model.body(name)
        axis = rotation.T @ joint.axis
        arm = body.center + rotation.T @ position
        arm = arm - axis * (arm @ axis)
        total += axis @ body.inertia @ axis + body.mass * (arm @ arm)
        waiting += [
            (fixed.child, rotation @ fixed.rotation, position + rotation @ fixed.position)
            for fixed in model.fixed_joints
            if fixed.parent == name
        ]
    return total
