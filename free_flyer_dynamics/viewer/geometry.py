# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What a robot looks like: the visuals of its URDF, or boxes with its links' inertia."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from free_flyer_dynamics import urdf_xml
from free_flyer_dynamics.model import Body, Model
from free_flyer_dynamics.urdf_xml import Element
from free_flyer_dynamics.viewer import look
import numpy as np
from scipy.spatial.transform import Rotation

Colour = tuple[int, int, int]
_ZERO = (0.0, 0.0, 0.0)
_THINNEST = 0.02  # of a box's longest side, so that it can be seen
_NEAR = 1e-6  # m; a link often begins where its joint is


@dataclass(frozen=True)
class Shape:
    """
    One thing to be drawn on a link.

    Parameters
    ----------
    kind : str
        'box', 'cylinder', 'sphere' or 'mesh'.
    size : tuple of float
        Sides; radius and length; radius; scale.
    position : tuple of float
    wxyz : tuple of float
        In the link's frame.
    colour : tuple of int
    file : str
        Of a mesh.

    """

    kind: str
    size: tuple[float, ...]
    position: tuple[float, ...]
    wxyz: tuple[float, ...]
    colour: Colour
    file: str = ''


def shapes(model: Model) -> dict[str, list[Shape]]:
    """Return what is drawn on each link; where a robot has no visuals at all, its inertia."""
    robot = urdf_xml.parse(model.xml) if model.xml else None
    found: dict[str, list[Shape]] = {}
    if robot is not None:
        colours = {
            one.text('name'): _colour(one, {})
            for one in robot.each('material')
            if one.one('color')
        }
        for link in robot.each('link'):
            drawn = [_shape(visual, colours) for visual in link.each('visual')]
            found[link.text('name')] = [shape for shape in drawn if shape is not None]
    if not any(found.values()):
        found = {body.name: [inertia_box(body)] for body in model.bodies if body.mass > 0}
    return found


def girth(drawn: Sequence[Shape]) -> float:
    """Return how far what is drawn around a link's origin goes at least; 0 if nothing is [m]."""
    return max((min(half) for half in map(_half_around_origin, drawn) if half), default=0.0)


def _half_around_origin(shape: Shape) -> tuple[float, ...]:
    """Return half the sides of a shape that the link's origin is in; none of another."""
    x, y, z = Rotation.from_quat(np.roll(shape.wxyz, -1)).inv().apply(shape.position)
    if shape.kind == 'mesh':  # nobody looks into it
        return ()
    if shape.kind == 'box':
        half = tuple(0.5 * side for side in shape.size)
        inside = np.all(np.abs((x, y, z)) <= np.array(half) + _NEAR)
    elif shape.kind == 'cylinder':
        half = shape.size[:1]
        inside = np.hypot(x, y) <= half[0] and abs(z) <= 0.5 * shape.size[1] + _NEAR
    else:
        half = shape.size
        inside = np.linalg.norm((x, y, z)) <= half[0]
    return half if inside else ()


def inertia_box(body: Body) -> Shape:
    """Return the box of even density that has a link's mass, centre and inertia."""
    moments, axes = np.linalg.eigh(body.inertia)
    if np.linalg.det(axes) < 0:
        axes[:, 0] *= -1
    squares = 6.0 * (moments.sum() - 2.0 * moments) / body.mass
    sides = np.sqrt(np.maximum(squares, 0.0))
    sides = np.maximum(sides, _THINNEST * sides.max())
    return Shape(
        'box', tuple(sides), tuple(body.center), _wxyz(Rotation.from_matrix(axes)), look.BARE
    )


def _shape(visual: Element, colours: dict[str, Colour]) -> Shape | None:
    geometry = visual.one('geometry')
    if geometry is None or not geometry.children:
        return None
    one, origin = geometry.children[0], visual.one('origin')
    position = origin.triple('xyz', _ZERO) if origin else _ZERO
    turn = Rotation.from_euler('xyz', origin.triple('rpy', _ZERO) if origin else _ZERO)
    material = visual.one('material')
    colour = _colour(material, colours) if material else look.BARE
    file = ''
    if one.tag == 'box':
        size: tuple[float, ...] = one.triple('size')
    elif one.tag == 'cylinder':
        size = (one.number('radius'), one.number('length'))
    elif one.tag == 'sphere':
        size = (one.number('radius'),)
    elif one.tag == 'mesh':
        size, file = one.triple('scale', (1.0, 1.0, 1.0)), one.text('filename')
    else:
        return None
    return Shape(one.tag, size, position, _wxyz(turn), colour, file)


def _colour(material: Element, colours: dict[str, Colour]) -> Colour:
    given = material.one('color')
    if given is None:
        return colours.get(material.attributes.get('name', ''), look.BARE)
    red, green, blue = (float(word) for word in given.text('rgba').split()[:3])
    return (round(255 * red), round(255 * green), round(255 * blue))


def _wxyz(turn: Rotation) -> tuple[float, ...]:
    x, y, z, w = turn.as_quat()
    return (w, x, y, z)
