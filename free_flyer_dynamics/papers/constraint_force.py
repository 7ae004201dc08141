# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
The constraint force algorithm: M^-1 = C - B* A'^-1 B, a Schur complement. [Fijany].

What branches is not refused: the longest chain from every base is solved by the paper, and side
branches lie on its links by the tree's own factorisation, P+ and z+ of [JainRodriguez]. A free
base is the paper's rank-one change; an anchored root is the paper's fixed base. Refused: closed
loops, and a link without mass between joints, for it inverts every inertia.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial

from free_flyer_dynamics import dynamics
from free_flyer_dynamics.errors import CommandError
from free_flyer_dynamics.papers import schur, tridiagonal
from free_flyer_dynamics.papers.doors import no_loops, pieces, room_of, together
from free_flyer_dynamics.papers.recursion import (
    inertias,
    load,
    make_recursion,
    residuals,
    smooth,
)
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import Inputs, State
import numpy as np

GRAIN = 256  # a level with fewer blocks is done sooner than it is handed to threads


@dataclass(frozen=True)
class Count:
    """What a solution took: blocks of A', and levels that had to wait for one another."""

    blocks: int
    depth: int


def constraint_force(structure: Structure, state: State, inputs: Inputs) -> np.ndarray:
    """Return the rates by constraint forces, A' solved block after block at O(N)."""
    return solved(structure, state, inputs)[0]


def solved(
    structure: Structure,
    state: State,
    inputs: Inputs,
    solver: str = 'serial',
    threads: Executor | None = None,
) -> tuple[np.ndarray, Count]:
    """
    Return the rates, and the count of what the block tridiagonal solution took.

    Parameters
    ----------
    structure, state, inputs
        As of every algorithm.
    solver : str
        'serial', N blocks deep; or 'odd_even', cyclic reduction, ceil(log2 N) levels deep.
    threads : Executor, optional
        Run what is each link's own, and the blocks of every level of odd_even, on these.

    """
    no_loops(structure, 'constraint_force')
    tree, ws, n = structure.tree, structure.workspace, len(structure.tree.parent)
    hold, gravity = state.hold, inputs.gravity
    A = room_of(structure, 'P', lambda: make_recursion(n))
    C = room_of(structure, 'chains', lambda: _chains(structure))
    m = len(C.chain)
    tau = dynamics.applied_forces(structure, state, inputs)
    rates = np.zeros(structure.nv)
    load(tree, state.q, state.v, inputs, ws, A)
    inertias(tree, hold, C.on_chain, ws, A)
    residuals(tree, hold, C.on_chain, tau, A.b, ws.c, ws, A)

    def deal(count: int, work: Callable[[int, int, np.ndarray], int | None]) -> list:
        shares = pieces(structure, threads, count, GRAIN)
        return together(threads, *(partial(work, *share) for share in shares))

    bad = deal(n, lambda a, b, s: schur.free_links(tree, hold, a, b, tau, A, C, s[0]))
    if max(bad) >= 0:
        raise _massless(structure, max(bad))
    deal(m, lambda a, b, s: schur.blocks(tree, hold, a, b, gravity, ws, C, s))
    count = _solve(m, C, solver, threads, deal)
    deal(m, lambda a, b, _: schur.interbody_forces(a, b, C))
    deal(n, lambda a, b, _: schur.accelerate(tree, a, b, ws, A, C))
    deal(
        n,
        lambda a, b, s: schur.chain_rates(tree, hold, a, b, gravity, ws, A, C, s[0, 0], rates),
    )
    if not C.on_chain.all():
        smooth(tree, hold, C.on_chain, gravity, ws.c, ws, A, rates)
    return rates, count


def _chains(structure: Structure) -> schur.Schur:
    n = len(structure.tree.parent)
    height, on_chain, following, chain = (np.zeros(n, dtype=np.int64) for _ in range(4))
    count = schur.main_chains(structure.tree, height, on_chain, following, chain)
    return schur.make_schur(chain[:count], on_chain, following)


def _solve(m: int, C: schur.Schur, solver: str, threads: Executor | None, deal) -> Count:
    if solver not in ('serial', 'odd_even'):
        raise CommandError(f"No solver is named '{solver}'. Known: odd_even, serial.")
    if not m:
        return Count(0, 0)
    if solver == 'serial':
        tridiagonal.serial(m, C)
        return Count(m, m)
    if threads is None:
        return Count(m, int(deal(m, lambda _a, _b, s: tridiagonal.odd_even(m, C, s[0]))[0]))
    stride, levels = 1, 0
    while stride < m:
        odd, even = (m - 1 - stride) // (2 * stride) + 1, (m - 1) // (2 * stride) + 1
        deal(odd, lambda a, b, s, at=stride: tridiagonal.eliminate(m, at, a, b, C, s[0]))
        deal(even, lambda a, b, _, at=stride: tridiagonal.reduce(m, at, a, b, C))
        stride, levels = 2 * stride, levels + 1
    deal(1, lambda _a, _b, s: tridiagonal.last_one(C, s[0]))
    while stride > 1:
        stride //= 2
        odd = (m - 1 - stride) // (2 * stride) + 1
        deal(odd, lambda a, b, _, at=stride: tridiagonal.restore(m, at, a, b, C))
    return Count(m, levels)


def _massless(structure: Structure, node: int) -> CommandError:
    link = structure.assembly.link_name(int(structure.plan.node_link[node]))
    return CommandError(
        f"'constraint_force' inverts the inertia of every link, and '{link}' has none between its "
        "joints. Give it some, lock one of its joints, or take 'articulated_body', "
        "'base_invariant' or 'spatial_operator'."
    )
