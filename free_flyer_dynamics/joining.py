# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Two frames joined, or one and inertial space: where they now are, or only if they coincide."""

from __future__ import annotations

from functools import lru_cache
import math

from free_flyer_dynamics.assembly import ANCHOR, Assembly, ATTACHMENT
from free_flyer_dynamics.checks import vector
from free_flyer_dynamics.direct import Direct
from free_flyer_dynamics.draft import Draft
from free_flyer_dynamics.edge_table import EdgeTable
from free_flyer_dynamics.errors import TopologyError
from free_flyer_dynamics.graph import WORLD
from free_flyer_dynamics.joint_table import axis_names
from free_flyer_dynamics.kernels.edges import join_edge
from free_flyer_dynamics.model_checks import unit
from free_flyer_dynamics.model_rows import axis_rotation, KINDS
from free_flyer_dynamics.transfer import Motion
import numpy as np

ALIGNED = 1e-3  # frames this near coincide for `align` [m, rad]
_join_edge = Direct(join_edge)
_AXIS = 'axis', 3, TopologyError  # what is checked, its size, and what its error is
ATTACH_KINDS = ('fixed', 'revolute', 'prismatic', 'spherical')


def attach(
    draft: Draft,
    frame_a: str,
    frame_b: str,
    joint: str = 'fixed',
    axis=(0.0, 0.0, 1.0),
    name: str | None = None,
    align: bool = False,
) -> None:
    """Join two frames where they now are; the joint sits at frame a's origin."""
    assembly, motion = draft.assembly, draft.motion
    a = assembly.link(frame_a, TopologyError)
    b = assembly.link(frame_b, TopologyError)
    if WORLD in (a, b):
        raise TopologyError("attach joins two links; to join one to 'world', use anchor.")
    if align:
        _demand_coincidence(frame_a, frame_b, motion, a, b)
    _join(draft, a, b, (frame_a, frame_b), joint, axis, name, ATTACHMENT)


def anchor(
    draft: Draft,
    frame: str,
    joint: str = 'fixed',
    axis=(0.0, 0.0, 1.0),
    name: str | None = None,
) -> None:
    """Join a frame to inertial space where it now is."""
    link = draft.assembly.link(frame, TopologyError)
    if link == WORLD:
        raise TopologyError("'world' needs no anchor: it is inertial space.")
    _join(draft, WORLD, link, ('world', frame), joint, axis, name, ANCHOR)


def _join(draft: Draft, a: int, b: int, frames, joint: str, axis, name, source: str) -> None:
    assembly, motion = draft.assembly, draft.motion
    if not isinstance(joint, str) or joint not in ATTACH_KINDS:
        raise TopologyError(f"joint must be one of {', '.join(ATTACH_KINDS)}; got '{joint}'.")
    try:
        axes = _axes_about(axis)
    except TypeError:  # a list or an array, which no table is kept by
        axes = _axes_about(tuple(vector(axis, *_AXIS).tolist()))
    name = _free_name(assembly, name, frames, KINDS[joint])
    table, longer = assembly.edge_table, EdgeTable.room(len(assembly.edge_names) + 1)
    after = motion.beside(len(longer))
    joins = _join_edge(
        table.ints,
        table.reals,
        motion.coordinates,
        motion.rates,
        motion.bodies,
        len(assembly.links.mass),
        KINDS[joint],
        a,
        b,
        axes,
        np.empty((2, 3, 3)),
        np.empty(len(assembly.links.mass), dtype=np.int64),
        longer.ints,
        longer.reals,
        after.coordinates,
        after.rates,
    )
    if not joins:
        raise TopologyError(
            f"'{frames[0]}' and '{frames[1]}' are already parts of one rigid body."
        )
    draft.assembly, draft.motion = assembly.with_edges(longer, (name,), source), after
    draft.binds = True
    draft.edges.append(name)


@lru_cache(maxsize=64)
def _axes_about(axis) -> np.ndarray:
    """Return a joint's axes for a direction, however long: most joints are about the same few."""
    direction = vector(axis, *_AXIS)
    if not direction.any():
        raise TopologyError('axis must not be zero.')
    return axis_rotation(unit(direction))


def _free_name(assembly: Assembly, name: str | None, frames: tuple[str, str], kind: int) -> str:
    edges, joints = assembly.edge_index, assembly.joints.index

    def is_free(chosen: str) -> bool:
        names = chosen, *axis_names(chosen, kind)
        return edges.keys().isdisjoint(names) and joints.keys().isdisjoint(names)

    if name is not None and not isinstance(name, str):
        raise TopologyError(f'The name of an attachment is a text, got {name!r}.')
    if name:
        if not name.strip():
            raise TopologyError(f'The name of an attachment is not blank, got {name!r}.')
        if not is_free(name):
            raise TopologyError(f"The name '{name}' is taken by another joint or attachment.")
        return name
    plain = f'{frames[0]}_{frames[1]}'
    return next(
        chosen
        for chosen in (plain, *(f'{plain}_{k}' for k in range(2, len(edges) + len(joints) + 3)))
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
