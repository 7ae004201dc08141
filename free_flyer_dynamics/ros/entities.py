# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Robots as the entities of simulation_interfaces, by their names in parameters.

A state is that of the root link: pose and twist in world, as the interface has it, where Odometry
has its twist in the base.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
import re
from typing import Any

from free_flyer_dynamics.errors import CommandError, StateError
from free_flyer_dynamics.ros import conversions
from free_flyer_dynamics.ros.scene import Robot
from free_flyer_dynamics.ros.world import World

try:
    from simulation_interfaces import msg, srv
except ImportError:  # it is optional
    msg = srv = None


class Entities:
    """What can be listed, read and placed."""

    def __init__(
        self,
        world: World,
        robots: Sequence[Robot],
        call: Callable[[Callable[[], Any]], Any],
        world_frame: str,
    ) -> None:
        self._world, self._call, self._frame = world, call, world_frame
        self._robots = {robot.name: robot for robot in robots}

    def list_names(self, request, response):
        """Answer get_entities."""
        filters = request.filters
        if filters.categories or filters.tags.tags or filters.bounds.type:
            return (
                msg.Result.RESULT_FEATURE_UNSUPPORTED,
                'Entities are found by name alone: leave categories, tags and bounds empty.',
            )
        try:
            wanted = re.compile(filters.filter)
        except re.error as error:
            raise CommandError(
                f"The filter '{filters.filter}' is no regular expression: {error}."
            ) from None
        response.entities = [name for name in self._robots if wanted.search(name)]
        return None

    def get_state(self, request, response):
        """Answer get_entity_state."""
        if request.entity not in self._robots:
            return self._unknown(request.entity)
        root, sim = self._robots[request.entity].root, self._world.sim
        stamp, pose, twist, acceleration = self._call(
            lambda: (self._world.stamp, sim.pose(root), sim.twist(root), sim.acceleration(root))
        )
        state = response.state
        state.header = conversions.header(stamp, self._frame)
        state.pose.position = conversions.point_to_msg(pose.position)
        state.pose.orientation = conversions.quaternion_to_msg(pose.quaternion)
        state.twist = conversions.twist_to_msg(twist)
        state.acceleration.linear = conversions.vector_to_msg(acceleration.linear)
        state.acceleration.angular = conversions.vector_to_msg(acceleration.angular)
        return None

    def set_state(self, request, response):
        """Answer set_entity_state: all at once, between two steps."""
        if request.entity not in self._robots:
            return self._unknown(request.entity)
        state = request.state
        if state.header.frame_id not in ('', self._frame):
            raise CommandError(
                f"A state is given in the frame '{self._frame}', not in '{state.header.frame_id}'."
            )
        # Since 2.1 the request says what of the state is meant; before, it was all of it.
        if getattr(request, 'set_acceleration', False):
            return (
                msg.Result.RESULT_FEATURE_UNSUPPORTED,
                'Accelerations follow from the dynamics: set efforts or wrenches.',
            )
        given: dict[str, tuple[float, ...]] = {}
        if getattr(request, 'set_pose', True):
            given['position'] = conversions.xyz_from_msg(state.pose.position)
            given['quaternion'] = conversions.quaternion_from_msg(state.pose.orientation)
        if getattr(request, 'set_twist', True):
            given['linear_velocity'] = conversions.xyz_from_msg(state.twist.linear)
            given['angular_velocity'] = conversions.xyz_from_msg(state.twist.angular)
        prefix = self._robots[request.entity].prefix
        try:
            self._call(lambda: self._world.place(prefix, **given))
        except StateError as error:
            sentence = str(error)
            wrong_pose = sentence.startswith(('position', 'quaternion'))
            code = getattr(srv.SetEntityState.Response, 'INVALID_POSE', 101)
            return code if wrong_pose else msg.Result.RESULT_OPERATION_FAILED, sentence
        return None

    def _unknown(self, name: str) -> tuple[int, str]:
        known = ', '.join(self._robots)
        return msg.Result.RESULT_NOT_FOUND, f"No entity is named '{name}'. Known: {known}."
