# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
An arm swings, and the base does not feel it: motion in the reaction null space.

Run `python -m examples.reactionless`.

"""

from pathlib import Path

from examples.capture_scene import ARM, chaser, START
from examples.sheet import columns, Sheet
import free_flyer_dynamics as ffd
from free_flyer_dynamics import control
import numpy as np

SWING = 0.08 * np.array([1.0, -1.0, 1.0, 1.0, -1.0, 1.0, 1.0])  # rad/s
PERIOD, COASTING = 24.0, np.zeros(3)  # s; wheel torques [N m]
HEADLINE = 'The arm swings and the base stays'
ABOUT = (
    'An arm of 170 kg on a satellite of 1 t. Above, any motion; below, motion without reaction.'
)


def fly(reactionless):
    """Return times, base attitude [deg], arm angles [deg] and the hand's path."""
    robot, sim, rows = control.Robot(chaser()), ffd.Simulator(dt=0.02), []
    sim.add(chaser(), joint_positions=dict(zip(ARM, START, strict=True)))
    while sim.time < PERIOD:
        now, wish = robot.read(sim), SWING * np.sin(2 * np.pi * sim.time / PERIOD)
        turned, hand = control.attitude_error(now.rotation), sim.pose('end_effector').position
        if reactionless:
            hold = -30.0 * now.base_rate - 200.0 * turned
            hurry = 5.0 * (control.reactionless_rates(now, wish) - now.joint_rates[now.arm])
            arm = control.reaction_null_space_torques(now, hold, hurry, COASTING)
        else:
            arm = control.servo_torques(now, wish, 20.0, COASTING)
        rows.append((sim.time, np.degrees(turned), np.degrees(now.positions[now.arm]), hand))
        sim.set_efforts(dict(zip(ARM, arm, strict=True)))
        sim.step()
    return columns(rows)


def main(path: Path = Path('reactionless.png')):
    """Fly both ways and draw; return the largest base angles [deg], plain and reactionless."""
    flights = {'in any motion': fly(False), 'in the reaction null space': fly(True)}
    with Sheet(path, HEADLINE, ABOUT, (2, 3), left=0.05) as sheet:
        for how, (time, base, arm, hand) in flights.items():
            sheet.curves(f'Arm {how}: joints [deg]', time, arm - arm[0])
            sheet.curves('Hand [m]', time, hand - hand[0], 'xyz', ylim=(-0.25, 2.0))
            head = f'Base [deg], at most {np.abs(base).max():.2g}'
            sheet.curves(head, time, base, 'xyz', ylim=(-11, 14))
    return tuple(np.abs(flight[1]).max() for flight in flights.values())


if __name__ == '__main__':
    main()
