# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Articulated-body inertias and residual forces in the papers' letters.

[JainRodriguez] algorithms 2 and 3, [TianWu] (15): written apart from `kernels/aba.py`, which is
their oracle. A hinge H picks entries of a node's own coordinates: phi*(k + 1, k) is the node's X,
and H* beta puts beta where the joint's axes are. A held joint is a hinge without freedom.
"""

from typing import NamedTuple

from free_flyer_dynamics.kernels._jit import kernel, out_of_line
from free_flyer_dynamics.kernels.aba import bias_forces
from free_flyer_dynamics.kernels.kinematics import external_wrenches, forward_kinematics
from free_flyer_dynamics.kernels.linear import cholesky, cholesky_solve
from free_flyer_dynamics.kernels.spatial import (
    congruence_add,
    inertia_matrix,
    mul,
    mul_add,
    mul_transposed_add,
)
from free_flyer_dynamics.tree import FREE, PRISMATIC, REVOLUTE, SPHERICAL
import numpy as np


class Recursion(NamedTuple):
    """What one sweep over a forest of n nodes leaves: the papers' block diagonals, row by row."""

    P: np.ndarray  # (n, 6, 6); articulated inertia of a link and what is outboard
    P_plus: np.ndarray  # (n, 6, 6); the same seen through its hinge
    L: np.ndarray  # (n, 6, 6); Cholesky factor of D = H P H*
    G: np.ndarray  # (n, 6, 6); P H* D^-1, as many columns as the hinge has freedoms
    b: np.ndarray  # (n, 6); gyroscopic force less the wrench from outside
    z: np.ndarray  # (n, 6); residual force
    z_plus: np.ndarray  # (n, 6)
    eps: np.ndarray  # (n, 6); innovation T - H z
    nu: np.ndarray  # (n, 6); D^-1 eps
    alpha: np.ndarray  # (n, 6); spatial acceleration, less gravity
    scratch: np.ndarray  # (4, 6, 6)


def make_recursion(n: int) -> Recursion:
    """Return room for one sweep over n nodes."""
    matrices = {name: np.zeros((n, 6, 6)) for name in ('P', 'P_plus', 'L', 'G')}
    names = ('b', 'z', 'z_plus', 'eps', 'nu', 'alpha')
    vectors = {name: np.zeros((n, 6)) for name in names}
    return Recursion(**matrices, **vectors, scratch=room(4))


def room(count: int) -> np.ndarray:
    """Return scratch, (count, 6, 6), in pages that no other thread writes to: 32 KB either way."""
    margin = 32768 // (36 * 8) + 1
    return np.zeros((count + 2 * margin, 6, 6))[margin : margin + count]


@kernel
def hinge(kind, held):
    """First entry and number of the freedoms that a hinge leaves: H as two numbers."""
    if held:
        return 0, 0
    if kind == REVOLUTE:
        return 2, 1
    if kind == PRISMATIC:
        return 5, 1
    if kind == SPHERICAL:
        return 0, 3
    return 0, 6 if kind == FREE else 0


@kernel
def gain(inertia, first, size, sign, L_out, G_out, plus_out, scratch):
    """
    Fill L of D = H P H*, G = sign P H* D^-1, and P+ = P - |G| H P.

    The sign is minus for the dual recursion, whose hinges point the other way.
    """
    for r in range(size):
        for k in range(size):
            scratch[r, k] = inertia[first + r, first + k]
    cholesky(scratch, size, L_out)
    for r in range(6):
        g = G_out[r]
        for k in range(size):
            g[k] = inertia[r, first + k]
        cholesky_solve(L_out, size, g)
    for r in range(6):
        for j in range(6):
            s = inertia[r, j]
            for k in range(size):
                s -= G_out[r, k] * inertia[first + k, j]
            plus_out[r, j] = s
        for k in range(size):
            G_out[r, k] *= sign


@kernel
def load(tree, q, vel, inputs, ws, A):
    """Fill X, a and b of every link: poses, twists, Coriolis and gyroscopic terms, wrenches."""
    out_of_line()
    forward_kinematics(tree, q, vel, ws)
    external_wrenches(tree, inputs, ws)
    bias_forces(tree, ws)
    for i in range(len(tree.parent)):
        for k in range(6):
            A.b[i, k] = ws.pA[i, k]


@kernel
def inertias(tree, hold, stop, ws, A):
    """Fill P, G and P+, tip to base: algorithm 2. A node with `stop` passes nothing on."""
    out_of_line()
    own_inertias(tree, A)
    add_inertias(tree, hold, stop, ws, A)


@kernel
def own_inertias(tree, A):
    """Set P = M, before anything is outboard."""
    for i in range(len(tree.parent)):
        inertia_matrix(tree.mass[i], tree.moment[i], tree.inertia[i], A.P[i])


@kernel
def add_inertias(tree, hold, stop, ws, A):
    """Fill P, G and P+, tip to base, P being M before."""
    out_of_line()
    for i in range(len(tree.parent) - 1, -1, -1):
        if stop[i]:
            continue
        first, size = hinge(tree.kind[i], hold[i] != 0)
        gain(A.P[i], first, size, 1.0, A.L[i], A.G[i], A.P_plus[i], A.scratch[0])
        if tree.parent[i] >= 0:
            congruence_add(ws.X[i], A.P_plus[i], A.scratch[0], A.P[tree.parent[i]])


@kernel
def residuals(tree, hold, stop, T, b, a, ws, A):
    """Fill z, eps, nu and z+, tip to base: the first half of algorithm 3."""
    out_of_line()
    own_forces(b, A)
    add_forces(tree, hold, stop, T, a, ws, A)


@kernel
def own_forces(b, A):
    """Set z = b, before anything is outboard."""
    for i in range(len(b)):
        for k in range(6):
            A.z[i, k] = b[i, k]


@kernel
def add_forces(tree, hold, stop, T, a, ws, A):
    """Fill z, eps, nu and z+, tip to base, z being b before."""
    out_of_line()
    for i in range(len(tree.parent) - 1, -1, -1):
        if stop[i]:
            continue
        first, size = hinge(tree.kind[i], hold[i] != 0)
        at = tree.v_at[i]
        z, z_plus = A.z[i], A.z_plus[i]
        mul_add(A.P[i], a[i], z)
        for k in range(size):
            A.eps[i, k] = T[at + k] - z[first + k]
            A.nu[i, k] = A.eps[i, k]
        cholesky_solve(A.L[i], size, A.nu[i])
        for j in range(6):
            z_plus[j] = z[j]
            for k in range(size):
                z_plus[j] += A.G[i, j, k] * A.eps[i, k]
        if tree.parent[i] >= 0:
            mul_transposed_add(ws.X[i], z_plus, A.z[tree.parent[i]])


@kernel
def parent_acceleration(tree, i, gravity, ws, A, out):
    """Set alpha+ = phi* alpha of the parent; the world accelerates against gravity."""
    p = tree.parent[i]
    if p >= 0:
        mul(ws.X[i], A.alpha[p], out)
        return
    for k in range(6):
        out[k] = 0.0
    if tree.kind[i] != FREE:
        for k in range(3):
            for j in range(3):
                out[3 + k] -= ws.X[i, k, j] * gravity[j]


@kernel
def hinge_rate(tree, hold, i, gravity, ws, A, alpha_plus, beta_out):
    """Set the hinge's entries of the rates, nu - G* alpha+: (2.12f)."""
    size = hinge(tree.kind[i], hold[i] != 0)[1]
    at = tree.v_at[i]
    if size == 0:
        beta_out[at] = 0.0  # held: every kind that can be held has one entry
    for k in range(size):
        s = A.nu[i, k]
        for j in range(6):
            s -= A.G[i, j, k] * alpha_plus[j]
        beta_out[at + k] = s
    if tree.kind[i] == FREE:  # the root falls with everything else
        for k in range(3):
            for j in range(3):
                beta_out[at + 3 + k] += ws.R[i, j, k] * gravity[j]


@kernel
def smooth(tree, hold, skip, gravity, a, ws, A, beta_out):
    """Find the rates, base to tip: the second half of algorithm 3, where `skip` is not set."""
    out_of_line()
    plus = A.scratch[1, 0]
    for i in range(len(tree.parent)):
        if skip[i]:
            continue
        parent_acceleration(tree, i, gravity, ws, A, plus)
        hinge_rate(tree, hold, i, gravity, ws, A, plus, beta_out)
        alpha = A.alpha[i]
        for k in range(6):
            alpha[k] = plus[k] + a[i, k]
        first, size = hinge(tree.kind[i], hold[i] != 0)
        at = tree.v_at[i]
        for k in range(size):
            alpha[first + k] += beta_out[at + k]
        if tree.kind[i] == FREE:
            for k in range(3):
                for j in range(3):
                    alpha[3 + k] -= ws.R[i, j, k] * gravity[j]
