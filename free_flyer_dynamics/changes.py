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
from free_flyer_dynamics.direct import Direct
from free_flyer_dynamics.draft import Draft
from free_flyer_dynamics.edge_table import EdgeTable
from free_flyer_dynamics.errors import TopologyError
from free_flyer_dynamics.graph import WORLD
from free_flyer_dynamics.joining import anchor, attach
from free_flyer_dynamics.joint_table import axis_names
from free_flyer_dynamics.kernels.edges import drop_edge
from free_flyer_dynamics.reach import is_anchored
from free_flyer_dynamics.tree import FIXED
import numpy as np

_drop_edge = Direct(drop_edge)


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
    rows, kinds = assembly.locked.tolist(), assembly.edge_table.kinds
    for name in joints:
        e = assembly.edge(name, (JOINT, ATTACHMENT, ANCHOR), TopologyError)
        if kinds[e] == FIXED:
            raise TopologyError(f"'{name}' has no axis that moves: there is nothing to lock.")
        if bool(rows[e]) == locked:
            state = 'already locked' if locked else 'not locked'
            raise TopologyError(f"Joint '{name}' is {state}.")
        rows[e] = int(locked)
    draft.assembly = assembly.changed(locked=np.array(rows, dtype=np.int64))


def detach(draft: Draft, name: str) -> None:
    """Undo an attachment or an anchor."""
    assembly, motion = draft.assembly, draft.motion
    e = assembly.edge(name, (ATTACHMENT, ANCHOR), TopologyError)
    table = assembly.edge_table
    if e == len(table) - 1:  # as most often: what is joined last is parted first
        left, after = table.without_last(), motion.without_last()
    else:
        left, after = EdgeTable.room(len(table) - 1), motion.beside(len(table) - 1)
        _drop_edge(
            table.ints,
            table.reals,
            motion.coordinates,
            motion.rates,
            e,
            left.ints,
            left.reals,
            after.coordinates,
            after.rates,
        )
    draft.assembly, draft.motion = assembly.without_edge(e, left), after
    draft.edges = [edge for edge in draft.edges if edge != name]
    draft.gone += axis_names(name, table.kinds[e])


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
