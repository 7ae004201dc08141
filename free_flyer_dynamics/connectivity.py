# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The paper's connectivity table of the present structure, as data and as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from free_flyer_dynamics.assembly import ANCHOR, ATTACHMENT
from free_flyer_dynamics.graph import WORLD
from free_flyer_dynamics.model import Model
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import FIXED
import numpy as np


class LinkRow(NamedTuple):
    """
    A row of [Lampariello] tables II and III.

    Parent 0 is the base, -1 inertial space of a further free robot's base. end_effector numbers
    the tools, 0 for others. connect is the number of locked joints in the rigid body the link is
    part of, and 2 where it closes a loop: the links joined there. cflag is the link it closes a
    loop with, -1 for none.
    """

    link: int
    name: str
    parent: int
    end_effector: int
    connect: int
    cflag: int


@dataclass(frozen=True)
class Connectivity:
    """
    What is joined to what at present.

    Parameters
    ----------
    revision : int
        Grows with every change.
    dof : int
        Independent freedoms: columns less the rank of the loops.
    base : str
        The link that is the base of the first robot; 'world' when it is anchored.
    links : tuple of LinkRow
        Every link that a joint moves, or moved before it was locked, in the order of the walk.
    reduced : tuple of LinkRow
        The bodies that are left once locked joints are gone: the paper's table after the change.
    locked, attachments, loops : tuple of str
        Names of the locked joints, of all attachments and anchors, and of those that close loops.

    """

    revision: int
    dof: int
    base: str
    links: tuple[LinkRow, ...]
    reduced: tuple[LinkRow, ...]
    locked: tuple[str, ...]
    attachments: tuple[str, ...]
    loops: tuple[str, ...]

    def __str__(self) -> str:
        head = f'Revision {self.revision}: {self.dof} DOF, base {self.base}'
        lines = [head, f'{"Link":>4}  {"parent":>6}  {"end-effector":>12}  connect  cflag  name']
        lines += [
            f'{row.link:>4}  {row.parent:>6}  {row.end_effector:>12}  {row.connect:>7}'
            f'  {row.cflag:>5}  {row.name}'
            for row in self.links
        ]
        for title, names in (
            ('Locked', self.locked),
            ('Attachments', self.attachments),
            ('Loops', self.loops),
        ):
            if names:
                lines.append(f'{title}: {", ".join(names)}')
        return '\n'.join(lines)


def report(structure: Structure, dof: int) -> Connectivity:
    """Return the connectivity of a structure with that many freedoms."""
    assembly = structure.assembly
    base = _first_base(structure)
    return Connectivity(
        assembly.revision,
        dof,
        assembly.link_name(base),
        _rows(structure, base, merged=False),
        _rows(structure, base, merged=True),
        tuple(
            name
            for name, locked in zip(assembly.edge_names, assembly.locked, strict=True)
            if locked
        ),
        tuple(assembly.named(ATTACHMENT, ANCHOR)),
        tuple(assembly.edge_names[e] for e in structure.plan.loop_edge),
    )


def _inboard(structure: Structure, link: int) -> int:
    plan, edges = structure.plan, structure.assembly.edges
    e = plan.link_edge[link]
    return int(edges.b[e] if plan.edge_reversed[e] else edges.a[e])


def _first_base(structure: Structure) -> int:
    """Return the base link of the first robot's part of the forest; the world when anchored."""
    if not structure.assembly.robots:
        return WORLD
    link = structure.assembly.robots[0].first_link
    while structure.plan.link_edge[link] >= 0:
        link = _inboard(structure, link)
    return link


def _rows(structure: Structure, base: int, merged: bool) -> tuple[LinkRow, ...]:
    """Return a row for each body: each that a joint moves, or each that still moves on its own."""
    assembly, plan = structure.assembly, structure.plan
    rigid = (assembly.edges.kind == FIXED) | (merged & (assembly.locked != 0))
    number: dict[int, int] = {}
    parent: dict[int, int] = {}
    named: dict[int, int] = {}
    start: dict[int, int] = {}
    order = plan.link_order.tolist()
    for link in order:
        e = plan.link_edge[link]
        start[link] = link if e < 0 else start[_inboard(structure, link)]
    for link in sorted(order, key=lambda k: start[k] != base):  # stable: the first robot first
        e = plan.link_edge[link]
        inboard = _inboard(structure, link) if e >= 0 else WORLD
        if link == base or (link == WORLD and e < 0):
            number[link] = 0 if link == base else -1
        elif e >= 0 and rigid[e]:
            number[link] = number[inboard]
        else:
            number[link] = len(named) + 1
            parent[number[link]] = number[inboard] if e >= 0 else -1
            named[number[link]] = link
    cflag = _loop_flags(structure, number)
    tools = _tool_numbers(structure, number, merged and set(parent.values()))
    return tuple(
        LinkRow(
            row,
            assembly.link_name(link),
            parent[row],
            tools.get(row, 0),
            _joined(structure, link, row in cflag, merged),
            cflag.get(row, -1),
        )
        for row, link in named.items()
    )


def _loop_flags(structure: Structure, number: dict[int, int]) -> dict[int, int]:
    """Return which body closes a loop with which: a with b, or with the world for an anchor."""
    edges, flags = structure.assembly.edges, {}
    for e in structure.plan.loop_edge:
        a, b = int(edges.a[e]), int(edges.b[e])
        if a == WORLD:
            a, b = b, a
        flags[number[a]] = number[b]
    return flags


def _tool_numbers(structure: Structure, number: dict[int, int], inner) -> dict[int, int]:
    """Return the tool that each body bears, if any; in a merged table only tips bear one."""
    tools: dict[int, int] = {}
    count = 0
    for robot in structure.assembly.robots:
        for name in robot.model.end_effectors or _tips(robot.model):
            count += 1
            body = number[structure.assembly.link_index[robot.prefix + name]]
            if body > 0 and not (inner and body in inner):
                tools[body] = count
    return tools


def _tips(model: Model) -> list[str]:
    """Return the links at the ends of a model's arms, wheels left out."""
    wheels = {wheel.joint for wheel in model.wheels}
    body = {link.name: link.name for link in model.bodies}
    for _ in model.fixed_joints:
        for joint in model.fixed_joints:
            body[joint.child] = body[joint.parent]
    inner = {body[joint.parent] for joint in model.joints}
    return [
        joint.child
        for joint in model.joints
        if joint.name not in wheels and joint.child not in inner
    ]


def _joined(structure: Structure, link: int, closes: bool, merged: bool) -> int:
    assembly, plan = structure.assembly, structure.plan
    e = plan.link_edge[link]
    count = 2 if closes else 0
    if not merged and e >= 0 and assembly.locked[e]:
        node = plan.link_node[link]
        outboard = np.array([k for k in plan.link_order if plan.link_edge[k] >= 0])
        same = outboard[plan.link_node[outboard] == node]
        count += int(assembly.locked[plan.link_edge[same]].sum())
    return count
