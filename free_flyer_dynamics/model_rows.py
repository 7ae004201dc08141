# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A model as rows of the graph: the inertias of its links, the edges of its joints."""

from __future__ import annotations

from collections.abc import Mapping
import math

from free_flyer_dynamics.graph import Edges, Links
from free_flyer_dynamics.model import Joint, Model
from free_flyer_dynamics.tree import FIXED, PRISMATIC, REVOLUTE, SPHERICAL
import numpy as np

KINDS = {
    'revolute': REVOLUTE,
    'continuous': REVOLUTE,
    'prismatic': PRISMATIC,
    'spherical': SPHERICAL,
    'fixed': FIXED,
}


def sorted_joints(model: Model) -> list[Joint]:
    """Return the moving joints, which name coordinates, then the fixed ones."""
    return [*model.joints, *model.fixed_joints]


def link_rows(model: Model) -> Links:
    """Return the inertias of a model's links about their origins."""
    mass = np.array([body.mass for body in model.bodies])
    center = np.array([body.center for body in model.bodies])
    about_center = np.array([body.inertia for body in model.bodies])
    spread = np.einsum('ij,ij->i', center, center)[:, None, None] * np.eye(3)
    shift = mass[:, None, None] * (spread - center[:, :, None] * center[:, None, :])
    return Links(mass, mass[:, None] * center, about_center + shift)


def joint_rows(model: Model, joints: list[Joint], index: Mapping[str, int], prefix: str) -> Edges:
    """Return the edges of a model's joints, their z axes on the joints' axes."""
    turned = [axis_rotation(joint.axis) for joint in joints]
    wheels = {wheel.joint: wheel for wheel in model.wheels}
    speed = []
    effort = []
    for joint in joints:
        wheel = wheels.get(joint.name)
        effort.append(min(joint.effort_limit, wheel.torque_limit if wheel else math.inf))
        speed.append(joint.velocity_limit or math.inf)
        if wheel:
            saturated = wheel.momentum_limit / spin_inertia(model, joint)
            speed[-1] = min(speed[-1], wheel.speed_limit, saturated)
    count = len(joints)
    return Edges(
        kind=np.array([KINDS[joint.kind] for joint in joints], dtype=np.int64),
        a=np.array([index[prefix + joint.parent] for joint in joints], dtype=np.int64),
        b=np.array([index[prefix + joint.child] for joint in joints], dtype=np.int64),
        rotation_a=np.array(
            [joint.rotation @ Q for joint, Q in zip(joints, turned, strict=True)]
        ).reshape(count, 3, 3),
        position_a=np.array([joint.position for joint in joints]).reshape(count, 3),
        rotation_b=np.array(turned).reshape(count, 3, 3),
        position_b=np.zeros((count, 3)),
        damping=np.array([joint.damping for joint in joints]),
        friction=np.array([joint.friction for joint in joints]),
        lower=np.array([joint.lower for joint in joints]),
        upper=np.array([joint.upper for joint in joints]),
        effort_limit=np.array(effort),
        speed_limit=np.array(speed),
    )


def axis_rotation(axis: np.ndarray) -> np.ndarray:
    """
    Return a rotation whose third column is the unit axis; exact when it lies on x, y or z.

    The other two columns are any: a joint's coordinate is about or along its axis alone.
    """
    z = [float(part) for part in axis]
    longest = max(range(3), key=lambda k: abs(z[k]))
    near = (longest + 1) % 3
    along = math.copysign(1.0, z[longest])
    x = [(along if k == near else 0.0) - z[k] * along * z[near] for k in range(3)]
    length = math.hypot(*x)
    x = [part / length for part in x]
    y = (z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0])
    return np.array(list(zip(x, y, z, strict=True)))


def spin_inertia(model: Model, joint: Joint) -> float:
    """Return the inertia about the joint's axis of the child and what is fixed to it [kg m^2]."""
    total = 0.0
    waiting = [(joint.child, np.eye(3), np.zeros(3))]
    while waiting:
        name, rotation, position = waiting.pop()
        body = model.body(name)
        axis = rotation.T @ joint.axis
        arm = body.center + rotation.T @ position
        arm = arm - axis * (arm @ axis)
        total += axis @ body.inertia @ axis + body.mass * (arm @ arm)
        waiting += [
            (fixed.child, rotation @ fixed.rotation, position + rotation @ fixed.position)
            for fixed in model.fixed_joints
            if fixed.parent == name
        ]
    return total
