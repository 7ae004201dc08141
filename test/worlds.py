# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Random robots in random motion under random loads, for the simulator and for its twins."""

from dataclasses import asdict, dataclass, field, replace

from free_flyer_dynamics import Simulator
from free_flyer_dynamics.generate import random_chain, random_tree
from free_flyer_dynamics.model import Body, Joint, Model
import numpy as np

KINDS = ('revolute', 'continuous', 'prismatic', 'fixed')
MOST_JOINTS = 40


@dataclass(frozen=True)
class Start:
    """Where a robot starts and how it moves: arguments of `Simulator.add`."""

    position: np.ndarray = field(default_factory=lambda: np.zeros(3))
    quaternion: np.ndarray = field(default_factory=lambda: np.array([0.0, 0.0, 0.0, 1.0]))
    linear_velocity: np.ndarray = field(default_factory=lambda: np.zeros(3))
    angular_velocity: np.ndarray = field(default_factory=lambda: np.zeros(3))
    joint_positions: dict = field(default_factory=dict)
    joint_velocities: dict = field(default_factory=dict)
    fixed: bool = False

    def add_to(self, sim, model, prefix=''):
        """Put a robot there."""
        sim.add(model, prefix, **asdict(self))


@dataclass(frozen=True)
class Push:
    """A held wrench: arguments of `Simulator.set_wrench`."""

    link: str
    force: np.ndarray
    torque: np.ndarray
    frame: str
    point: np.ndarray

    def on(self, sim, prefix=''):
        """Hold it."""
        sim.set_wrench(prefix + self.link, self.force, self.torque, self.frame, self.point)


@dataclass(frozen=True)
class Case:
    """A robot of a world with its start and its loads."""

    prefix: str
    model: Model
    start: Start
    efforts: dict
    pushes: tuple


def axes_of(quaternion):
    """Return the rotation matrix of a unit quaternion (x, y, z, w)."""
    x, y, z, w = quaternion
    u, hat = np.array([x, y, z]), np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return (w * w - u @ u) * np.eye(3) + 2 * np.outer(u, u) + 2 * w * hat


def random_start(rng, model, fixed=False, speed=1.0):
    """Return a start anywhere, moving in every direction, each rate up to the speed."""
    quaternion = rng.normal(size=4)
    names = [joint.name for joint in model.joints]
    return Start(
        rng.uniform(-2, 2, 3),
        quaternion / np.linalg.norm(quaternion),
        np.zeros(3) if fixed else rng.uniform(-speed, speed, 3),
        np.zeros(3) if fixed else rng.uniform(-speed, speed, 3),
        dict(zip(names, rng.uniform(-np.pi, np.pi, len(names)), strict=True)),
        dict(zip(names, rng.uniform(-speed, speed, len(names)), strict=True)),
        fixed,
    )


def random_push(rng, model):
    """Return a wrench in either frame at a point of any link, massless or not."""
    link = model.bodies[int(rng.integers(len(model.bodies)))].name
    frame = ('world', 'link')[int(rng.integers(2))]
    return Push(link, *rng.uniform(-5, 5, (2, 3)), frame, rng.uniform(-0.5, 0.5, 3))


def random_case(rng, joints, prefix='', fixed=False, **options):
    """Return a robot of every kind of joint, loaded everywhere."""
    grow = random_chain if rng.integers(3) == 0 else random_tree
    frames = int(rng.integers(4))
    model = grow(joints, int(rng.integers(1 << 30)), kinds=KINDS, frames=frames, **options)
    efforts = {joint.name: float(rng.uniform(-5, 5)) for joint in model.joints}
    pushes = {push.link: push for push in (random_push(rng, model) for _ in range(3))}
    start = random_start(rng, model, fixed)
    return Case(prefix, model, start, efforts, tuple(pushes.values()))


def random_world(seed):
    """
    Return gravity and cases, 1 to 40 joints in all.

    Every fourth world is a forest of two to four robots, every fifth has gravity off, every
    other one damping, every third friction; in one of seven the robot is fixed.
    """
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 5)) if seed % 4 == 3 else 1
    total = 1 + seed * MOST_JOINTS // 200
    cases = []
    for k in range(count):
        options = {'damping': seed % 2 * 1.0, 'friction': float(seed % 3 == 2)}
        joints = max(1, total // count)
        cases.append(random_case(rng, joints, f'r{k}_' * (count > 1), seed % 7 == 6, **options))
    gravity = rng.uniform(-9, 9, 3) if seed % 5 else np.zeros(3)
    return gravity, tuple(cases)


def simulator_of(gravity, cases, **options):
    """Return the simulator of a world."""
    sim = Simulator(gravity=gravity, **options)
    for case in cases:
        case.start.add_to(sim, case.model, case.prefix)
        sim.set_efforts({case.prefix + name: value for name, value in case.efforts.items()})
        for push in case.pushes:
            push.on(sim, case.prefix)
    return sim


def with_wheels(rng, model, carriers, **drive):
    """Return a model with a round wheel `wheel<k>` on each of these links, at any slant."""
    bodies, joints = list(model.bodies), list(model.joints)
    for k, carrier in enumerate(carriers):
        turn = axes_of(random_start(rng, model).quaternion)
        moments = np.diag((0.7, 0.7, 1.0)) * rng.uniform(0.05, 0.2)
        center = np.array((0.0, 0.0, rng.uniform(-0.1, 0.1)))
        bodies.append(Body(f'wheel{k}_link', rng.uniform(1, 3), center, moments))
        place, names = rng.uniform(-0.4, 0.4, 3), (carrier, f'wheel{k}_link')
        joints.append(Joint(f'wheel{k}', 'continuous', *names, place, turn, **drive))
    return replace(model, bodies=tuple(bodies), joints=tuple(joints))


def wheel_robot(joints=('wheel',), kind='continuous', base=2.0, wheel=0.5, **drive):
    """
    Return a base with coaxial wheels, or sliders, whose motion has a formula.

    Bodies sit on the z axis through the base's centre. A wheel has moment `wheel` about it and
    the base `base`; as sliders they have these masses.
    """
    slides = kind == 'prismatic'
    bodies = [Body('base', base if slides else 10.0, np.zeros(3), base * np.eye(3))]
    bodies += [
        Body(f'{name}_link', wheel if slides else 1.0, np.zeros(3), wheel * np.eye(3))
        for name in joints
    ]
    turning = tuple(Joint(name, kind, 'base', f'{name}_link', **drive) for name in joints)
    return Model('wheels', tuple(bodies), turning)
