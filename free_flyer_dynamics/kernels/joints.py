# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Where the frames of a new joint lie on the two links it joins."""

from free_flyer_dynamics.graph import WORLD
from free_flyer_dynamics.kernels._jit import kernel
from free_flyer_dynamics.kernels.room import bodies_of
from free_flyer_dynamics.kernels.spatial import compose, rotate_back


@kernel
def join_where_they_are(
    # links: where they are, which two, and the joint's axes in the first's, or, where that is the
    # world, in the second's
    bodies,
    links,
    a,
    b,
    turned,
    # scratch, (2, 3, 3)
    turns,
    # output
    rotation_a_out,
    position_a_out,
    rotation_b_out,
    position_b_out,
):
    """Place a joint at the origin of link a, or of b when a is the world."""
    rotation, position, _twist = bodies_of(bodies, links)
    near = b if a == WORLD else a
    world, local = turns[0], turns[1]
    compose(rotation[near], turned, world)
    for i in range(3):
        position_a_out[i] = position[near, i] if a == WORLD else 0.0
        for j in range(3):
            local[i, j] = 0.0
            for k in range(3):
                local[i, j] += rotation[b, k, i] * world[k, j]
    if a == WORLD:
        _orthonormal(world, rotation_a_out)
    else:
        _orthonormal(turned, rotation_a_out)
    _orthonormal(local, rotation_b_out)
    shift = turns[0, 0]
    for i in range(3):
        shift[i] = position[near, i] - position[b, i]
    rotate_back(rotation[b], shift, position_b_out)


@kernel
def _orthonormal(R, out):
    """
    Set out to the rotation next to a matrix that is one but for rounding.

    What is joined hangs on what was joined before: left alone, rounding doubles each time.
    """
    for i in range(3):
        for j in range(3):
            out[i, j] = 1.5 * R[i, j]
    for k in range(3):
        for m in range(3):
            across = R[0, k] * R[0, m] + R[1, k] * R[1, m] + R[2, k] * R[2, m]
            for i in range(3):
                out[i, k] -= 0.5 * R[i, m] * across
