# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Room to work on a structure, cut from one flat array; see `records` for why."""

from free_flyer_dynamics.kernels._jit import shared
from free_flyer_dynamics.kernels.records import (
    LOOPS,
    NODES,
    NQ,
    NV,
    order_at,
    ROOTS,
    stretch,
)
from free_flyer_dynamics.tree import Workspace

# Numbers for each node, free root, loop and velocity, and for everything else.
OF_NODE, OF_ROOT, OF_LOOP, OF_VELOCITY, OF_ALL = 204, 36, 108, 12, 102
BODY = 18  # of a link that is somewhere and moves: axes, origin and twist


@shared
def room_size(n, nq, nv, roots, loops):
    """Return how many numbers it takes to work on a structure of these sizes."""
    return (
        OF_NODE * n + OF_ALL + OF_VELOCITY * nv + nq + OF_ROOT * roots
        + (OF_LOOP + 72 * loops) * loops
    )  # fmt: skip


@shared
def workspace_of(ints, room):
    """Cut the workspace of the structure of which these are the integers."""
    n, nq, nv, roots, m = ints[NODES], ints[NQ], ints[NV], ints[ROOTS], ints[LOOPS]
    rows = 6 * m
    f = OF_NODE * n  # scratch of fixed size
    j = f + OF_ALL  # velocities
    r = j + OF_VELOCITY * nv + nq  # free roots
    k = r + OF_ROOT * roots  # loops
    y = k + 84 * m
    z = y + 2 * rows * rows
    return Workspace(
        X=room[stretch(0, 36 * n)].reshape(n, 6, 6),
        E=room[stretch(192 * n, 9 * n)].reshape(n, 3, 3),
        r=room[stretch(201 * n, 3 * n)].reshape(n, 3),
        R=room[stretch(36 * n, 9 * n)].reshape(n, 3, 3),
        x=room[stretch(45 * n, 3 * n)].reshape(n, 3),
        v=room[stretch(48 * n, 6 * n)].reshape(n, 6),
        c=room[stretch(54 * n, 6 * n)].reshape(n, 6),
        a=room[stretch(60 * n, 6 * n)].reshape(n, 6),
        f=room[stretch(66 * n, 6 * n)].reshape(n, 6),
        IA=room[stretch(72 * n, 36 * n)].reshape(n, 6, 6),
        pA=room[stretch(108 * n, 6 * n)].reshape(n, 6),
        U=room[stretch(114 * n, 18 * n)].reshape(n, 6, 3),
        D=room[stretch(132 * n, 9 * n)].reshape(n, 3, 3),
        u=room[stretch(141 * n, 3 * n)].reshape(n, 3),
        L=room[stretch(144 * n, 36 * n)].reshape(n, 6, 6),
        zero_c=room[stretch(180 * n, 6 * n)].reshape(n, 6),
        bias=room[stretch(186 * n, 6 * n)].reshape(n, 6),
        scratch=room[stretch(f, 72)].reshape(2, 6, 6),
        turn=room[stretch(f + 72, 27)].reshape(3, 3, 3),
        nothing=room[stretch(f + 99, 3)],
        tau=room[stretch(j, nv)],
        delta=room[stretch(j + nv, nv)],
        vel=room[stretch(j + 2 * nv, nv)],
        d=room[stretch(j + 3 * nv, 4 * nv)].reshape(4, nv),
        k=room[stretch(j + 7 * nv, 4 * nv)].reshape(4, nv),
        zero_tau=room[stretch(j + 11 * nv, nv)],
        q=room[stretch(j + 12 * nv, nq)],
        momentum=room[stretch(r, 6 * roots)].reshape(roots, 6),
        center=room[stretch(r + 6 * roots, 6 * roots)].reshape(roots, 6),
        w=room[stretch(r + 12 * roots, 24 * roots)].reshape(4, roots, 6),
        Xa=room[stretch(k, 36 * m)].reshape(m, 6, 6),
        Xb=room[stretch(k + 36 * m, 36 * m)].reshape(m, 6, 6),
        loop_wrench=room[stretch(k + 72 * m, 6 * m)].reshape(m, 6),
        loop_drive=room[stretch(k + 78 * m, 6 * m)].reshape(m, 6),
        Y=room[stretch(y, rows * rows)].reshape(rows, rows),
        F=room[stretch(y + rows * rows, rows * rows)].reshape(rows, rows),
        rhs=room[stretch(z, rows)],
        wrench=room[stretch(z + rows, rows)],
        y=room[stretch(z + 2 * rows, rows)],
        scale=room[stretch(z + 3 * rows, rows)],
        order=ints[order_at(ints)],
    )


@shared
def bodies_of(flat, links):
    """Cut axes, origins and twists of links."""
    return (
        flat[stretch(0, 9 * links)].reshape(links, 3, 3),
        flat[stretch(9 * links, 3 * links)].reshape(links, 3),
        flat[stretch(12 * links, 6 * links)].reshape(links, 6),
    )
