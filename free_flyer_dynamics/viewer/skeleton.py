# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Where the links of a robot are, from its root's pose and its joints' positions."""

from __future__ import annotations

from collections.abc import Mapping

from free_flyer_dynamics.model import Joint, Model
import numpy as np
from scipy.spatial.transform import Rotation


class Skeleton:
    """
    The joints of a robot as the eye needs them.

    Parameters
    ----------
    model : Model

    """

    def __init__(self, model: Model) -> None:
        self.model = model
        inward = {joint.child: joint for joint in (*model.joints, *model.fixed_joints)}
        self._inward = inward
        self._chains = {body.name: self._chain(body.name) for body in model.bodies}
        lengths = [float(np.linalg.norm(joint.position)) for joint in inward.values()]
        lengths = [length for length in lengths if length > 1e-3]
        self.size = float(np.median(lengths)) if lengths else 0.5

    def _chain(self, link: str) -> tuple[Joint, ...]:
        chain: list[Joint] = []
        while link in self._inward:
            chain.append(self._inward[link])
            link = chain[-1].parent
        return tuple(reversed(chain))

    def outward(self) -> tuple[Joint, ...]:
        """Return every joint, those nearer to the root first."""
        every = {chain[-1].name: chain for chain in self._chains.values() if chain}
        return tuple(chain[-1] for chain in sorted(every.values(), key=len))

    def place(self, link: str, positions: Mapping[str, float]) -> tuple[np.ndarray, np.ndarray]:
        """Return position and rotation matrix of a link in the root's frame."""
        p, R = np.zeros(3), np.eye(3)
        for joint in self._chains[link]:
            shift, turn = local(joint, positions.get(joint.name, 0.0))
            p, R = p + R @ shift, R @ turn
        return p, R


def local(joint: Joint, position: float) -> tuple[np.ndarray, np.ndarray]:
    """Return where a joint's child is in its parent's frame: position and rotation matrix."""
    if joint.kind == 'prismatic':
        return joint.position + joint.rotation @ (position * joint.axis), joint.rotation
    if joint.kind == 'fixed' or position == 0.0:
        return joint.position, joint.rotation
    x, y, z = joint.axis
    c, s = np.cos(position), np.sin(position)
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return joint.position, joint.rotation @ (np.eye(3) + s * K + (1 - c) * K @ K)


def wxyz(matrix: np.ndarray) -> np.ndarray:
    """Return the quaternion (w, x, y, z) of a rotation matrix."""
    return np.roll(Rotation.from_matrix(matrix).as_quat(), 1)
