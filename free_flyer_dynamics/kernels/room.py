# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Room to work on a structure, cut from one flat array; see `records` for why."""

from free_flyer_dynamics.kernels._jit import shared
from free_flyer_dynamics.kernels.cut import cut
from free_flyer_dynamics.kernels.records import (
    LOOPS,
    NODES,
    NQ,
    NV,
    order_at,
    ROOTS,
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
        X=cut(room, 0, (n, 6, 6)),
        E=cut(room, 192 * n, (n, 3, 3)),
        r=cut(room, 201 * n, (n, 3)),
        R=cut(room, 36 * n, (n, 3, 3)),
        x=cut(room, 45 * n, (n, 3)),
        v=cut(room, 48 * n, (n, 6)),
        c=cut(room, 54 * n, (n, 6)),
        a=cut(room, 60 * n, (n, 6)),
        f=cut(room, 66 * n, (n, 6)),
        IA=cut(room, 72 * n, (n, 6, 6)),
        pA=cut(room, 108 * n, (n, 6)),
        U=cut(room, 114 * n, (n, 6, 3)),
        D=cut(room, 132 * n, (n, 3, 3)),
        u=cut(room, 141 * n, (n, 3)),
        L=cut(room, 144 * n, (n, 6, 6)),
        zero_c=cut(room, 180 * n, (n, 6)),
        bias=cut(room, 186 * n, (n, 6)),
        scratch=cut(room, f, (2, 6, 6)),
        turn=cut(room, f + 72, (3, 3, 3)),
        nothing=cut(room, f + 99, (3,)),
        tau=cut(room, j, (nv,)),
        delta=cut(room, j + nv, (nv,)),
        vel=cut(room, j + 2 * nv, (nv,)),
        d=cut(room, j + 3 * nv, (4, nv)),
        k=cut(room, j + 7 * nv, (4, nv)),
        zero_tau=cut(room, j + 11 * nv, (nv,)),
        q=cut(room, j + 12 * nv, (nq,)),
        momentum=cut(room, r, (roots, 6)),
        center=cut(room, r + 6 * roots, (roots, 6)),
        w=cut(room, r + 12 * roots, (4, roots, 6)),
        Xa=cut(room, k, (m, 6, 6)),
        Xb=cut(room, k + 36 * m, (m, 6, 6)),
        loop_wrench=cut(room, k + 72 * m, (m, 6)),
        loop_drive=cut(room, k + 78 * m, (m, 6)),
        Y=cut(room, y, (rows, rows)),
        F=cut(room, y + rows * rows, (rows, rows)),
        rhs=cut(room, z, (rows,)),
        wrench=cut(room, z + rows, (rows,)),
        y=cut(room, z + 2 * rows, (rows,)),
        scale=cut(room, z + 3 * rows, (rows,)),
        order=ints[order_at(ints)],
    )


@shared
def bodies_of(flat, links):
    """Cut axes, origins and twists of links."""
    return (
        cut(flat, 0, (links, 3, 3)),
        cut(flat, 9 * links, (links, 3)),
        cut(flat, 12 * links, (links, 6)),
    )
