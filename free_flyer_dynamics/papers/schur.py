# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
The constraint forces of chains: A' F_S = -B F_T + ..., and what follows. [Fijany] section IV.

Blocks are 6 by 6 and not 5 by 5: W picks entries of the joint's own frame, and the rows of the
others say 0 = 0, so hinges of any kind, and held ones, are all alike. Everything here but the
side branches is each link's own affair and takes a range of them.
"""

from typing import NamedTuple

from free_flyer_dynamics.kernels._jit import kernel, out_of_line
from free_flyer_dynamics.kernels.linear import cholesky, cholesky_solve
from free_flyer_dynamics.kernels.spatial import mul, mul_add, mul_transposed_add
from free_flyer_dynamics.papers.recursion import hinge
from free_flyer_dynamics.tree import FREE
import numpy as np


class Schur(NamedTuple):
    """The block tridiagonal system of the m hinges of chains with n nodes in all."""

    chain: np.ndarray  # (m,) int; node of each hinge, chain after chain, base first
    on_chain: np.ndarray  # (n,) int; 1: the node is on one, free bases included
    following: np.ndarray  # (n,) int; the node of the chain after this one; -1: none
    inverse: np.ndarray  # (n, 6, 6); I^-1, the side branches on it
    free: np.ndarray  # (n, 6); I^-1 b: what the link does without interbody forces, negative
    known: np.ndarray  # (n, 6); H F_T: the part of the interbody force that the drives make
    F: np.ndarray  # (n, 6); interbody force
    D: np.ndarray  # (m, 6, 6); diagonal of A', at last its Cholesky factors
    E: np.ndarray  # (m, 6, 6); block from a hinge to the next one
    r: np.ndarray  # (m, 6); right side, at last F_S
    left: np.ndarray  # (m, 6, 6); what an eliminated hinge needs to come back
    right: np.ndarray  # (m, 6, 6)


def make_schur(chain: np.ndarray, on_chain: np.ndarray, following: np.ndarray) -> Schur:
    """Return room for the system of these chains."""
    n, m = len(on_chain), len(chain)
    at_nodes = [np.zeros((n, 6, 6)), *(np.zeros((n, 6)) for _ in range(3))]
    blocks = [np.zeros((m, 6, 6)), np.zeros((m, 6, 6)), np.zeros((m, 6))]
    more = [np.zeros((m, 6, 6)) for _ in range(2)]
    return Schur(chain, on_chain, following, *at_nodes, *blocks, *more)


@kernel
def main_chains(tree, height, on_chain_out, next_out, chain_out):
    """Find the longest chain from each base, the rest being side branches; count its hinges."""
    n = len(tree.parent)
    for i in range(n):
        height[i] = 1
        next_out[i] = -1
        on_chain_out[i] = 0
    for i in range(n - 1, -1, -1):
        p = tree.parent[i]
        if p >= 0 and height[i] + 1 > height[p]:
            height[p] = height[i] + 1
            next_out[p] = i
    count = 0
    for root in range(n):
        i = root if tree.parent[root] < 0 else -1
        while i >= 0:
            on_chain_out[i] = 1
            if tree.kind[i] != FREE:
                chain_out[count] = i
                count += 1
            i = next_out[i]
    return count


@kernel
def free_links(tree, hold, low, high, T, A, C, factor):
    """
    Fill I^-1 of links low to high - 1 of the chains, what they do free, and H F_T.

    The recursion's P and z hold the links with their side branches. Returns the first link that
    has no inertia of its own, or -1. Factor is room for 6 by 6.
    """
    out_of_line()
    for i in range(low, high):
        if not C.on_chain[i]:
            continue
        if not cholesky(A.P[i], 6, factor):
            return i
        for k in range(6):
            row = C.inverse[i, k]
            for j in range(6):
                row[j] = 1.0 if j == k else 0.0
            cholesky_solve(factor, 6, row)
            C.free[i, k] = A.z[i, k]
            C.known[i, k] = 0.0
        cholesky_solve(factor, 6, C.free[i])
        first, size = hinge(tree.kind[i], hold[i] != 0)
        for k in range(size):
            C.known[i, first + k] = T[tree.v_at[i] + k]
    return -1


@kernel
def blocks(tree, hold, low, high, gravity, ws, C, room):
    """
    Fill rows low to high - 1 of A' F_S = r. Room is (2, 6, 6).

    Unlike [Fijany]: velocity terms, wrenches and gravity are in; a free base is the link before
    the first hinge, whose part in the last block of A' is the rank-one change X P_0.
    """
    out_of_line()
    K, row = room[0], room[1, 0]
    for m in range(low, high):
        i = C.chain[m]
        p = tree.parent[i]
        X, N, D, r = ws.X[i], C.inverse[i], C.D[m], C.r[m]
        first, size = hinge(tree.kind[i], hold[i] != 0)
        for k in range(6):  # c + I^-1 b
            r[k] = ws.c[i, k] + C.free[i, k]
            for j in range(6):
                D[k, j] = N[k, j]
        if p >= 0:
            for k in range(6):  # K = X I_p^-1, its rows one by one
                for j in range(6):
                    s = 0.0
                    for q in range(6):
                        s += X[k, q] * C.inverse[p, q, j]
                    K[k, j] = s
            for k in range(6):
                mul(X, K[k], row)
                for j in range(6):
                    D[k, j] += row[j]
            mul(X, C.free[p], row)
            for k in range(6):
                r[k] -= row[k]
            mul_add(K, C.known[p], r)
        else:  # the world, which accelerates against gravity
            for k in range(3):
                for j in range(3):
                    r[3 + k] -= X[k, j] * gravity[j]
        for k in range(6):
            for j in range(6):
                r[k] -= D[k, j] * C.known[i, j]
        child = C.following[i]
        if child >= 0:
            for k in range(6):
                row[k] = 0.0
            mul_transposed_add(ws.X[child], C.known[child], row)
            mul_add(N, row, r)
        for k in range(first, first + size):  # W leaves these out
            r[k] = 0.0
            for j in range(6):
                D[k, j] = 0.0
                D[j, k] = 0.0
            D[k, k] = 1.0
        if m > 0:
            before = C.E[m - 1]
            joined = p >= 0 and C.chain[m - 1] == p
            if joined:
                other, others = hinge(tree.kind[p], hold[p] != 0)
            for k in range(6):
                for j in range(6):
                    picked = joined and not (first <= j < first + size)
                    if picked and other <= k < other + others:
                        picked = False
                    before[k, j] = -K[j, k] if picked else 0.0


@kernel
def interbody_forces(low, high, C):
    """Fill F = H F_T + W F_S of hinges low to high - 1."""
    out_of_line()
    for m in range(low, high):
        i = C.chain[m]
        for k in range(6):
            C.F[i, k] = C.known[i, k] + C.r[m, k]


@kernel
def accelerate(tree, low, high, ws, A, C):
    """Fill alpha of links low to high - 1 of the chains: I V' + b = F_i - P F_(i+1)."""
    out_of_line()
    for i in range(low, high):
        if not C.on_chain[i]:
            continue
        if tree.kind[i] == FREE:
            for k in range(6):
                C.F[i, k] = C.known[i, k]
        alpha, child = A.alpha[i], C.following[i]
        force = A.z_plus[i]  # of no other use on a chain
        for k in range(6):
            alpha[k] = -C.free[i, k]
            force[k] = 0.0
        if child >= 0:
            mul_transposed_add(ws.X[child], C.F[child], force)
        for k in range(6):
            force[k] = C.F[i, k] - force[k]
        mul_add(C.inverse[i], force, alpha)


@kernel
def chain_rates(tree, hold, low, high, gravity, ws, A, C, relative, beta_out):
    """Find the rates of hinges low to high - 1 of the chains: H* of V' - P* V' - a."""
    out_of_line()
    for i in range(low, high):
        if not C.on_chain[i]:
            continue
        first, size = hinge(tree.kind[i], hold[i] != 0)
        at = tree.v_at[i]
        if tree.kind[i] == FREE:
            for k in range(6):
                relative[k] = 0.0
            for k in range(3):
                for j in range(3):
                    relative[3 + k] -= ws.R[i, j, k] * gravity[j]
        elif tree.parent[i] >= 0:
            mul(ws.X[i], A.alpha[tree.parent[i]], relative)
        else:
            for k in range(3):
                relative[k] = 0.0
                relative[3 + k] = 0.0
                for j in range(3):
                    relative[3 + k] -= ws.X[i, k, j] * gravity[j]
        if size == 0:
            beta_out[at] = 0.0
        for k in range(size):
            beta_out[at + k] = A.alpha[i, first + k] - relative[first + k] - ws.c[i, first + k]
