# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Where the nodes are and how they move while a motion goes from one structure to the next."""

from typing import NamedTuple

from free_flyer_dynamics.kernels._jit import inlined, kernel, out_of_line, shared
from free_flyer_dynamics.kernels.blocks import (
    cross,
    dot,
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
from free_flyer_dynamics.kernels.records import (
    LINKS,
    LOOPS,
    NODES,
    NV,
    plan_of,
    stretch,
    tree_of,
)
from free_flyer_dynamics.kernels.room import bodies_of
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
def move_nodes(ints, reals, vel, room):
    """Fill v; the passage has E and r. [RBDA] table 5.1."""
    out_of_line()
    tree, ws = tree_of(ints, reals), passage_of(ints, room)
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
def compare(links, ints, reals, bodies, room):
    """
    Hold the momenta of links against those of bodies that are where they are, and moved before.

    Fills `load`, what each link has gained, about the world origin, world axes; and `impulse`,
    what the forest lacks to what was, on each joint and each root: J.T I (before - J v). The
    passage has the nodes' twists. Returns half of |after - before| squared in the inertia.
    """
    out_of_line()
    plan, ws = plan_of(ints, reals), passage_of(ints, room)
    rotation, position, before = bodies_of(bodies, ints[LINKS])
    tree = plan.tree
    n = len(tree.parent)
    zero = Vector(0.0, 0.0, 0.0)
    for i in range(n):
        set_vector(ws.p, i, 0, zero)
        set_vector(ws.p, i, 3, zero)
    lost, as_before = 0.0, True
    for b in range(len(links.mass)):
        if links.mass[b] == 0.0:
            set_vector(ws.load, b, 0, zero)
            set_vector(ws.load, b, 3, zero)
            continue
        w, u = twist_of(plan, b, ws)
        w, u = minus(w, vector_of(before, b, 0)), minus(u, vector_of(before, b, 3))
        if dot(w, w) == 0.0 and dot(u, u) == 0.0:  # it goes on as before, as most often
            set_vector(ws.load, b, 0, zero)
            set_vector(ws.load, b, 3, zero)
            continue
        as_before = False
        n_b, f_b = momentum_of(links.mass, links.moment, links.inertia, b, w, u)
        lost += 0.5 * (dot(n_b, w) + dot(f_b, u))
        R = matrix_of(rotation, b)
        n_b, f_b = times(R, n_b), times(R, f_b)
        set_vector(ws.load, b, 0, plus(n_b, cross(vector_of(position, b, 0), f_b)))
        set_vector(ws.load, b, 3, f_b)
        i = plan.link_node[b]
        if i >= 0:
            _add_carried(ws.R, i, vector_of(plan.link_position, b, 0), n_b, f_b, ws.p, i)
    if as_before:
        for k in range(ints[NV]):
            ws.impulse[k] = 0.0
        return lost
    for i in range(n - 1, -1, -1):
        at, kind, p = tree.v_at[i], tree.kind[i], tree.parent[i]
        n_i, f_i = vector_of(ws.p, i, 0), vector_of(ws.p, i, 3)
        if p >= 0:
            _add_carried(ws.R, p, vector_of(ws.r, i, 0), n_i, f_i, ws.p, p)
        R = matrix_of(ws.R, i)
        if kind == REVOLUTE:
            ws.impulse[at] = -(R.xz * n_i.x + R.yz * n_i.y + R.zz * n_i.z)
            continue
        set_vector(ws.p, i, 0, scaled(-1.0, times_transposed(R, n_i)))
        set_vector(ws.p, i, 3, scaled(-1.0, times_transposed(R, f_i)))
        joint_force(kind, ws.p[i], at, ws.impulse)
    return lost


@inlined
def _add_carried(axes, i, arm, n, f, out, k):
    """Add a momentum, all in world axes but the arm at which it is, to one inboard."""
    n = plus(n, cross(times(matrix_of(axes, i), arm), f))
    set_vector(out, k, 0, plus(vector_of(out, k, 0), n))
    set_vector(out, k, 3, plus(vector_of(out, k, 3), f))


@kernel
def weigh(ints, reals, room, momentum_out, center_out):
    """Momentum and mass times centre of every free tree; both hang on q and v, not on the way."""
    out_of_line()
    tree, ws = tree_of(ints, reals), passage_of(ints, room)
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
