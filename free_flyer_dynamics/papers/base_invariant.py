# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Base-invariant symmetric dynamics: two recursions, P and S, and no base chosen. [JainRodriguez].

Algorithm 6 for forests, joints of every kind and a wrench on the base. Closed loops are refused.
"""

from __future__ import annotations

from concurrent.futures import Executor
from functools import partial

from free_flyer_dynamics import dynamics
from free_flyer_dynamics.papers import dual
from free_flyer_dynamics.papers.doors import no_loops, pieces, room_of, together
from free_flyer_dynamics.papers.recursion import (
    inertias,
    load,
    make_recursion,
    residuals,
    smooth,
)
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import FREE, Inputs, State
import numpy as np


def base_invariant(structure: Structure, state: State, inputs: Inputs) -> np.ndarray:
    """Return the rates by algorithm 6: every link its own base."""
    return decoupled(structure, state, inputs)


def decoupled(
    structure: Structure, state: State, inputs: Inputs, threads: Executor | None = None
) -> np.ndarray:
    """
    Return the rates by algorithm 6, on threads if there are some.

    In a chain the two recursions run at once; with branches S waits for P of the links beside
    it. Accelerations are each link's own affair: the links are dealt to the threads.
    """
    no_loops(structure, 'base_invariant')
    tree, ws, n = structure.tree, structure.workspace, len(structure.tree.parent)
    A = room_of(structure, 'P', lambda: make_recursion(n))
    B = room_of(structure, 'S', lambda: dual.make_dual(n))
    tau = dynamics.applied_forces(structure, state, inputs)
    rates = np.zeros(structure.nv)
    all_of_it = np.zeros(n, dtype=np.int64)
    load(tree, state.q, state.v, inputs, ws, A)

    def outboard() -> None:
        inertias(tree, state.hold, all_of_it, ws, A)
        residuals(tree, state.hold, all_of_it, tau, A.b, ws.c, ws, A)

    def inboard() -> None:
        dual.dual(tree, state.hold, tau, A.b, ws.c, ws, B)

    if threads is None or branches(structure):
        outboard()
        if branches(structure):
            dual.gather(tree, ws, A, B)
        inboard()
    else:
        together(threads, outboard, inboard)
    shares = pieces(structure, threads, n, 1)

    def accelerate(low: int, high: int, scratch: np.ndarray) -> None:
        dual.link_accelerations(tree, low, high, ws.c, A, B, scratch)

    def differ(low: int, high: int, scratch: np.ndarray) -> None:
        plus = scratch[0, 0]
        dual.hinge_rates(tree, state.hold, low, high, inputs.gravity, ws, A, plus, rates)

    for work in (accelerate, differ):
        together(threads, *(partial(work, *share) for share in shares))
    if (tree.root < 0).any():  # anchored: the world is the only base, algorithm 3
        free = (tree.root >= 0).astype(np.int64)
        smooth(tree, state.hold, free, inputs.gravity, ws.c, ws, A, rates)
    return rates


def branches(structure: Structure) -> bool:
    """Tell whether any link carries more than one other."""
    parents = structure.tree.parent[structure.tree.parent >= 0]
    return len(np.unique(parents)) < len(parents)


def depth(structure: Structure) -> tuple[int, int]:
    """
    Return how many links in sequence algorithm 6 has to wait for: first for any, then for all.

    The first link knows its acceleration when both recursions have come to it, half way along a
    chain; the last one when each has gone all the way.
    """
    tree, n = structure.tree, len(structure.tree.parent)
    up, down = np.ones(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    for i in range(n - 1, -1, -1):
        p = tree.parent[i]
        if p >= 0:
            up[p] = max(up[p], up[i] + 1)
    children: list[list[int]] = [[] for _ in range(n)]
    for i in range(n):
        if tree.parent[i] >= 0:
            children[tree.parent[i]].append(i)
    for p in range(n):
        for i in children[p]:
            beside = max((up[j] for j in children[p] if j != i), default=0)
            down[i] = 1 + max(down[p], beside)
    free = tree.root >= 0
    done = np.maximum(up, down)[free | (tree.kind == FREE)]
    return int(done.min(initial=n)), int(done.max(initial=0))
