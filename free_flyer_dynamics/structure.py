# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""An assembly compiled: the forest the kernels walk, and where names lie in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from free_flyer_dynamics.assembly import Assembly
from free_flyer_dynamics.direct import Direct
from free_flyer_dynamics.graph import Plan
from free_flyer_dynamics.kernels import records
from free_flyer_dynamics.kernels.passage import impulse_at, passage_size
from free_flyer_dynamics.kernels.room import room_size, workspace_of
from free_flyer_dynamics.kernels.structure import compile_structure
from free_flyer_dynamics.tree import FREE, PRISMATIC, REVOLUTE, SPHERICAL, State, Tree, Workspace
import numpy as np

_compile_structure = Direct(compile_structure)
_SIZES = 'nodes', 'roots', 'loops', 'nq', 'nv', 'massless', 'held'  # as the record has them


@dataclass(frozen=True, eq=False)
class Structure:
    """
    The compiled forest and its room; kernels take it whole as `ints` and `reals`.

    The arrays in these are cut when they are first asked for by name: most structures of a world
    that changes often are never read.
    """

    assembly: Assembly
    ints: np.ndarray
    reals: np.ndarray
    nodes: int
    roots: int
    loops: int
    nq: int
    nv: int
    massless: int  # how many nodes have no mass
    held: int  # how many links do not fly free
    rooms: dict[str, Any] = field(default_factory=dict)  # of algorithms with more to keep, by name

    @property
    def _head(self) -> list[int]:
        """Return the sizes that tell where things lie, as Python has numbers."""
        return self.ints[: records.HEAD].tolist()

    @cached_property
    def plan(self) -> Plan:
        """Return how links and edges lie in the forest."""
        return records.plan_of(self.ints, self.reals)

    @property
    def tree(self) -> Tree:
        """Return the arrays of the forest."""
        return self.plan.tree

    @cached_property
    def joint_v(self) -> np.ndarray:
        """Return where each public joint is in v; -1: it does not move."""
        return self.ints[records.joint_v_at(self._head)]

    @cached_property
    def joint_q(self) -> np.ndarray | None:
        """Return where each public joint is in q, if all are hinges and slides that move."""
        tree, joint_v = self.tree, self.joint_v
        if self.loops or (joint_v < 0).any() or (tree.kind == SPHERICAL).any():
            return None
        plain = (tree.kind == REVOLUTE) | (tree.kind == PRISMATIC)
        place = np.zeros(self.nv, dtype=np.int64)
        place[tree.v_at[plain]] = tree.q_at[plain]
        return place[joint_v]

    @cached_property
    def effort_limits(self) -> list[float]:
        """Return what each public joint's drive gives at most [N m or N]."""
        assembly = self.assembly
        return assembly.edges.effort_limit[assembly.joints.edge].tolist()

    @cached_property
    def free_columns(self) -> np.ndarray:
        """Return the entries of v as users count them: bases first, then the joints that move."""
        tree = self.tree
        bases = [tree.v_at[i] + k for i in np.flatnonzero(tree.kind == FREE) for k in range(6)]
        moving = self.joint_v[self.joint_v >= 0]
        return np.concatenate((np.array(bases, dtype=np.int64), moving))

    @cached_property
    def swapped_balls(self) -> list[int]:
        """Return the nodes of spherical joints that are walked from b to a."""
        tree = self.tree
        return np.flatnonzero((tree.kind == SPHERICAL) & (tree.reverse != 0)).tolist()

    @property
    def loop_kinds(self) -> list[int]:
        """Return the kinds of the joints that close loops."""
        return self.ints[records.loop_kind_at(self._head)].tolist()

    @cached_property
    def room(self) -> np.ndarray:
        """Return the numbers that the workspace is cut from."""
        return np.zeros(room_size(self.nodes, self.nq, self.nv, self.roots, self.loops))

    @cached_property
    def passage(self) -> np.ndarray:
        """Return the numbers in which a motion is read and taken over."""
        return _passage(self._head)

    @cached_property
    def impulse(self) -> np.ndarray:
        """Return the passage's room for an impulse on each joint and root."""
        return self.passage[impulse_at(self._head)]

    @cached_property
    def workspace(self) -> Workspace:
        """Return room for one evaluation."""
        return workspace_of(self.ints, self.room)

    @cached_property
    def turns(self) -> np.ndarray:
        """Return scratch for rotations, (4, 3, 3)."""
        return records.scratch_of(self.reals)[0]

    @cached_property
    def shifts(self) -> np.ndarray:
        """Return scratch for positions, (4, 3)."""
        return records.scratch_of(self.reals)[1]

    def new_state(self) -> State:
        """Return a state at zero, at rest."""
        return State(
            q=np.zeros(self.nq),
            v=np.zeros(self.nv),
            momentum=np.zeros((self.roots, 6)),
            center=np.zeros((self.roots, 6)),
            hold=np.zeros(self.nodes, dtype=np.int64),
            slide=np.zeros(self.nodes),
            blocked=np.zeros(self.nodes, dtype=np.int64),
            loop_angle=np.zeros(self.loops),
        )


# What kernels take an assembly by, and the room for what they make of it.
Given = tuple[tuple[Any, ...], np.ndarray, np.ndarray]


def given(assembly: Assembly, coordinates: np.ndarray) -> Given:
    """Return what is joined as kernels take it, and integers and numbers for its structure."""
    joints = assembly.joints
    integers, numbers = records.record_sizes(
        len(assembly.links.mass), len(assembly.edge_names), len(joints.names)
    )
    joined = (
        assembly.links,
        assembly.edge_table.ints,
        assembly.edge_table.reals,
        assembly.locked,
        coordinates,
        np.array(assembly.bases, dtype=np.int64),
        joints.edge,
        joints.part,
    )
    return joined, np.zeros(integers, dtype=np.int64), np.zeros(numbers)


def compile_assembly(assembly: Assembly, coordinates: np.ndarray) -> Structure:
    """
    Return the structure of what is joined, rigid edges merged at the given coordinates.

    It is a function of the graph alone: how the graph came about does not matter.
    """
    joined, ints, reals = given(assembly, coordinates)
    _compile_structure(*joined, ints, reals)
    return structure_of(assembly, ints, reals)


def structure_of(assembly: Assembly, ints: np.ndarray, reals: np.ndarray) -> Structure:
    """Return the structure of which a kernel has filled these."""
    head = ints[: records.HEAD].tolist()
    structure, passage = object.__new__(Structure), _passage(head)  # filled at once
    vars(structure).update(
        zip(_SIZES, head[records.NODES :], strict=True),
        assembly=assembly,
        ints=ints,
        reals=reals,
        rooms={},
        # Wanted at once, and found by whoever asks later without the lock that finding out takes.
        passage=passage,
        impulse=passage[impulse_at(head)],
        joint_v=ints[records.joint_v_at(head)],
    )
    return structure


def _passage(head: list[int]) -> np.ndarray:
    sizes = records.LINKS, records.NODES, records.NV, records.LOOPS
    return np.empty(passage_size(*(head[size] for size in sizes)))


def make_workspace(n: int, nq: int, nv: int, roots: int) -> Workspace:
    """Return room for a forest of that size without loops."""
    sizes = {
        records.NODES: n, records.NQ: nq, records.NV: nv, records.ROOTS: roots, records.LINKS: 1
    }  # fmt: skip
    ints = np.zeros(records.HEAD + records.LINK_INTS, dtype=np.int64)
    ints[list(sizes)] = list(sizes.values())
    return workspace_of(ints, np.zeros(room_size(n, nq, nv, roots, 0)))
