# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Public doors to the kernels: check, allocate, call, return. Nothing here changes a state."""

from __future__ import annotations

from collections.abc import Callable

from free_flyer_dynamics.errors import CommandError
from free_flyer_dynamics.kernels import aba, crba, loops, rnea
from free_flyer_dynamics.kernels.forward import forward_dynamics
from free_flyer_dynamics.kernels.integrate import joint_forces
from free_flyer_dynamics.kernels.jacobian import fold_base, point_jacobian, unit_responses
from free_flyer_dynamics.kernels.kinematics import forward_kinematics
from free_flyer_dynamics.kernels.links import link_pose
from free_flyer_dynamics.kernels.loops import position_errors
from free_flyer_dynamics.kernels.momentum import links_momentum, tree_momentum
from free_flyer_dynamics.kernels.spatial import cholesky, cholesky_solve
from free_flyer_dynamics.structure import free_columns, Structure
from free_flyer_dynamics.tree import FREE, Inputs, State
from free_flyer_dynamics.values import Momentum, Residuals
import numpy as np


def applied_forces(structure: Structure, state: State, inputs: Inputs) -> np.ndarray:
    """Return the forces at the joints: drives, less damping and dry friction. Shape (nv,)."""
    tau = np.zeros(structure.nv)
    joint_forces(
        structure.tree, state.q, state.v, state.slide, state.blocked, inputs.effort, tau
    )
    return tau


def articulated_body(structure: Structure, state: State, inputs: Inputs) -> np.ndarray:
    """Return the rates of v by articulated-body inertias. Shape (nv,)."""
    vdot = np.zeros(structure.nv)
    tau = applied_forces(structure, state, inputs)
    forward_dynamics(
        structure.tree, state.q, state.v, state.hold, inputs, tau, structure.workspace, vdot
    )
    return vdot


def by_mass_matrix(structure: Structure, state: State, inputs: Inputs) -> np.ndarray:
    """Return the rates of v from H vdot = tau - bias, H by composite bodies. Shape (nv,)."""
    tau = applied_forces(structure, state, inputs)
    tau -= generalized_forces(structure, state, inputs, np.zeros(structure.nv))
    H = mass_matrix(structure, state)
    moving = np.ones(structure.nv, dtype=bool)
    moving[structure.tree.v_at[state.hold != 0]] = False
    rows = np.flatnonzero(moving)
    factor = np.zeros((len(rows), len(rows)))
    cholesky(H[np.ix_(rows, rows)], len(rows), factor)
    solution = tau[rows]
    cholesky_solve(factor, len(rows), solution)
    vdot = np.zeros(structure.nv)
    vdot[rows] = solution
    return vdot


def loop_rank(structure: Structure, state: State) -> int:
    """Return how many freedoms the loops take at a state."""
    if not len(structure.tree.loops.kind):
        return 0
    refresh(structure, state)
    ws = structure.workspace
    aba.articulate(structure.tree, np.zeros_like(state.hold), ws)
    loops.loop_transforms(structure.tree, ws)
    return int(
        loops.factor_loops(
            structure.tree, np.zeros_like(state.hold), ws, np.zeros(structure.nv)
        )
    )


ALGORITHMS: dict[str, Callable[[Structure, State, Inputs], np.ndarray]] = {
    'articulated_body': articulated_body,
    'mass_matrix': by_mass_matrix,
}


def algorithm(name: str) -> Callable[[Structure, State, Inputs], np.ndarray]:
    """Return the forward dynamics of that name."""
    try:
        return ALGORITHMS[name]
    except KeyError:
        raise CommandError(
            f"No algorithm is named '{name}'. Known: {', '.join(sorted(ALGORITHMS))}."
        ) from None


def generalized_forces(
    structure: Structure, state: State, inputs: Inputs, vdot: np.ndarray
) -> np.ndarray:
    """Return the forces at joints and free roots that the rates vdot take. Shape (nv,)."""
    tau = np.zeros(structure.nv)
    rnea.inverse_dynamics(
        structure.tree, state.q, state.v, inputs, vdot, structure.workspace, tau
    )
    return tau


def free_base_forces(
    structure: Structure, state: State, inputs: Inputs, vdot: np.ndarray
) -> np.ndarray:
    """
    Return the forces at the joints that their rates take when nothing holds the bases.

    The bases' entries of vdot are made what the joints make of them. Hybrid dynamics with the
    joints given: [RBDA] section 9.3.
    """
    tree = structure.tree
    vdot = vdot.copy()
    bases = np.flatnonzero(tree.kind == FREE)
    for i in bases:
        vdot[tree.v_at[i] : tree.v_at[i] + 6] = 0.0
    tau = generalized_forces(structure, state, inputs, vdot)
    crba.composite_inertias(tree, structure.workspace)
    for i in bases:
        columns = slice(tree.v_at[i], tree.v_at[i] + 6)
        vdot[columns] = -np.linalg.solve(structure.workspace.IA[i], tau[columns])
    return generalized_forces(structure, state, inputs, vdot)


def refresh(structure: Structure, state: State) -> None:
    """Fill the workspace with poses and twists of the present state."""
    forward_kinematics(structure.tree, state.q, state.v, structure.workspace)


def mass_matrix(structure: Structure, state: State) -> np.ndarray:
    """Return the inertia matrix in the order of v."""
    refresh(structure, state)
    H = np.zeros((structure.nv, structure.nv))
    crba.mass_matrix(structure.tree, structure.workspace, H)
    return H


def jacobian(structure: Structure, state: State, link: int) -> np.ndarray:
    """Return the Jacobian of a link's origin in the order of v, angular rows first, world axes."""
    refresh(structure, state)
    ws = structure.workspace
    link_pose(structure.plan, link, ws, structure.turns[0], structure.shifts[0])
    J = np.zeros((6, structure.nv))
    point_jacobian(structure.tree, structure.plan.link_node[link], structure.shifts[0], ws, J)
    return J


def generalized_jacobian(structure: Structure, state: State, link: int) -> np.ndarray:
    """Return the Jacobian of a link with the base answering, in the order of v; [Dimitrov] (E.7)."""
    J = jacobian(structure, state, link)
    node = structure.plan.link_node[link]
    if node < 0 or structure.tree.root[node] < 0:
        return J  # anchored: no base answers
    base = int(np.flatnonzero((structure.tree.kind == FREE) & (
        structure.tree.root == structure.tree.root[node]
    ))[0])  # fmt: skip
    H = mass_matrix(structure, state)
    G = np.zeros_like(J)
    fold_base(structure.tree, base, H, J, np.zeros((6, 6)), np.zeros(6), G)
    return G


def operational_inertia(structure: Structure, state: State, link: int) -> np.ndarray:
    """
    Return the operational-space inertia at a link's origin, world axes, angular first.

    Where a link cannot move at all in some direction, as in an anchored robot with few joints, that
    direction has no finite inertia and comes out as zero: the pseudo-inverse.
    """
    if structure.plan.link_node[link] < 0:
        return np.zeros((6, 6))
    refresh(structure, state)
    ws = structure.workspace
    aba.articulate(structure.tree, state.hold, ws)
    Y = np.zeros((6, 6))
    unit_responses(
        structure.plan,
        link,
        state.hold,
        ws,
        structure.turns,
        structure.shifts,
        np.zeros(structure.nv),
        Y,
    )
    Y = 0.5 * (Y + Y.T)
    if structure.tree.root[structure.plan.link_node[link]] >= 0:
        return np.linalg.inv(Y)
    return np.linalg.pinv(Y, rcond=1e-12, hermitian=True)


def momentum(structure: Structure, state: State, first: int, last: int) -> Momentum:
    """Return the momentum of links first to last - 1."""
    refresh(structure, state)
    sums = np.zeros(11)
    links = structure.assembly.links
    links_momentum(links, structure.plan, first, last, structure.workspace, sums)
    mass = float(sums[0])
    center = sums[1:4] / mass if mass else np.zeros(3)
    angular, linear = sums[4:7], sums[7:10]
    return Momentum(
        mass, center, linear, angular, angular - np.cross(center, linear), float(sums[10])
    )


def residuals(structure: Structure, state: State) -> Residuals:
    """Return how far momentum is from its own law, and loops from being closed."""
    refresh(structure, state)
    ws = structure.workspace
    tree_momentum(structure.tree, ws, ws.pA)
    astray = ws.pA[: structure.roots] - state.momentum
    return Residuals(
        float(np.max(np.abs(astray), initial=0.0)), float(position_errors(structure.tree, ws))
    )


def user_mass_matrix(structure: Structure, state: State) -> np.ndarray:
    """Return the inertia matrix with the bases first, then the joints that move, by name order."""
    columns = free_columns(structure)
    return mass_matrix(structure, state)[np.ix_(columns, columns)]
