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

from free_flyer_dynamics.edge_table import EdgeTable
from free_flyer_dynamics.errors import ModelError, unknown_name
from free_flyer_dynamics.graph import Edges, empty_links, joined, Links, WORLD
from free_flyer_dynamics.joint_table import JointTable
from free_flyer_dynamics.model import Model
from free_flyer_dynamics.model_rows import joint_rows, link_rows, sorted_joints
from free_flyer_dynamics.tree import FIXED
import numpy as np

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
