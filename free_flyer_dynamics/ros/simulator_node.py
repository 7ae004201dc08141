# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The node: convert in, call, convert out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from free_flyer_dynamics.pace import Pace
from free_flyer_dynamics.ros import logs, parameters, scene, simulation_services, spinning
from free_flyer_dynamics.ros.commands import TopicCommands
from free_flyer_dynamics.ros.diagnostics import Diagnostics
from free_flyer_dynamics.ros.physics import PhysicsLoop
from free_flyer_dynamics.ros.publishers import Publishers
from free_flyer_dynamics.ros.sampling import Sampler
from free_flyer_dynamics.ros.services import Caller, Services
from free_flyer_dynamics.ros.subscriptions import Subscriptions
from free_flyer_dynamics.ros.tally import Tally
from free_flyer_dynamics.ros.warmup import settle, warm_up
from free_flyer_dynamics.ros.world import World
from rcl_interfaces.msg import SetParametersResult


class SimulatorNode(spinning.ServedNode):
    """The simulator as the graph sees it."""

    def __init__(self) -> None:
        super().__init__('free_flyer')
        logs.to_ros(self.get_logger())
        given = parameters.read(self)
        sim, robots = scene.build(given, lambda *asked: parameters.starts(self, *asked))
        parameters.refuse_unknown(self, given.robot)
        scene.refuse_as_world(given.world_frame, robots)
        effort_joints = scene.effort_order(sim, robots, given.effort_joints)
        warm_up(sim)
        world = World(sim, [name for robot in robots for name in robot.wheels])
        refused, guard = Tally(), self.guard
        self.publishers_ = Publishers(self, robots, given)
        self.publishers_.follow(world.connectivity())
        self.loop = PhysicsLoop(
            world,
            Sampler(world, robots, given.gravity),
            self.publishers_.wanted,
            Pace(given.dt, given.real_time_factor, given.max_catch_up),
            given.publish_rate,
            given.paused,
            given.thread_priority,
        )
        self._commands = TopicCommands(
            world,
            refused,
            robots[0].root,
            given.world_frame,
            effort_joints,
            given.command_timeout,
        )
        call = Caller(self, self.loop, self.publishers_)
        self._subscriptions_ = Subscriptions(self, self.loop, self._commands, guard)
        self._services_ = Services(self, self.loop, self.publishers_, call, guard, refused)
        self._simulation = simulation_services.offer(
            self,
            self.loop,
            robots,
            call,
            given.world_frame,
            guard,
            refused,
            self._services_.follow,
        )
        self._diagnostics = Diagnostics(
            self.get_fully_qualified_name().strip('/'), self.loop, self.publishers_, refused, guard
        )
        self.add_on_set_parameters_callback(guard.around('parameters', self._on_parameters))
        settle()
        self.publishers_.start(self.loop, self._diagnostics.ask)
        self.loop.start()
        self.get_logger().info(scene.told(sim, robots))

    def _on_parameters(self, changed) -> SetParametersResult:
        """Let what may change while the node runs change between two steps."""
        actions = {
            'real_time_factor': self.loop.set_factor,
            'publish_rate': self.loop.set_publish_rate,
            'command_timeout': self._commands.set_timeout,
        }
        for parameter in changed:
            if parameter.name in actions:
                action, value = actions[parameter.name], parameter.value
                self.loop.submit(partial(action, value))
        return SetParametersResult(successful=True)

    def stop(self) -> None:
        """End the threads."""
        self.loop.stop()
        self.publishers_.stop()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the simulator until it is told to stop."""
    return spinning.run('free_flyer_simulator', SimulatorNode, arguments)


def run() -> None:
    """Run the simulator as a process of its own."""
    spinning.leave(main())


if __name__ == '__main__':
    run()
