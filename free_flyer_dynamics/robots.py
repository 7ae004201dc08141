# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A robot put into the world: where it starts and how it moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
import math

from free_flyer_dynamics.assembly import ANCHOR, Assembly, Robot
from free_flyer_dynamics.checks import mapping, vector
from free_flyer_dynamics.errors import ModelError, StateError, unknown_name
from free_flyer_dynamics.graph import Edges, WORLD
from free_flyer_dynamics.kernels.rotation import matrix_from_quat
from free_flyer_dynamics.model import Model
from free_flyer_dynamics.structure import compile_assembly, Structure
from free_flyer_dynamics.transfer import Motion, motion_of, state_from
from free_flyer_dynamics.tree import FIXED, State
import numpy as np


@dataclass(frozen=True)
class Placement:
    """Pose and twist of the root link in world, and the joints' positions and velocities."""

    position: np.ndarray
    rotation: np.ndarray
    linear: np.ndarray
    angular: np.ndarray
    joint_positions: Mapping[str, float] = field(default_factory=dict)
    joint_velocities: Mapping[str, float] = field(default_factory=dict)
    fixed: bool = False

    @staticmethod
    def checked(
        position=(0.0, 0.0, 0.0),
        quaternion=(0.0, 0.0, 0.0, 1.0),
        linear_velocity=(0.0, 0.0, 0.0),
        angular_velocity=(0.0, 0.0, 0.0),
        joint_positions: Mapping[str, float] | None = None,
        joint_velocities: Mapping[str, float] | None = None,
        fixed: bool = False,
    ) -> Placement:
        """Return the placement, or say which number cannot be used."""
        linear = vector(linear_velocity, 'linear_velocity', error=StateError)
        angular = vector(angular_velocity, 'angular_velocity', error=StateError)
        if fixed and (linear.any() or angular.any()):
            raise StateError(
                'A fixed robot does not move: leave linear_velocity and angular_velocity at zero.'
            )
        return Placement(
            vector(position, 'position', error=StateError),
            rotation_from_xyzw(quaternion),
            linear,
            angular,
            mapping(joint_positions or {}, 'joint_positions', StateError),
            mapping(joint_velocities or {}, 'joint_velocities', StateError),
            bool(fixed),
        )


def rotation_from_xyzw(quaternion) -> np.ndarray:
    """Return the matrix of a quaternion (x, y, z, w) of any length but zero."""
    x, y, z, w = vector(quaternion, 'quaternion', 4, StateError)
    length = math.sqrt(x * x + y * y + z * z + w * w)
    if abs(length - 1) > 1e-3:
        raise StateError(
            f'quaternion must be of unit length, (x, y, z, w); got length {length:.6g}.'
        )
    rotation = np.zeros((3, 3))
    matrix_from_quat(np.array([w, x, y, z]) / length, rotation)
    return rotation


def add_robot(assembly: Assembly, model: Model, prefix: str, placement: Placement):
    """Return the assembly with the robot in it; a fixed one is anchored at its root link."""
    if not isinstance(model, Model):
        raise ModelError(f'A robot is what load_urdf returned, got {model!r}.')
    if not isinstance(prefix, str):
        raise ModelError(f'The prefix of a robot is a text, got {prefix!r}.')
    grown = assembly.with_robot(model, prefix)
    root = grown.link_index[prefix + model.root]
    if placement.fixed:
        name = f'{prefix}{model.root}_anchor'
        table = grown.edge_table.grown(fixed_to_world(root, placement))
        return grown.with_edges(table, (name,), ANCHOR)
    if not _base_mass(model) > 0:
        raise ModelError(
            f"The base of '{model.name}' has no mass: give link '{model.root}', or a link fixed "
            'to it, an <inertial>, or add the robot with fixed=True.'
        )
    return grown


# What a world is: what is joined, how it moves, and the coordinates of its rigid edges.
World = tuple[Structure, State, np.ndarray]


def empty_world() -> World:
    """Return a world without robots."""
    coordinates = np.zeros((0, 4))
    structure = compile_assembly(Assembly(), coordinates)
    return structure, structure.new_state(), coordinates


def with_robot(world: World, model: Model, prefix: str, placement: Placement) -> World:
    """Return a world with one more robot."""
    structure, state, coordinates = world
    grown = add_robot(structure.assembly, model, prefix, placement)
    before = motion_of(structure, state, coordinates)
    motion = before.grown(
        len(grown.links.mass) - len(before.position),
        len(grown.edge_names) - len(before.coordinates),
    )
    start(motion, grown.robots[-1], grown, placement)
    structure = compile_assembly(grown, motion.coordinates)
    return structure, state_from(structure, motion), motion.coordinates


def _base_mass(model: Model) -> float:
    group = {model.root}
    for _ in model.fixed_joints:
        group |= {joint.child for joint in model.fixed_joints if joint.parent in group}
    return math.fsum(model.body(name).mass for name in group)


def fixed_to_world(root: int, placement: Placement) -> Edges:
    """Return the edge that joins a link rigidly to the world where it is placed."""
    none = np.zeros(1)
    return Edges(
        kind=np.array([FIXED]),
        a=np.array([WORLD]),
        b=np.array([root]),
        rotation_a=placement.rotation[None],
        position_a=placement.position[None],
        rotation_b=np.eye(3)[None],
        position_b=np.zeros((1, 3)),
        damping=none,
        friction=none,
        lower=none - math.inf,
        upper=none + math.inf,
        effort_limit=none + math.inf,
        speed_limit=none + math.inf,
    )


def start(motion: Motion, robot: Robot, assembly: Assembly, placement: Placement) -> None:
    """Write a robot's start into the rows of a motion that are its own."""
    root = assembly.link_index[robot.prefix + robot.model.root]
    motion.rotation[root] = placement.rotation
    motion.position[root] = placement.position
    motion.twist[root, :3] = placement.rotation.T @ placement.angular
    motion.twist[root, 3:] = placement.rotation.T @ placement.linear
    rows = {name: e for e, name in enumerate(assembly.edge_names)}
    edge_of = {joint.name: rows[robot.prefix + joint.name] for joint in robot.model.joints}
    for given, column, what in (
        (placement.joint_positions, motion.coordinates, 'position'),
        (placement.joint_velocities, motion.rates, 'velocity'),
    ):
        for name, value in given.items():
            if name not in edge_of:
                raise StateError(unknown_name('joint', name, edge_of))
            number = vector([value], f"The {what} of joint '{name}'", 1, StateError)[0]
            column[edge_of[name], 0] = number
    for joint in robot.model.joints:
        coordinate = motion.coordinates[edge_of[joint.name]]
        if joint.name not in placement.joint_positions:  # zero, or as near as it can go
            coordinate[0] = min(max(0.0, joint.lower), joint.upper)
        at = coordinate[0]
        if not joint.lower <= at <= joint.upper:
            raise StateError(
                f"Joint '{joint.name}' cannot start at {at:.6g}: its limits are "
                f'{joint.lower:.6g} to {joint.upper:.6g}.'
            )
