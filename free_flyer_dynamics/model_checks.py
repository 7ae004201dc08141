# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What makes a model valid: every check answers with a sentence that names the element."""

from __future__ import annotations

from collections import Counter
import math

from free_flyer_dynamics.errors import ModelError, unknown_name
import numpy as np

WORLD = 'world'
# Text of a rotation carries 1e-16 to 1e-9 (short decimals); more is a different matrix.
_ORTHONORMAL = 1e-9
_SYMMETRIC = 1e-9
_EPS = float(np.finfo(float).eps)


def require(condition: bool, sentence: str) -> None:
    """Raise the sentence as a ModelError unless the condition holds."""
    if not condition:
        raise ModelError(sentence)


def check_name(what: str, name: object) -> None:
    """Refuse what cannot be a name: no text, or blanks at an end."""
    good = isinstance(name, str) and name != '' and name == name.strip()
    require(good, f'A {what} is named {name!r}; expected a text without blanks around it.')


def check_body(body) -> None:
    """Refuse a link whose mass, centre or inertia no rigid body has."""
    check_name('link', body.name)
    who = f"Link '{body.name}'"
    require(
        math.isfinite(body.mass) and body.mass >= 0.0,
        f'{who}: the mass is {body.mass} kg; expected a finite number, zero or more.',
    )
    finite = np.isfinite(body.center).all() and np.isfinite(body.inertia).all()
    require(finite, f'{who}: centre of mass and inertia must be finite numbers.')
    largest = np.abs(body.inertia).max()
    require(
        np.abs(body.inertia - body.inertia.T).max() <= _SYMMETRIC * largest,
        f'{who}: the inertia matrix is not symmetric.',
    )
    if body.mass == 0.0:
        require(
            largest == 0.0,
            f'{who}: the mass is zero but the inertia is not; give it a mass, or neither.',
        )
        return
    moments = principal_moments(body.inertia)
    require(
        bool(moments[0] > 4.0 * _EPS * moments[2]),
        f'{who}: the inertia has principal moments {_listed(moments)} kg m^2; '
        'expected a positive definite matrix, as every massive body has.',
    )


def principal_moments(inertia: np.ndarray) -> np.ndarray:
    """Return the eigenvalues, ascending; NaN where they overflow."""
    try:
        with np.errstate(all='ignore'):
            return np.linalg.eigvalsh(inertia)
    except np.linalg.LinAlgError:
        return np.full(3, np.nan)


def breaks_triangle_inequality(body) -> str | None:
    """Return the sentence for an inertia that no distribution of mass has, else None."""
    if body.mass == 0.0:
        return None
    moments = principal_moments(body.inertia)
    if moments[0] + moments[1] >= moments[2] * (1.0 - 1e-9):
        return None
    return (
        f"Link '{body.name}': principal moments {_listed(moments)} kg m^2 break the triangle "
        'inequality (the largest exceeds the sum of the others). No real body has them; '
        'the dynamics is computed with them all the same.'
    )


def check_joint(joint, kinds: tuple[str, ...]) -> None:
    """Refuse a joint whose kind, frame, limits or friction make no sense."""
    check_name('joint', joint.name)
    who = f"Joint '{joint.name}'"
    require(
        joint.kind in kinds,
        f"{who}: the type '{joint.kind}' is not supported; expected one of {', '.join(kinds)}.",
    )
    check_name(f"parent of joint '{joint.name}'", joint.parent)
    check_name(f"child of joint '{joint.name}'", joint.child)
    require(joint.parent != joint.child, f"{who}: link '{joint.child}' is its own parent.")
    finite = np.isfinite(joint.position).all() and np.isfinite(joint.rotation).all()
    require(finite, f'{who}: the origin must be finite numbers.')
    R = joint.rotation
    with np.errstate(all='ignore'):
        proper = np.abs(R @ R.T - np.eye(3)).max() <= _ORTHONORMAL and np.linalg.det(R) > 0.0
    require(bool(proper), f'{who}: the rotation is not a proper orthonormal matrix.')
    require(
        joint.lower <= joint.upper,
        f'{who}: the lower limit {joint.lower} is above the upper limit {joint.upper}.',
    )
    for what, value in (('effort', joint.effort_limit), ('velocity', joint.velocity_limit)):
        require(value >= 0.0, f'{who}: the {what} limit is {value}; expected zero or more.')
    for what, value in (('damping', joint.damping), ('friction', joint.friction)):
        require(
            math.isfinite(value) and value >= 0.0,
            f'{who}: the {what} is {value}; expected a finite number, zero or more.',
        )


def unit_axis(joint_name: str, axis: np.ndarray) -> np.ndarray:
    """Return the axis at unit length; one that already has it keeps every bit."""
    largest = np.abs(axis).max()
    require(
        bool(np.isfinite(largest)) and largest > 0.0,
        f"Joint '{joint_name}': the axis is ({_listed(axis)}); expected three finite numbers, "
        'not all zero.',
    )
    return unit(axis)


def unit(direction: np.ndarray) -> np.ndarray:
    """Return a direction, however long, at unit length; one that has it keeps every bit."""
    largest = np.abs(direction).max()
    scaled = direction / largest
    length = float(np.linalg.norm(scaled))
    return direction if abs(length * largest - 1.0) <= 4.0 * _EPS else scaled / length


def check_tree(name: str, bodies, joints) -> tuple[str, ...]:
    """Refuse what is not one tree; return the names of the links, parents first."""
    check_name('robot', name)
    require(len(bodies) > 0, f"Robot '{name}' has no link; expected at least one.")
    for what, named in (('link', bodies), ('joint', joints)):
        for same, times in Counter(item.name for item in named).items():
            require(times == 1, f"{times} {what}s are named '{same}'; expected different names.")
    links = {body.name: None for body in bodies}
    require(
        WORLD not in links,
        f"A link is named '{WORLD}', which names the inertial frame; rename it.",
    )
    children: dict[str, list[str]] = {link: [] for link in links}
    above: dict[str, str] = {}
    for joint in joints:
        for role, link in (('parent', joint.parent), ('child', joint.child)):
            if link not in links:
                hint = unknown_name('link', link, links)
                raise ModelError(f"Joint '{joint.name}': the {role} is unknown. {hint}")
        require(
            joint.child not in above,
            f"Link '{joint.child}' is the child of two joints, '{above.get(joint.child)}' and "
            f"'{joint.name}'; expected a tree. Close loops with Simulator.attach.",
        )
        above[joint.child] = joint.name
        children[joint.parent].append(joint.child)
    roots = [link for link in links if link not in above]
    require(
        len(roots) > 0,
        'Every link is the child of a joint, so the joints form a cycle; expected one root link.',
    )
    require(
        len(roots) < 2,
        f"{len(roots)} links are roots, nobody's child: {_some(roots)}; expected one. "
        'Join them, or load them as two robots.',
    )
    order = [roots[0]]
    for link in order:
        order.extend(children[link])
    reached = set(order)
    lost = [link for link in links if link not in reached]
    require(not lost, f'The joints of links {_some(lost)} form a cycle; expected a tree.')
    return tuple(order)


def check_extension(model) -> None:
    """Refuse wheels, end effectors and an IMU on joints and links that are not there."""
    for wheel in model.wheels:
        require(hasattr(wheel, 'joint'), f'A wheel is {wheel!r}; expected a Wheel or a name.')
        joint = model.joint(wheel.joint)
        require(
            joint.kind in ('revolute', 'continuous'),
            f"Reaction wheel '{joint.name}' is a {joint.kind} joint; expected continuous or "
            'revolute.',
        )
    mounts = [('end effector', link) for link in model.end_effectors]
    mounts += [('IMU', model.imu)] if model.imu is not None else []
    known = [body.name for body in model.bodies]
    for what, link in mounts:
        require(
            link in known, f'The {what} is on an unknown link. {unknown_name("link", link, known)}'
        )
    _refuse_twice('reaction wheel on joint', [wheel.joint for wheel in model.wheels])
    _refuse_twice('end effector on link', model.end_effectors)


def _refuse_twice(what: str, names) -> None:
    for name, times in Counter(names).items():
        require(times == 1, f"The {what} '{name}' is given {times} times; expected once.")


def _listed(values) -> str:
    return ', '.join(f'{value:.6g}' for value in values)


def _some(names: list[str]) -> str:
    more = f' and {len(names) - 10} more' if len(names) > 10 else ''
    return ', '.join(f"'{name}'" for name in names[:10]) + more
