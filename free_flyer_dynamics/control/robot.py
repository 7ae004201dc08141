# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The controller's own copy of a robot: measured states in, a `Situation` out."""

from __future__ import annotations

from collections.abc import Sequence
import math

from free_flyer_dynamics.control.situation import as_columns, Situation
from free_flyer_dynamics.errors import CommandError, ModelError, unknown_name
from free_flyer_dynamics.kernels import crba, rnea
from free_flyer_dynamics.kernels.jacobian import point_jacobian
from free_flyer_dynamics.kernels.kinematics import forward_kinematics
from free_flyer_dynamics.kernels.rotation import quat_from_matrix
from free_flyer_dynamics.model import Model
from free_flyer_dynamics.simulator import Simulator
from free_flyer_dynamics.transfer import motion_of
from free_flyer_dynamics.values import Pose
import numpy as np


class Robot:
    """
    What a controller knows of its robot: the model alone, whatever it has caught or closed.

    Parameters
    ----------
    model : Model
        With a free base.
    hand : str, optional
        The link whose motion the laws care about; the model's first end effector when not given.
    arm, wheels : sequence of str, optional
        Joints by name; the model's wheels, and all others, when not given.
    prefix : str
        Of the robot in the simulators that are read.

    """

    def __init__(
        self,
        model: Model,
        hand: str | None = None,
        arm: Sequence[str] | None = None,
        wheels: Sequence[str] | None = None,
        prefix: str = '',
    ) -> None:
        self.model, self.prefix = model, prefix
        if hand is None:
            if not model.end_effectors:
                raise ModelError(
                    f"Model '{model.name}' names no end effector. Give `hand`, one of its links."
                )
            hand = model.end_effectors[0]
        sim = Simulator()
        sim.add(model)
        self._structure, self._state, self._inputs = sim._structure, sim._state, sim._inputs
        assembly, plan = self._structure.assembly, self._structure.plan
        self.joint_names = sim.joint_names
        self.hand = hand
        link = assembly.link(hand, ModelError)
        if plan.link_node[link] < 0:
            raise ModelError(f"'{hand}' is not one of the robot's links: it cannot be its hand.")
        self._hand = plan.link_node[link], plan.link_position[link].copy()
        turning = [wheel.joint for wheel in model.wheels] if wheels is None else list(wheels)
        others = [name for name in self.joint_names if name not in turning]
        moving = others if arm is None else list(arm)
        self.wheels, self.arm = self._columns(turning), self._columns(moving)
        if len({*turning, *moving}) < len(turning) + len(moving):
            raise ModelError(
                f'A joint is named once, in the arm or as a wheel; got arm {moving} and wheels '
                f'{turning}.'
            )
        node = plan.edge_node[assembly.joints.edge]
        self._q_at, self._v_at = self._structure.tree.q_at[node], self._structure.tree.v_at[node]
        order = self._structure.free_columns
        self._order = None if (order == np.arange(len(order))).all() else order
        self._rest = np.zeros(self._structure.nv)
        self._found: tuple[object, int, np.ndarray] | None = None

    def _columns(self, names: Sequence[str]):
        for name in names:
            if name not in self.joint_names:
                raise ModelError(unknown_name('joint', name, self.joint_names))
        return as_columns([self.joint_names.index(name) for name in names])

    @property
    def torque_limits(self) -> np.ndarray:
        """Return the wheels' torque limits [N m], in the order of the wheels."""
        limits = {wheel.joint: wheel.torque_limit for wheel in self.model.wheels}
        names = np.array(self.joint_names)[self.wheels]
        return np.array([np.inf if (k := limits.get(str(n))) is None else k for n in names])

    def situation(
        self, positions, rates=None, base_pose: Pose | None = None, base_twist=None
    ) -> Situation:
        """
        Return the situation of measured states.

        Parameters
        ----------
        positions, rates : array, shape (n,)
            Of the joints, in the order of `joint_names`; at rest when not given.
        base_pose : Pose, optional
            Of the root link in world; at the origin when not given.
        base_twist : array, shape (6,), optional
            Of the root link's origin, in its own axes, angular first; at rest when not given.

        """
        q, v = self._state.q, self._state.v
        n = len(self.joint_names)
        q[self._q_at] = _of_size(positions, n, 'positions')
        v[self._v_at] = 0.0 if rates is None else _of_size(rates, n, 'rates')
        v[:6] = 0.0 if base_twist is None else _of_size(base_twist, 6, 'base_twist')
        if base_pose is None:
            q[:7] = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
        else:
            x, y, z, w = _of_size(base_pose.quaternion, 4, 'The quaternion of base_pose')
            length = math.sqrt(x * x + y * y + z * z + w * w)
            if abs(length - 1.0) > 1e-3:
                raise CommandError(
                    f'The quaternion of base_pose must be of unit length, got {length:.6g}.'
                )
            q[:3] = _of_size(base_pose.position, 3, 'The position of base_pose')
            q[3:7] = w / length, x / length, y / length, z / length
        return self._read()

    def read(self, sim: Simulator) -> Situation:
        """
        Return the situation of this robot in a simulator, whatever it is joined to there.

        It is what sensors would give: the base's pose and twist, the joints' positions and rates.
        """
        structure, state, _inputs = sim._under_way()
        motion = motion_of(structure, state, sim._coordinates)
        root, edges = self._places(sim)
        q, v = self._state.q, self._state.v
        q[self._q_at] = motion.coordinates[edges, 0]
        v[self._v_at] = motion.rates[edges, 0]
        v[:6] = motion.twist[root]
        q[:3] = motion.position[root]
        q[3:7] = _quaternion(motion.rotation[root])
        return self._read()

    def _places(self, sim: Simulator) -> tuple[int, np.ndarray]:
        """Return where a simulator keeps the root link and the joints: looked up once for each."""
        assembly = sim._structure.assembly
        if self._found is None or self._found[0] is not assembly.joints:
            names = [self.prefix + name for name in self.joint_names]
            for name in names:
                if name not in assembly.joints.names:
                    raise CommandError(unknown_name('joint', name, assembly.joints.names))
            columns = [assembly.joints.names.index(name) for name in names]
            root = assembly.link(self.prefix + self.model.root, CommandError)
            self._found = assembly.joints, root, assembly.joints.edge[columns]
        return self._found[1], self._found[2]

    def _read(self) -> Situation:
        structure, state = self._structure, self._state
        tree, ws, nv = structure.tree, structure.workspace, structure.nv
        c, H, J = np.zeros(nv), np.zeros((nv, nv)), np.zeros((6, nv))
        rnea.inverse_dynamics(tree, state.q, state.v, self._inputs, self._rest, ws, c)
        crba.mass_matrix(tree, ws, H)
        return self._situation(H, c, J)

    def geometry(self, positions) -> Situation:
        """Return the situation at rest at the world's origin, a little quicker."""
        structure, state = self._structure, self._state
        tree, ws, nv = structure.tree, structure.workspace, structure.nv
        state.q[:7] = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
        state.q[self._q_at] = _of_size(positions, len(self.joint_names), 'positions')
        state.v[:] = 0.0
        H = np.zeros((nv, nv))
        forward_kinematics(tree, state.q, state.v, ws)
        crba.mass_matrix(tree, ws, H)
        return self._situation(H, np.zeros(nv), np.zeros((6, nv)))

    def _situation(self, H, c, J) -> Situation:
        tree, ws, state = self._structure.tree, self._structure.workspace, self._state
        node, offset = self._hand
        hand = ws.x[node] + ws.R[node] @ offset
        point_jacobian(tree, node, hand, ws, J)
        v = state.v.copy()
        if self._order is not None:
            order = self._order
            H, c, J, v = H[order][:, order], c[order], J[:, order], v[order]
        return Situation(
            H=H,
            c=c,
            J=J,
            velocity=v,
            positions=state.q[self._q_at],
            rotation=ws.R[0].copy(),
            base=state.q[:3].copy(),
            hand=hand,
            arm=self.arm,
            wheels=self.wheels,
        )


def _of_size(values, size: int, what: str) -> np.ndarray:
    out = np.asarray(values, dtype=float)
    if out.shape != (size,):
        raise CommandError(f'{what} must be {size} numbers, got shape {out.shape}.')
    return out


def _quaternion(R: np.ndarray) -> np.ndarray:
    wxyz = np.zeros(4)
    quat_from_matrix(R, wxyz)
    return wxyz
