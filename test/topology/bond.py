# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A joint between two links, kept apart from the simulator's own book."""

from dataclasses import dataclass

import numpy as np

from test.oracles import pin

FREE_ROWS = {'fixed': (), 'revolute': (2,), 'prismatic': (5,), 'spherical': (0, 1, 2)}
WORLD = 'world'


def skew(x):
    """Return the matrix of the cross product with x."""
    return np.cross(np.eye(3), x)


def rotation_of(pose):
    """Return the matrix of a pose of ours."""
    return pin.Quaternion(pose.quaternion).toRotationMatrix()


def axes_with_z(axis):
    """Return any right-handed axes whose third is along a direction."""
    z = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    x = np.cross(z, np.eye(3)[np.argmin(np.abs(z))])
    x /= np.linalg.norm(x)
    return np.column_stack((x, np.cross(z, x), z))


@dataclass(frozen=True)
class Bond:
    """A joint between two links: its axes and origin on a, then on b."""

    kind: str
    a: str
    b: str
    axes: np.ndarray
    origin: np.ndarray
    axes_b: np.ndarray
    point: np.ndarray
    locked: bool = False

    @property
    def rows(self):
        """Return which of the six relative motions are forbidden."""
        free = () if self.locked else FREE_ROWS[self.kind]
        return [k for k in range(6) if k not in free]

    @staticmethod
    def where_they_are(kind, a, b, axis, pose_a, pose_b):
        """Return the bond of two links at their poses; its axis is in b's axes when a is world."""
        (x_a, R_a), (x_b, R_b) = pose_a, pose_b
        axes, origin = R_a @ axes_with_z(axis), x_a
        if a == WORLD:
            axes, origin = R_b @ axes_with_z(axis), x_b
        on_a, on_b = R_a.T @ (origin - x_a), R_b.T @ (origin - x_b)
        return Bond(kind, a, b, R_a.T @ axes, on_a, R_b.T @ axes, on_b)

    def gap(self, pose_a, pose_b):
        """Return the largest gap or angle that the joint, were it not locked, does not allow."""
        (x_a, R_a), (x_b, R_b) = pose_a, pose_b
        axes = R_a @ self.axes
        shift = axes.T @ (x_b + R_b @ self.point - x_a - R_a @ self.origin)
        R = axes.T @ R_b @ self.axes_b
        lean = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
        if self.kind == 'revolute':
            lean = np.array([-R[1, 2], R[0, 2], 0.0])
        rows = [k for k in range(6) if k not in FREE_ROWS[self.kind]]
        return np.max(np.abs(np.r_[lean, shift][rows]))
