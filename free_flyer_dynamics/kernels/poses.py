# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Poses as a rotation and a position, and the frames of edges."""

import math

from free_flyer_dynamics.kernels._jit import kernel
from free_flyer_dynamics.kernels.rotation import matrix_from_quat
from free_flyer_dynamics.kernels.spatial import compose, rotate
from free_flyer_dynamics.tree import PRISMATIC, REVOLUTE, SPHERICAL


@kernel
def edge_transform(kind, coordinate, R_out, p_out):
    """Motion of an edge: joint frame b in joint frame a."""
    for i in range(3):
        p_out[i] = 0.0
        for j in range(3):
            R_out[i, j] = 1.0 if i == j else 0.0
    if kind == REVOLUTE:
        c, s = math.cos(coordinate[0]), math.sin(coordinate[0])
        R_out[0, 0], R_out[0, 1] = c, -s
        R_out[1, 0], R_out[1, 1] = s, c
    elif kind == PRISMATIC:
        p_out[2] = coordinate[0]
    elif kind == SPHERICAL:
        matrix_from_quat(coordinate, R_out)


@kernel
def chain(Ra, pa, Rb, pb, R_out, p_out):
    """Set out = a followed by b; out may not be a or b."""
    compose(Ra, Rb, R_out)
    rotate(Ra, pb, p_out)
    for k in range(3):
        p_out[k] += pa[k]


@kernel
def joint_frame(edges, e, b_side, flip, R_out, p_out):
    """Frame of an edge on one of its links, turned half about x when flipped."""
    for i in range(3):
        p_out[i] = edges.position_b[e, i] if b_side else edges.position_a[e, i]
        for j in range(3):
            R_out[i, j] = edges.rotation_b[e, i, j] if b_side else edges.rotation_a[e, i, j]
        if flip:
            R_out[i, 1] = -R_out[i, 1]
            R_out[i, 2] = -R_out[i, 2]
