# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Robots from parameters into a simulator."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
import re

from free_flyer_dynamics.errors import CommandError, unknown_name
from free_flyer_dynamics.model import Model
from free_flyer_dynamics.ros.parameters import Parameters, RobotParameters
from free_flyer_dynamics.simulator import Simulator
from free_flyer_dynamics.urdf import load_urdf
from free_flyer_dynamics.urdf_prefix import prefixed
from free_flyer_dynamics.urdf_source import named

IMU_LINK = 'imu_link'  # as REP 145 names it
# Gives the joint positions or velocities a robot starts with: (robot, which, joints) -> by name.
Starts = Callable[[RobotParameters, str, list[str]], Mapping[str, float]]


@dataclass(frozen=True)
class Robot:
    """A robot in the world, and what its topics are called."""

    name: str
    prefix: str
    model: Model
    topic_prefix: str

    @property
    def root(self) -> str:
        """Return the frame of its URDF's root link."""
        return self.prefix + self.model.root

    @property
    def imu(self) -> str:
        """Return the frame of its inertial measurement unit; the root's, where none is told of."""
        usual = IMU_LINK in {body.name for body in self.model.bodies}
        return self.prefix + (self.model.imu or (IMU_LINK if usual else self.model.root))

    @property
    def wheels(self) -> tuple[str, ...]:
        """Return the joints of its reaction wheels."""
        return tuple(self.prefix + wheel.joint for wheel in self.model.wheels)

    @property
    def description(self) -> str:
        """Return the URDF with our names in it."""
        return prefixed(self.model.xml, self.prefix)


def build(parameters: Parameters, starts: Starts) -> tuple[Simulator, tuple[Robot, ...]]:
    """Return the world that the parameters describe, and who is in it."""
    sim = Simulator(
        dt=parameters.dt,
        gravity=parameters.gravity,
        integrator=parameters.integrator,
        algorithm=parameters.algorithm,
    )
    robots: list[Robot] = []
    for given in parameters.robot:
        model = load_urdf(_source(given))
        joints = [joint.name for joint in model.joints]
        sim.add(
            model,
            prefix=given.prefix,
            position=given.position,
            quaternion=given.quaternion,
            linear_velocity=given.linear_velocity,
            angular_velocity=given.angular_velocity,
            joint_positions=starts(given, 'joint_positions', joints),
            joint_velocities=starts(given, 'joint_velocities', joints),
            fixed=given.fixed,
        )
        topics = '' if not robots else topic_name(given.prefix or f'{given.name}_')
        for other in robots:
            if other.topic_prefix == topics:
                raise CommandError(
                    f"Robots '{other.name}' and '{given.name}' would both publish on "
                    f"'{topics}odom'; give one of them another prefix."
                )
        robots.append(Robot(given.name, given.prefix, model, topics))
    return sim, tuple(robots)


def told_apart(robots: Sequence[Robot]) -> tuple[Robot, ...]:
    """Return the further robots that a prefix of their own tells from all others."""
    prefixes = ['', *(robot.prefix for robot in robots)]
    return tuple(robot for robot in robots[1:] if prefixes.count(robot.prefix) == 1)


def refuse_as_world(frame: str, robots: Sequence[Robot]) -> None:
    """Refuse a name for the inertial frame that is none, or that of a link."""
    links = {robot.prefix + body.name for robot in robots for body in robot.model.bodies}
    if not frame or frame in links:
        raise CommandError(f"Parameter 'world_frame' is '{frame}'; expected a name no link bears.")


def topic_name(name: str) -> str:
    """Return a name as a topic may bear it, slashes kept."""
    parts = (re.sub(r'\W', '_', part, flags=re.ASCII) for part in re.split('/+', name))
    return '/'.join(f'_{part}' if part[:1].isdigit() else part for part in parts)


def effort_order(sim: Simulator, robots: Sequence[Robot], given: Sequence[str]) -> tuple[str, ...]:
    """Return the joints that effort_commands is in the order of: as given, or all but wheels."""
    if given:
        for name in given:
            if name not in sim.joint_names:
                sentence = unknown_name('joint', name, sim.joint_names)
                raise CommandError(f"Parameter 'effort_joints': {sentence}")
        if len(set(given)) < len(given):
            listed = ', '.join(given)
            raise CommandError(f"Parameter 'effort_joints' names a joint twice: {listed}.")
        return tuple(given)
    wheels = {name for robot in robots for name in robot.wheels}
    return tuple(name for name in sim.joint_names if name not in wheels)


def told(sim: Simulator, robots: Sequence[Robot]) -> str:
    """Return a line on what is in the world."""
    names = ', '.join(
        f'{r.name} ({r.model.name}, {r.model.mass:.6g} kg, {len(r.model.joints)} joints)'
        for r in robots
    )
    return f'Simulating {names}: {sim.connectivity().dof} DOF, dt {sim.dt:g} s.'


def _source(given: RobotParameters) -> str:
    """Return where a robot comes from; a bare name is one that ships with us."""
    if not given.urdf:
        raise CommandError(
            f"Parameter '{given.name}.urdf' is empty; expected a path, a package:// address, XML "
            'text or the name of a robot that ships with this package.'
        )
    return named(given.urdf)
