# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Forward dynamics and a simulator step (RK4), beside Pinocchio and MuJoCo."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from benchmarks.agreement import check
from benchmarks.figures import Figure, Settings
from benchmarks.models import chain, flyers, grippers, random_motion
from benchmarks.peers import pinocchio
from benchmarks.peers.mujoco import Mujoco
from benchmarks.peers.ours import Ours
from benchmarks.peers.peer import Peer
from benchmarks.timing import alternate

GOALS = {
    'step.37dof.ours': 2.0,  # us
    'step.37dof.over_mujoco': 8.0,
    'forward_dynamics.16dof.over_pinocchio': 5.0,
    'forward_dynamics.37dof.over_pinocchio': 12.0,
    'forward_dynamics.70dof.over_pinocchio': 3.5,
}
JOINT_GOAL, FLAT = 36.0, 1.05  # ns for one of a tree; longest chain's beside the shortest's
LOAD_GOAL = 1.35  # of a step with all extras, beside its evaluations of bare dynamics


def run(settings: Settings) -> Iterator[Figure]:
    """Yield, for each robot, times and ratios; the competitors take turns."""
    for flyer in (*flyers(), grippers('37dof_grippers', 4)):
        peers: dict[str, Peer] = {
            'ours': Ours(flyer),
            'pinocchio': pinocchio.make(flyer, settings.compile_peers),
            'mujoco': Mujoco(flyer),
        }
        for name, difference in check(flyer, peers).items():
            yield Figure(f'agreement.{flyer.name}.{name}', difference, '', note='relative')
        for peer in peers.values():
            peer.take(random_motion(flyer, seed=1))
        accelerating = {name: peers[name] for name in ('ours', 'pinocchio')}
        yield from compare('forward_dynamics', flyer.name, accelerating, settings, GOALS)
        yield from compare('step', flyer.name, peers, settings, GOALS)
    yield from _chains(settings)
    yield from _loaded(settings)
    yield from _locked(settings)


def _chains(settings: Settings) -> Iterator[Figure]:
    """Yield what a joint costs in chains of all lengths."""
    chains = {n: Ours(chain(f'{n}', n)) for n in (64, 256, 1024)}
    for ours in chains.values():
        ours.take(random_motion(ours.flyer, seed=1))
    times = alternate({str(n): ours.accelerate for n, ours in chains.items()}, settings)
    each = {n: 1e3 * times[str(n)] / n for n in chains}
    for n, time in each.items():
        yield Figure(f'joint.chain_of_{n}', time, 'ns', JOINT_GOAL, note='forward dynamics')
    yield Figure('joint.longest_beside_shortest', each[1024] / each[64], '', FLAT)


def _loaded(settings: Settings) -> Iterator[Figure]:
    """Yield what wheels, limits, damping, a wrench and momentum's law add to a step's dynamics."""
    bare, loaded = (Ours(flyers()[1], drives) for drives in (False, True))
    for ours in (bare, loaded):
        ours.take(random_motion(ours.flyer, seed=1))
    loaded.sim.set_wrench('link6', force=(1.0, 0.0, 0.0), torque=(0.0, 0.1, 0.0))
    times = alternate({'bare': bare.accelerate, 'loaded': loaded.step}, settings)
    yield Figure('step.37dof_loaded.ours', times['loaded'], 'us', note='damping, limits, a wrench')
    yield Figure(
        'step.loaded_beside_dynamics', times['loaded'] / (4 * times['bare']), '', LOAD_GOAL
    )


def _locked(settings: Settings) -> Iterator[Figure]:
    """Yield what is left of a step with 28 of 37 DOF locked: an arm's root, or the wheels."""
    free = {'three_joints': slice(0, 3), 'wheels': slice(28, 31)}
    robots = {name: Ours(flyers()[1]) for name in ('none', *free)}
    for name, ours in robots.items():
        ours.take(random_motion(ours.flyer, seed=1))
        if name in free:
            names = ours.sim.joint_names
            ours.sim.lock(*(set(names) - set(names[free[name]])))
    times = alternate({name: ours.step for name, ours in robots.items()}, settings)
    for name in free:
        yield Figure(f'step.9dof_{name}_free.ours', times[name], 'us', note='28 of 37 locked')
        yield Figure(f'step.37dof.over_9dof_{name}_free', times['none'] / times[name], 'x')


def compare(
    what: str,
    robot: str,
    peers: Mapping[str, Peer],
    settings: Settings,
    goals: Mapping[str, float],
) -> Iterator[Figure]:
    """Yield the times of all peers, and how many times longer than ours the others' are."""
    stepping = what == 'step'
    loops = {name: peer.step if stepping else peer.accelerate for name, peer in peers.items()}
    times = alternate(loops, settings)
    for name, time in times.items():
        full = f'{what}.{robot}.{name}'
        yield Figure(full, time, 'us', goals.get(full), peers[name].note)
    for name in list(times)[1:]:
        full = f'{what}.{robot}.over_{name}'
        yield Figure(full, times[name] / times['ours'], 'x', goals.get(full))
