# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
The simulator, with a window for tests: its whole state as a digest, and slips on demand.

The service ~/probe answers with JSON: the snapshot's digest and what has been counted. A state
kept as 'crash' is a slip of ours in a service; a wheel named 'crash', one in a topic's command.
A state kept as 'derail' makes the next step fail, one kept as 'garble' the next report of
diagnostics. ~/compute keeps Python busy for a second, ~/collect the collector of garbage.
"""

import gc
import hashlib
import json
import threading
import time

from free_flyer_dynamics.errors import StateError
from free_flyer_dynamics.ros import simulator_node
from std_srvs.srv import Trigger


class ProbeNode(simulator_node.SimulatorNode):
    """A simulator that can be looked into, and tripped."""

    def __init__(self):
        super().__init__()
        self._trip(self.loop.world, self._commands, self._diagnostics)
        self._probe_ = [
            self.create_service(Trigger, '~/probe', self._on_probe),
            self.create_service(Trigger, '~/compute', self._on_compute),
            self.create_service(Trigger, '~/collect', self._on_collect),
        ]

    @staticmethod
    def _on_compute(request, response):
        end = time.monotonic() + 1.0
        while time.monotonic() < end:
            sum(range(200))
        response.success = True
        return response

    @staticmethod
    def _on_collect(request, response):
        for _ in range(20):
            gc.collect()
        response.success = True
        return response

    def _on_probe(self, request, response):
        done = threading.Event()
        found = {}

        def look():
            snapshot = self.loop.world.sim.snapshot()
            found['digest'] = hashlib.sha256(snapshot).hexdigest()
            found['refused'] = self._commands._refused.counts()
            found['crashes'] = self._diagnostics._guard.crashes.counts()

        self.loop.submit(look, lambda *_: done.set())
        response.success = done.wait(10.0)
        response.message = json.dumps(found)
        return response

    @staticmethod
    def _trip(world, commands, diagnostics):
        keep, wheels, step = world.keep, commands.wheels, world.sim.step_on_time
        say = diagnostics._message

        def derailed(*_):
            world.sim.step_on_time = step
            raise StateError('The motion stopped being finite.')

        def garbled(_read):
            diagnostics._message = say
            raise ZeroDivisionError('a slip in a report')

        def tripping_keep(name):
            if name == 'crash':
                raise ZeroDivisionError('a slip in a service')
            if name == 'derail':
                world.sim.step_on_time = derailed
            elif name == 'garble':
                diagnostics._message = garbled
            else:
                keep(name)

        def tripping_wheels(names, efforts):
            if list(names) == ['crash']:
                raise ZeroDivisionError('a slip in a command')
            wheels(names, efforts)

        world.keep, commands.wheels = tripping_keep, tripping_wheels


if __name__ == '__main__':
    simulator_node.SimulatorNode = ProbeNode
    simulator_node.run()
