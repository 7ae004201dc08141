# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
The dual recursion, base to tip, and what the two say together. [JainRodriguez] section 3.

S(k) is the inertia at link k of all that is inboard, P(k) of the link and what is outboard. What
is anchored has one base, the world, whose S is infinite: there algorithm 3 stands instead.
"""

from typing import NamedTuple

from free_flyer_dynamics.kernels._jit import kernel, out_of_line
from free_flyer_dynamics.kernels.linear import cholesky, cholesky_solve
from free_flyer_dynamics.kernels.spatial import (
    congruence_add,
    inertia_matrix,
    mul,
    mul_add,
    mul_transposed_add,
)
from free_flyer_dynamics.papers.recursion import gain, hinge, hinge_rate, room
from free_flyer_dynamics.tree import FREE
import numpy as np


class Dual(NamedTuple):
    """What the dual sweep leaves over n nodes."""

    S: np.ndarray  # (n, 6, 6)
    S_plus: np.ndarray  # (n, 6, 6)
    L: np.ndarray  # (n, 6, 6); Cholesky factor of D_s = H S+ H*
    G: np.ndarray  # (n, 6, 6); -S+ H* D_s^-1
    z: np.ndarray  # (n, 6)
    z_plus: np.ndarray  # (n, 6)
    nu: np.ndarray  # (n, 6); D_s^-1 eps_s
    beside: np.ndarray  # (n, 6, 6); P+ of the links on the same parent, at the parent
    z_beside: np.ndarray  # (n, 6)
    sum_P: np.ndarray  # (n, 6, 6); P+ of the children so far
    sum_z: np.ndarray  # (n, 6)
    scratch: np.ndarray  # (4, 6, 6)


def make_dual(n: int) -> Dual:
    """Return room for the dual sweep over n nodes."""
    square = ('S', 'S_plus', 'L', 'G', 'beside', 'sum_P')
    matrices = {name: np.zeros((n, 6, 6)) for name in square}
    vectors = {name: np.zeros((n, 6)) for name in ('z', 'z_plus', 'nu', 'z_beside', 'sum_z')}
    return Dual(**matrices, **vectors, scratch=room(4))


@kernel
def inverse_transform(X, out):
    """Set out = X^-1, X a motion transform: its blocks transposed, phi(k, k + 1)."""
    for i in range(3):
        for j in range(3):
            out[i, j] = X[j, i]
            out[3 + i, j] = X[3 + j, i]
            out[3 + i, 3 + j] = X[j, i]
            out[i, 3 + j] = 0.0


@kernel
def gather(tree, ws, A, B):
    """
    Fill what the other branches at each link's parent weigh: section 3.4.

    Sums from either end, not the sum of all less the one: the others may be light.
    """
    out_of_line()
    n = len(tree.parent)
    for i in range(n):
        for r in range(6):
            B.z_beside[i, r] = 0.0
            for j in range(6):
                B.beside[i, r, j] = 0.0
    for way in range(2):
        for i in range(n):
            for r in range(6):
                B.sum_z[i, r] = 0.0
                for j in range(6):
                    B.sum_P[i, r, j] = 0.0
        for step in range(n):
            i = step if way == 0 else n - 1 - step
            p = tree.parent[i]
            if p < 0:
                continue
            for r in range(6):
                B.z_beside[i, r] += B.sum_z[p, r]
                for j in range(6):
                    B.beside[i, r, j] += B.sum_P[p, r, j]
            congruence_add(ws.X[i], A.P_plus[i], B.scratch[0], B.sum_P[p])
            mul_transposed_add(ws.X[i], A.z_plus[i], B.sum_z[p])


@kernel
def dual(tree, hold, T, b, a, ws, B):
    """
    Fill S+, S and z_s, base to tip: algorithms 4 and 5, free trees alone.

    Reads nothing of the other sweep but what `gather` brought, so in a chain the two may run at
    once.
    """
    out_of_line()
    inboard, force = B.scratch[1], B.scratch[3, 0]
    for i in range(len(tree.parent)):
        p = tree.parent[i]
        if tree.kind[i] == FREE:
            start_at_base(tree.v_at[i], T, B.S[i], B.z[i])
        if tree.root[i] < 0 or p < 0:
            continue
        inertia_matrix(tree.mass[p], tree.moment[p], tree.inertia[p], inboard)
        for r in range(6):
            force[r] = b[p, r] + B.z[p, r] + B.z_beside[i, r]
            for j in range(6):
                inboard[r, j] += B.S[p, r, j] + B.beside[i, r, j]
        cross_hinge(tree, hold, i, T, a, ws, B)


@kernel
def start_at_base(at, T, S, z):
    """Set S and z_s of a base: nothing is inboard but the base wrench, z_s(n) = -T(n)."""
    for r in range(6):
        z[r] = -T[at + r]
        for j in range(6):
            S[r, j] = 0.0


@kernel
def cross_hinge(tree, hold, i, T, a, ws, B):
    """
    Fill S+, S, z_s and nu_s of link i from what is inboard, at its parent, in B's scratch.

    Unlike [JainRodriguez] (3.5), corrected: a_s(k) = -a_p(k) at the hinge itself, and eps_s takes
    z_s+.
    """
    inboard, inverse, force, a_s = B.scratch[1], B.scratch[2], B.scratch[3, 0], B.scratch[3, 1]
    at = tree.v_at[i]
    S_plus, z, z_plus = B.S_plus[i], B.z[i], B.z_plus[i]
    for r in range(6):
        z_plus[r] = 0.0
        a_s[r] = -a[i, r]
        for j in range(6):
            S_plus[r, j] = 0.0
    inverse_transform(ws.X[i], inverse)
    congruence_add(inverse, inboard, B.scratch[0], S_plus)
    mul_transposed_add(inverse, force, z_plus)
    mul_add(S_plus, a_s, z_plus)
    first, size = hinge(tree.kind[i], hold[i] != 0)
    gain(S_plus, first, size, -1.0, B.L[i], B.G[i], B.S[i], B.scratch[0])
    for j in range(6):
        z[j] = z_plus[j]
    for k in range(size):
        eps = T[at + k] + z_plus[first + k]
        B.nu[i, k] = eps
        for j in range(6):
            z[j] += B.G[i, j, k] * eps
    cholesky_solve(B.L[i], size, B.nu[i])


@kernel
def link_accelerations(tree, low, high, a, A, B, factor):
    """
    Fill alpha of links low to high - 1, each on its own: lemma 3.2, no base chosen.

    Unlike [JainRodriguez] (3.12): the inverse is minus the sum's, P is the inertia that a loads.
    Factor is room for 6 by 6.
    """
    out_of_line()
    for i in range(low, high):
        if tree.root[i] < 0:
            continue
        alpha = A.alpha[i]
        for r in range(6):
            s = -A.z[i, r] - B.z[i, r]
            for j in range(6):
                s += A.P[i, r, j] * a[i, j]
            alpha[r] = s
        both(A.P[i], B.S[i], factor[0])
        cholesky(factor[0], 6, factor[1])
        cholesky_solve(factor[1], 6, alpha)


@kernel
def both(P, S, out):
    """Set out = P + S = Y^-1, the operational-space inertia: lemma 4.1."""
    for r in range(6):
        for j in range(6):
            out[r, j] = P[r, j] + S[r, j]


@kernel
def hinge_rates(tree, hold, low, high, gravity, ws, A, plus, beta_out):
    """Find the rates of hinges low to high - 1, each on its own: (3.13)."""
    out_of_line()
    for i in range(low, high):
        if tree.root[i] < 0:
            continue
        if tree.kind[i] == FREE:
            for k in range(6):
                plus[k] = 0.0
        else:
            mul(ws.X[i], A.alpha[tree.parent[i]], plus)
        hinge_rate(tree, hold, i, gravity, ws, A, plus, beta_out)
