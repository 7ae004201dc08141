# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Many states of one robot at once: an RK4 step per state, beside Pinocchio's in a C++ loop."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
import time

from benchmarks.figures import Figure, Settings
from benchmarks.models import flyers, random_motion
from benchmarks.peers import pinocchio
from benchmarks.peers.ours import Ours
from benchmarks.peers.peer import DT
from benchmarks.suite.loops import WELDS
from benchmarks.timing import alternate, Loop
from free_flyer_dynamics import Batch, Simulator

STATES, STEPS = 512, 10  # and so many steps in a call
RATIO, SCALING = 20.0, 1.8


def run(settings: Settings) -> Iterator[Figure]:
    """Yield the time of a step per state on one core and on all, and ratios."""
    for flyer in flyers()[:2]:
        peer = pinocchio.make(flyer, settings.compile_peers)
        peer.take(random_motion(flyer, seed=1))
        loops = {'one_core': _stepping(flyer, 1), 'all_cores': _stepping(flyer, None)}
        yield from _compare(flyer.name, loops, {'pinocchio': peer.step}, settings)
    welded = _welded(flyers()[1])
    loops = {
        'one_core': _calls(welded.batch(STATES, 1)),
        'all_cores': _calls(welded.batch(STATES)),
    }
    yield from _compare('37dof_one_weld', loops, {}, settings)


def _compare(
    robot: str, loops: Mapping[str, Loop], peers: Mapping[str, Loop], settings: Settings
) -> Iterator[Figure]:
    """Yield the times of a step per state, and ratios."""
    times = alternate({**loops, **peers}, settings)
    for name in loops:
        times[name] /= STATES * STEPS
    for name, best in times.items():
        yield Figure(f'batch.{robot}.{name}', best, 'us', note='a step of one state')
    for name in peers:
        ratio = times[name] / times['one_core']
        yield Figure(f'batch.{robot}.over_{name}', ratio, 'x', RATIO)
    scaling = times['one_core'] / times['all_cores']
    yield Figure(f'batch.{robot}.all_over_one_core', scaling, 'x', SCALING)


def _welded(flyer) -> Simulator:
    """Return the robot under way, undriven, two of its hands welded to one another."""
    ours = Ours(flyer, welds=WELDS['one_weld'])
    ours.take(random_motion(flyer, seed=1))
    ours.sim.set_efforts(dict.fromkeys(ours.sim.joint_names, 0.0))
    return ours.sim


def _stepping(flyer, cores: int | None) -> Loop:
    """Return a loop over calls that step states which differ."""
    batch = Batch(flyer.model, STATES, DT, cores=cores)
    motions = [random_motion(flyer, seed) for seed in range(STATES)]
    batch.set_states(
        positions=[motion.q for motion in motions],
        velocities=[motion.qd for motion in motions],
        base_quaternions=[motion.quaternion for motion in motions],
    )

    return _calls(batch)


def _calls(batch: Batch) -> Loop:
    """Return a loop over calls that step a batch."""

    def loop(count: int) -> float:
        start = time.perf_counter()
        for _ in range(count):
            batch.step(STEPS)
        return time.perf_counter() - start

    return loop
