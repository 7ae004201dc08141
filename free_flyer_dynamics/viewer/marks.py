# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What is shown beside the robots: trails, arrows of momentum and wrenches, grips and the base."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from free_flyer_dynamics.viewer import look
from free_flyer_dynamics.viewer.latest import Latest, Moving
import numpy as np
import viser

_TRAIL = 400  # points
_LONGEST = 2.2  # m; the largest of a kind of arrow since the start
_NOWHERE = np.zeros((1, 2, 3))
Place = tuple[np.ndarray, np.ndarray]  # position and rotation matrix in world


class Trail:
    """Where a point has been."""

    def __init__(self, scene: viser.SceneApi, name: str, colour: tuple[int, int, int]) -> None:
        self._points: deque[np.ndarray] = deque(maxlen=_TRAIL)
        self._handle = scene.add_line_segments(
            f'/marks/trail {name}', _NOWHERE, colors=colour, thickness=0.022, visible=False
        )

    def clear(self) -> None:
        """Forget where it has been."""
        self._points.clear()
        self._handle.visible = False

    def add(self, point: np.ndarray) -> None:
        """Go on to a point; a step too small to be seen is left out."""
        if self._points and np.linalg.norm(point - self._points[-1]) < 4e-3:
            return
        self._points.append(point)
        if len(self._points) < 2:
            return
        points = np.array(self._points, dtype=np.float32)
        segments = np.stack((points[:-1], points[1:]), axis=1)
        self._handle.points = segments
        if not self._handle.visible:
            self._handle.visible = True


class Arrow:
    """A vector at a point; the largest one since the start has a length that can be seen."""

    def __init__(self, scene: viser.SceneApi, name: str, colour: tuple[int, int, int]) -> None:
        self.forget()
        self._handle = scene.add_arrows(
            f'/marks/{name}',
            _NOWHERE,
            colour,
            shaft_radius=0.025,
            head_radius=0.06,
            head_length=0.14,
            visible=False,
        )

    def forget(self) -> None:
        """Forget how large it has been."""
        self._largest = 1e-9

    def show(self, at: np.ndarray, vector: np.ndarray) -> None:
        """Draw it; what is next to nothing is hidden."""
        size = float(np.linalg.norm(vector))
        self._largest = max(self._largest, size)
        length = _LONGEST * size / self._largest
        seen = size > 1e-6 and length > 0.05
        if seen:
            self._handle.points = np.array([[at, at + vector * (length / size)]], np.float32)
        if self._handle.visible != seen:
            self._handle.visible = seen

    def remove(self) -> None:
        """Take it out of the scene."""
        self._handle.remove()


class Grip:
    """An attachment: a ball where it sits, its name, and the force it bears."""

    def __init__(self, scene: viser.SceneApi, name: str, loop: bool, size: float) -> None:
        colour = look.LOOP if loop else look.GRIP
        path = look.path_of(name)
        self._ball = scene.add_icosphere(f'/marks/grip {path}', 0.22 * size, colour, opacity=0.8)
        self._label = scene.add_label(
            f'/marks/grip {path}/name', name, position=(0, 0, 0.3 * size), anchor='bottom-left'
        )
        self._force = Arrow(scene, f'force {path}', look.FORCE)

    def show(self, place: Place, force: np.ndarray) -> None:
        """Draw it there; the force is in the frame's axes."""
        position, matrix = place
        self._ball.position = position
        self._force.show(position, matrix @ force)

    def remove(self) -> None:
        """Take it out of the scene."""
        self._ball.remove()
        self._force.remove()


class Marks:
    """Everything of this file, kept in step with what is known."""

    def __init__(self, scene: viser.SceneApi) -> None:
        self._scene = scene
        self._trails: dict[str, Trail] = {}
        self._grips: dict[str, Grip] = {}
        self._linear = Arrow(scene, 'linear momentum', look.LINEAR)
        self._angular = Arrow(scene, 'angular momentum', look.ANGULAR)
        self._base = scene.add_frame(
            '/marks/base', axes_length=0.7, axes_radius=0.014, origin_radius=0.0, visible=False
        )
        self._base_name = scene.add_label('/marks/base/name', 'base', position=(0, 0, 0.78))
        self.size = 0.5

    def follow(self, points: Mapping[str, tuple[np.ndarray, tuple[int, int, int]]]) -> None:
        """Let trails grow to where named points are now."""
        for name, (point, colour) in points.items():
            if name not in self._trails:
                self._trails[name] = Trail(self._scene, look.path_of(name), colour)
            self._trails[name].add(point)

    def clear(self) -> None:
        """Forget where everything has been, and how large the momentum was."""
        for trail in self._trails.values():
            trail.clear()
        for arrow in (self._linear, self._angular):
            arrow.forget()

    def momentum(self, moving: Moving | None) -> None:
        """Draw the momentum of all at their common centre of mass."""
        if moving is not None:
            self._linear.show(moving.center, moving.linear)
            self._angular.show(moving.center, moving.angular)

    def base(self, place: Place | None, wxyz: np.ndarray | None) -> None:
        """Show which body is the base."""
        self._base.visible = place is not None
        if place is not None and wxyz is not None:
            self._base.position, self._base.wxyz = place[0], wxyz

    def grips(self, latest: Latest, places: Mapping[str, Place]) -> None:
        """Show what holds, where, and what it bears."""
        table = latest.table
        for name in [name for name in self._grips if name not in table.attachments]:
            self._grips.pop(name).remove()
        for name, (frame, force, _) in latest.wrenches.items():
            if name not in table.attachments or frame not in places:
                continue
            if name not in self._grips:
                loop = name in table.loops
                self._grips[name] = Grip(self._scene, name, loop, self.size)
            self._grips[name].show(places[frame], force)
