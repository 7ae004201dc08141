# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""State across a change of structure: by link, poses continuous, momentum conserved."""

from __future__ import annotations

from dataclasses import dataclass

from free_flyer_dynamics.kernels.kinematics import forward_kinematics
from free_flyer_dynamics.kernels.momentum import tree_centers, tree_momentum
from free_flyer_dynamics.kernels.transfer import place, project, survey
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import State
import numpy as np


@dataclass(frozen=True)
class Motion:
    """Where all links are and how they move, and the coordinates of all edges."""

    rotation: np.ndarray  # (l, 3, 3); link to world axes
    position: np.ndarray  # (l, 3) [m]
    twist: np.ndarray  # (l, 6); of the origin, link axes, angular first
    coordinates: np.ndarray  # (e, 4)
    rates: np.ndarray  # (e, 3)

    @staticmethod
    def at_rest(links: int, edges: int) -> Motion:
        """Return links at the world's origin, edges at zero."""
        coordinates = np.zeros((edges, 4))
        return Motion(
            np.tile(np.eye(3), (links, 1, 1)),
            np.zeros((links, 3)),
            np.zeros((links, 6)),
            coordinates,
            np.zeros((edges, 3)),
        )

    def grown(self, links: int, edges: int) -> Motion:
        """Return this with more rows, at rest."""
        more = Motion.at_rest(links, edges)
        columns = (
            np.concatenate((getattr(self, name), getattr(more, name)))
            for name in self.__dataclass_fields__
        )
        return Motion(*columns)


def motion_of(structure: Structure, state: State, coordinates: np.ndarray) -> Motion:
    """Return how everything moves; coordinates of rigid edges are those given."""
    links, edges = len(structure.plan.link_node), len(structure.plan.edge_node)
    motion = Motion.at_rest(links, edges)
    motion.coordinates[:] = coordinates
    survey(
        structure.assembly.edges,
        structure.plan,
        state,
        structure.workspace,
        structure.turns,
        structure.shifts,
        *(getattr(motion, name) for name in motion.__dataclass_fields__),
    )
    return motion


def state_from(structure: Structure, motion: Motion, binds: bool) -> State:
    """
    Return the state of a structure whose links come with that motion.

    Where the structure binds what moved freely, velocities jump to the nearest ones in the inertia
    metric; where it only frees, they are those of the motion.
    """
    state = structure.new_state()
    plan = structure.plan
    fields = (getattr(motion, name) for name in motion.__dataclass_fields__)
    place(structure.assembly.edges, plan, *fields, state.q, state.v)
    state.loop_angle[:] = motion.coordinates[plan.loop_edge, 0]
    ws = structure.workspace
    if binds:
        links = structure.assembly.links
        project(links, plan, motion.twist, state.q, state.hold, ws, state.v)
        # What a projection leaves has nothing more to give but rounding, which is taken in too.
        # The loops' impulses are those of the second: they undo all that is left.
        correction = np.zeros(structure.nv)
        left = motion.twist - motion_of(structure, state, motion.coordinates).twist
        project(links, plan, left, state.q, state.hold, ws, correction)
        state.v[:] += correction
    forward_kinematics(structure.tree, state.q, state.v, ws)
    tree_momentum(structure.tree, ws, ws.pA)
    state.momentum[:] = ws.pA[: structure.roots]
    tree_centers(structure.tree, ws, ws.pA)
    state.center[:, :3] = ws.pA[: structure.roots, :3]
    return state
