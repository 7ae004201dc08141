# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What is called: each service hands an action to the physics thread and waits for its outcome."""

from __future__ import annotations

from collections.abc import Callable
import threading
from typing import Any

from free_flyer_dynamics.errors import FreeFlyerError
from free_flyer_dynamics.ros import conversions, structure_conversions
from free_flyer_dynamics.ros.guard import Guard
from free_flyer_dynamics.ros.physics import PhysicsLoop
from free_flyer_dynamics.ros.publishers import Publishers
from free_flyer_dynamics.ros.tally import Tally
from free_flyer_interfaces import srv
from rclpy.node import Node
from std_srvs.srv import SetBool, Trigger

_LOOK_UP = 0.05  # s; how often a waiting call looks whether the node is to stop


class Stopped(FreeFlyerError):
    """The node is on its way down."""


class Caller:
    """Has the physics thread do something, from another one, and waits until that is published."""

    def __init__(self, node: Node, loop: PhysicsLoop, publishers: Publishers) -> None:
        self._context = node.context
        self._loop, self._publishers = loop, publishers

    def __call__(self, action: Callable[[], Any]) -> Any:
        """Return what the action returned, or raise what it raised."""
        done = threading.Event()
        outcome: list = [None, None]

        def tell(result, error) -> None:
            outcome[:] = result, error
            done.set()

        self._loop.submit(action, tell)
        while not done.wait(_LOOK_UP):
            if not self._context.ok():
                raise Stopped('The simulator is shutting down.')
        if outcome[1] is not None:
            raise outcome[1]
        return outcome[0]


class Services:
    """The services of the contract."""

    def __init__(
        self,
        node: Node,
        loop: PhysicsLoop,
        publishers: Publishers,
        call: Caller,
        guard: Guard,
        refused: Tally,
    ) -> None:
        self._loop, self._world, self._call = loop, loop.world, call
        self._publishers, self._refused = publishers, refused
        self._frame = publishers.world_frame
        table: tuple[tuple[type, str, Callable], ...] = (
            (srv.SetJointTorques, 'set_joint_torques', self._set_joint_torques),
            (srv.SetWheelTorques, 'set_wheel_torques', self._set_wheel_torques),
            (srv.ChangeTopology, 'change_topology', self._change_topology),
            (srv.GetConnectivity, 'get_connectivity', self._get_connectivity),
            (SetBool, 'pause', self._pause),
            (Trigger, 'reset', self._reset),
            (srv.Step, 'step', self._step),
            (srv.SaveState, 'save_state', self._save_state),
            (srv.LoadState, 'load_state', self._load_state),
        )
        self.all = [
            node.create_service(
                kind, f'~/{name}', guard.around(name, self._answering(name, method))
            )
            for kind, name, method in table
        ]

    def _answering(self, name: str, method: Callable) -> Callable:
        """Return a callback: the method fills the response, an error of ours is its message."""

        def answer(request, response):
            try:
                response.message = method(request, response) or ''
                response.success = True
            except FreeFlyerError as error:
                self._refused.add(name, str(error))
                response = type(response)(success=False, message=str(error))
            return response

        return answer

    def _set_joint_torques(self, request, response) -> None:
        efforts = conversions.by_name(request.names, request.efforts)
        self._call(lambda: self._world.set_efforts(efforts, request.duration))

    def _set_wheel_torques(self, request, response) -> None:
        efforts = conversions.by_name(request.names, request.efforts)
        self._call(lambda: self._world.set_wheel_efforts(efforts, request.duration))

    def _change_topology(self, request, response) -> None:
        operations = structure_conversions.operations_from_msg(request.operations)
        transition = self._call(lambda: self._world.change(operations))
        response.transition = structure_conversions.transition_to_msg(transition)
        self._publishers.tell(response.transition)
        self.follow()

    def follow(self):
        """Have the publishers that the present structure asks for; return the structure."""
        connectivity = self._call(self._world.connectivity)
        self._publishers.follow(connectivity)
        return connectivity

    def _get_connectivity(self, request, response) -> None:
        stamp, connectivity = self._call(lambda: (self._world.stamp, self._world.connectivity()))
        response.connectivity = structure_conversions.connectivity_to_msg(
            stamp, self._frame, connectivity
        )

    def _pause(self, request, response) -> str:
        self._call(lambda: self._loop.set_paused(request.data))
        return 'Paused.' if request.data else 'Running.'

    def _reset(self, request, response) -> None:
        self._call(self._world.reset)
        self.follow()

    def _step(self, request, response) -> None:
        response.time = conversions.time_to_msg(self._call(lambda: self._loop.step(request.steps)))

    def _save_state(self, request, response) -> None:
        self._call(lambda: self._world.keep(request.name))

    def _load_state(self, request, response) -> None:
        self._call(lambda: self._world.load(request.name))
        self.follow()
