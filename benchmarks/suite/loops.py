# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0


"""Closed loops: hands of the 37-DOF robot welded to one another, beside Pinocchio."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from benchmarks.agreement import check
from benchmarks.figures import Figure, Settings
from benchmarks.models import flyers, Motion, random_motion
from benchmarks.peers import pinocchio
from benchmarks.peers.ours import Ours
from benchmarks.peers.peer import Peer
from benchmarks.suite.dynamics import compare

# Hands by the number of their body; the base is 0.
WELDS = {'one_weld': ((7, 14),), 'two_welds': ((7, 14), (21, 28))}
GOALS = {
    'loop_dynamics.37dof_one_weld.ours': 2.5,  # us
    'loop_dynamics.37dof_one_weld.over_pinocchio': 3.0,
}


def run(settings: Settings) -> Iterator[Figure]:
    """Yield times and ratios of forward dynamics and of a step, loops closed."""
    flyer = flyers()[1]
    for name, welds in WELDS.items():
        robot = f'{flyer.name}_{name}'
        peers: dict[str, Peer] = {
            'ours': Ours(flyer, welds=welds),
            'pinocchio': pinocchio.make(flyer, settings.compile_peers, welds),
        }
        tied = partial(_tied_motion, Ours(flyer, welds=welds))
        difference = check(flyer, peers, tied)['pinocchio']
        yield Figure(f'agreement.{robot}.pinocchio', difference, '', note='relative')
        for peer in peers.values():
            peer.take(tied(flyer, 1))
        yield from compare('loop_dynamics', robot, peers, settings, GOALS)
        yield from compare('step', robot, peers, settings, GOALS)


def _tied_motion(ours: Ours, flyer, seed: int) -> Motion:
    """Return the nearest to a random motion that the welds allow."""
    ours.take(random_motion(flyer, seed))
    return ours.motion()
