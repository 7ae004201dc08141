# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""An assembly compiled: the forest the kernels walk, and where names lie in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from free_flyer_dynamics.assembly import Assembly
from free_flyer_dynamics.graph import Plan
from free_flyer_dynamics.kernels.structure import compile_structure
from free_flyer_dynamics.tree import (
    FREE,
    Loops,
    make_workspace,
    Q_SIZE,
    State,
    Tree,
    V_SIZE,
    Workspace,
)
import numpy as np


@dataclass(frozen=True)
class Structure:
    """The compiled forest and its room."""

    assembly: Assembly
    plan: Plan
    roots: int
    nq: int
    nv: int
    joint_v: np.ndarray  # (joints,) int; where each public joint is in v; -1: it does not move
    workspace: Workspace
    turns: np.ndarray  # (4, 3, 3) scratch
    shifts: np.ndarray  # (4, 3)
    rooms: dict[str, Any] = field(default_factory=dict)  # of algorithms with more to keep, by name

    @property
    def tree(self) -> Tree:
        """Return the arrays of the forest."""
        return self.plan.tree

    def new_state(self) -> State:
        """Return a state at zero, at rest."""
        n = len(self.tree.parent)
        return State(
            q=np.zeros(self.nq),
            v=np.zeros(self.nv),
            momentum=np.zeros((self.roots, 6)),
            center=np.zeros((self.roots, 6)),
            hold=np.zeros(n, dtype=np.int64),
            slide=np.zeros(n),
            blocked=np.zeros(n, dtype=np.int64),
            loop_angle=np.zeros(len(self.tree.loops.kind)),
        )


def _ints(n: int) -> np.ndarray:
    return np.zeros(n, dtype=np.int64)


def _room(links: int, edges: int) -> Plan:
    """Return a plan with room for as many nodes and loops as there can be."""
    n = links - 1
    tree = Tree(
        parent=_ints(n),
        kind=_ints(n),
        q_at=_ints(n),
        v_at=_ints(n),
        root=_ints(n),
        reverse=_ints(n),
        rotation=np.zeros((n, 3, 3)),
        position=np.zeros((n, 3)),
        mass=np.zeros(n),
        moment=np.zeros((n, 3)),
        inertia=np.zeros((n, 3, 3)),
        damping=np.zeros(n),
        friction=np.zeros(n),
        lower=np.zeros(n),
        upper=np.zeros(n),
        speed_limit=np.zeros(n),
        loops=Loops(
            kind=_ints(edges),
            a=_ints(edges),
            b=_ints(edges),
            rotation_a=np.zeros((edges, 3, 3)),
            position_a=np.zeros((edges, 3)),
            rotation_b=np.zeros((edges, 3, 3)),
            position_b=np.zeros((edges, 3)),
        ),
    )
    return Plan(
        edge_role=_ints(edges),
        edge_node=_ints(edges),
        edge_loop=_ints(edges),
        edge_reversed=_ints(edges),
        link_node=_ints(links),
        link_rotation=np.zeros((links, 3, 3)),
        link_position=np.zeros((links, 3)),
        link_order=_ints(links),
        link_edge=_ints(links),
        loop_edge=_ints(edges),
        node_edge=_ints(n),
        node_link=_ints(n),
        tree=tree,
    )


def compile_assembly(assembly: Assembly, coordinates: np.ndarray) -> Structure:
    """
    Return the structure of what is joined, rigid edges merged at the given coordinates.

    It is a function of the graph alone: how the graph came about does not matter.
    """
    links, edges = assembly.links, assembly.edges
    n_links, n_edges = len(links.mass), len(edges.kind)
    plan = _room(n_links, n_edges)
    turns, shifts = np.zeros((4, 3, 3)), np.zeros((4, 3))
    n, roots, loops = compile_structure(
        links,
        edges,
        assembly.locked,
        coordinates,
        np.array(assembly.bases, dtype=np.int64),
        np.zeros((4, n_links + 2 * n_edges), dtype=np.int64),
        turns,
        shifts,
        plan,
    )
    tree = plan.tree._replace(
        **{name: getattr(plan.tree, name)[:n] for name in Tree._fields[:-1]},
        loops=Loops(*(column[:loops] for column in plan.tree.loops)),
    )
    plan = plan._replace(
        loop_edge=plan.loop_edge[:loops],
        node_edge=plan.node_edge[:n],
        node_link=plan.node_link[:n],
        tree=tree,
    )
    kinds = tree.kind
    nq = int(np.take(Q_SIZE, kinds).sum()) if n else 0
    nv = int(np.take(V_SIZE, kinds).sum()) if n else 0
    joints = assembly.joints
    node = plan.edge_node[joints.edge]
    moves = node >= 0
    joint_v = np.full(len(joints.names), -1, dtype=np.int64)
    joint_v[moves] = tree.v_at[node[moves]] + joints.part[moves]
    return Structure(
        assembly,
        plan,
        roots,
        nq,
        nv,
        joint_v,
        make_workspace(n, nq, nv, roots, loops),
        turns,
        shifts,
    )


def free_columns(structure: Structure) -> np.ndarray:
    """Return the entries of v as users count them: bases first, then the joints that move."""
    tree = structure.tree
    bases = [tree.v_at[i] + k for i in np.flatnonzero(tree.kind == FREE) for k in range(6)]
    moving = structure.joint_v[structure.joint_v >= 0]
    return np.concatenate((np.array(bases, dtype=np.int64), moving))
