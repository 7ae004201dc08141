# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Operational-space inertia of every link in one pass: [JainRodriguez] algorithm 8."""

from __future__ import annotations

from free_flyer_dynamics import dynamics
from free_flyer_dynamics.papers.doors import no_loops, room_of
from free_flyer_dynamics.papers.dual import Dual, dual, gather, make_dual
from free_flyer_dynamics.papers.mobility import inverse_inertias
from free_flyer_dynamics.papers.recursion import inertias, make_recursion, Recursion
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import State
import numpy as np


def both_recursions(structure: Structure, state: State) -> tuple[Recursion, Dual]:
    """Return P and S of every link at a state: steps 1 of algorithm 8. Residuals mean nothing."""
    no_loops(structure, 'base_invariant')
    tree, ws, n = structure.tree, structure.workspace, len(structure.tree.parent)
    A = room_of(structure, 'P', lambda: make_recursion(n))
    B = room_of(structure, 'S', lambda: make_dual(n))
    dynamics.refresh(structure, state)
    inertias(tree, state.hold, np.zeros(n, dtype=np.int64), ws, A)
    gather(tree, ws, A, B)
    nothing = np.zeros((n, 6))
    dual(tree, state.hold, np.zeros(structure.nv), nothing, nothing, ws, B)
    return A, B


def operational_inertias(
    structure: Structure, state: State, links: np.ndarray | None = None
) -> np.ndarray:
    """
    Return the operational-space inertia at links' origins, world axes, angular first, O(n).

    Of these links, else of all; (links, 6, 6). The world, link 0, has zeros, as have directions in
    which an anchored link cannot move: the pseudo-inverse.
    """
    A, B = both_recursions(structure, state)
    tree, plan, ws = structure.tree, structure.plan, structure.workspace
    at_node = A.P + B.S
    anchored = tree.root < 0
    mobility = np.zeros_like(at_node)
    if anchored.any():
        inverse_inertias(tree, state.hold, ws, A, mobility)
    asked = np.arange(len(plan.link_node)) if links is None else links
    out = np.zeros((len(asked), 6, 6))
    on = np.flatnonzero(plan.link_node[asked] >= 0)
    i = plan.link_node[asked[on]]
    # Twists of the node, in its axes, to those of the link's origin, in world axes: X.
    x, y, z = plan.link_position[asked[on]].T
    none = np.zeros_like(x)
    cross = np.array([[none, -z, y], [z, none, -x], [-y, x, none]]).transpose(2, 0, 1)
    X = np.zeros((len(on), 6, 6))
    X[:, :3, :3] = X[:, 3:, 3:] = ws.R[i]
    X[:, 3:, :3] = -ws.R[i] @ cross
    inverse = np.linalg.inv(X)
    out[on] = inverse.transpose(0, 2, 1) @ at_node[i] @ inverse
    held = anchored[i]
    if held.any():
        Y = X[held] @ mobility[i[held]] @ X[held].transpose(0, 2, 1)
        out[on[held]] = np.linalg.pinv(0.5 * (Y + Y.transpose(0, 2, 1)), 1e-12, hermitian=True)
    return 0.5 * (out + out.transpose(0, 2, 1))
