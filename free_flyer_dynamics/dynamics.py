# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Public doors to the kernels: check, allocate, call, return. Nothing here changes a state."""

from __future__ import annotations

from free_flyer_dynamics.direct import Direct
from free_flyer_dynamics.kernels import aba, crba, loop_motion, loops, ranks, rnea
from free_flyer_dynamics.kernels.integrate import joint_forces
from free_flyer_dynamics.kernels.jacobian import fold_base, point_jacobian, unit_responses
from free_flyer_dynamics.kernels.kinematics import accelerations, forward_kinematics
from free_flyer_dynamics.kernels.links import link_pose
from free_flyer_dynamics.kernels.momentum import links_momentum
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import FREE, Inputs, State
from free_flyer_dynamics.user_order import to_user
from free_flyer_dynamics.values import Momentum
import numpy as np

# What a controller asks for each millisecond.
_kinematics, _joint_forces = Direct(forward_kinematics), Direct(joint_forces)
_mass_matrix, _links_momentum = Direct(crba.mass_matrix), Direct(links_momentum)


def applied_forces(structure: Structure, state: State, inputs: Inputs) -> np.ndarray:
    """Return the forces at the joints: drives, less damping and dry friction. Shape (nv,)."""
    tau = np.zeros(structure.nv)
    at = state.q, state.v, state.slide, state.blocked
    _joint_forces(structure.tree, *at, inputs.effort, tau)
    return tau


def drives(structure: Structure, state: State, inputs: Inputs) -> np.ndarray:
    """Return what the drives are told and, past their speed limit, do not give. Shape (nv,)."""
    told = inputs.effort.copy()
    told[structure.tree.v_at[state.blocked != 0]] = 0.0
    return told


def loop_rows(
    structure: Structure, state: State, inputs: Inputs
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """
    Return the loops' Jacobian J, what J vdot must be, and the forces (nv,) of the loops' drives.

    Column by column: the second way to the loops, for small systems and as a check on the first.
    The first tells which rows are nothing but rounding beside joints held as they are: those are
    left out.
    """
    tree, ws, nv = structure.tree, structure.workspace, structure.nv
    count = len(tree.loops.kind)
    J = np.zeros((6 * count, nv))
    if not count:
        return J, np.zeros(0), np.zeros(nv)
    column = np.zeros((count, 6))
    for j, unit in enumerate(np.eye(nv)):
        forward_kinematics(tree, state.q, unit, ws)
        loop_motion.loop_transforms(tree, ws)
        loop_motion.loop_motions(tree, ws, column)
        J[:, j] = column.ravel()
    _factor_loops(structure, state)
    binds = np.diagonal(ws.Y) > 0
    accelerations(tree, np.zeros(nv), inputs.gravity, ws)
    loop_motion.acceleration_errors(tree, inputs.gravity, ws)
    loops.drive_loops(tree, inputs.loop_effort, ws)
    drives = J.T @ ws.loop_drive.ravel()
    return J[binds], ws.rhs[binds], drives


def loop_rank(structure: Structure, state: State) -> int:
    """Return how many freedoms the loops take at a state."""
    if not len(structure.tree.loops.kind):
        return 0
    return _factor_loops(structure, _let_go(state))


def _let_go(state: State) -> State:
    """Return a state with no joint held."""
    return state._replace(hold=np.zeros_like(state.hold))


def _factor_loops(structure: Structure, state: State) -> int:
    """Fill the workspace with the loops' matrix Y, and its factor; return its rank."""
    at = structure.tree, state.q, state.v, state.hold
    return int(ranks.factor_all(*at, structure.workspace))


def loop_margin(structure: Structure, state: State) -> tuple[int, float]:
    """Return the loops' rank and the smallest pivot they are solved with, 1 at best."""
    rank = loop_rank(structure, state)
    pivots = np.diagonal(structure.workspace.F)[:rank] ** 2
    return rank, float(np.min(pivots, initial=1.0))


def generalized_forces(
    structure: Structure, state: State, inputs: Inputs, vdot: np.ndarray
) -> np.ndarray:
    """Return the forces at joints and free roots that the rates vdot take. Shape (nv,)."""
    tau = np.zeros(structure.nv)
    rnea.inverse_dynamics(structure.tree, state.q, state.v, inputs, vdot, structure.workspace, tau)
    return tau


def free_base_forces(
    structure: Structure, state: State, inputs: Inputs, vdot: np.ndarray
) -> np.ndarray:
    """
    Return the forces at the joints that their rates take when nothing holds the bases.

    The bases' entries of vdot are made what the joints make of them. Hybrid dynamics with the
    joints given: [RBDA] section 9.3. Of the forces that differ by what loops can bear, the ones
    nearest to the present are returned.
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
    tau = generalized_forces(structure, state, inputs, vdot)
    if len(tree.loops.kind):
        J, _, drives = loop_rows(structure, _let_go(state), inputs)
        tau -= drives
        change = tau - applied_forces(structure, state, inputs)
        tau -= J.T @ np.linalg.lstsq(J.T, change, rcond=1e-11)[0]
    return tau


def loop_accelerations(
    structure: Structure, state: State, vdot: np.ndarray, gravity: np.ndarray
) -> np.ndarray:
    """Return the accelerations of the coordinates of joints that close loops, shape (m, 3)."""
    tree, ws = structure.tree, structure.workspace
    out = np.zeros((len(tree.loops.kind), 3))
    if len(out):
        refresh(structure, state)
        loop_motion.loop_transforms(tree, ws)
        accelerations(tree, vdot, gravity, ws)
        loop_motion.free_accelerations(tree, gravity, ws, out)
    return out


def refresh(structure: Structure, state: State) -> None:
    """Fill the workspace with poses and twists of the present state."""
    _kinematics(structure.tree, state.q, state.v, structure.workspace)


def mass_matrix(structure: Structure, state: State) -> np.ndarray:
    """Return the inertia matrix in the order of v."""
    refresh(structure, state)
    H = np.zeros((structure.nv, structure.nv))
    _mass_matrix(structure.tree, structure.workspace, H)
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
    """Return the Jacobian of a link whose base answers, in the order of v; [Dimitrov] (E.7)."""
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

    Where a link cannot move at all in some direction, as in an anchored robot with few joints,
    that direction has no finite inertia and comes out as zero: the pseudo-inverse.
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
    _links_momentum(links, structure.plan, first, last, structure.workspace, sums)
    return momentum_of(sums, float(sums[10]))


def momentum_of(sums: np.ndarray, energy: float) -> Momentum:
    """Return the momentum from mass, mass times centre, angular and linear momentum."""
    mass = float(sums[0])
    center = sums[1:4] / mass if mass else np.zeros(3)
    angular, linear = sums[4:7], sums[7:10]
    about_center = angular - _cross(*center.tolist(), *linear.tolist())
    return Momentum(mass, center, linear, angular, about_center, energy)


def _cross(ax: float, ay: float, az: float, bx: float, by: float, bz: float) -> np.ndarray:
    """Return a x b; NumPy's own takes its time with three numbers."""
    return np.array((ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx))


def user_mass_matrix(structure: Structure, state: State) -> np.ndarray:
    """Return the inertia matrix with the bases first, then the joints that move, by name order."""
    columns = structure.free_columns
    H = to_user(structure, state, mass_matrix(structure, state))
    return to_user(structure, state, H.T)[columns[:, None], columns]
