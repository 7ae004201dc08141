# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What the page's buttons do: calls of the simulator's services, answers as notes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
import queue
from typing import Any

from free_flyer_dynamics.ros.structure_conversions import operation_to_msg
from free_flyer_dynamics.viewer.latest import Latest
from free_flyer_interfaces.srv import ChangeTopology, Step
from geometry_msgs.msg import WrenchStamped
from rcl_interfaces.srv import SetParameters
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.parameter import Parameter
from std_srvs.srv import SetBool, Trigger

_TICK = 0.02  # s between looks at what was pressed


class ServiceActions:
    """
    Actions, by services and one topic. Buttons are pressed on any thread; the node's own calls.

    Parameters
    ----------
    node : Node
    latest : Latest
    simulator : str

    """

    def __init__(self, node: Node, latest: Latest, simulator: str) -> None:
        self._node, self._latest, self._simulator = node, latest, simulator
        self._todo: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        kinds = {
            'pause': SetBool,
            'reset': Trigger,
            'step': Step,
            'change_topology': ChangeTopology,
            'set_parameters': SetParameters,
        }
        self._clients_ = {
            name: node.create_client(kind, f'{simulator}/{name}') for name, kind in kinds.items()
        }
        self._wrench = node.create_publisher(WrenchStamped, 'base_wrench', 10)
        self._push_ends: float | None = None
        # On a steady clock: simulated time stands still just when somebody presses Run.
        node.create_timer(_TICK, self._on_tick, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def _on_tick(self) -> None:
        while not self._todo.empty():
            self._todo.get()()
        joints = self._latest.joints
        if self._push_ends is not None and joints and joints.stamp >= self._push_ends:
            self._push_ends = None
            self._wrench.publish(WrenchStamped())

    def _call(self, service: str, request, told: Callable[[Any], str]) -> None:
        def call() -> None:
            client = self._clients_[service]
            if not client.service_is_ready():
                self._latest.note = f'⚠ {self._simulator}/{service} is not there.'
                return
            client.call_async(request).add_done_callback(answered)

        def answered(future) -> None:
            response = future.result()
            done = getattr(response, 'success', True)
            self._latest.note = told(response) if done else f'⚠ {response.message}'

        self._todo.put(call)

    def pause(self, paused: bool) -> None:
        """Stand still, or go on."""
        self._call('pause', SetBool.Request(data=paused), lambda r: r.message)

    def step(self, steps: int) -> None:
        """Make that many steps while paused."""
        self._call('step', Step.Request(steps=steps), lambda r: f'{steps} steps made.')

    def reset(self) -> None:
        """Go back to the start."""
        self._call('reset', Trigger.Request(), lambda r: 'Back at the start.')

    def speed(self, factor: float) -> None:
        """Let so many simulated seconds pass in a second."""
        parameter = Parameter('real_time_factor', value=factor).to_parameter_msg()

        def told(response) -> str:
            (result,) = response.results
            return f'{factor:g} × real time.' if result.successful else f'⚠ {result.reason}'

        self._call('set_parameters', SetParameters.Request(parameters=[parameter]), told)

    def change(self, operations: Sequence[tuple]) -> None:
        """Change the structure."""
        request = ChangeTopology.Request(operations=[operation_to_msg(o) for o in operations])

        def told(response) -> str:
            done = response.transition
            what = ', '.join(' '.join(map(str, o[:3])) for o in operations).replace(' {}', '')
            return (
                f'{what}: {done.dof_before} → {done.dof_after} DOF, {done.energy_lost:.3g} J lost.'
            )

        self._call('change_topology', request, told)

    def push(self, force: Sequence[float], seconds: float) -> None:
        """Push the first robot's root with a force in world axes, for a while."""
        message = WrenchStamped()
        message.wrench.force.x, message.wrench.force.y, message.wrench.force.z = force

        def begin() -> None:
            joints = self._latest.joints
            self._push_ends = (joints.stamp if joints else 0.0) + seconds
            self._wrench.publish(message)
            self._latest.note = f'Pushed with {max(map(abs, force)):g} N for {seconds:g} s.'

        self._todo.put(begin)
