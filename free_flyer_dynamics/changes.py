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
from dataclasses import dataclass, replace
import math

from free_flyer_dynamics.assembly import (
    ANCHOR,
    Assembly,
    ATTACHMENT,
    axis_rotation,
    JOINT,
    JointTable,
    KINDS,
)
from free_flyer_dynamics.checks import vector
from free_flyer_dynamics.errors import TopologyError
from free_flyer_dynamics.graph import Edges, without, WORLD
from free_flyer_dynamics.transfer import Motion
from free_flyer_dynamics.tree import FIXED, SPHERICAL
import numpy as np

ALIGNED = 1e-3  # frames this near coincide for `align` [m, rad]
ATTACH_KINDS = ('fixed', 'revolute', 'prismatic', 'spherical')


@dataclass(frozen=True)
class Draft:
    """An assembly on its way, the motion its links come with and whether it binds any."""

    assembly: Assembly
    motion: Motion
    binds: bool = False
    edges: tuple[str, ...] = ()  # those whose impulse is to be told


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
    return Draft(
        replace(assembly, locked=rows, revision=assembly.revision + 1),
        draft.motion,
        draft.binds or locked,
        draft.edges + (joints if locked else ()),
    )


def attach(
    draft: Draft,
    frame_a: str,
    frame_b: str,
    joint: str = 'fixed',
    axis=(0.0, 0.0, 1.0),
    name: str | None = None,
    align: bool = False,
) -> Draft:
    """Join two frames where they now are; the joint sits at frame a's origin."""
    assembly, motion = draft.assembly, draft.motion
    a = assembly.link(frame_a, TopologyError)
    b = assembly.link(frame_b, TopologyError)
    if WORLD in (a, b):
        raise TopologyError("attach joins two links; to join one to 'world', use anchor.")
    if align:
        _demand_coincidence(frame_a, frame_b, motion, a, b)
    return _join(draft, a, b, (frame_a, frame_b), joint, axis, name, ATTACHMENT)


def anchor(
    draft: Draft,
    frame: str,
    joint: str = 'fixed',
    axis=(0.0, 0.0, 1.0),
    name: str | None = None,
) -> Draft:
    """Join a frame to inertial space where it now is."""
    link = draft.assembly.link(frame, TopologyError)
    if link == WORLD:
        raise TopologyError("'world' needs no anchor: it is inertial space.")
    return _join(draft, WORLD, link, ('world', frame), joint, axis, name, ANCHOR)


def _join(draft: Draft, a: int, b: int, frames, joint: str, axis, name, source: str) -> Draft:
    assembly, motion = draft.assembly, draft.motion
    if joint not in ATTACH_KINDS:
        raise TopologyError(f"joint must be one of {', '.join(ATTACH_KINDS)}; got '{joint}'.")
    if b in welded(assembly, a):
        raise TopologyError(
            f"'{frames[0]}' and '{frames[1]}' are already parts of one rigid body."
        )
    direction = vector(axis, 'axis', error=TopologyError)
    length = math.sqrt(direction @ direction)
    if not length > 0:
        raise TopologyError('axis must not be zero.')
    turned = axis_rotation(direction / length)
    name = _free_name(assembly, name, frames, KINDS[joint])
    # The axis is in frame a's axes; for an anchor, whose a is the world, in the link's own.
    on_a, near = (turned, a) if source == ATTACHMENT else (motion.rotation[b] @ turned, b)
    world = motion.rotation[near] @ turned
    origin = motion.position[near]
    row = Edges(
        kind=np.array([KINDS[joint]]),
        a=np.array([a]),
        b=np.array([b]),
        rotation_a=_orthonormal(on_a)[None],
        position_a=(np.zeros(3) if source == ATTACHMENT else origin)[None],
        rotation_b=_orthonormal(motion.rotation[b].T @ world)[None],
        position_b=(motion.rotation[b].T @ (origin - motion.position[b]))[None],
        damping=np.zeros(1),
        friction=np.zeros(1),
        lower=np.full(1, -math.inf),
        upper=np.full(1, math.inf),
        effort_limit=np.full(1, math.inf),
        speed_limit=np.full(1, math.inf),
    )
    grown = motion.grown(0, 1)
    if KINDS[joint] == SPHERICAL:
        grown.coordinates[-1, 0] = 1.0
    return Draft(assembly.with_edges(row, (name,), source), grown, True, (*draft.edges, name))


def _orthonormal(R: np.ndarray) -> np.ndarray:
    """
    Return the rotation next to a matrix that is one but for rounding.

    What is joined hangs on what was joined before: left alone, rounding doubles each time.
    """
    return R @ (1.5 * np.eye(3) - 0.5 * R.T @ R)


def _free_name(assembly: Assembly, name: str | None, frames: tuple[str, str], kind: int) -> str:
    taken = {*assembly.edge_names, *assembly.joints.names}

    def is_free(chosen: str) -> bool:
        parts = [f'{chosen}_{part}' for part in 'xyz'] if kind == SPHERICAL else []
        return taken.isdisjoint((chosen, *parts))

    if name is not None and not isinstance(name, str):
        raise TopologyError(f'The name of an attachment is a text, got {name!r}.')
    if name:
        if not is_free(name):
            raise TopologyError(f"The name '{name}' is taken by another joint or attachment.")
        return name
    plain = f'{frames[0]}_{frames[1]}'
    return next(
        chosen
        for chosen in (plain, *(f'{plain}_{k}' for k in range(2, len(taken) + 3)))
        if is_free(chosen)
    )


def _demand_coincidence(frame_a: str, frame_b: str, motion: Motion, a: int, b: int) -> None:
    gap = float(np.linalg.norm(motion.position[b] - motion.position[a]))
    cosine = (np.trace(motion.rotation[a].T @ motion.rotation[b]) - 1) / 2
    angle = math.acos(min(max(cosine, -1.0), 1.0))
    if gap > ALIGNED or angle > ALIGNED:
        raise TopologyError(
            f"Frames '{frame_a}' and '{frame_b}' do not coincide: {gap:.3g} m and {angle:.3g} rad "
            f'apart, at most {ALIGNED:g} each is allowed. Bring them together, or leave align off.'
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
    told = tuple(edge for edge in draft.edges if edge != name)
    return Draft(left, rows, draft.binds, told)


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


def welded(assembly: Assembly, link: int) -> set[int]:
    """Return the links that are one rigid body with a link whatever joints are locked."""
    return _reached(assembly, link, assembly.edges.kind == FIXED)


def joined_to(assembly: Assembly, link: int) -> set[int]:
    """Return the links that are joined to a link in any way."""
    return _reached(assembly, link, np.ones(len(assembly.edge_names), dtype=bool))


def _reached(assembly: Assembly, link: int, edges: np.ndarray) -> set[int]:
    neighbours: dict[int, list[int]] = {}
    chosen = np.flatnonzero(edges)
    ends = zip(assembly.edges.a[chosen].tolist(), assembly.edges.b[chosen].tolist(), strict=True)
    for a, b in ends:
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, []).append(a)
    found, waiting = {link}, [link]
    while waiting:
        new = [n for n in neighbours.get(waiting.pop(), ()) if n not in found]
        found.update(new)
        waiting += new
    return found


OPERATIONS: dict[str, Callable[..., Draft]] = {
    'lock': lock,
    'unlock': unlock,
    'attach': attach,
    'anchor': anchor,
    'detach': detach,
    'rebase': rebase,
}
