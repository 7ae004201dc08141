# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A robot in the scene: a node for each link, nested as in its URDF, so only joints move."""

from __future__ import annotations

from collections.abc import Mapping
import logging
from typing import Any

from free_flyer_dynamics.errors import ModelError
from free_flyer_dynamics.model import Model
from free_flyer_dynamics.urdf_source import resolve
from free_flyer_dynamics.viewer import look
from free_flyer_dynamics.viewer.geometry import girth, inertia_box, Shape, shapes
from free_flyer_dynamics.viewer.skeleton import local, Skeleton, wxyz
import numpy as np
from scipy.spatial.transform import Rotation
import viser

_LOG = logging.getLogger(__name__)


class RobotView:
    """
    What is drawn of a robot.

    Parameters
    ----------
    scene : viser.SceneApi
    model : Model

    """

    def __init__(self, scene: viser.SceneApi, model: Model) -> None:
        self._scene, self.model = scene, model
        self.skeleton = Skeleton(model)
        self._shown: dict[str, float] = {}
        self._frames = {model.root: scene.add_frame(f'/{look.path_of(model.root)}', False)}
        self._paths = {model.root: f'/{look.path_of(model.root)}'}
        self._joints = self.skeleton.outward()
        for joint in self._joints:
            path = f'{self._paths[joint.parent]}/{look.path_of(joint.child)}'
            position, matrix = local(joint, 0.0)
            self._paths[joint.child] = path
            self._frames[joint.child] = scene.add_frame(
                path, False, position=position, wxyz=wxyz(matrix)
            )
        every = shapes(model)
        for link, drawn in every.items():
            for k, shape in enumerate(drawn):
                if link in self._paths:
                    self._draw(f'{self._paths[link]}/shape{k}', shape, link)
        boxes = [inertia_box(body) for body in model.bodies if body.mass > 0]
        self.bulk = 0.5 * max(float(np.linalg.norm(box.size)) for box in boxes)  # m, of a link
        self._collars = {
            joint.name: self._collar(
                self._paths[joint.child], joint.axis, girth(every.get(joint.child, ()))
            )
            for joint in self._joints
            if joint.kind != 'fixed'
        }

    def remove(self) -> None:
        """Take the robot out of the scene."""
        self._frames[self.model.root].remove()

    def _draw(self, path: str, shape: Shape, link: str) -> None:
        scene = self._scene
        where = {'position': shape.position, 'wxyz': shape.wxyz}
        if shape.kind == 'box':
            scene.add_box(path, shape.colour, shape.size, **where)
        elif shape.kind == 'cylinder':
            scene.add_cylinder(path, shape.size[0], shape.size[1], shape.colour, **where)
        elif shape.kind == 'sphere':
            scene.add_icosphere(path, shape.size[0], shape.colour, **where)
        else:
            self._draw_mesh(path, shape, link, where)

    def _draw_mesh(self, path: str, shape: Shape, link: str, where) -> None:
        try:
            import trimesh

            file = shape.file.removeprefix('file://')
            path_to = resolve(file) if '://' in file else file
            mesh: Any = trimesh.load(path_to, force='mesh')
            mesh.apply_scale(shape.size)
            if not mesh.visual.defined:  # as of an STL: the URDF has its colour
                mesh.visual.vertex_colors = (*shape.colour, 255)
            self._scene.add_mesh_trimesh(path, mesh, **where)
        except (ModelError, OSError, ValueError, ImportError) as error:
            _LOG.warning("Mesh of link '%s' is not shown, its inertia is: %s", link, error)
            body = self.model.body(link)
            if body.mass > 0:
                self._draw(path, inertia_box(body), link)

    def _collar(self, path: str, axis: np.ndarray, inside: float):
        """Return the mark of a locked joint: a red disk around its axis and what is there."""
        size = self.skeleton.size
        tangent = np.cross(axis, (1, 0, 0) if abs(axis[0]) < 0.9 else (0, 1, 0))
        tangent /= np.linalg.norm(tangent)
        matrix = np.column_stack((tangent, np.cross(axis, tangent), axis))
        return self._scene.add_cylinder(
            f'{path}/locked',
            max(0.2 * size, 1.25 * inside),
            0.13 * size,
            look.LOCKED,
            wxyz=wxyz(matrix),
            visible=False,
        )

    def move(self, root: tuple[np.ndarray, np.ndarray], positions: Mapping[str, float]) -> None:
        """Show the robot there; what stands still is not sent again."""
        frame, (place, xyzw) = self._frames[self.model.root], root
        frame.position, frame.wxyz = place, np.roll(xyzw, 1)
        for joint in self._joints:
            position = positions.get(joint.name, 0.0)
            if joint.kind == 'fixed' or self._shown.get(joint.name) == position:
                continue
            self._shown[joint.name] = position
            shift, matrix = local(joint, position)
            if joint.kind == 'prismatic':
                self._frames[joint.child].position = shift
            else:
                self._frames[joint.child].wxyz = wxyz(matrix)

    def mark_locked(self, locked) -> None:
        """Show which joints are locked."""
        for name, collar in self._collars.items():
            if collar.visible != (name in locked):
                collar.visible = name in locked

    def place(self, link: str, root, positions: Mapping[str, float]):
        """Return position and rotation matrix of a link in world."""
        p, R = self.skeleton.place(link, positions)
        turn = Rotation.from_quat(root[1]).as_matrix()
        return root[0] + turn @ p, turn @ R

    @property
    def links(self) -> tuple[str, ...]:
        """Return the names of its links."""
        return tuple(self._paths)

    @property
    def hands(self) -> tuple[str, ...]:
        """Return the links that are its tools; the outermost one where none is named."""
        if self.model.end_effectors or not self.model.joints:
            return self.model.end_effectors
        return (self._joints[-1].child,)
