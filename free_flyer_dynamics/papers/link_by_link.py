# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Every link integrated on its own, in non-minimal coordinates: [JainRodriguez] algorithm 7.

Nothing holds the links together but the accelerations, so hinges drift apart as the integrator
errs; `Links.drift` says by how much. A call of the integrator starts from the joints' coordinates
and ends with them: drift lives within `step(n)` and what the hinges forbid is dropped at its end.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from free_flyer_dynamics.checks import number
from free_flyer_dynamics.errors import CommandError
from free_flyer_dynamics.kernels import events
from free_flyer_dynamics.kernels.forward import displace
from free_flyer_dynamics.kernels.integrate import displacement_rate, joint_forces
from free_flyer_dynamics.kernels.kinematics import forward_kinematics
from free_flyer_dynamics.kernels.momentum import tree_centers, tree_momentum
from free_flyer_dynamics.kernels.rotation import quat_from_matrix
from free_flyer_dynamics.papers import dual
from free_flyer_dynamics.papers.doors import no_loops, of_world
from free_flyer_dynamics.papers.links import as_forest, outer_forces, own_rates
from free_flyer_dynamics.papers.recursion import inertias, make_recursion, residuals, smooth
from free_flyer_dynamics.structure import make_workspace, Structure
from free_flyer_dynamics.tree import FREE, Inputs, State, Tree
import numpy as np

if TYPE_CHECKING:
    from free_flyer_dynamics.readings import Readings


@dataclass
class Links:
    """Poses and twists of the links of a structure, each free of the others."""

    structure: Structure = field(repr=False)
    # What is not the links' own: holds, and the joints' coordinates of late.
    state: State = field(repr=False)
    inputs: Inputs = field(repr=False)  # held
    drift: tuple[float, float] = (0.0, 0.0)  # gap of a hinge [m], turn off its axis [rad]

    def __post_init__(self) -> None:
        """Start from where the joints put the links."""
        tree, ws = self.structure.tree, self.structure.workspace
        n = len(tree.parent)
        self._own = _apart(tree)
        self._workspace = make_workspace(n, 7 * n, 6 * n, n)
        forward_kinematics(tree, self.state.q, self.state.v, ws)
        self.q, self.v = np.zeros(7 * n), ws.v.ravel().copy()
        for i in range(n):
            self.q[7 * i : 7 * i + 3] = ws.x[i]
            quat_from_matrix(ws.R[i], self.q[7 * i + 3 : 7 * i + 7])
        self._room = np.zeros((4, 3, 3))
        self._A, self._B = make_recursion(n), dual.make_dual(n)

    def settle(self, q: np.ndarray, v: np.ndarray) -> None:
        """Fill workspaces, the joints' coordinates and the drift from the links' own."""
        own = self._workspace
        forward_kinematics(self._own, q, v, own)
        self.drift = as_forest(
            self.structure.tree,
            own.R,
            own.x,
            own.v,
            self._room,
            self.state.q,
            self.state.v,
            self.structure.workspace,
        )

    def rates(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return the rates of the links' twists, by lemma 3.2 for every link."""
        self.settle(q, v)
        inputs = self.inputs
        tree, ws, hold = self.structure.tree, self.structure.workspace, self.state.hold
        A, B, n = self._A, self._B, len(tree.parent)
        joint_forces(
            tree,
            self.state.q,
            self.state.v,
            self.state.slide,
            self.state.blocked,
            inputs.effort,
            ws.tau,
        )
        outer_forces(tree, inputs, ws, A.b)
        all_of_it = np.zeros(n, dtype=np.int64)
        inertias(tree, hold, all_of_it, ws, A)
        residuals(tree, hold, all_of_it, ws.tau, A.b, ws.c, ws, A)
        dual.gather(tree, ws, A, B)
        dual.dual(tree, hold, ws.tau, A.b, ws.c, ws, B)
        dual.link_accelerations(tree, 0, n, ws.c, A, B, np.zeros((2, 6, 6)))
        free = (tree.root >= 0).astype(np.int64)
        smooth(tree, hold, free, inputs.gravity, ws.c, ws, A, np.zeros(self.structure.nv))
        vdot = np.zeros(6 * n)
        own_rates(inputs.gravity, ws.R, A.alpha, vdot)
        return vdot

    def step(self, h: float) -> None:
        """Advance every link by h [s] on its own, classical Runge-Kutta."""
        h = number(h, 'h')
        own, tree = self._workspace, self._own
        own.delta[:], own.vel[:] = 0.0, self.v
        for stage, reach in enumerate((0.5 * h, 0.5 * h, h, 0.0)):
            displace(tree, self.q, own.delta, own.q)
            own.k[stage] = self.rates(own.q, own.vel)
            displacement_rate(tree, own.delta, own.vel, own, own.d[stage])
            own.delta[:] = reach * own.d[stage]
            own.vel[:] = self.v + reach * own.k[stage]
        weights = h / 6 * np.array([1.0, 2.0, 2.0, 1.0])
        displace(tree, self.q, weights @ own.d, own.q)
        self.q[:] = own.q
        self.v += weights @ own.k

    def momentum(self) -> np.ndarray:
        """Return the momentum of every free tree about the world origin, (roots, 6)."""
        self.settle(self.q, self.v)
        out = np.zeros_like(self.state.momentum)
        tree_momentum(self.structure.tree, self.structure.workspace, out)
        return out


def _apart(tree: Tree) -> Tree:
    """Return the forest with every link a free root."""
    n = len(tree.parent)
    at = np.arange(n)
    return tree._replace(
        parent=np.full(n, -1),
        kind=np.full(n, FREE),
        q_at=7 * at,
        v_at=6 * at,
        root=at,
        loops=type(tree.loops)(*(column[:0] for column in tree.loops)),
    )


def links_apart(sim: Readings) -> Links:
    """Return the links of a world from here on each on their own, to `step` and see them drift."""
    structure, state = of_world(sim)
    return _let_go(structure, state, sim._inputs)


def _let_go(structure: Structure, state: State, inputs: Inputs) -> Links:
    """Return the links of a state on their own; refuse what they would pass without notice."""
    no_loops(structure, 'link_by_link')
    tree = structure.tree
    if events.may_happen(tree, state, inputs) or state.hold.any() or tree.friction.any():
        raise CommandError(
            "'link_by_link' does not see stops, dry friction and speed limits, and this robot has "
            "some. Take 'rk4' or 'dop853'."
        )
    return Links(structure, State(*(column.copy() for column in state)), inputs)


def link_by_link(structure: Structure, state: State, inputs: Inputs, dt: float, count: int) -> int:
    """
    Advance by count steps of dt, links each on their own; return how many were done.

    Stops, dry friction and speed limits need a step that is cut: they are refused.
    """
    tree, links = structure.tree, _let_go(structure, state, inputs)
    for n in range(count):
        links.step(dt)
        if not np.isfinite(links.v).all():
            return n
        momentum = links.momentum()
        state.q[:], state.v[:] = links.state.q, links.state.v
        state.momentum[:] = momentum
        tree_centers(tree, structure.workspace, structure.workspace.pA)
        state.center[:] = 0.0
        state.center[:, :3] = structure.workspace.pA[: structure.roots, :3]
    return count
