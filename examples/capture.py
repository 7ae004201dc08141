# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
A satellite catches a tumbling one: the thesis's capture, from approach to rest.

The wheels load the arm with momentum against the target's (step B of the Bias Momentum Approach);
after the contact the arm keeps the base still by itself, Distributed Momentum Control or Reaction
Null Space Control, while the wheels take the rest. Nothing of the target is told to the arm.

Run `python -m examples.capture`. It prints what happens and leaves a plot.

"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
import sys

from examples.capture_figures import draw
from examples.capture_scene import (
    chaser,
    CONTACT,
    grasp_at,
    LIMIT,
    names_at,
    Record,
    record,
    scene,
    START,
    target,
    TARGET_MOMENTUM,
)
import free_flyer_dynamics as ffd
import numpy as np

LAWS = ('dmc', 'rnsc')


def plan(robot, watch=None):
    """Return wheel torques that bring the hand to the grasp point with its velocity."""
    constant = ffd.planning.TorqueProfile(np.full((4, 3), -0.1), CONTACT)
    return ffd.planning.torque_profile(
        robot, START, *grasp_at(CONTACT), constant, LIMIT, step=1.5, watch=watch
    )


def capture(law: str, profile, seconds: float, tick: float = 0.01) -> list[Record]:
    """Fly the approach, the contact and what follows; return what happened at each tick."""
    control, robot = ffd.control, ffd.control.Robot(chaser())
    sim = scene(dt=tick)
    limits = robot.torque_limits

    def wheels(now, time):
        if time < CONTACT:
            return profile.torque(time)
        return control.absorbing_wheel_torques(now, TARGET_MOMENTUM, limits)

    before = control.DistributedMomentum(wheels, gain=0.5 / tick)
    after = before if law == 'dmc' else control.ReactionNullSpace(wheels)
    controller, records = before, []
    for k in range(round(seconds / tick)):
        if k == round(CONTACT / tick):
            sim.attach('end_effector', 'target/grasp', name='grip')
            controller = after
        now = robot.read(sim)
        efforts = controller.efforts(now, sim.time)
        sim.set_efforts(names_at(robot, efforts))
        records.append(record(sim, now, efforts))
        sim.step()
    return records


def main(arguments: Sequence[str] | None = None) -> int:
    """Plan, capture with both laws, and draw."""
    parser = argparse.ArgumentParser(prog='python -m examples.capture', description=__doc__)
    parser.add_argument('--seconds', type=float, default=90.0, help='of simulated time (90)')
    parser.add_argument('--out', type=Path, default=Path('capture.png'), help='(capture.png)')
    asked = parser.parse_args(arguments)
    if not asked.seconds > CONTACT:
        parser.error(f'--seconds must be beyond the contact at {CONTACT} s, got {asked.seconds}')
    print(f'{chaser().name} catches {target().name}, {target().mass:.0f} kg')
    found = plan(ffd.control.Robot(chaser()), ffd.planning.show)
    print(
        f'\napproach: {1e3 * found.position_error:.3f} mm, {1e3 * found.velocity_error:.4f} mm/s '
        f'off; the arm carries {np.round(found.path.arm_momentum[-1], 2)} N m s'
    )
    flights = {law: capture(law, found.profile, asked.seconds) for law in LAWS}
    for law, records in flights.items():
        worst = max(np.linalg.norm(r.attitude) for r in records)
        last = records[-1]
        print(
            f'{law:>5}: base off by at most {worst:.4f} deg; wheels end with '
            f'{np.round(last.wheel_momentum, 3)} N m s'
        )
    draw(flights, asked.out)
    print(f'plot: {asked.out}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
