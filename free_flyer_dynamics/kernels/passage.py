# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Where the nodes are and how they move while a motion goes from one structure to the next."""

from typing import NamedTuple

from free_flyer_dynamics.kernels._jit import inlined, kernel, out_of_line, shared
from free_flyer_dynamics.kernels.blocks import (
    cross,
    minus,
    plus,
    plus_scaled,
    product,
    scaled,
    times,
    times_transposed,
    Vector,
)
from free_flyer_dynamics.kernels.cut import cut
from free_flyer_dynamics.kernels.kinematics import add_joint_rate, joint_force
from free_flyer_dynamics.kernels.records import LINKS, LOOPS, NODES, NV, stretch
from free_flyer_dynamics.kernels.rows import matrix_of, set_vector, vector_of
from free_flyer_dynamics.tree import REVOLUTE
import numpy as np

OF_NODE, OF_LINK, OF_LOOP, OF_ALL = 36, 6, 6, 99  # numbers that a passage takes


class Passage(NamedTuple):
    """The nodes of one structure, their links, and room to read them."""

    E: np.ndarray  # (n, 3, 3); axes in the parent's
    r: np.ndarray  # (n, 3); origin in the parent's frame
    R: np.ndarray  # (n, 3, 3); axes in world
    x: np.ndarray  # (n, 3); origin in world
    v: np.ndarray  # (n, 6); twist, node axes
    p: np.ndarray  # (n, 6); momentum
    load: np.ndarray  # (l, 6)
    loop_wrench: np.ndarray  # (m, 6)
    impulse: np.ndarray  # (nv,); on the joints and the roots
    scratch: np.ndarray  # (2, 6, 6)
    turn: np.ndarray  # (3, 3, 3)


@shared
def passage_size(links, n, nv, loops):
    """Return how many numbers a passage takes."""
    return OF_NODE * n + OF_LINK * links + OF_LOOP * loops + nv + OF_ALL


@shared
def impulse_at(ints):
    """Return where the impulses on joints and roots are."""
    return stretch(0, ints[NV])


@shared
def passage_of(ints, room):
    """Cut the passage of the structure of which these are the integers."""
    n, links, loops, nv = ints[NODES], ints[LINKS], ints[LOOPS], ints[NV]
    k = nv + OF_NODE * n  # links
    m = k + OF_LINK * links  # loops
    f = m + OF_LOOP * loops
    return Passage(
        E=cut(room, nv, (n, 3, 3)),
        r=cut(room, nv + 9 * n, (n, 3)),
        R=cut(room, nv + 12 * n, (n, 3, 3)),
        x=cut(room, nv + 21 * n, (n, 3)),
        v=cut(room, nv + 24 * n, (n, 6)),
        p=cut(room, nv + 30 * n, (n, 6)),
        load=cut(room, k, (links, 6)),
        loop_wrench=cut(room, m, (loops, 6)),
        impulse=room[impulse_at(ints)],
        scratch=cut(room, f, (2, 6, 6)),
        turn=cut(room, f + 72, (3, 3, 3)),
    )


@kernel
def move_nodes(tree, vel, ws):
    """Fill v; workspace has E and r. [RBDA] table 5.1."""
    out_of_line()
    for i in range(len(tree.parent)):
        p, at, kind = tree.parent[i], tree.v_at[i], tree.kind[i]
        w, u = Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0)
        if p >= 0:
            E, w = matrix_of(ws.E, i), vector_of(ws.v, p, 0)
            u = plus(vector_of(ws.v, p, 3), cross(w, vector_of(ws.r, i, 0)))
            w, u = times_transposed(E, w), times_transposed(E, u)
        if kind == REVOLUTE:
            w = Vector(w.x, w.y, w.z + vel[at])
        set_vector(ws.v, i, 0, w)
        set_vector(ws.v, i, 3, u)
        if kind != REVOLUTE:
            add_joint_rate(kind, vel, at, ws.v[i])


@inlined
def pose_of(plan, b, ws):
    """Axes and origin of a link in world."""
    i, A, x = (
        plan.link_node[b],
        matrix_of(plan.link_rotation, b),
        vector_of(plan.link_position, b, 0),
    )
    if i < 0:
        return A, x
    R = matrix_of(ws.R, i)
    return product(R, A), plus(vector_of(ws.x, i, 0), times(R, x))


@inlined
def twist_of(plan, b, ws):
    """Angular velocity and velocity of a link's origin, link axes."""
    i = plan.link_node[b]
    if i < 0:
        return Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0)
    A, w = matrix_of(plan.link_rotation, b), vector_of(ws.v, i, 0)
    u = plus(vector_of(ws.v, i, 3), cross(w, vector_of(plan.link_position, b, 0)))
    return times_transposed(A, w), times_transposed(A, u)


@inlined
def momentum_of(mass, moment, inertia, i, w, u):
    """Momentum of a body that moves so about its frame's origin, its row of the arrays given."""
    h = vector_of(moment, i, 0)
    n = plus(times(matrix_of(inertia, i), w), cross(h, u))
    return n, plus(scaled(mass[i], u), cross(w, h))


@kernel
def missing_impulse(links, plan, twist, ws):
    """
    Fill what the forest lacks to the momenta of links that move with these twists.

    As an impulse on each joint and each root, in the order of v: J.T I (twist - J v). The
    workspace has the nodes' twists.
    """
    out_of_line()
    tree = plan.tree
    n = len(tree.parent)
    for i in range(n):
        for k in range(6):
            ws.p[i, k] = 0.0
    for b in range(len(links.mass)):
        i = plan.link_node[b]
        if i < 0 or links.mass[b] == 0.0:
            continue
        w, u = twist_of(plan, b, ws)
        w, u = minus(vector_of(twist, b, 0), w), minus(vector_of(twist, b, 3), u)
        n_b, f_b = momentum_of(links.mass, links.moment, links.inertia, b, w, u)
        _add_carried(plan.link_rotation, plan.link_position, b, n_b, f_b, ws.p, i)
    for i in range(n - 1, -1, -1):
        at, kind, p = tree.v_at[i], tree.kind[i], tree.parent[i]
        if kind == REVOLUTE:
            ws.impulse[at] = ws.p[i, 2]
        else:
            joint_force(kind, ws.p[i], at, ws.impulse)
        if p >= 0:
            _add_carried(ws.E, ws.r, i, vector_of(ws.p, i, 0), vector_of(ws.p, i, 3), ws.p, p)


@inlined
def _add_carried(axes, origins, i, n, f, out, p):
    """Add a momentum, given in a frame of which these are axes and origin, to what is outside."""
    R = matrix_of(axes, i)
    n, f = times(R, n), times(R, f)
    n = plus(n, cross(vector_of(origins, i, 0), f))
    set_vector(out, p, 0, plus(vector_of(out, p, 0), n))
    set_vector(out, p, 3, plus(vector_of(out, p, 3), f))


@kernel
def weigh(tree, ws, momentum_out, center_out):
    """Momentum and mass times centre of every free tree; both hang on q and v, not on the way."""
    out_of_line()
    for r in range(len(momentum_out)):
        for k in range(6):
            momentum_out[r, k] = 0.0
        for k in range(3):
            center_out[r, k] = 0.0
    for i in range(len(tree.parent)):
        r = tree.root[i]
        if r < 0:
            continue
        R, x = matrix_of(ws.R, i), vector_of(ws.x, i, 0)
        w, u = vector_of(ws.v, i, 0), vector_of(ws.v, i, 3)
        n, f = momentum_of(tree.mass, tree.moment, tree.inertia, i, w, u)
        n, f = times(R, n), times(R, f)
        n = plus(n, cross(x, f))
        set_vector(momentum_out, r, 0, plus(vector_of(momentum_out, r, 0), n))
        set_vector(momentum_out, r, 3, plus(vector_of(momentum_out, r, 3), f))
        c = plus_scaled(times(R, vector_of(tree.moment, i, 0)), tree.mass[i], x)
        set_vector(center_out, r, 0, plus(vector_of(center_out, r, 0), c))
