# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
The services of simulation_interfaces, where that package is installed (1.4 to 2.1).

Entities are the robots, by their names in parameters. A state is that of the root link: pose and
twist in world, as the interface has it, where Odometry has its twist in the base.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
import re
from typing import Any

from free_flyer_dynamics.errors import CommandError, FreeFlyerError
from free_flyer_dynamics.ros import conversions
from free_flyer_dynamics.ros.guard import Guard
from free_flyer_dynamics.ros.physics import PhysicsLoop
from free_flyer_dynamics.ros.scene import Robot
from rclpy.node import Node

try:
    from simulation_interfaces import msg, srv
except ImportError:  # it is optional
    msg = srv = None

_FEATURES = (
    'ENTITY_STATE_GETTING',
    'SIMULATION_RESET',
    'SIMULATION_RESET_STATE',
    'SIMULATION_STATE_GETTING',
    'SIMULATION_STATE_SETTING',
    'SIMULATION_STATE_PAUSE',
    'STEP_SIMULATION_SINGLE',
    'STEP_SIMULATION_MULTIPLE',
)


class SimulationServices:
    """The standard simulation interface on top of ours."""

    def __init__(
        self,
        node: Node,
        loop: PhysicsLoop,
        robots: Sequence[Robot],
        call: Callable[[Callable[[], Any]], Any],
        world_frame: str,
        guard: Guard,
    ) -> None:
        self._loop, self._call, self._frame = loop, call, world_frame
        self._robots = {robot.name: robot for robot in robots}
        table = {
            'get_simulator_features': (srv.GetSimulatorFeatures, self._features),
            'get_simulation_state': (srv.GetSimulationState, self._get_state),
            'set_simulation_state': (srv.SetSimulationState, self._set_state),
            'step_simulation': (srv.StepSimulation, self._step),
            'reset_simulation': (srv.ResetSimulation, self._reset),
            'get_entities': (srv.GetEntities, self._entities),
            'get_entity_state': (srv.GetEntityState, self._get_entity),
            'set_entity_state': (srv.SetEntityState, self._set_entity),
        }
        self.all = [
            node.create_service(kind, f'~/{name}', guard.around(name, self._answering(method)))
            for name, (kind, method) in table.items()
        ]

    def _answering(self, method: Callable) -> Callable:
        """Return a callback: what fails says so in the result."""

        def answer(request, response):
            try:
                code, sentence = method(request, response) or (msg.Result.RESULT_OK, '')
            except FreeFlyerError as error:
                code, sentence = msg.Result.RESULT_OPERATION_FAILED, str(error)
            if hasattr(response, 'result'):
                response.result = msg.Result(result=code, error_message=sentence)
            return response

        return answer

    def _features(self, request, response) -> None:
        kind = msg.SimulatorFeatures
        response.features.features = [getattr(kind, n) for n in _FEATURES if hasattr(kind, n)]
        response.features.custom_info = 'free_flyer_dynamics; structure: ~/change_topology'

    def _get_state(self, request, response) -> None:
        state = msg.SimulationState
        paused = self._call(lambda: self._loop.paused)
        response.state.state = state.STATE_PAUSED if paused else state.STATE_PLAYING

    def _set_state(self, request, response):
        state, wanted = msg.SimulationState, request.state.state
        if wanted == state.STATE_QUITTING:
            return msg.Result.RESULT_FEATURE_UNSUPPORTED, 'Stop the node by SIGINT or SIGTERM.'
        if wanted not in (state.STATE_STOPPED, state.STATE_PLAYING, state.STATE_PAUSED):
            return (
                msg.Result.RESULT_FEATURE_UNSUPPORTED,
                f'The state {wanted} is not supported; expected stopped, playing or paused.',
            )
        pause = wanted != state.STATE_PLAYING
        if wanted != state.STATE_STOPPED and self._call(lambda: self._loop.paused) == pause:
            return request_code('ALREADY_IN_TARGET_STATE', 101), 'It is in that state already.'
        self._call(lambda: self._loop.set_paused(pause))
        if wanted == state.STATE_STOPPED:
            self._call(self._loop.world.reset)
        return None

    def _step(self, request, response):
        if not self._call(lambda: self._loop.paused):
            return msg.Result.RESULT_INCORRECT_STATE, 'Stepping is for a paused simulation.'
        self._call(lambda: self._loop.step(request.steps))
        return None

    def _reset(self, request, response):
        scopes = srv.ResetSimulation.Request
        if request.scope == scopes.SCOPE_TIME:
            return (
                msg.Result.RESULT_FEATURE_UNSUPPORTED,
                'Time never runs back here; SCOPE_STATE and SCOPE_ALL reset the state.',
            )
        self._call(self._loop.world.reset)
        return None

    def _entities(self, request, response):
        pattern = getattr(request.filters, 'filter', '')
        try:
            wanted = re.compile(pattern)
        except re.error as error:
            raise CommandError(
                f"The filter '{pattern}' is no regular expression: {error}."
            ) from None
        response.entities = [name for name in self._robots if wanted.search(name)]

    def _get_entity(self, request, response):
        if request.entity not in self._robots:
            return self._unknown(request.entity)
        root, sim = self._robots[request.entity].root, self._loop.world.sim
        stamp, pose, twist = self._call(
            lambda: (self._loop.world.stamp, sim.pose(root), sim.twist(root))
        )
        state = response.state
        state.header = conversions.header(stamp, self._frame)
        state.pose.position = conversions.point_to_msg(pose.position)
        state.pose.orientation = conversions.quaternion_to_msg(pose.quaternion)
        state.twist = conversions.twist_to_msg(twist)
        return None

    def _set_entity(self, request, response):
        if request.entity not in self._robots:
            return self._unknown(request.entity)
        return (
            msg.Result.RESULT_FEATURE_UNSUPPORTED,
            'A state cannot be set by force: it would break momentum. Start robots by parameters, '
            'go back with ~/load_state, or push with base_wrench.',
        )

    def _unknown(self, name: str) -> tuple[int, str]:
        known = ', '.join(self._robots)
        return msg.Result.RESULT_NOT_FOUND, f"No entity is named '{name}'. Known: {known}."


def request_code(name: str, default: int) -> int:
    """Return a result code of set_simulation_state; versions keep them in the response."""
    return getattr(srv.SetSimulationState.Response, name, default)


def offer(
    node: Node,
    loop: PhysicsLoop,
    robots: Sequence[Robot],
    call: Callable[[Callable[[], Any]], Any],
    world_frame: str,
    guard: Guard,
) -> SimulationServices | None:
    """Offer the services, where their definitions are installed."""
    if srv is None:
        return None
    return SimulationServices(node, loop, robots, call, world_frame, guard)
