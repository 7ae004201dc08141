# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
P from the tips and S from the base, each only as far as the link where they meet.

There lemma 3.2 gives the acceleration, and both go back the way they came: P's half by
[JainRodriguez] (2.12), S's by its dual. Every link is passed once by one of them, as by
articulated bodies, but nowhere do more than half of a chain's links wait for one another.
"""

from free_flyer_dynamics.kernels._jit import kernel, out_of_line
from free_flyer_dynamics.kernels.linear import cholesky, cholesky_solve
from free_flyer_dynamics.kernels.spatial import mul
from free_flyer_dynamics.papers.dual import both, cross_hinge, inverse_transform, start_at_base
from free_flyer_dynamics.papers.recursion import hinge
from free_flyer_dynamics.papers.schur import main_chains
from free_flyer_dynamics.tree import FREE

ON_PATH, MEETING = 1, 2


@kernel
def halve(tree, height, on_chain, following, chain, path_out):
    """Mark the inboard half of the longest chain of each free tree, and where it ends."""
    main_chains(tree, height, on_chain, following, chain)
    for i in range(len(tree.parent)):
        path_out[i] = 0
    for root in range(len(tree.parent)):
        if tree.kind[root] != FREE:
            continue
        i = root
        for _ in range((height[root] - 1) // 2):
            path_out[i] = ON_PATH
            i = following[i]
        path_out[i] = MEETING


@kernel
def hinges_in_a_row(tree, path, up, down):
    """Count the hinges that have to be passed one after another before all have met."""
    n, most = len(tree.parent), 0
    for i in range(n):
        up[i] = 0
        down[i] = 0
    for i in range(n - 1, -1, -1):
        p = tree.parent[i]
        if not path[i]:
            if p >= 0:
                up[p] = max(up[p], up[i] + 1)
            else:  # anchored: nothing comes the other way
                most = max(most, up[i] + 1)
    for i in range(n):
        p = tree.parent[i]
        if path[i] and p >= 0:
            down[i] = 1 + max(down[p], up[p])
        if path[i] == MEETING:
            most = max(most, up[i], down[i])
    return most


@kernel
def inward(tree, hold, path, T, a, ws, A, B):
    """
    Fill S+, S, z_s and nu_s of the links on the path, from the base to the meeting.

    P and z of these hold the link itself and what hangs beside the path.
    """
    out_of_line()
    inboard, force = B.scratch[1], B.scratch[3, 0]
    for i in range(len(tree.parent)):
        p = tree.parent[i]
        if not path[i]:
            continue
        if tree.kind[i] == FREE:
            start_at_base(tree.v_at[i], T, B.S[i], B.z[i])
            continue
        both(A.P[p], B.S[p], inboard)
        for r in range(6):
            force[r] = A.z[p, r] + B.z[p, r]
        cross_hinge(tree, hold, i, T, a, ws, B)


@kernel
def meet(tree, path, A, B):
    """Fill alpha of the links where both have come to: lemma 3.2."""
    for i in range(len(tree.parent)):
        if path[i] != MEETING:
            continue
        for r in range(6):
            A.alpha[i, r] = -A.z[i, r] - B.z[i, r]
        both(A.P[i], B.S[i], B.scratch[0])
        cholesky(B.scratch[0], 6, B.scratch[1])
        cholesky_solve(B.scratch[1], 6, A.alpha[i])


@kernel
def outward(tree, hold, path, gravity, a, ws, A, B, beta_out):
    """Find rates and alpha back along the path, meeting to base: beta = nu_s - G_s* alpha."""
    out_of_line()
    inverse, plus = B.scratch[2], B.scratch[3, 0]
    for i in range(len(tree.parent) - 1, -1, -1):
        if not path[i]:
            continue
        at, alpha = tree.v_at[i], A.alpha[i]
        if tree.kind[i] == FREE:
            for k in range(6):
                beta_out[at + k] = alpha[k]
            for k in range(3):
                for j in range(3):
                    beta_out[at + 3 + k] += ws.R[i, j, k] * gravity[j]
            continue
        first, size = hinge(tree.kind[i], hold[i] != 0)
        if size == 0:
            beta_out[at] = 0.0
        for k in range(6):
            plus[k] = alpha[k] - a[i, k]
        for k in range(size):
            s = B.nu[i, k]
            for j in range(6):
                s -= B.G[i, j, k] * alpha[j]
            beta_out[at + k] = s
            plus[first + k] -= s
        inverse_transform(ws.X[i], inverse)
        mul(inverse, plus, A.alpha[tree.parent[i]])
