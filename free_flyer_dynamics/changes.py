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

from free_flyer_dynamics.assembly import ANCHOR, ATTACHMENT, JOINT
from free_flyer_dynamics.draft import Draft
from free_flyer_dynamics.errors import TopologyError
from free_flyer_dynamics.graph import WORLD
from free_flyer_dynamics.joining import anchor, attach
from free_flyer_dynamics.joint_table import axis_names
from free_flyer_dynamics.reach import is_anchored
from free_flyer_dynamics.transfer import Motion
from free_flyer_dynamics.tree import FIXED
import numpy as np


def lock(draft: Draft, *joints: str) -> None:
    """Make joints rigid at their present positions."""
    _set_locked(draft, joints, True)
    draft.binds = True
    draft.edges += joints


def unlock(draft: Draft, *joints: str) -> None:
    """Let locked joints move again."""
    _set_locked(draft, joints, False)


def _set_locked(draft: Draft, joints: tuple[str, ...], locked: bool) -> None:
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
    draft.assembly = assembly.changed(locked=rows)


def detach(draft: Draft, name: str) -> None:
    """Undo an attachment or an anchor."""
    assembly, motion = draft.assembly, draft.motion
    e = assembly.edge(name, (ATTACHMENT, ANCHOR), TopologyError)
    left = np.arange(len(assembly.edge_names)) != e
    draft.assembly = assembly.without_edge(e)
    draft.motion = Motion(motion.bodies, motion.coordinates[left], motion.rates[left])
    draft.edges = [edge for edge in draft.edges if edge != name]
    draft.gone += axis_names(name, assembly.edges.kind[e])


def rebase(draft: Draft, link: str) -> None:
    """Make the body of that link the base of what it is joined to; changes no motion."""
    assembly = draft.assembly
    base = assembly.link(link, TopologyError)
    if base == WORLD or is_anchored(assembly, base):
        raise TopologyError(
            f"'{link}' is anchored: its base is the world. Detach the anchor before rebasing."
        )
    robot = next(robot for robot in assembly.robots if base in robot.links)
    others = tuple(b for b in assembly.bases if b not in robot.links)
    draft.assembly = assembly.changed(bases=(base, *others))


OPERATIONS: dict[str, Callable[..., None]] = {
    'lock': lock,
    'unlock': unlock,
    'attach': attach,
    'anchor': anchor,
    'detach': detach,
    'rebase': rebase,
}
