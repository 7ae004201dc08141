# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Every parameter of the simulator, once: name, default, range, unit and what it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from free_flyer_dynamics.algorithms import ALGORITHMS
from free_flyer_dynamics.errors import CommandError, unknown_name
from free_flyer_dynamics.integrators import INTEGRATORS
from free_flyer_dynamics.ros.declare import (
    Declaration,
    declare,
    declared,
    given_names,
    is_given,
    parameter,
    unknown_overrides,
)
from rclpy.node import Node

NOWHERE = (0.0, 0.0, 0.0)
_FAR = 1e6  # of a joint


@dataclass(frozen=True)
class RobotParameters:
    """A robot: where it comes from, where it starts and how it moves then."""

    name: str
    urdf: str = parameter(
        '', 'Path, package:// address, XML text, or the name of a robot that ships with us.'
    )
    prefix: str = parameter('', 'Goes before the names of its links and joints.')
    position: tuple[float, ...] = parameter(
        NOWHERE, 'Start of the root link in the world frame.', unit='m', size=3
    )
    quaternion: tuple[float, ...] = parameter(
        (0.0, 0.0, 0.0, 1.0), 'Orientation of the root link, (x, y, z, w).', size=4
    )
    linear_velocity: tuple[float, ...] = parameter(
        NOWHERE, "Velocity of the root link's origin, world axes.", unit='m/s', size=3
    )
    angular_velocity: tuple[float, ...] = parameter(
        NOWHERE, 'Angular velocity of the root link, world axes.', unit='rad/s', size=3
    )
    joint_positions: tuple[float, ...] = parameter(
        (),
        'Start of every joint that moves, in URDF order; or by name, as '
        '<robot>.joint_positions.<joint>.',
        unit='rad or m',
    )
    joint_velocities: tuple[float, ...] = parameter(
        (), 'The same for velocities.', unit='rad/s or m/s'
    )
    fixed: bool = parameter(False, 'Anchor the root link where it is placed.')


@dataclass(frozen=True)
class Parameters:
    """The simulator's own."""

    robots: tuple[str, ...] = parameter(
        (), 'Names of the robots; each has parameters <name>.urdf and so on.'
    )
    robot_description: str = parameter('', 'URDF text of the one robot, where robots is empty.')
    dt: float = parameter(1e-3, 'Length of a physics step.', unit='s', low=1e-6, high=1.0)
    integrator: str = parameter(
        'rk4', 'How a step is made; dop853 is slow and accurate.', choices=tuple(INTEGRATORS)
    )
    algorithm: str = parameter(
        'articulated_body',
        'Forward dynamics of steps and readings; all but articulated_body step slowly.',
        choices=tuple(ALGORITHMS),
    )
    gravity: tuple[float, ...] = parameter(NOWHERE, 'Uniform, world axes.', unit='m/s^2', size=3)
    real_time_factor: float = parameter(
        1.0,
        'Simulated seconds in a second of a steady clock; 0: as fast as it goes.',
        low=0.0,
        high=1000.0,
        live=True,
    )
    max_catch_up: float = parameter(
        0.05,
        'How far physics may be late and still catch up; what is beyond is lost, and counted.',
        unit='s',
        low=0.0,
        high=10.0,
    )
    paused: bool = parameter(False, 'Start paused; ~/pause lets it run.')
    publish_rate: float = parameter(
        100.0,
        'States published in a simulated second: joints, bases, TF and the clock, each.',
        unit='Hz',
        low=0.1,
        high=10000.0,
        live=True,
    )
    publish_clock: bool = parameter(True, 'Publish /clock: simulated time, for use_sim_time.')
    command_timeout: float = parameter(
        0.0,
        'Simulated time after which an effort or wrench set by topic goes to zero; 0: never.',
        unit='s',
        low=0.0,
        high=1e6,
        live=True,
    )
    world_frame: str = parameter('world', 'Name of the inertial frame.')
    effort_joints: tuple[str, ...] = parameter(
        (), 'Order of effort_commands; empty: every joint but the wheels, as in joint_states.'
    )
    thread_priority: int = parameter(
        0,
        'SCHED_FIFO priority of the physics thread; 0: an ordinary thread.',
        low=0,
        high=99,
    )
    imu__angular_velocity_noise: float = parameter(
        0.0, 'Standard deviation of a reading.', unit='rad/s', low=0.0, high=1e6
    )
    imu__linear_acceleration_noise: float = parameter(
        0.0, 'Standard deviation of a reading.', unit='m/s^2', low=0.0, high=1e6
    )
    imu__angular_velocity_bias: tuple[float, ...] = parameter(
        NOWHERE, 'Added to every reading, axes of the IMU.', unit='rad/s', size=3
    )
    imu__linear_acceleration_bias: tuple[float, ...] = parameter(
        NOWHERE, 'Added to every reading, axes of the IMU.', unit='m/s^2', size=3
    )
    imu__seed: int = parameter(
        0, 'Of the noise: the same seed, the same noise.', low=0, high=2**31
    )
    robot: tuple[RobotParameters, ...] = ()


def read(node: Node) -> Parameters:
    """Declare every parameter on the node and return their values."""
    own = Parameters(**declared(node, Parameters))
    if own.robots and own.robot_description:
        raise CommandError('Give either robots or robot_description, not both.')
    if not own.robots and not own.robot_description:
        raise CommandError(
            "There is no robot. Give robots, as -p robots:=['one'] "
            '-p one.urdf:=thesis_seven_joint, or robot_description.'
        )
    names = own.robots or ('robot',)
    if len(set(names)) < len(names):
        raise CommandError(f'Two robots bear one name in robots: {", ".join(names)}.')
    robots = tuple(_robot(node, name) for name in names)
    if own.robot_description:
        if not own.robot_description.lstrip().startswith('<'):
            raise CommandError(
                "Parameter 'robot_description' is no URDF text, which starts with '<'. Give a "
                "file, or a robot that ships with us, as -p robots:=['one'] -p one.urdf:=..."
            )
        robots = (replace(robots[0], urdf=own.robot_description),)
    return replace(own, robot=robots)


def _robot(node: Node, name: str) -> RobotParameters:
    """Declare a robot's parameters; of numbers given by name no list, nor could both be dumped."""
    given = given_names(node)
    by_name = [
        which
        for which in ('joint_positions', 'joint_velocities')
        if f'{name}.{which}' not in given
        and any(other.startswith(f'{name}.{which}.') for other in given)
    ]
    return RobotParameters(name, **declared(node, RobotParameters, f'{name}.', by_name))


def starts(
    node: Node, robot: RobotParameters, which: str, joints: Sequence[str]
) -> dict[str, float]:
    """Return where joints start, or how fast: from the list, or from what is given by name."""
    listed = getattr(robot, which)
    if listed and len(listed) != len(joints):
        order = f', in the order {", ".join(joints)}' if joints else ': no joint moves'
        raise CommandError(
            f"Parameter '{robot.name}.{which}' has {len(listed)} numbers; expected "
            f'{len(joints)}{order}.'
        )
    found = dict(zip(joints, listed, strict=False))
    start, unit = {
        'joint_positions': ('Where', 'rad or m'),
        'joint_velocities': ('How fast', 'rad/s or m/s'),
    }[which]
    prefix = f'{robot.name}.{which}.'
    for name in given_names(node):
        joint = name.removeprefix(prefix)
        if joint != name and joint not in joints:
            raise CommandError(f"Parameter '{name}': {unknown_name('joint', joint, joints)}")
    for joint in joints:
        if is_given(node, f'{prefix}{joint}'):
            sentence = f"{start} joint '{joint}' starts."
            declaration = Declaration(sentence, unit=unit, low=-_FAR, high=_FAR)
            found[joint] = declare(node, f'{prefix}{joint}', 0.0, declaration, 'float')
    return found


def refuse_unknown(node: Node, robots: Sequence[RobotParameters]) -> None:
    """Refuse what was given of a robot and means nothing; warn of anything else like that."""
    known = [*node.get_parameters_by_prefix('')]
    for name in unknown_overrides(node):
        whose = [robot for robot in robots if name.startswith(f'{robot.name}.')]
        if whose:
            near = [other for other in known if other.startswith(f'{whose[0].name}.')]
            raise CommandError(unknown_name('parameter', name, near))
        node.get_logger().warning(unknown_name('parameter', name, known))
