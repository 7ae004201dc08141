# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Does every joint move some mass? One that does not would accelerate without bound."""

from __future__ import annotations

from collections.abc import Sequence
import math
from typing import TYPE_CHECKING

from free_flyer_dynamics.errors import ModelError
from free_flyer_dynamics.model_checks import require
import numpy as np

if TYPE_CHECKING:
    from free_flyer_dynamics.model import Body, Joint

# What is left of a joint's inertia, relative, when rounding is all that is left.
_NOTHING_LEFT = 1e-10


def check_mass_outboard(
    bodies: Sequence[Body], joints: Sequence[Joint], order: Sequence[str]
) -> None:
    """Refuse a joint that moves no mass: nothing would resist its torque."""
    carried = {body.name: body.mass > 0.0 for body in bodies}
    rigid = dict(carried)
    inward = {joint.child: joint for joint in joints}
    relayed = False
    for link in reversed(order[1:]):
        joint = inward[link]
        moving = joint.kind != 'fixed'
        require(
            carried[link] or not moving,
            f"Joint '{joint.name}' moves nothing that has mass: link '{link}' and all behind it "
            'are massless. Give a mass to one of them, or make the joint fixed.',
        )
        relayed |= moving and not rigid[link]
        carried[joint.parent] |= carried[link]
        rigid[joint.parent] |= rigid[link] and not moving
    with np.errstate(all='ignore'):
        total = float(np.sum([body.mass for body in bodies]))
    require(math.isfinite(total), 'The masses add up to more than a number can hold.')
    if relayed:
        _check_relayed(bodies, inward, order)


def _check_relayed(bodies: Sequence[Body], inward: dict[str, Joint], order: Sequence[str]) -> None:
    """
    Refuse a joint whose mass lies behind other joints that take up all of its motion.

    A massless link between two hinges is a universal joint, and fine; with both hinges on one
    axis the first has nothing to turn. At two poses drawn blindly, an inertia that vanishes at
    both vanishes at all: the articulated-body inertia [RBDA, section 7.2] tells.

    """
    rng = np.random.default_rng(0)
    idle = _idle_joints(bodies, inward, order, rng) & _idle_joints(bodies, inward, order, rng)
    for name in sorted(idle):
        raise ModelError(
            f"Joint '{name}' moves a massless link, and the joints behind it take up all of its "
            'motion: nothing resists its torque. Give the link a mass, or make the joint fixed.'
        )


def _idle_joints(bodies, inward, order, rng: np.random.Generator) -> set[str]:
    articulated = {body.name: _spatial_inertia(body) for body in bodies}
    composite = {name: inertia.copy() for name, inertia in articulated.items()}
    idle = set()
    for link in reversed(order[1:]):
        joint = inward[link]
        X = _transform(joint, rng.uniform(-1.0, 1.0))
        IA, Ic = articulated[link], composite[link]
        if joint.kind != 'fixed':
            zero = np.zeros(3)
            slides = joint.kind == 'prismatic'
            S = np.concatenate([zero, joint.axis] if slides else [joint.axis, zero])
            U = IA @ S
            D = S @ U
            if _NOTHING_LEFT * (S @ Ic @ S) < D:
                IA = IA - np.outer(U, U) / D
            else:
                idle.add(joint.name)
        articulated[joint.parent] += X.T @ IA @ X
        composite[joint.parent] += X.T @ Ic @ X
    return idle


def _spatial_inertia(body: Body) -> np.ndarray:
    """Return the 6 x 6 inertia at the link's origin, angular part first."""
    mc = body.mass * _cross(body.center)
    inertia = body.inertia + mc @ _cross(body.center).T
    return np.block([[inertia, mc], [mc.T, body.mass * np.eye(3)]])


def _transform(joint: Joint, q: float) -> np.ndarray:
    """Return the motion transform from parent to child axes with the joint at q."""
    turn, shift = np.eye(3), np.zeros(3)
    if joint.kind == 'prismatic':
        shift = q * joint.axis
    elif joint.kind != 'fixed':
        K = _cross(joint.axis)
        turn = np.eye(3) + np.sin(q) * K + (1.0 - np.cos(q)) * K @ K
    E = (joint.rotation @ turn).T
    r = joint.position + joint.rotation @ shift
    return np.block([[E, np.zeros((3, 3))], [-E @ _cross(r), E]])


def _cross(v: np.ndarray) -> np.ndarray:
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
