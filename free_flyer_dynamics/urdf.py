# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Text to Model: guesses nothing, and says which element is wrong."""

from __future__ import annotations

import difflib
import os
import warnings

from free_flyer_dynamics import extension, urdf_source, urdf_xml
from free_flyer_dynamics.ahead import ahead
from free_flyer_dynamics.model import KINDS, Model, ModelWarning
from free_flyer_dynamics.model_checks import breaks_triangle_inequality, WORLD
from free_flyer_dynamics.urdf_source import shipped
from free_flyer_dynamics.urdf_xml import Element

__all__ = ['load_known', 'load_urdf', 'shipped']

_CHILDREN = {
    'link': ('inertial', 'visual', 'collision'),
    'joint': ('origin', 'parent', 'child', 'axis', 'limit', 'dynamics', 'mimic'),
}


def load_urdf(source: str | os.PathLike) -> Model:
    """
    Return the robot that a URDF describes.

    Parameters
    ----------
    source : str or os.PathLike
        A path, a `package://<package>/<path>` address, or the XML text itself (it starts
        with '<'). Names that end in `.xacro` are expanded first.

    Returns
    -------
    Model
        Frozen and checked. A `floating` joint at the root and the massless link above it are
        left out: that link is the inertial frame, and the pose comes from `Simulator.add`.

    Raises
    ------
    ModelError
        Anything wrong in the file; the sentence names the element and what was expected.

    Warns
    -----
    ModelWarning
        What is used as it stands but is odd: an inertia that breaks the triangle inequality,
        a joint whose limits leave it no range, an origin that is not used.

    Notes
    -----
    A URDF is data, and may come from anyone: no entity is expanded, nothing is fetched, no
    other file is opened (meshes are only names), and 20 MB is the most. A `.xacro` file is a
    program: it may include any file, ask for packages and evaluate Python expressions with
    the rights of this process. It runs only for a source whose name ends in `.xacro`; load
    only those you trust.

    """
    text = urdf_source.read(source)
    robot = urdf_xml.parse(text)
    if robot.tag != 'robot':
        raise robot.error('expected <robot> as the root element of a URDF.')
    remarks: list[str] = []
    model = _model(robot, text, remarks)
    remarks += filter(None, map(breaks_triangle_inequality, model.bodies))
    remarks += [
        f"Joint '{joint.name}': lower and upper limit are both {joint.lower:g}, so it cannot "
        'move. Give it a range, or make it continuous or fixed.'
        for joint in model.joints
        if joint.lower == joint.upper
    ]
    for remark in remarks:
        warnings.warn(remark, ModelWarning, stacklevel=2)
    ahead.expect(_limbs(model), len(model.joints) - len(model.wheels))
    return model


def load_known(source: str | os.PathLike) -> Model:
    """Return what load_urdf does, of a robot whose oddities are known: nobody is warned."""
    with warnings.catch_warnings():
        warnings.simplefilter('ignore', ModelWarning)
        return load_urdf(source)


def _limbs(model: Model) -> int:
    """Return how many joints that move, wheels aside, have none behind them that does."""
    wheels = {wheel.joint for wheel in model.wheels}
    moving = {joint.child for joint in model.joints if joint.name not in wheels}
    inboard = {joint.child: joint.parent for joint in (*model.joints, *model.fixed_joints)}
    ends = set(moving)
    for link in moving:
        link = inboard[link]
        while link in inboard and link not in moving:
            link = inboard[link]
        ends.discard(link)
    return len(ends)


def _model(robot: Element, text: str, remarks: list[str]) -> Model:
    from free_flyer_dynamics.urdf_elements import body_from, joint_from

    name = robot.text('name')
    links, joints = list(robot.each('link')), list(robot.each('joint'))
    for element in (*links, *joints):
        _check_tags(element, remarks)
    links, joints = _without_inertial_frame(links, joints, remarks)
    for joint in joints:
        kind = joint.text('type')
        if kind == 'floating':
            raise joint.error(
                'a floating joint may only join the massless root link to the robot; '
                'attach free parts as robots of their own.'
            )
        if kind not in KINDS:
            raise joint.error(
                f"the type '{kind}' is not supported; expected one of {', '.join(KINDS)}, "
                'or floating at the root.'
            )
    bodies = tuple(body_from(link) for link in links)
    made = [joint_from(joint) for joint in joints]
    extras = extension.parse(robot)
    return Model(
        name=name,
        bodies=bodies,
        joints=tuple(joint for joint in made if joint.kind != 'fixed'),
        fixed_joints=tuple(joint for joint in made if joint.kind == 'fixed'),
        xml=text,
        **extras,
    )


def _without_inertial_frame(
    links: list[Element], joints: list[Element], remarks: list[str]
) -> tuple[list[Element], list[Element]]:
    """Leave out a root link that stands for inertial space, with the joint below it."""
    children = {joint.needed('child').text('link') for joint in joints}
    roots = [link for link in links if link.text('name') not in children]
    if len(roots) != 1:
        return links, joints
    root = roots[0]
    name = root.text('name')
    below = [joint for joint in joints if joint.needed('parent').text('link') == name]
    kinds = {joint.text('type') for joint in below}
    floats = 'floating' in kinds
    if not floats and not (name == WORLD and kinds == {'fixed'}):
        return links, joints
    inertial = root.one('inertial')
    massless = inertial is None or inertial.needed('mass').number('value') == 0.0
    if len(below) > 1 or not massless:
        raise root.error(
            'a root link that stands for inertial space must be massless and have one joint only.'
        )
    joint = below[0]
    if not floats:
        remarks.append(
            f"Link '{WORLD}' names the inertial frame, so it and {joint} are left out: the robot "
            'floats. Simulator.add gives its pose, and anchors it with fixed=True.'
        )
    elif not _is_identity(joint):
        remarks.append(
            f'The origin of the floating {joint} is not used: Simulator.add gives the pose.'
        )
    return [link for link in links if link is not root], [j for j in joints if j is not joint]


def _is_identity(joint: Element) -> bool:
    origin = joint.one('origin')
    zeros = (0.0, 0.0, 0.0)
    return origin is None or origin.triple('xyz', zeros) + origin.triple('rpy', zeros) == zeros * 2


def _check_tags(element: Element, remarks: list[str]) -> None:
    """Remark on what looks like a slip of the pen; other tools' tags pass unnoticed."""
    known = _CHILDREN[element.tag]
    for child in element.children:
        near = difflib.get_close_matches(child.tag, known, n=1, cutoff=0.75)
        if near and child.tag not in known:
            where = f'Line {child.line}, {element}'
            remarks.append(f"{where}: <{child.tag}> is ignored. Did you mean '{near[0]}'?")
