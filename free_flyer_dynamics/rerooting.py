# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
A chain that flies free, held at its middle while it moves: two halves side by side.

What is the base changes no motion. So a motion may hang the tree on any body it likes, as long as
who looks finds the base that was chosen.
"""

from __future__ import annotations

from collections.abc import Callable

from free_flyer_dynamics.engine import Engine
from free_flyer_dynamics.kernels.lanes import WIDEST
from free_flyer_dynamics.motions import EngineMotion, Motion
from free_flyer_dynamics.pace import Pace
from free_flyer_dynamics.structure import compile_assembly, Structure
from free_flyer_dynamics.transfer import motion_of, move, state_from
from free_flyer_dynamics.tree import FREE, Inputs, MARKS, REVOLUTE, State
import numpy as np

LONG = 6  # rows of one lane; what less gains is lost again where its base is looked at
WORTH = 0.75  # of its rows are at most left

InputsOf = Callable[[Structure], Inputs]


def halves(limbs: int, joints: int) -> int:
    """Return how many runs are walked side by side: a long limb that flies free is two."""
    return 2 if limbs == 1 and joints >= LONG else limbs


class RerootedMotion:
    """
    A motion on the tree that is seen until the first step, then on one that is quicker to walk.

    Nothing seen is taken back: however often one looks, the motion is the same to the last bit.
    """

    def __init__(self, plain: EngineMotion, coordinates: np.ndarray, inputs_of: InputsOf) -> None:
        self._plain, self._coordinates, self._inputs_of = plain, coordinates, inputs_of
        self.inner = plain
        self._waits = True  # to look for another tree
        self._moved = self._is_old = False  # what is seen: not the start, or not up to date

    @property
    def structure(self) -> Structure:
        """Return the structure that inputs are wanted for."""
        return self.inner.structure

    @property
    def state(self) -> State:
        """Return the state as it is seen."""
        if self._is_old:
            self._look()
            self._is_old = False
        return self._plain.state

    def under_way(self) -> tuple[Structure, State, Inputs]:
        """Return structure, state and inputs of its own, to read what asks for no base."""
        if self._moved:
            return self.inner.under_way()
        seen = self._plain.structure
        return seen, self._plain.state, self._inputs_of(seen)

    def _set_out(self) -> None:
        """Go over to another tree, if there is one that is worth it."""
        self._waits = False
        seen = self._plain.structure
        if not ((seen.tree.kind == FREE) | (seen.tree.kind == REVOLUTE)).all():
            return
        middle = int(seen.plan.node_link[_middle(seen.tree.parent.tolist())])
        base = int(seen.plan.node_link[_root(seen)])
        bases = tuple(middle if b == base else b for b in seen.assembly.bases)
        other = compile_assembly(seen.assembly.changed(bases=bases), self._coordinates)
        inputs = self._inputs_of(other)
        inner = EngineMotion(other, Engine(other, None, inputs), inputs)
        if inner.rows <= WORTH * self._plain.rows:
            self.inner = inner
            edge = seen.plan.node_edge
            self._node = np.where(edge >= 0, other.plan.edge_node[edge], _root(other))
            self._start()

    def _start(self) -> None:
        """Let its own state be the one that is seen."""
        inner, seen = self.inner, self._plain
        now = motion_of(seen.structure, seen.state, self._coordinates)
        start = state_from(inner.structure, now)  # of a kernel that a start has compiled
        inner.state.q[:], inner.state.v[:] = start.q, start.v
        inner.state.momentum[:], inner.state.center[:] = seen.state.momentum, seen.state.center
        for name in MARKS:
            getattr(inner.state, name)[self._node] = getattr(seen.state, name)

    def _look(self) -> None:
        """Let the state that is seen be its own."""
        inner, seen = self.inner, self._plain
        now = motion_of(inner.structure, inner.state, self._coordinates)
        move(seen.structure, now, seen.state)
        seen.state.momentum[:], seen.state.center[:] = inner.state.momentum, inner.state.center
        for name in MARKS:
            getattr(seen.state, name)[:] = getattr(inner.state, name)[self._node]

    def start_again(self) -> None:
        """Go on from what is seen, as whoever is given it will."""
        if self.inner is not self._plain and self._moved:
            _ = self.state  # which looks
            self._start()
            self._moved = False

    def take(self, inputs: Inputs) -> None:
        """Let other inputs act from now on: those of its own structure."""
        self.inner.take(inputs)

    def advance(self, dt: float, count: int, pace: Pace | None = None) -> int:
        """Advance by count steps of dt; return how many were done, see `Motion`."""
        if self._waits:
            self._set_out()
        if count > 0:
            self._moved = True
            self._is_old = self.inner is not self._plain
        if pace is not None:
            return self.inner.advance(dt, count, pace)
        run = (
            self.inner.engine.run
        )  # not by way of the inner one: a call is a tenth of what it costs
        code = run(dt, count)
        return code if code >= 0 else self.inner.go_on(code, run, dt, count)

    def momentum(self) -> np.ndarray | None:
        """Return mass, mass times centre, angular and linear momentum; see `Engine.momentum`."""
        return (self.inner if self._moved else self._plain).momentum()

    def margin(self) -> None:
        """Return nothing: there are no loops."""
        return None


def reroot(motion: Motion, coordinates: np.ndarray, inputs_of: InputsOf) -> Motion:
    """Return the motion on a tree that may be quicker to walk, or, if there is none, as it is."""
    if not isinstance(motion, EngineMotion) or motion.lanes > 1 or motion.rows < LONG:
        return motion
    seen = motion.structure
    if WIDEST == 1 or seen.loops or seen.held or seen.roots > 1 or seen.massless:
        return motion
    return RerootedMotion(motion, coordinates, inputs_of)


def _root(structure: Structure) -> int:
    """Return the one free root."""
    return int(np.flatnonzero(structure.tree.kind == FREE)[0])


def _middle(parents: list[int]) -> int:
    """Return the node half way from the root to the node that is farthest from it."""
    depth = [0] * len(parents)
    for i, parent in enumerate(parents):
        depth[i] = depth[parent] + 1 if parent >= 0 else 0
    node = depth.index(max(depth))
    for _ in range(depth[node] // 2):
        node = parents[node]
    return node
