# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The flat arrays kernels read and write. No behaviour: only shapes, and what they mean."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

# Kinds of inboard joint. Every node frame sits on its joint and its z axis is the joint's.
REVOLUTE, PRISMATIC, SPHERICAL, FREE, FIXED = 0, 1, 2, 3, 4


class Loops(NamedTuple):
    """
    Joints that close loops of the forest: frame b on node b stays joined to frame a on node a.

    A node of -1 is the world.
    """

    kind: np.ndarray  # (m,) int; REVOLUTE, PRISMATIC, SPHERICAL or FIXED
    a: np.ndarray  # (m,) int; node
    b: np.ndarray  # (m,) int; node
    rotation_a: np.ndarray  # (m, 3, 3); joint axes to node axes
    position_a: np.ndarray  # (m, 3); in the node frame [m]
    rotation_b: np.ndarray  # (m, 3, 3)
    position_b: np.ndarray  # (m, 3)


class Tree(NamedTuple):
    """
    A forest of n nodes, each one rigid body or several joined; parents before children.

    A node's q is an angle, a length, a quaternion (w first) or, for a free root, position and
    quaternion; its v is the rate, the relative angular velocity in node axes or, for a free root,
    the twist in node axes, angular part first.
    """

    parent: np.ndarray  # (n,) int; -1: the world
    kind: np.ndarray  # (n,) int; REVOLUTE, PRISMATIC, SPHERICAL or FREE
    q_at: np.ndarray  # (n,) int; where the node's coordinates start in q
    v_at: np.ndarray  # (n,) int; where its velocities start in v
    root: np.ndarray  # (n,) int; which free root it belongs to, counted from 0; -1: anchored
    reverse: np.ndarray  # (n,) int; 1: its joint was joined from here to the parent
    rotation: np.ndarray  # (n, 3, 3); joint frame at zero to parent node axes
    position: np.ndarray  # (n, 3); joint frame origin in the parent node frame [m]
    mass: np.ndarray  # (n,) [kg]
    moment: np.ndarray  # (n, 3); mass times centre of mass, node frame [kg m]
    inertia: np.ndarray  # (n, 3, 3); about the node's origin, node axes [kg m^2]
    damping: np.ndarray  # (n,) [N m s/rad or N s/m]
    friction: np.ndarray  # (n,) [N m or N]
    lower: np.ndarray  # (n,) [rad or m]
    upper: np.ndarray  # (n,)
    speed_limit: np.ndarray  # (n,); of a driven wheel: the drive stops pushing there
    loops: Loops


# How a joint is held: not at all, on its upper or lower stop, by its own dry friction, or by its
# drive at the drive's speed limit.
MOVING, AT_UPPER, AT_LOWER, STUCK, AT_TOP_SPEED = 0, 1, 2, 3, 4


class State(NamedTuple):
    """What a step carries from one instant to the next."""

    q: np.ndarray  # (nq,)
    v: np.ndarray  # (nv,)
    momentum: np.ndarray  # (roots, 6); of each free tree, about the world origin, world axes
    # (roots, 6); mass times centre of mass of each free tree, world [kg m], then what rounding
    # has kept from it so far
    center: np.ndarray
    hold: np.ndarray  # (n,) int; MOVING, AT_UPPER, AT_LOWER, STUCK or AT_TOP_SPEED
    slide: np.ndarray  # (n,); the way a joint with dry friction slides: -1, 1, or 0 at rest
    blocked: np.ndarray  # (n,) int; 1: the drive is past its speed limit and does not push
    loop_angle: np.ndarray  # (m,); of the hinges that close loops, turns counted [rad]


MARKS = ('hold', 'slide', 'blocked')  # those of a state that tell of nodes


class Inputs(NamedTuple):
    """What acts on the forest from outside, held over a step."""

    effort: np.ndarray  # (nv,); drive torques and forces, 0 at free roots [N m or N]
    loop_effort: np.ndarray  # (m, 3); the same at joints that close loops
    gravity: np.ndarray  # (3,) [m/s^2]
    wrench_node: np.ndarray  # (w,) int
    wrench_in_world: np.ndarray  # (w,) int; 1: force and torque in world axes, 0: in node axes
    wrench_point: np.ndarray  # (w, 3); in the node frame [m]
    wrench_force: np.ndarray  # (w, 3) [N]
    wrench_torque: np.ndarray  # (w, 3) [N m]


class Workspace(NamedTuple):
    """Room for one evaluation; what each array holds after which pass is in the kernels."""

    X: np.ndarray  # (n, 6, 6); parent motion coordinates to node coordinates
    E: np.ndarray  # (n, 3, 3); node axes to parent axes
    r: np.ndarray  # (n, 3); node origin in the parent's frame [m]
    R: np.ndarray  # (n, 3, 3); node axes to world axes
    x: np.ndarray  # (n, 3); node origin in world [m]
    v: np.ndarray  # (n, 6); twist, node coordinates
    c: np.ndarray  # (n, 6); velocity product
    a: np.ndarray  # (n, 6); spatial acceleration, node coordinates
    f: np.ndarray  # (n, 6); external wrench, then whatever a pass accumulates
    IA: np.ndarray  # (n, 6, 6); articulated or composite inertia
    pA: np.ndarray  # (n, 6); bias force
    U: np.ndarray  # (n, 6, 3); IA @ S
    D: np.ndarray  # (n, 3, 3); inverse of S.T @ IA @ S
    u: np.ndarray  # (n, 3)
    L: np.ndarray  # (n, 6, 6); Cholesky factor of IA at free roots
    scratch: np.ndarray  # (2, 6, 6)
    turn: np.ndarray  # (3, 3, 3); scratch too, for rotations
    nothing: np.ndarray  # (3,); zeros
    tau: np.ndarray  # (nv,); forces at the joints
    delta: np.ndarray  # (nv,); displacement of a stage, in the tangent space
    q: np.ndarray  # (nq,); a stage's coordinates, at last the trial step's end
    vel: np.ndarray  # (nv,); a stage's velocities, at last the trial step's end
    momentum: np.ndarray  # (roots, 6); at the trial step's end
    center: np.ndarray  # (roots, 6); at the trial step's end
    d: np.ndarray  # (4, nv); rates of displacement at the stages
    k: np.ndarray  # (4, nv); rates of velocity at the stages
    w: np.ndarray  # (4, roots, 6); rates of momentum at the stages
    zero_tau: np.ndarray  # (nv,); zeros
    zero_c: np.ndarray  # (n, 6); zeros
    bias: np.ndarray  # (n, 6); bias forces kept while loops are solved
    Xa: np.ndarray  # (m, 6, 6); motion coordinates of node a to frame a
    Xb: np.ndarray  # (m, 6, 6); motion coordinates of node b to frame a
    loop_wrench: np.ndarray  # (m, 6); on b, in frame a
    loop_drive: np.ndarray  # (m, 6); the drives' part of it
    Y: np.ndarray  # (6 m, 6 m); J M^-1 J.T
    F: np.ndarray  # (6 m, 6 m); its pivoted Cholesky factor
    rhs: np.ndarray  # (6 m,)
    wrench: np.ndarray  # (6 m,)
    y: np.ndarray  # (6 m,)
    scale: np.ndarray  # (6 m,)
    order: np.ndarray  # (6 m,) int
