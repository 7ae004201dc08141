# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Frames in which a link sits on its parent by planar turns and one shift in a plane.

A node's frame has z on its joint's axis, but may lie anywhere along it and turned any way about
it. The engine uses that freedom: the origin goes to the foot of the parent's origin on the axis,
and x to where the next axis along the run is perpendicular to it. What is left between parent and
child is Rz(gamma) Rx(alpha), a shift in the plane of the turned x and y, and Rz(zero + q); gamma
is needed only where runs start. Unlike Denavit and Hartenberg's, no entry grows as axes become
parallel.
"""

import math

from free_flyer_dynamics.kernels._jit import inlined, kernel
from free_flyer_dynamics.kernels.blocks import turn, turn_back, turn_form
from free_flyer_dynamics.kernels.layout import (
    CONSTANTS,
    COS_ALPHA,
    COS_GAMMA,
    COS_SIN,
    DAMPING,
    INERTIA,
    MASS,
    MOMENT,
    SHIFT,
    SIN_ALPHA,
    SIN_GAMMA,
    SIN_SIN,
)
from free_flyer_dynamics.tree import SPHERICAL

# Columns of the table of frames: turn about the node's z, and shift along it.
COS_TURN, SIN_TURN, ALONG = 0, 1, 2
FRAME = 3
SPECK = 1e-100  # [kg m^2]; its cube is still a number, which a ball divides by


@inlined
def choose_frames(tree, run_of, frames):
    """Turn and shift of every node's frame against the tree's; parents come first."""
    n = len(tree.parent)
    for i in range(n):
        frames[i, COS_TURN], frames[i, SIN_TURN], frames[i, ALONG] = 1.0, 0.0, 0.0
        if run_of[i] < 0 or tree.kind[i] == SPHERICAL:
            continue
        if i + 1 < n and run_of[i + 1] == run_of[i]:  # x is perpendicular to the next axis
            x, y = -tree.rotation[i + 1, 1, 2], tree.rotation[i + 1, 0, 2]
            length = math.sqrt(x * x + y * y)
            if length > 0:
                frames[i, COS_TURN], frames[i, SIN_TURN] = x / length, y / length
        p = tree.parent[i]
        for k in range(3):
            origin = frames[p, ALONG] if k == 2 and p >= 0 else 0.0
            frames[i, ALONG] += (origin - tree.position[i, k]) * tree.rotation[i, k, 2]


@kernel
def _put(reals, at, k, lanes, lane, value):
    reals[at + k * lanes + lane] = value


@inlined
def lean_row(tree, frames, i, starts, reals, at, lanes, lane):
    """
    Fill of a row's constants how its axis leans on the one inboard, for node i in one lane.

    Apart from all else, so that the roots and divisions of several rows are under way at once.
    """
    p = tree.parent[i]
    cp, sp = (frames[p, COS_TURN], frames[p, SIN_TURN]) if p >= 0 else (1.0, 0.0)
    A = tree.rotation[i]
    ux, uy = turn_back(A[0, 2], A[1, 2], cp, sp)
    uz = A[2, 2]
    cg, sg = 1.0, 0.0
    if starts:
        length = math.sqrt(ux * ux + uy * uy)
        if length > 0:
            cg, sg = -uy / length, ux / length
    ux, uy = turn_back(ux, uy, cg, sg)  # leaves x empty
    length = math.sqrt(uy * uy + uz * uz)
    ca, sa = uz / length, -uy / length
    _put(reals, at, COS_ALPHA, lanes, lane, ca)
    _put(reals, at, SIN_ALPHA, lanes, lane, sa)
    _put(reals, at, SIN_SIN, lanes, lane, sa * sa)
    _put(reals, at, COS_SIN, lanes, lane, ca * sa)
    _put(reals, at, COS_GAMMA, lanes, lane, cg)
    _put(reals, at, SIN_GAMMA, lanes, lane, sg)


@inlined
def place_row(tree, frames, i, reals, at, lanes, lane):
    """
    Fill a row's constants of one lane for node i; how it leans is there.

    Returns how the joint is turned at zero: cosine and sine, both so many times as long.
    """
    p = tree.parent[i]
    cp, sp, inboard = 1.0, 0.0, 0.0
    if p >= 0:
        cp, sp, inboard = frames[p, COS_TURN], frames[p, SIN_TURN], frames[p, ALONG]
    A, w = tree.rotation[i], frames[i, ALONG]
    ca, sa = reals[at + COS_ALPHA * lanes + lane], reals[at + SIN_ALPHA * lanes + lane]
    cg, sg = reals[at + COS_GAMMA * lanes + lane], reals[at + SIN_GAMMA * lanes + lane]
    _put(reals, at, DAMPING, lanes, lane, tree.damping[i])
    rx, ry = tree.position[i, 0] + A[0, 2] * w, tree.position[i, 1] + A[1, 2] * w
    rz = tree.position[i, 2] + A[2, 2] * w - inboard
    rx, ry = turn_back(rx, ry, cp, sp)
    rx, ry = turn_back(rx, ry, cg, sg)
    ry = ca * ry + sa * rz  # the third is nothing: the foot is in the plane
    _put(reals, at, SHIFT, lanes, lane, rx)
    _put(reals, at, SHIFT + 1, lanes, lane, ry)
    _put(reals, at, SHIFT + 2, lanes, lane, 0.0)
    x, y = turn_back(A[0, 0], A[1, 0], cp, sp)
    x, y = turn_back(x, y, cg, sg)
    y = ca * y + sa * A[2, 0]
    return turn(x, y, frames[i, COS_TURN], frames[i, SIN_TURN])


@kernel
def place_body(tree, frames, i, reals, at, lanes, lane):
    """Fill the inertia of node i, about its frame's origin, in its frame."""
    m, h, J = tree.mass[i], tree.moment[i], tree.inertia[i]
    c, s, w = frames[i, COS_TURN], frames[i, SIN_TURN], frames[i, ALONG]
    hx, hy = turn_back(h[0], h[1], c, s)
    _put(reals, at, MASS, lanes, lane, m)
    _put(reals, at, MOMENT, lanes, lane, hx)
    _put(reals, at, MOMENT + 1, lanes, lane, hy)
    _put(reals, at, MOMENT + 2, lanes, lane, h[2] - m * w)
    spread = (m * w - 2 * h[2]) * w
    xz, yz = turn_back(J[0, 2] + h[0] * w, J[1, 2] + h[1] * w, c, s)
    xx, xy, yy = turn_form(J[0, 0] + spread, J[0, 1], J[1, 1] + spread, s * s, -c * s)
    _put(reals, at, INERTIA, lanes, lane, xx)
    _put(reals, at, INERTIA + 1, lanes, lane, xy)
    _put(reals, at, INERTIA + 2, lanes, lane, xz)
    _put(reals, at, INERTIA + 3, lanes, lane, yy)
    _put(reals, at, INERTIA + 4, lanes, lane, yz)
    _put(reals, at, INERTIA + 5, lanes, lane, J[2, 2])


@kernel
def empty_row(reals, at, lanes, lane):
    """
    Fill the constants of a row beyond a run's tip: a speck of dust that nothing moves.

    The same about all axes, it takes no moment to turn along, and far too light to be felt it
    gives the joint something to be divided by.
    """
    for k in range(CONSTANTS):
        _put(reals, at, k, lanes, lane, 0.0)
    for k in (0, 3, 5):
        _put(reals, at, INERTIA + k, lanes, lane, SPECK)
    _put(reals, at, COS_ALPHA, lanes, lane, 1.0)
    _put(reals, at, COS_GAMMA, lanes, lane, 1.0)


@kernel
def turn_to_frame(frames, i, a, is_point, reals, at):
    """Set three numbers to a vector, or with is_point 1 a point, of node i in its frame here."""
    c, s = frames[i, COS_TURN], frames[i, SIN_TURN]
    reals[at], reals[at + 1] = turn_back(a[0], a[1], c, s)
    reals[at + 2] = a[2] - is_point * frames[i, ALONG]
