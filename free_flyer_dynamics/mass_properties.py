# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Centre of mass and inertia of a whole robot, its joints locked at zero; nothing is compiled."""

from __future__ import annotations

from free_flyer_dynamics.model import Model
import numpy as np


def mass_properties(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """
    Return where a robot's centre of mass is, and its inertia about that point.

    Returns
    -------
    center : ndarray, shape (3,)
        In the root link's frame [m]; NaN where nothing has mass.
    inertia : ndarray, shape (3, 3)
        In the root link's axes [kg m^2].

    """
    poses = _poses_at_zero(model)
    masses = np.array([body.mass for body in model.bodies])
    places = np.array(
        [position + R @ body.center for body in model.bodies for R, position in [poses[body.name]]]
    )
    with np.errstate(invalid='ignore'):
        center = masses @ places / masses.sum()
    inertia = np.zeros((3, 3))
    for body, r in zip(model.bodies, places - center, strict=True):
        R, _ = poses[body.name]
        inertia += R @ body.inertia @ R.T
        inertia += body.mass * (r @ r * np.eye(3) - np.outer(r, r))
    return center, inertia


def _poses_at_zero(model: Model) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return each link's axes and origin in the root link's frame."""
    outward: dict[str, list] = {body.name: [] for body in model.bodies}
    for joint in (*model.joints, *model.fixed_joints):
        outward[joint.parent].append(joint)
    poses = {model.root: (np.eye(3), np.zeros(3))}
    waiting = [model.root]
    while waiting:
        link = waiting.pop()
        R, position = poses[link]
        for joint in outward[link]:
            poses[joint.child] = (R @ joint.rotation, position + R @ joint.position)
            waiting.append(joint.child)
    return poses
