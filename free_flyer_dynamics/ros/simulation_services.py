# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The services of simulation_interfaces, where that package is installed (1.4 to 2.1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from free_flyer_dynamics.errors import FreeFlyerError
from free_flyer_dynamics.ros.entities import Entities
from free_flyer_dynamics.ros.guard import Guard
from free_flyer_dynamics.ros.physics import PhysicsLoop
from free_flyer_dynamics.ros.scene import Robot
from free_flyer_dynamics.ros.tally import Tally
from rclpy.node import Node

try:
    from simulation_interfaces import msg, srv
except ImportError:  # it is optional
    msg = srv = None

_FEATURES = (
    'ENTITY_STATE_GETTING',
    'ENTITY_STATE_SETTING',
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
        refused: Tally,
        follow: Callable[[], Any],
    ) -> None:
        self._loop, self._call, self._refused, self._follow = loop, call, refused, follow
        entities = Entities(loop.world, robots, call, world_frame)
        table = {
            'get_simulator_features': (srv.GetSimulatorFeatures, self._features),
            'get_simulation_state': (srv.GetSimulationState, self._get_state),
            'set_simulation_state': (srv.SetSimulationState, self._set_state),
            'step_simulation': (srv.StepSimulation, self._step),
            'reset_simulation': (srv.ResetSimulation, self._reset),
            'get_entities': (srv.GetEntities, entities.list_names),
            'get_entity_state': (srv.GetEntityState, entities.get_state),
            'set_entity_state': (srv.SetEntityState, entities.set_state),
        }
        self.all = [
            node.create_service(
                kind, f'~/{name}', guard.around(name, self._answering(name, method))
            )
            for name, (kind, method) in table.items()
        ]

    def _answering(self, name: str, method: Callable) -> Callable:
        """Return a callback: what fails says so in the result, and is counted."""

        def answer(request, response):
            try:
                code, sentence = method(request, response) or (msg.Result.RESULT_OK, '')
            except FreeFlyerError as error:
                code, sentence = msg.Result.RESULT_OPERATION_FAILED, str(error)
            if code != msg.Result.RESULT_OK:
                self._refused.add(name, sentence)
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
            self._reset_state()
        return None

    def _step(self, request, response) -> None:
        self._call(lambda: self._loop.step(request.steps))

    def _reset(self, request, response):
        if request.scope and not request.scope & srv.ResetSimulation.Request.SCOPE_STATE:
            return (
                msg.Result.RESULT_FEATURE_UNSUPPORTED,
                'Time never runs back, nothing is spawned: reset with SCOPE_STATE or SCOPE_ALL.',
            )
        self._reset_state()
        return None

    def _reset_state(self) -> None:
        self._call(self._loop.world.reset)
        self._follow()


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
    refused: Tally,
    follow: Callable[[], Any],
) -> SimulationServices | None:
    """Offer the services, where their definitions are installed."""
    if srv is None:
        return None
    return SimulationServices(node, loop, robots, call, world_frame, guard, refused, follow)
