# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
The free flyers that are timed: random valid inertias and placements, a fixed seed, no gravity.

Their joints turn about coordinate axes or slide along them, for which Pinocchio has special and
faster code.

"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from free_flyer_dynamics.model import Body, Joint, Model
import numpy as np


@dataclass(frozen=True, eq=False)
class Flyer:
    """A free base and n joints, as plain arrays; row 0 of a body array is the base."""

    name: str
    parent: np.ndarray  # (n,) int; body that joint i sits on
    axis: np.ndarray  # (n,) int; 0, 1 or 2
    slides: np.ndarray  # (n,) bool; along the axis, else it turns about it
    rotation: np.ndarray  # (n, 3, 3); joint axes at zero to the parent's axes
    position: np.ndarray  # (n, 3); in the parent's frame [m]
    mass: np.ndarray  # (n + 1,) [kg]
    center: np.ndarray  # (n + 1, 3); in the body's frame [m]
    inertia: np.ndarray  # (n + 1, 3, 3); about the centre of mass, body axes [kg m^2]

    @property
    def joints(self) -> int:
        """Return the number of joints."""
        return len(self.parent)

    @cached_property
    def model(self) -> Model:
        """Return the same robot as the library knows it."""
        links = ['base', *(f'link{i}' for i in range(self.joints))]
        bodies = [
            Body(*row) for row in zip(links, self.mass, self.center, self.inertia, strict=True)
        ]
        joints = [
            Joint(
                name=f'joint{i}',
                kind='prismatic' if self.slides[i] else 'revolute',
                parent=links[self.parent[i]],
                child=links[i + 1],
                position=self.position[i],
                rotation=self.rotation[i],
                axis=np.eye(3)[self.axis[i]],
            )
            for i in range(self.joints)
        ]
        return Model(self.name, tuple(bodies), tuple(joints))


@dataclass(frozen=True, eq=False)
class Motion:
    """A state of a flyer and the efforts on its joints; base twist in world axes."""

    position: np.ndarray  # (3,) [m]
    quaternion: np.ndarray  # (4,); x, y, z, w
    linear: np.ndarray  # (3,) [m/s]
    angular: np.ndarray  # (3,) [rad/s]
    q: np.ndarray  # (n,) [rad or m]
    qd: np.ndarray  # (n,) [rad/s or m/s]
    effort: np.ndarray  # (n,) [N m or N]

    @cached_property
    def rotation(self) -> np.ndarray:
        """Return the matrix from base axes to world axes."""
        x, y, z, w = self.quaternion
        u = np.array([x, y, z])
        cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        return (w * w - u @ u) * np.eye(3) + 2 * np.outer(u, u) + 2 * w * cross


def random_motion(flyer: Flyer, seed: int) -> Motion:
    """Return a state with moderate rates, the same for the same seed."""
    rng = np.random.default_rng(seed)
    quaternion = rng.normal(size=4)
    n = flyer.joints
    return Motion(
        position=rng.uniform(-1, 1, 3),
        quaternion=quaternion / np.linalg.norm(quaternion),
        linear=rng.uniform(-0.1, 0.1, 3),
        angular=rng.uniform(-0.2, 0.2, 3),
        q=rng.uniform(-2, 2, n),
        qd=rng.uniform(-0.2, 0.2, n),
        effort=rng.uniform(-1, 1, n),
    )


def arms_and_wheels(name: str, arms: int) -> Flyer:
    """Return a satellite with seven-joint arms and three wheels."""
    grower = _Grower(base_mass=400.0, base_size=1.5)
    for _ in range(arms):
        grower.arm(7, grower.rng.uniform(-0.8, 0.8, 3))
    for axis in range(3):
        grower.wheel(axis)
    return grower.flyer(name)


def grippers(name: str, arms: int) -> Flyer:
    """Return a satellite with arms of five joints and two fingers that slide, and three wheels."""
    grower = _Grower(base_mass=400.0, base_size=1.5)
    for _ in range(arms):
        hand = grower.arm(5, grower.rng.uniform(-0.8, 0.8, 3))
        for _finger in range(2):
            grower.finger(hand)
    for axis in range(3):
        grower.wheel(axis)
    return grower.flyer(name)


def chain(name: str, n: int) -> Flyer:
    """Return a small base and n joints in a row."""
    grower = _Grower(base_mass=20.0, base_size=0.4)
    grower.arm(n, grower.rng.uniform(-0.2, 0.2, 3))
    return grower.flyer(name)


def flyers() -> tuple[Flyer, ...]:
    """Return the three robots every figure is given for."""
    return (arms_and_wheels('16dof', 1), arms_and_wheels('37dof', 4), chain('70dof', 64))


DESCRIPTIONS = {
    '16dof': 'base, a seven-joint arm, three wheels',
    '37dof': 'base, four seven-joint arms, three wheels',
    '37dof_grippers': 'base, four arms of five joints and two fingers that slide, three wheels',
    '70dof': 'base and a chain of 64 joints',
    '37dof_one_weld': 'the same as 37dof, two of its hands welded to one another',
    '37dof_two_welds': 'the other two hands too',
}


class _Grower:
    """Bodies and joints as they are drawn."""

    def __init__(self, base_mass: float, base_size: float) -> None:
        self.rng = np.random.default_rng(12345)
        self.bodies = [
            (base_mass, self.rng.uniform(-0.1, 0.1, 3), self._box(base_mass, base_size))
        ]
        self.joints: list[tuple] = []

    def arm(self, n: int, mount: np.ndarray) -> int:
        """Add an arm; return the number of its last body."""
        parent = 0
        for k in range(n):
            place = mount if k == 0 else self.rng.uniform(-0.3, 0.3, 3)
            self._joint(parent, int(self.rng.integers(3)), place)
            mass = self.rng.uniform(2, 10)
            self.bodies.append((mass, self.rng.uniform(-0.15, 0.15, 3), self._box(mass, 0.4)))
            parent = len(self.joints)
        return parent

    def finger(self, hand: int) -> None:
        place = self.rng.uniform(-0.1, 0.1, 3)
        self._joint(hand, int(self.rng.integers(3)), place, slides=True)
        mass = self.rng.uniform(0.2, 0.5)
        self.bodies.append((mass, self.rng.uniform(-0.03, 0.03, 3), self._box(mass, 0.1)))

    def wheel(self, axis: int) -> None:
        self._joint(0, axis, self.rng.uniform(-0.4, 0.4, 3))
        mass = self.rng.uniform(4, 6)
        spin = mass * 0.15**2 / 2
        moments = np.full(3, 0.6 * spin)
        moments[axis] = spin
        self.bodies.append((mass, np.zeros(3), np.diag(moments)))

    def _joint(self, parent: int, axis: int, place: np.ndarray, slides: bool = False) -> None:
        self.joints.append((parent, axis, slides, self._rotation(), place))

    def _rotation(self) -> np.ndarray:
        q, r = np.linalg.qr(self.rng.normal(size=(3, 3)))
        q = q * np.sign(np.diag(r))
        return q * np.linalg.det(q)

    def _box(self, mass: float, size: float) -> np.ndarray:
        x, y, z = self.rng.uniform(0.3, 1.0, 3) * size
        turn = self._rotation()
        inertia = turn * (mass / 12 * np.array([y * y + z * z, x * x + z * z, x * x + y * y]))
        inertia = inertia @ turn.T
        return 0.5 * (inertia + inertia.T)

    def flyer(self, name: str) -> Flyer:
        parent, axis, slides, rotation, position = zip(*self.joints, strict=True)
        mass, center, inertia = zip(*self.bodies, strict=True)
        ints = (np.array(row, dtype=np.int64) for row in (parent, axis))
        reals = (np.array(row) for row in (rotation, position, mass, center, inertia))
        return Flyer(name, *ints, np.array(slides), *reals)
