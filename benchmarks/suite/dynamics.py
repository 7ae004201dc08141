# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Forward dynamics and a simulator step (RK4), beside Pinocchio and MuJoCo."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from benchmarks.agreement import check
from benchmarks.figures import Figure, Settings
from benchmarks.models import flyers, random_motion
from benchmarks.peers import pinocchio
from benchmarks.peers.mujoco import Mujoco
from benchmarks.peers.ours import Ours
from benchmarks.peers.peer import Peer
from benchmarks.timing import alternate

STEP_GOAL = {'16dof': 30.0}  # us


def run(settings: Settings) -> Iterator[Figure]:
    """Yield, for each robot, times and ratios; the competitors take turns."""
    for flyer in flyers():
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
        yield from _compare('forward_dynamics', flyer.name, accelerating, settings)
        yield from _compare('step', flyer.name, peers, settings)


def _compare(
    what: str, robot: str, peers: Mapping[str, Peer], settings: Settings
) -> Iterator[Figure]:
    stepping = what == 'step'
    loops = {name: peer.step if stepping else peer.accelerate for name, peer in peers.items()}
    times = alternate(loops, settings)
    goal = STEP_GOAL.get(robot) if stepping else None
    for name, time in times.items():
        yield Figure(
            f'{what}.{robot}.{name}',
            time,
            'us',
            goal if name == 'ours' else None,
            peers[name].note,
        )
    for name in list(times)[1:]:
        yield Figure(f'{what}.{robot}.over_{name}', times[name] / times['ours'], 'x')
