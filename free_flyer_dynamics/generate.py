# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Robots of any size and branching for tests and benchmarks, and the way back to URDF text.

In the style of Featherstone's autoTree [spatial_v2]: a few numbers and a seed make a robot, the
same one every time.

"""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import quoteattr

from free_flyer_dynamics.errors import ModelError
from free_flyer_dynamics.model import Body, Joint, KINDS, Model, MOVING_KINDS
from free_flyer_dynamics.urdf_elements import LARGEST
import numpy as np

_BASE_MASS = 50.0


def random_chain(n: int, seed: int = 0, **options) -> Model:
    """Return a base and a chain of n joints; see `random_tree` for the options."""
    return _grow(f'chain_{n}', range(n), seed, **options)


def branching_tree(n: int, branching: float = 1.0, seed: int = 0, **options) -> Model:
    """
    Return a base and n joints, every link but the last ones with `branching` children.

    1 is a chain, 2 a binary tree; 1.5 alternates, as in autoTree.

    """
    if not branching >= 1.0:
        raise ModelError(f'The branching is {branching}; expected a number of at least 1.')
    parents = [int((i - 1 + np.ceil(branching)) / branching) - 1 for i in range(1, n + 1)]
    return _grow(f'tree_{n}_{branching:g}', parents, seed, **options)


def random_tree(n: int, seed: int = 0, **options) -> Model:
    """
    Return a base and n joints, each on a link drawn from those before it.

    Parameters
    ----------
    n : int
        Number of joints; the robot has n + 1 massive links.
    seed : int
        The same seed gives the same robot.
    **options
        kinds : sequence of str
            Drawn from for each joint, `fixed` too; default revolute, continuous, prismatic.
        frames : int
            Massless links added behind fixed joints; default 0.
        limits : bool
            Whether joints have position, effort and velocity limits; default False.
        damping, friction : float
            The most of each [N m s/rad or N s/m, N m or N]; drawn evenly from 0; default 0.

    """
    rng = np.random.default_rng(seed + 1)
    return _grow(
        f'random_{n}', [int(rng.integers(0, i)) for i in range(1, n + 1)], seed, **options
    )


def _grow(
    name: str,
    parents: Sequence[int],
    seed: int,
    kinds: Sequence[str] = MOVING_KINDS,
    frames: int = 0,
    limits: bool = False,
    damping: float = 0.0,
    friction: float = 0.0,
) -> Model:
    """Return the robot whose link i + 1 hangs on link parents[i]; link 0 is the base."""
    kinds = (kinds,) if isinstance(kinds, str) else tuple(kinds)
    if not kinds or any(kind not in KINDS for kind in kinds):
        raise ModelError(f'The kinds are {kinds}; expected some of {", ".join(KINDS)}.')
    rng = np.random.default_rng(seed)
    links = ['base', *(f'link{i + 1}' for i in range(len(parents)))]
    bodies = [_random_body(rng, links[0], _BASE_MASS)]
    bodies += [_random_body(rng, link, rng.uniform(1.0, 10.0)) for link in links[1:]]
    joints = []
    for i, parent in enumerate(parents):
        kind = kinds[int(rng.integers(len(kinds)))]
        joints.append(
            Joint(
                name=f'joint{i + 1}',
                kind=kind,
                parent=links[parent],
                child=links[i + 1],
                position=rng.uniform(-0.5, 0.5, 3),
                rotation=_random_rotation(rng),
                axis=_random_direction(rng),
                **_random_drive(rng, kind, limits, damping, friction),
            )
        )
    for i in range(frames):
        carrier = links[int(rng.integers(len(links)))]
        links.append(f'frame{i + 1}')
        bodies.append(Body(links[-1]))
        where = rng.uniform(-0.3, 0.3, 3)
        mount = f'frame{i + 1}_mount'
        joints.append(Joint(mount, 'fixed', carrier, links[-1], where, _random_rotation(rng)))
    return Model(
        name=name,
        bodies=tuple(bodies),
        joints=tuple(joint for joint in joints if joint.kind != 'fixed'),
        fixed_joints=tuple(joint for joint in joints if joint.kind == 'fixed'),
    )


def _random_body(rng: np.random.Generator, name: str, mass: float) -> Body:
    """Return a solid box of random sides, turned and shifted: its inertia is a real body's."""
    x, y, z = rng.uniform(0.1, 0.6, 3)
    R = _random_rotation(rng)
    moments = mass / 12.0 * np.array([y * y + z * z, x * x + z * z, x * x + y * y])
    turned = R * moments @ R.T
    return Body(name, mass, rng.uniform(-0.2, 0.2, 3), 0.5 * (turned + turned.T))


def _random_direction(rng: np.random.Generator) -> np.ndarray:
    v = rng.normal(size=3)
    return v / np.linalg.norm(v)


def _random_rotation(rng: np.random.Generator) -> np.ndarray:
    """Return a rotation drawn evenly, by three angles: Rz(yaw) Ry(pitch) Rx(roll)."""
    roll, yaw = rng.uniform(-np.pi, np.pi, 2)
    cr, sr, cy, sy = np.cos(roll), np.sin(roll), np.cos(yaw), np.sin(yaw)
    sp = rng.uniform(-1.0, 1.0)
    cp = np.sqrt(1.0 - sp * sp)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def _random_drive(
    rng: np.random.Generator, kind: str, limits: bool, damping: float, friction: float
) -> dict[str, float]:
    """Return limits, damping and friction; what is drawn does not depend on what is used."""
    lower, upper, effort, velocity = rng.uniform([-3.0, 1.0, 5.0, 1.0], [-1.0, 3.0, 50.0, 5.0])
    drive = {'damping': rng.uniform(0.0, damping), 'friction': rng.uniform(0.0, friction)}
    if kind == 'fixed':
        return {}
    if limits:
        drive |= {'effort_limit': effort, 'velocity_limit': velocity}
    if limits and kind != 'continuous':
        drive |= {'lower': lower, 'upper': upper}
    return drive


def to_urdf(model: Model) -> str:
    """
    Return URDF text that `load_urdf` reads as the same robot.

    Numbers keep every bit; rotations, which URDF writes as three angles, come back to 1e-15.
    URDF cannot say "no limit": the largest finite number stands for it, here and in
    `load_urdf`.

    """
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<robot name={quoteattr(model.name)}>']
    lines += _extension_text(model)
    lines += [_link_text(body) for body in model.bodies]
    lines += [_joint_text(joint) for joint in (*model.joints, *model.fixed_joints)]
    return '\n'.join([*lines, '</robot>', ''])


def _extension_text(model: Model) -> list[str]:
    lines = []
    for wheel in model.wheels:
        limits = [
            f' {key}="{_text(value)}"'
            for key in ('torque_limit', 'speed_limit', 'momentum_limit')
            if np.isfinite(value := getattr(wheel, key))
        ]
        lines.append(f'    <reaction_wheel joint={quoteattr(wheel.joint)}{"".join(limits)}/>')
    lines += [f'    <end_effector link={quoteattr(link)}/>' for link in model.end_effectors]
    lines += [f'    <imu link={quoteattr(model.imu)}/>'] if model.imu is not None else []
    return ['  <free_flyer>', *lines, '  </free_flyer>'] if lines else []


def _link_text(body: Body) -> str:
    if body.mass == 0.0:
        return f'  <link name={quoteattr(body.name)}/>'
    keys = ('ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz')
    moments = dict(zip(keys, body.inertia[np.triu_indices(3)], strict=True))
    inertia = ' '.join(f'{key}="{_text(value)}"' for key, value in moments.items())
    return (
        f'  <link name={quoteattr(body.name)}><inertial><origin xyz="{_text(*body.center)}"/>'
        f'<mass value="{_text(body.mass)}"/><inertia {inertia}/></inertial></link>'
    )


def _joint_text(joint: Joint) -> str:
    parts = [
        f'  <joint name={quoteattr(joint.name)} type="{joint.kind}">',
        f'<parent link={quoteattr(joint.parent)}/><child link={quoteattr(joint.child)}/>',
        f'<origin xyz="{_text(*joint.position)}" rpy="{_text(*rpy_from(joint.rotation))}"/>',
    ]
    if joint.kind != 'fixed':
        parts.append(f'<axis xyz="{_text(*joint.axis)}"/>')
        ends = f'lower="{_text(joint.lower)}" upper="{_text(joint.upper)}" '
        drive = f'effort="{_text(joint.effort_limit)}" velocity="{_text(joint.velocity_limit)}"'
        parts.append(f'<limit {"" if joint.kind == "continuous" else ends}{drive}/>')
        friction = f'friction="{_text(joint.friction)}"'
        parts.append(f'<dynamics damping="{_text(joint.damping)}" {friction}/>')
    return ''.join([*parts, '</joint>'])


def rpy_from(R: np.ndarray) -> tuple[float, float, float]:
    """
    Return roll, pitch and yaw [rad] with R = Rz(yaw) Ry(pitch) Rx(roll).

    Yaw first, then the rest from what it leaves: exact even where pitch is a right angle and
    yaw and roll share one axis.

    """
    yaw = np.arctan2(R[1, 0], R[0, 0])
    c, s = np.cos(yaw), np.sin(yaw)
    pitch = np.arctan2(-R[2, 0], c * R[0, 0] + s * R[1, 0])
    roll = np.arctan2(s * R[0, 2] - c * R[1, 2], c * R[1, 1] - s * R[0, 1])
    return float(roll), float(pitch), float(yaw)


def _text(*values: float) -> str:
    return ' '.join(repr(float(np.clip(value, -LARGEST, LARGEST))) for value in values)
