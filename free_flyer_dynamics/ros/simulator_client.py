# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The simulator's services, called without waiting: what is to be done then is handed along."""

from __future__ import annotations

from collections.abc import Callable, Mapping
import logging

from free_flyer_dynamics.control.capture import RESET
from free_flyer_dynamics.ros.structure_conversions import operation_to_msg
from free_flyer_interfaces import srv
from rclpy.node import Node
from std_srvs.srv import Trigger

_LOG = logging.getLogger(__name__)
Then = Callable[[bool], None]  # told whether it succeeded


class SimulatorClient:
    """
    Calls services of the simulator.

    Parameters
    ----------
    node : Node
    simulator : str
        Its name.
    around : callable
        Given a name and a callback, returns one that never raises.

    """

    def __init__(
        self, node: Node, simulator: str, around: Callable[[str, Callable], Callable]
    ) -> None:
        self._around = around
        self._clients = {
            name: node.create_client(kind, f'{simulator}/{name}')
            for name, kind in (
                ('reset', Trigger),
                ('change_topology', srv.ChangeTopology),
                ('set_joint_torques', srv.SetJointTorques),
                ('set_wheel_torques', srv.SetWheelTorques),
                ('step', srv.Step),
            )
        }

    @property
    def ready(self) -> bool:
        """Tell whether the simulator is there."""
        return all(client.service_is_ready() for client in self._clients.values())

    def change(self, operations: tuple[tuple, ...], then: Then) -> None:
        """Change the structure, or go back to the start."""
        if operations == RESET:
            self._call('reset', Trigger.Request(), then)
            return
        messages = [operation_to_msg(operation) for operation in operations]
        self._call('change_topology', srv.ChangeTopology.Request(operations=messages), then)

    def drive(
        self, arm: Mapping[str, float], wheels: Mapping[str, float], steps: int, then: Then
    ) -> None:
        """Set all efforts, then step: one after the other, so that each run is the same."""
        calls = [('step', srv.Step.Request(steps=steps))]
        for name, kind, efforts in (
            ('set_wheel_torques', srv.SetWheelTorques, wheels),
            ('set_joint_torques', srv.SetJointTorques, arm),
        ):
            if efforts:
                request = kind.Request(names=list(efforts), efforts=list(efforts.values()))
                calls.append((name, request))

        def go_on(fine: bool) -> None:
            if fine and calls:
                self._call(*calls.pop(), go_on)
            else:
                then(fine)

        go_on(True)

    def _call(self, name: str, request, then: Then) -> None:
        def answered(future) -> None:
            response = future.result()
            if not response.success:
                _LOG.error('%s: %s', name, response.message)
            then(response.success)

        future = self._clients[name].call_async(request)
        future.add_done_callback(self._around(name, answered))
