# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A simulator in a process of its own, and a node here that talks to it."""

from __future__ import annotations

from collections import defaultdict
import json
import os
import signal
import subprocess
import sys
import time
from typing import ClassVar

from free_flyer_dynamics.urdf import shipped
from rcl_interfaces.msg import Parameter, ParameterValue
from rcl_interfaces.srv import GetParameters, SetParameters
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import QoSProfile
from std_srvs.srv import Trigger

PATIENCE = 20.0  # s; far more than anything takes, on a busy machine too
START = 400.0  # s; kernels may have to be compiled, on a busy machine


def option(parameter: str) -> str:
    """Return what goes before a parameter, a renaming or a file of parameters."""
    if parameter.endswith('.yaml'):
        return '--params-file'
    return '-r' if parameter.startswith(('__', 'joint_states:=')) else '-p'


def described(robot: str) -> str:
    """Return the parameter that gives a shipped robot by its text, as a line of a shell."""
    text = shipped(robot).read_text().split('-->', 1)[1].replace('\n', ' ').replace("'", '')
    return f"robot_description:='{text}'"


class Process:
    """A node of ours, mostly the simulator, started as a user would."""

    running: ClassVar[list[Process]] = []

    def __init__(self, *parameters: str, log, node: str = 'simulator_node') -> None:
        arguments = [part for p in parameters for part in (option(p), p)]
        Process.running.append(self)
        self._log_path = log
        self._log = open(log, 'w')  # noqa: SIM115
        self.popen = subprocess.Popen(
            [
                sys.executable,
                '-m',
                node if '.' in node else f'free_flyer_dynamics.ros.{node}',
                '--ros-args',
                *arguments,
            ],
            stdout=self._log,
            stderr=subprocess.STDOUT,
            env={**os.environ, 'PYTHONUNBUFFERED': '1'},
        )

    @property
    def alive(self) -> bool:
        """Tell whether it runs."""
        return self.popen.poll() is None

    def log(self) -> str:
        """Return what it has said so far."""
        with open(self._log_path) as file:
            return file.read()

    def stop(self, how: int = signal.SIGINT, patience: float = PATIENCE) -> float:
        """Ask it to stop; return how long that took."""
        start = time.monotonic()
        if self.popen.poll() is None:
            self.popen.send_signal(how)
            try:
                self.popen.wait(patience)
            except subprocess.TimeoutExpired:
                self.popen.kill()
                self.popen.wait()
        self._log.close()
        return time.monotonic() - start


class Peer:
    """A node that calls, listens and publishes."""

    def __init__(self, name: str = 'peer') -> None:
        self.node = rclpy.create_node(name)
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self.node)
        self._clients: dict = {}
        self._publishers: dict = {}
        self._subscriptions: dict = {}
        self.heard: dict[str, list] = defaultdict(list)

    def close(self) -> None:
        """Leave the graph."""
        self._executor.shutdown()
        self.node.destroy_node()

    def until(self, condition, patience: float = PATIENCE, what: str = '') -> None:
        """Spin until a condition holds, or fail."""
        end = time.monotonic() + patience
        while not condition():
            assert time.monotonic() < end, f'waited {patience} s in vain for {what or condition}'
            self._executor.spin_once(timeout_sec=0.02)

    def spin(self, seconds: float) -> None:
        """Let messages come in for a while."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._executor.spin_once(timeout_sec=max(min(end - time.monotonic(), 0.02), 0))

    def call(self, kind, service: str, /, patience: float = PATIENCE, **fields):
        """Call a service of the simulator and return its response."""
        if service not in self._clients:
            full = service if service.startswith('/') else f'/free_flyer/{service}'
            self._clients[service] = self.node.create_client(kind, full)
        client = self._clients[service]
        end = time.monotonic() + START
        while not client.wait_for_service(0.5):
            assert time.monotonic() < end, f'no service {service}'
            assert any(p.alive for p in Process.running), Process.running[-1].log()
        future = client.call_async(kind.Request(**fields))
        self.until(future.done, patience, f'the answer of {service}')
        return future.result()

    def done(self, kind, service: str, /, **fields):
        """Call a service that must succeed."""
        response = self.call(kind, service, **fields)
        assert response.success, response.message
        return response

    def set_number(self, name: str, value: float):
        """Set a parameter of the simulator that is a number; return the result."""
        given = Parameter(name=name, value=ParameterValue(type=3, double_value=value))
        return self.call(SetParameters, 'set_parameters', parameters=[given]).results[0]

    def number(self, name: str) -> float:
        """Return a parameter of the simulator that is a number."""
        return self.call(GetParameters, 'get_parameters', names=[name]).values[0].double_value

    def probe(self) -> dict:
        """Return what probe_node tells of itself: the state's digest, and what was counted."""
        return json.loads(self.done(Trigger, 'probe').message)

    def listen(self, kind, topic: str, qos: QoSProfile | int = 100) -> list:
        """Return the list that messages on a topic are appended to; matched when this returns."""
        if topic not in self._subscriptions:
            heard = self.heard[topic]
            self._subscriptions[topic] = self.node.create_subscription(
                kind, topic, heard.append, qos
            )
            self.until(lambda: self.node.count_publishers(topic), START, f'a publisher of {topic}')
            self.spin(0.3)  # both ends know each other
        return self.heard[topic]

    def say(self, message, topic: str) -> None:
        """Publish a command as joint_state_topic_hardware_interface does: reliable, depth 1."""
        if topic not in self._publishers:
            self._publishers[topic] = self.node.create_publisher(
                type(message), topic, QoSProfile(depth=1)
            )
            self.until(lambda: self._publishers[topic].get_subscription_count(), what=topic)
            self.spin(0.2)
        self._publishers[topic].publish(message)


def stamp(message) -> int:
    """Return the stamp of a message [ns]."""
    at = message.header.stamp
    return at.sec * 1_000_000_000 + at.nanosec


def reported(diagnostics) -> dict[str, str]:
    """Return the values of a report by their keys."""
    return {v.key: v.value for status in diagnostics.status for v in status.values}
