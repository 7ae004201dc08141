# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Two thousand robots wag their arms, each a little differently, to see what turns the base most.

Run `python -m examples.batch`.

"""

from pathlib import Path
import time

from cycler import cycler
from examples.sheet import Sheet
import free_flyer_dynamics as ffd
import numpy as np

ROBOT = 'package://free_flyer_dynamics/urdf/thesis_planar_three_joint.urdf'
PERIOD, TICK, DT, TICKS = 4.0, 0.05, 0.01, 160  # s
ABOUT = '{} robots fly two cycles in {:.1f} s: fast enough for {:.0f} in real time.'


def torques(amplitude, phase, now):
    """Return what drives shoulder and elbow; the elbow is ahead by the phase."""
    turn = 2 * np.pi * now / PERIOD
    return {'J1': amplitude * np.cos(turn), 'J2': 0.5 * amplitude * np.cos(turn + phase)}


def fly(amplitude, phase, ticks=TICKS):
    """Return the angle of each robot's base at each tick [deg]."""
    batch, angles = ffd.Batch(ffd.load_urdf(ROBOT), len(amplitude), dt=DT), []
    for tick in range(ticks):
        batch.set_efforts(torques(amplitude, phase, tick * TICK))
        batch.step(round(TICK / DT))
        _, _, z, w = batch.base_quaternions.T
        angles.append(2 * np.arctan2(z, w))
    return np.degrees(np.unwrap(angles, axis=0))


def main(path: Path = Path('batch.png'), side=48):
    """Fly a grid of robots and draw; return amplitudes, phases, and angles at the end."""
    strengths, phases = np.linspace(0.2, 6.0, side), np.linspace(-np.pi, np.pi, side)
    amplitude, phase = (grid.ravel() for grid in np.meshgrid(strengths, phases))
    fly(amplitude, phase, ticks=1)  # compiles, the first time
    began = time.perf_counter()
    angles = fly(amplitude, phase)
    spent = time.perf_counter() - began
    about = ABOUT.format(len(phase), spent, len(phase) * TICKS * TICK / spent)
    with Sheet(path, 'Which arm motions turn the base?', about, (1, 2), left=0.06) as sheet:
        chart = sheet.chart('Rotation of the base after two cycles [deg]')
        chart.set(xlabel='torque of the shoulder [N m]', ylabel='phase lead of the elbow [deg]')
        worst, last = np.abs(angles[-1]).max(), angles[-1].reshape(side, side)
        span = {'cmap': 'RdBu_r', 'vmin': -worst, 'vmax': worst}
        image = chart.pcolormesh(strengths, np.degrees(phases), last, **span, shading='gouraud')
        chart.figure.colorbar(image, ax=chart)
        some = angles[:, np.linspace(0, side**2 - 1, 160).astype(int)]
        colours, times = cycler(color=image.to_rgba(some[-1])), TICK * np.arange(1, TICKS + 1)
        sheet.curves('Angle of the base in 160 of the runs [deg]', times, some, prop_cycle=colours)
    return amplitude, phase, angles[-1]


if __name__ == '__main__':
    main()
