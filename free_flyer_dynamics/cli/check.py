# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""free-flyer check: what is in a robot's description, and whether it makes sense."""

from __future__ import annotations

import argparse
import math
import warnings

from free_flyer_dynamics.mass_properties import mass_properties
from free_flyer_dynamics.model import Model, ModelWarning
from free_flyer_dynamics.model_checks import principal_moments
from free_flyer_dynamics.urdf import load_urdf
from free_flyer_dynamics.urdf_source import named

HELP = """Describe a robot: mass, inertia, joints, degrees of freedom, warnings.
examples:
  free-flyer check my_robot.urdf            any URDF or xacro file
  free-flyer check thesis_seven_joint       a robot that ships with this package
  free-flyer check my_robot.urdf --strict   exit code 1 if there are warnings

Moments are principal moments of inertia about each link's centre of mass; the largest moment of a
real body never exceeds the sum of the other two. Degrees of freedom include the floating base.
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what this command takes."""
    parser.add_argument('model', help='path, package:// address or name of a shipped robot')
    parser.add_argument('--strict', action='store_true', help='let a warning be a failure')


def command(asked: argparse.Namespace) -> int:
    """Print the report."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter('always', ModelWarning)
        model = load_urdf(named(asked.model))
    remarks = [str(warning.message) for warning in caught]
    print('\n'.join([*summary(model), '', *joint_table(model), '', *link_table(model), '']))
    print('\n'.join(f'warning: {remark}' for remark in remarks) or 'No warnings.')
    return 1 if remarks and asked.strict else 0


def summary(model: Model) -> list[str]:
    """Return the lines on the robot as a whole."""
    center, whole = mass_properties(model)
    massive = sum(body.mass > 0 for body in model.bodies)
    inertia = ', '.join(f'{value:.5g}' for value in principal_moments(whole))
    rows = [
        ('robot', model.name),
        ('mass', f'{model.mass:.6g} kg in {massive} of {len(model.bodies)} links'),
        ('base', f'{model.root} ({model.body(model.root).mass:.6g} kg)'),
        (
            'DOF',
            f'{6 + len(model.joints)}: {len(model.joints)} joints and a floating base',
        ),
        ('wheels', ', '.join(wheel.joint for wheel in model.wheels) or 'none'),
        ('tools', ', '.join(model.end_effectors) or 'none named; the ends of chains count'),
        ('imu', model.imu or 'none'),
        ('centre', f'{_triple(center)} m from the base link, all joints at zero'),
        ('moments', f'{inertia} kg m^2 about that centre, joints locked at zero'),
    ]
    return [f'{name:<9} {value}' for name, value in rows]


def joint_table(model: Model) -> list[str]:
    """Return a line for each joint that moves."""
    if not model.joints:
        return ['No joints: a single rigid body.']
    rows = [('joint', 'kind', 'from', 'to', 'range', 'effort', 'speed', 'damping', 'friction')]
    wheels = {wheel.joint: wheel for wheel in model.wheels}
    for joint in model.joints:
        wheel = wheels.get(joint.name)
        effort = min(joint.effort_limit, wheel.torque_limit if wheel else math.inf)
        rows.append(
            (
                joint.name,
                'wheel' if wheel else joint.kind,
                joint.parent,
                joint.child,
                _range(joint.lower, joint.upper),
                _limit(effort),
                _limit(min(joint.velocity_limit, wheel.speed_limit if wheel else math.inf)),
                f'{joint.damping:g}',
                f'{joint.friction:g}',
            )
        )
    return columns(rows)


def link_table(model: Model) -> list[str]:
    """Return a line for each link that has mass."""
    rows = [('link', 'mass [kg]', 'centre [m]', 'moments [kg m^2]', 'frames on it')]
    frames: dict[str, list[str]] = {}
    carrier = {body.name: body.name for body in model.bodies}
    for joint in model.fixed_joints:
        carrier[joint.child] = carrier.get(joint.parent, joint.parent)
    for body in model.bodies:
        if body.mass == 0.0:
            frames.setdefault(carrier[body.name], []).append(body.name)
    for body in model.bodies:
        if body.mass > 0.0:
            moments = ', '.join(f'{value:.4g}' for value in principal_moments(body.inertia))
            carried = ', '.join(frames.get(body.name, ()))
            rows.append((body.name, f'{body.mass:g}', _triple(body.center), moments, carried))
    return columns(rows)


def columns(rows) -> list[str]:
    """Return rows of words as lines whose columns stand below each other."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return [
        '  '.join(f'{word:<{width}}' for word, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _triple(values) -> str:
    return '(' + ', '.join(f'{value:.4g}' for value in values) + ')'


def _range(lower: float, upper: float) -> str:
    return 'free' if math.isinf(lower) and math.isinf(upper) else f'{lower:.4g} to {upper:.4g}'


def _limit(value: float) -> str:
    return 'none' if math.isinf(value) else f'{value:g}'
