# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Nothing is timed before it is known to be right."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from benchmarks.models import Flyer, Motion, random_motion
from benchmarks.peers.peer import Peer
import numpy as np

TOLERANCE = 1e-10  # relative, largest entry against largest entry
SAMPLES = 8  # random states


class DisagreementError(RuntimeError):
    """Two simulators answer differently: timing them would compare different things."""


def check(
    flyer: Flyer,
    peers: Mapping[str, Peer],
    motion_of: Callable[[Flyer, int], Motion] = random_motion,
) -> dict[str, float]:
    """
    Return the worst difference of each peer from the first, of accelerations and of a step.

    Refuse what is beyond the tolerance.
    """
    names = list(peers)
    worst = dict.fromkeys(names[1:], 0.0)
    for seed in range(SAMPLES):
        motion = motion_of(flyer, seed)
        answers = {}
        for name, peer in peers.items():
            peer.take(motion)
            accelerations = peer.accelerations()
            peer.take(motion)
            peer.step(1)
            answers[name] = (accelerations, peer.coordinates())
        for name in worst:
            for ours, theirs in zip(answers[names[0]], answers[name], strict=True):
                difference = float(np.abs(ours - theirs).max() / np.abs(theirs).max())
                worst[name] = max(worst[name], difference)
    for name, difference in worst.items():
        if not difference <= TOLERANCE:
            raise DisagreementError(
                f'{names[0]} and {name} differ by {difference:.1e} on {flyer.name}; '
                f'{TOLERANCE:.0e} is allowed.'
            )
    return worst
