# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
An arm swings, and the base does not feel it: motion in the reaction null space.

Run `python -m examples.reactionless`.

"""

from __future__ import annotations

from pathlib import Path

from examples.capture_scene import chaser, names_at, START
import free_flyer_dynamics as ffd
from free_flyer_dynamics import control, plotting
import numpy as np

SWING = 0.08 * np.array([1.0, -1.0, 1.0, 1.0, -1.0, 1.0, 1.0])  # rad/s
PERIOD = 24.0  # s
TICK = 0.02  # s


def fly(reactionless: bool, seconds: float = PERIOD):
    """Return times, base attitude [deg], arm angles [deg] and the hand's path."""
    robot, sim = control.Robot(chaser()), ffd.Simulator(dt=TICK)
    sim.add(chaser(), joint_positions={f'J{i + 1}': q for i, q in enumerate(START)})
    rows = []
    for _ in range(round(seconds / TICK)):
        now = robot.read(sim)
        wish = SWING * np.sin(2 * np.pi * sim.time / PERIOD)
        error = control.attitude_error(now.rotation)
        if reactionless:
            rates = control.reactionless_rates(now, wish)
            hold = -30.0 * now.base_rate - 200.0 * error
            hurry = 5.0 * (rates - now.joint_rates[now.arm])
            arm = control.reaction_null_space_torques(now, hold, hurry, np.zeros(3))
        else:
            arm = control.servo_torques(now, wish, 20.0, np.zeros(3))
        efforts = np.concatenate((arm, np.zeros(3)))
        rows.append((sim.time, np.degrees(error), np.degrees(now.positions[now.arm]),
                     sim.pose('end_effector').position))  # fmt: skip
        sim.set_efforts(names_at(robot, efforts))
        sim.step()
    return [np.array(column) for column in zip(*rows, strict=True)]


def main(path: Path = Path('reactionless.png')):
    """Fly both ways and draw; return the largest base angles [deg], plain and reactionless."""
    flights = {'as one likes': fly(False), 'in the reaction null space': fly(True)}
    with plotting.look():
        figure = plotting.figure(
            'The arm swings and the base stays',
            'A satellite of 1 t with a seven-joint arm of 170 kg; the wheels coast. Below, the '
            'arm chooses from its motions those without reaction.',
        )
        grid = figure.add_gridspec(
            2, 3, left=0.05, right=0.98, top=0.82, bottom=0.08, hspace=0.4, wspace=0.22
        )
        for row, (name, (time, attitude, arm, hand)) in enumerate(flights.items()):
            plots = [figure.add_subplot(grid[row, column]) for column in range(3)]
            plots[0].plot(time, arm - arm[0])
            plots[0].set_title(f'Arm {name}: joints [deg]')
            plots[1].plot(time, hand - hand[0], label=('x', 'y', 'z'))
            plots[1].set_title('Hand, from where it was [m]')
            plots[1].legend(loc='upper right', ncols=3)
            plots[1].set_ylim(-0.25, 2.0)
            worst = np.abs(attitude).max()
            plots[2].plot(time, attitude, label=('x', 'y', 'z'))
            plots[2].set(title=f'Base attitude [deg]: at most {worst:.1e}', ylim=(-11, 14))
            plots[2].legend(loc='upper right', ncols=3)
            for axes in plots:
                axes.grid(axis='y')
                axes.set_xlabel('time [s]' if row else '')
        plotting.leave(figure, path)
    return tuple(np.abs(flight[1]).max() for flight in flights.values())


if __name__ == '__main__':
    main()
