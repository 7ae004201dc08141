# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""free-flyer replay: a bag's commands fed to a fresh simulator, and what comes of it compared."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from free_flyer_dynamics.checks import number
from free_flyer_dynamics.cli import bag_read, messages, scenario
from free_flyer_dynamics.cli.bag_read import Bag
from free_flyer_dynamics.cli.check import columns
from free_flyer_dynamics.errors import CommandError
from free_flyer_dynamics.operation_fields import operation_of
from free_flyer_dynamics.simulator import Simulator
from free_flyer_dynamics.urdf import load_known
import numpy as np
from scipy.spatial.transform import Rotation

HELP = """Feed a bag's commands to a fresh simulator and compare what it does with the bag.
examples:
  free-flyer run capture --out capture.mcap && free-flyer replay capture.mcap
  ros2 bag record -s mcap --all             then: free-flyer replay rosbag2_.../
  free-flyer replay bag.mcap --tolerance 1e-3

Robots, start and structure changes come from robot_description, the first joint_states and odom,
connectivity and transitions; commands from joint_commands, wheel_commands and base_wrench. Time
step, gravity and integrator come from the scenario in bags of `free-flyer run`; for other bags the
time step is 0.001 s unless --dt says otherwise, and there is no gravity. A
command acts from the state recorded before it on: exact for bags of `free-flyer run` and of a
node in lockstep, but for a push in world axes, which goes into a bag anew each tick in its link's
axes. Bags of a running node say no better than their publish_rate when a command arrived. A bag
without joint_commands is replayed with the efforts of joint_states, which were applied.
The exit code is 1 when anything differs by more than the tolerance.
"""


@dataclass(frozen=True)
class Difference:
    """The largest differences from the bag, and when they were."""

    what: str
    unit: str
    largest: float
    time: float


def arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what this command takes."""
    parser.add_argument('bag', type=Path, help='.mcap file, or folder of rosbag2')
    parser.add_argument('--dt', type=float, help="length of a step [s] (the scenario's, or 0.001)")
    parser.add_argument(
        '--tolerance', type=float, default=1e-6, help='what may differ [m, rad, /s] (1e-6)'
    )


def command(asked: argparse.Namespace) -> int:
    """Replay and print the differences."""
    if asked.bag.suffix in ('.npz', '.csv'):
        raise CommandError(
            f"'{asked.bag}' holds no commands, so it cannot be flown again; expected a bag "
            'such as `free-flyer run --out flight.mcap` writes. `free-flyer plot` draws it.'
        )
    number(asked.tolerance, '--tolerance')
    bag = bag_read.read(asked.bag)
    found = replay(bag, asked.dt)
    rows = [('what', 'largest difference', 'at')]
    rows += [(d.what, f'{d.largest:.3g} {d.unit}', f'{d.time:.3f} s') for d in found]
    print('\n'.join(columns(rows)))
    worst = max(d.largest for d in found)
    same = worst <= asked.tolerance
    print(f'{"The same" if same else "Not the same"} within {asked.tolerance:g}.')
    return 0 if same else 1


def replay(bag: Bag, dt: float | None = None) -> list[Difference]:
    """Return the largest differences between a bag and the flight its commands make."""
    sim = start(bag, dt)
    recorded = bag_read.recording(bag)
    steps = np.rint(np.diff(recorded.time) / sim.dt).astype(int)
    todo = _schedule(bag)
    gaps = np.zeros((4, len(recorded.time)))
    for k in range(len(recorded.time)):
        for act in todo[k]:
            act(sim)
        gaps[:, k] = _compare(sim, recorded, k)
        if k < len(steps):
            sim.step(int(steps[k]))
    kinds = (
        ('joint positions', 'rad or m'),
        ('joint velocities', 'rad/s or m/s'),
        ('base positions', 'm'),
        ('base attitudes', 'rad'),
    )
    return [
        Difference(what, unit, float(gap.max()), float(recorded.time[gap.argmax()]))
        for (what, unit), gap in zip(kinds, gaps, strict=True)
    ]


def start(bag: Bag, dt: float | None = None) -> Simulator:
    """Return the world of a bag at its first state."""
    world, fixed = _circumstances(bag)
    sim = Simulator(**{**world, **({} if dt is None else {'dt': dt})})
    first = bag.messages('joint_states')[0]
    positions = dict(zip(first.name, first.position.tolist(), strict=True))
    velocities = dict(zip(first.name, first.velocity.tolist(), strict=True))
    bases = {found[0][1].child_frame_id: found[0][1] for found in bag.ending('odom').values()}
    models = {}
    for found in bag.ending('robot_description').values():
        model = load_known(found[0][1].data)
        models[model.root] = model
    if not models or set(models) != set(bases):
        raise CommandError(
            f'The bag has descriptions of {", ".join(models) or "no robot"} and odometry of '
            f'{", ".join(bases) or "none"}; both are needed of every robot.'
        )
    for k, (root, message) in enumerate(bases.items()):
        pose, twist = bag_read.pose_of(message), bag_read.twist_of(message)
        turn = Rotation.from_quat(pose[3:])
        names = [joint.name for joint in models[root].joints]
        sim.add(
            models[root],
            position=pose[:3],
            quaternion=pose[3:],
            fixed=k < len(fixed) and fixed[k],
            linear_velocity=turn.apply(twist[:3]),
            angular_velocity=turn.apply(twist[3:]),
            joint_positions={name: positions[name] for name in names},
            joint_velocities={name: velocities[name] for name in names},
        )
    began, here = bag.messages('connectivity'), sim.connectivity()
    if began and (set(began[0].attachments) != set(here.attachments) or began[0].locked):
        raise CommandError(
            'The bag begins after the structure was changed; record from the start on.'
        )
    return sim


def _circumstances(bag: Bag) -> tuple[dict, tuple[bool, ...]]:
    """Return what only a bag of `free-flyer run` tells, by its scenario."""
    told = bag.messages('scenario')
    return scenario.circumstances(told[0].data) if told else ({}, ())


def _schedule(bag: Bag) -> list[list]:
    """Return what is to be done at each state: structure changes first, then commands."""
    states = bag.topics['joint_states']
    order = np.array([k for k, _ in states])
    stamps = np.array([messages.stamp_of(message) for _, message in states])
    todo: list[list] = [[] for _ in states]
    root = min(bag.ending('odom').items(), key=lambda item: len(item[0]))[1][0][1].child_frame_id
    revised = {m.revision: messages.stamp_of(m) for m in bag.messages('connectivity')}
    for message in bag.messages('transitions'):
        if message.revision in revised:
            k = int(np.searchsorted(stamps, revised[message.revision]))
            operations = [operation_of(item) for item in message.operations]
            todo[min(k, len(todo) - 1)].append(lambda sim, o=operations: sim.change(o))
    for topic in bag_read.COMMANDS:
        for when, message in bag.topics.get(topic, ()):
            k = int(np.searchsorted(order, when)) - 1
            todo[max(k, 0)].append(_action(topic, message, root))
    if not bag.topics.get('joint_commands'):
        for k, (_, message) in enumerate(states):
            todo[k].append(_action('joint_states', message, root))
    return todo


def _action(topic: str, message, root: str):
    """Return what does to a simulator what a message asks; `root` is the first robot's."""
    if topic == 'base_wrench':
        force, torque = (bag_read.xyz(v) for v in (message.wrench.force, message.wrench.torque))
        frame = message.header.frame_id
        link, axes = (root, 'world') if frame in ('', 'world') else (frame, 'link')
        return lambda sim: sim.set_wrench(link, force, torque, axes)
    efforts = dict(zip(message.name, message.effort.tolist(), strict=True))
    finite = {name: effort for name, effort in efforts.items() if np.isfinite(effort)}

    def drive(sim: Simulator) -> None:
        sim.set_efforts({name: e for name, e in finite.items() if name in sim.joint_names})

    return drive


def _compare(sim: Simulator, recorded, k: int) -> tuple[float, float, float, float]:
    """Return how far joints, rates, base positions and attitudes are from the bag's."""
    seen = sim.observe(recorded.bases)
    at = [recorded.joint_names.index(name) for name in sim.joint_names]
    positions = np.abs(seen.positions - recorded.positions[k, at])
    velocities = np.abs(seen.velocities - recorded.velocities[k, at])
    place = turn = 0.0
    for base, pose in zip(recorded.poses[k], seen.poses, strict=True):
        place = max(place, float(np.linalg.norm(pose.position - base[:3])))
        between = Rotation.from_quat(pose.quaternion).inv() * Rotation.from_quat(base[3:])
        turn = max(turn, float(between.magnitude()))
    return (
        float(np.nanmax(positions, initial=0.0)),
        float(np.nanmax(velocities, initial=0.0)),
        place,
        turn,
    )
