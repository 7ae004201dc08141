# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The arrays of what is joined to what, and of how that was compiled. No behaviour."""

from __future__ import annotations

from typing import NamedTuple

from free_flyer_dynamics.tree import Tree
import numpy as np

WORLD = 0  # the link that is inertial space
IN_TREE, CUT = 0, 1  # what an edge is in the spanning forest


class Links(NamedTuple):
    """Every link of every robot, the world first."""

    mass: np.ndarray  # (l,) [kg]
    moment: np.ndarray  # (l, 3); mass times centre of mass, link frame [kg m]
    inertia: np.ndarray  # (l, 3, 3); about the link's origin, link axes [kg m^2]


class Edges(NamedTuple):
    """
    Every joint, fixed joint, attachment and anchor, in order of creation.

    The joint frame is given on both links; its z axis is the joint's. Frame b is frame a turned or
    shifted by the coordinate.
    """

    kind: np.ndarray  # (e,) int; REVOLUTE, PRISMATIC, SPHERICAL or FIXED
    a: np.ndarray  # (e,) int; link
    b: np.ndarray  # (e,) int; link
    rotation_a: np.ndarray  # (e, 3, 3); joint axes to link a's axes
    position_a: np.ndarray  # (e, 3) [m]
    rotation_b: np.ndarray  # (e, 3, 3)
    position_b: np.ndarray  # (e, 3)
    damping: np.ndarray  # (e,)
    friction: np.ndarray  # (e,)
    lower: np.ndarray  # (e,)
    upper: np.ndarray  # (e,)
    effort_limit: np.ndarray  # (e,)
    speed_limit: np.ndarray  # (e,); of a driven wheel


class Plan(NamedTuple):
    """How links and edges lie in the compiled forest."""

    edge_role: np.ndarray  # (e,) int; IN_TREE or CUT
    edge_node: np.ndarray  # (e,) int; the node it moves; -1: it is rigid now, or cut
    edge_loop: np.ndarray  # (e,) int; the loop it closes; -1: none
    edge_reversed: np.ndarray  # (e,) int; 1 when walked from b to a
    link_node: np.ndarray  # (l,) int; -1: part of the world
    link_rotation: np.ndarray  # (l, 3, 3); link axes to node (or world) axes
    link_position: np.ndarray  # (l, 3); link origin in the node (or world) frame
    link_order: np.ndarray  # (l,) int; inboard before outboard, the world first
    link_edge: np.ndarray  # (l,) int; the edge it hangs on; -1: world or base
    loop_edge: np.ndarray  # (m,) int; the edge that closes a loop
    node_edge: np.ndarray  # (n,) int; the edge inboard of a node; -1: free root
    node_link: np.ndarray  # (n,) int; the first link of the node
    tree: Tree


def empty_links() -> Links:
    """Return a world with nothing in it."""
    return Links(np.zeros(1), np.zeros((1, 3)), np.zeros((1, 3, 3)))


def empty_edges() -> Edges:
    """Return no edges."""
    integers, numbers = np.zeros(0, dtype=np.int64), np.zeros(0)
    rotations, positions = np.zeros((0, 3, 3)), np.zeros((0, 3))
    return Edges(
        integers,
        integers,
        integers,
        rotations,
        positions,
        rotations,
        positions,
        damping=numbers,
        friction=numbers,
        lower=numbers,
        upper=numbers,
        effort_limit=numbers,
        speed_limit=numbers,
    )


def joined(first, second):
    """Return the rows of both."""
    return type(first)(*map(np.concatenate, zip(first, second, strict=True)))
