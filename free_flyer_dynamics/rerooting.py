# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
A long chain that flies free, held at its middle while it moves: two halves side by side.

What is the base changes no motion. So a motion may hang the tree on any body it likes, as long as
who looks finds the base that was chosen.
"""

from __future__ import annotations

from collections.abc import Callable

from free_flyer_dynamics.engine import Engine
from free_flyer_dynamics.motions import EngineMotion, Motion
from free_flyer_dynamics.structure import compile_assembly, Structure
from free_flyer_dynamics.transfer import motion_of, move, state_from
from free_flyer_dynamics.tree import FREE, Inputs, MARKS, REVOLUTE, State
import numpy as np

LONG = 12  # rows of one lane; what less gains is lost again where its base is looked at
WORTH = 0.75  # of its rows are at most left

InputsOf = Callable[[Structure], Inputs]


class RerootedMotion:
    """
    An engine's motion on a tree of its own; `state`, that of the structure which is seen.

    Nothing seen is taken back: however often one looks, the motion is the same to the last bit.
    """

    def __init__(
        self, seen: Structure, state: State, coordinates: np.ndarray, inner: EngineMotion
    ) -> None:
        self._seen, self._coordinates, self.inner = seen, coordinates, inner
        self._state, self._is_old = state, False
        edge, root = seen.plan.node_edge, _roots(inner.structure)[0]
        self._node = np.where(edge >= 0, inner.structure.plan.edge_node[edge], root)
        for name in MARKS:
            getattr(inner.state, name)[self._node] = getattr(state, name)
        inner.state.momentum[:], inner.state.center[:] = state.momentum, state.center

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
        return self._state

    def under_way(self) -> tuple[Structure, State, Inputs]:
        """Return structure, state and inputs of its own, to read what asks for no base."""
        return self.inner.under_way()

    def _look(self) -> None:
        inner = self.inner
        now = motion_of(inner.structure, inner.state, self._coordinates)
        move(self._seen, now, self._state)
        self._state.momentum[:], self._state.center[:] = inner.state.momentum, inner.state.center
        for name in MARKS:
            getattr(self._state, name)[:] = getattr(inner.state, name)[self._node]

    def take(self, inputs: Inputs) -> None:
        """Let other inputs act from now on: those of its own structure."""
        self.inner.take(inputs)

    def advance(self, dt: float, count: int) -> int:
        """Advance by count steps of dt; return how many were done: fewer when one went bad."""
        self._is_old = self._is_old or count > 0
        return self.inner.advance(dt, count)

    def momentum(self) -> np.ndarray | None:
        """Return mass, mass times centre, angular and linear momentum; see `Engine.momentum`."""
        return self.inner.momentum()

    def margin(self) -> None:
        """Return nothing: there are no loops."""
        return None


def reroot(motion: Motion, coordinates: np.ndarray, inputs_of: InputsOf) -> Motion:
    """Return the motion on a tree that is quicker to walk, or, if there is none, as it is."""
    if not isinstance(motion, EngineMotion) or motion.lanes > 1 or motion.rows < LONG:
        return motion
    seen, tree = motion.structure, motion.structure.tree
    hinges = ((tree.kind == FREE) | (tree.kind == REVOLUTE)).all()
    if seen.loops or seen.held or seen.roots > 1 or seen.massless or not hinges:
        return motion
    middle = int(seen.plan.node_link[_middle(tree.parent.tolist())])
    (root,) = _roots(seen)
    base = int(seen.plan.node_link[root])
    bases = tuple(middle if b == base else b for b in seen.assembly.bases)
    other = compile_assembly(seen.assembly.changed(bases=bases), coordinates)
    now = motion_of(seen, motion.state, coordinates)
    inputs = inputs_of(other)
    inner = EngineMotion(other, Engine(other, state_from(other, now), inputs), inputs)
    if inner.rows > WORTH * motion.rows:
        return motion
    return RerootedMotion(seen, motion.state, coordinates, inner)


def _roots(structure: Structure) -> np.ndarray:
    return np.flatnonzero(structure.tree.kind == FREE)


def _middle(parents: list[int]) -> int:
    """Return the node half way from the root to the node that is farthest from it."""
    depth = [0] * len(parents)
    for i, parent in enumerate(parents):
        depth[i] = depth[parent] + 1 if parent >= 0 else 0
    node = depth.index(max(depth))
    for _ in range(depth[node] // 2):
        node = parents[node]
    return node
