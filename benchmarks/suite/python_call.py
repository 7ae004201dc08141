# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What a call from Python costs, on the robot of 16 DOF."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from benchmarks.figures import Figure, Settings
from benchmarks.models import flyers, random_motion
from benchmarks.peers.ours import Ours
from benchmarks.timing import alternate, python_loop

BEYOND_GOAL = 0.3  # us


def run(settings: Settings) -> Iterator[Figure]:
    """Yield what stepping, commanding and reading cost beyond the work, or all in."""
    flyer = flyers()[0]
    ours = Ours(flyer)
    ours.take(random_motion(flyer, seed=1))
    sim = ours.sim
    efforts = dict.fromkeys(sim.joint_names, 0.1)
    times = alternate(
        {
            'step': python_loop(sim.step),
            'step_of_nothing': python_loop(partial(sim.step, 0)),
            **ours.doors(),
            'set_efforts': python_loop(lambda: sim.set_efforts(efforts)),
            'positions': python_loop(lambda: sim.positions),
            'pose': python_loop(lambda: sim.pose('link6')),
            'momentum': python_loop(sim.momentum),
            'joint_accelerations': python_loop(sim.joint_accelerations),
            'mass_matrix': python_loop(sim.mass_matrix),
        },
        settings,
    )
    for name, time in times.items():
        yield Figure(f'python_call.{name}', time, 'us')
    beyond = times['step_of_nothing'] - (times['call_of_nothing'] - times['empty_call'])
    yield Figure('python_call.beyond_the_work', beyond, 'us', BEYOND_GOAL, "of sim.step's own")
