# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Forward dynamics by P and S that meet half way along a chain: half as deep. [JainRodriguez]."""

from __future__ import annotations

from concurrent.futures import Executor

from free_flyer_dynamics import dynamics
from free_flyer_dynamics.papers import halves
from free_flyer_dynamics.papers.base_invariant import branches
from free_flyer_dynamics.papers.doors import no_loops, room_of, together
from free_flyer_dynamics.papers.dual import make_dual
from free_flyer_dynamics.papers.recursion import (
    add_forces,
    add_inertias,
    load,
    make_recursion,
    own_forces,
    own_inertias,
    smooth,
)
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import Inputs, State
import numpy as np


def met(
    structure: Structure, state: State, inputs: Inputs, threads: Executor | None = None
) -> tuple[np.ndarray, int]:
    """
    Return the rates, and how many hinges had to be passed one after another: half of a chain's.

    Unlike [JainRodriguez] algorithm 6, where each recursion goes all the way and every link is a
    base. On threads, if there are some, the halves of a chain are passed at once; with branches
    the way from the base waits for what hangs beside it.
    """
    no_loops(structure, 'base_invariant')
    tree, ws, n = structure.tree, structure.workspace, len(structure.tree.parent)
    hold, gravity = state.hold, inputs.gravity
    A = room_of(structure, 'P', lambda: make_recursion(n))
    B = room_of(structure, 'S', lambda: make_dual(n))
    tau = dynamics.applied_forces(structure, state, inputs)
    rates = np.zeros(structure.nv)
    path, *room = np.zeros((5, n), dtype=np.int64)
    halves.halve(tree, *room, path)
    load(tree, state.q, state.v, inputs, ws, A)
    own_inertias(tree, A)
    own_forces(A.b, A)
    if branches(structure):
        threads = None

    def outboard() -> None:
        add_inertias(tree, hold, path, ws, A)
        add_forces(tree, hold, path, tau, ws.c, ws, A)

    def back_inboard() -> None:
        halves.outward(tree, hold, path, gravity, ws.c, ws, A, B, rates)

    together(threads, outboard, lambda: halves.inward(tree, hold, path, tau, ws.c, ws, A, B))
    halves.meet(tree, path, A, B)
    together(threads, back_inboard, lambda: smooth(tree, hold, path, gravity, ws.c, ws, A, rates))
    return rates, int(halves.hinges_in_a_row(tree, path, room[0], room[1]))
