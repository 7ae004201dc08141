# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
The structure changes, each from one assembly to another.

Lampariello's four functions are `lock`/`unlock` (new number of joints), `rebase` (invert chain),
`anchor` (extract fixed base, after inversion) and `attach` within a robot (close loop); `compile`
does the walking.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from free_flyer_dynamics.assembly import ANCHOR, ATTACHMENT, axis_names, JOINT, JointTable
from free_flyer_dynamics.draft import Draft
from free_flyer_dynamics.errors import TopologyError
from free_flyer_dynamics.graph import without, WORLD
from free_flyer_dynamics.joining import anchor, attach
from free_flyer_dynamics.reach import joined_to
from free_flyer_dynamics.tree import FIXED
import numpy as np


def lock(draft: Draft, *joints: str) -> Draft:
    """Make joints rigid at their present positions."""
    return _set_locked(draft, joints, True)


def unlock(draft: Draft, *joints: str) -> Draft:
    """Let locked joints move again."""
    return _set_locked(draft, joints, False)


def _set_locked(draft: Draft, joints: tuple[str, ...], locked: bool) -> Draft:
    assembly = draft.assembly
    if not joints:
        raise TopologyError(f'{"lock" if locked else "unlock"} takes the name of a joint or more.')
    rows = assembly.locked.copy()
    for name in joints:
        e = assembly.edge(name, (JOINT, ATTACHMENT, ANCHOR), TopologyError)
        if assembly.edges.kind[e] == FIXED:
            raise TopologyError(f"'{name}' has no axis that moves: there is nothing to lock.")
        if bool(rows[e]) == locked:
            state = 'already locked' if locked else 'not locked'
            raise TopologyError(f"Joint '{name}' is {state}.")
        rows[e] = locked
    return replace(
        draft,
        assembly=replace(assembly, locked=rows, revision=assembly.revision + 1),
        binds=draft.binds or locked,
        edges=draft.edges + (joints if locked else ()),
    )


def detach(draft: Draft, name: str) -> Draft:
    """Undo an attachment or an anchor."""
    assembly, motion = draft.assembly, draft.motion
    e = assembly.edge(name, (ATTACHMENT, ANCHOR), TopologyError)
    edges = without(assembly.edges, e)
    names = assembly.edge_names[:e] + assembly.edge_names[e + 1 :]
    left = replace(
        assembly,
        revision=assembly.revision + 1,
        edges=edges,
        edge_names=names,
        edge_sources=assembly.edge_sources[:e] + assembly.edge_sources[e + 1 :],
        locked=np.delete(assembly.locked, e),
        joints=JointTable.of(names, edges),
    )
    rows = replace(
        motion,
        coordinates=np.delete(motion.coordinates, e, axis=0),
        rates=np.delete(motion.rates, e, axis=0),
    )
    return replace(
        draft,
        assembly=left,
        motion=rows,
        edges=tuple(edge for edge in draft.edges if edge != name),
        gone=(*draft.gone, *axis_names(name, assembly.edges.kind[e])),
    )


def rebase(draft: Draft, link: str) -> Draft:
    """Make the body of that link the base of what it is joined to; changes no motion."""
    assembly = draft.assembly
    base = assembly.link(link, TopologyError)
    if base == WORLD or WORLD in joined_to(assembly, base):
        raise TopologyError(
            f"'{link}' is anchored: its base is the world. Detach the anchor before rebasing."
        )
    robot = next(robot for robot in assembly.robots if base in robot.links)
    others = tuple(b for b in assembly.bases if b not in robot.links)
    return replace(
        draft,
        assembly=replace(assembly, bases=(base, *others), revision=assembly.revision + 1),
    )


OPERATIONS: dict[str, Callable[..., Draft]] = {
    'lock': lock,
    'unlock': unlock,
    'attach': attach,
    'anchor': anchor,
    'detach': detach,
    'rebase': rebase,
}
