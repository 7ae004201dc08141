# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A robot put elsewhere as a whole, its joints as they are."""

from __future__ import annotations

from free_flyer_dynamics.assembly import Assembly, Robot
from free_flyer_dynamics.errors import CommandError, StateError
from free_flyer_dynamics.graph import WORLD
from free_flyer_dynamics.robots import Placement
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.transfer import Motion, motion_of, state_from
from free_flyer_dynamics.tree import MARKS, State
import numpy as np


def robot_of(assembly: Assembly, prefix: str) -> Robot:
    """Return the robot of that prefix, if it is joined to nothing else."""
    robot, edges = assembly.robot(prefix, CommandError), assembly.edges
    for e, (a, b) in enumerate(zip(edges.a, edges.b, strict=True)):
        if (a in robot.links) != (b in robot.links):
            other = a if b in robot.links else b
            held = 'the world' if other == WORLD else f"'{assembly.link_name(int(other))}'"
            raise StateError(
                f"Robot '{prefix}' ({robot.model.name}) cannot be placed: "
                f"'{assembly.edge_names[e]}' joins it to {held}. Detach that first."
            )
    return robot


def relocated(
    structure: Structure,
    state: State,
    coordinates: np.ndarray,
    robot: Robot,
    placement: Placement,
) -> State:
    """Return the state with the robot's root link placed so; nothing else is another one."""
    motion = motion_of(structure, state, coordinates)
    root = structure.assembly.link_index[robot.prefix + robot.model.root]
    _carry(motion, root, robot.links, placement)
    moved = state_from(structure, motion)
    for name in MARKS:
        getattr(moved, name)[:] = getattr(state, name)
    return moved


def _carry(motion: Motion, root: int, links: range, placement: Placement) -> None:
    """Carry links along with their root as one rigid body; their motion against it stays."""
    position, turn = motion.position[root].copy(), motion.rotation[root].copy()
    turned = placement.rotation @ turn.T
    angular, linear = turn @ motion.twist[root, :3], turn @ motion.twist[root, 3:]
    for b in links:
        axes, arm = motion.rotation[b], motion.position[b] - position
        spin = axes @ motion.twist[b, :3] - angular
        speed = axes @ motion.twist[b, 3:] - linear - np.cross(angular, arm)
        arm, axes = turned @ arm, turned @ axes
        motion.position[b], motion.rotation[b] = placement.position + arm, axes
        motion.twist[b, :3] = axes.T @ (turned @ spin + placement.angular)
        speed = turned @ speed + placement.linear + np.cross(placement.angular, arm)
        motion.twist[b, 3:] = axes.T @ speed
