# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Two thousand robots wag their arms, each a little differently, to see what turns the base most.

Run `python -m examples.batch`.

"""

from __future__ import annotations

from pathlib import Path
import time

import free_flyer_dynamics as ffd
from free_flyer_dynamics import plotting
import numpy as np

ROBOT = 'package://free_flyer_dynamics/urdf/thesis_planar_three_joint.urdf'
PERIOD, CYCLES, TICK, DT = 4.0, 2, 0.05, 0.01  # s


def torques(amplitude, phase, now: float) -> dict:
    """Return what drives shoulder and elbow; the elbow is ahead by the phase."""
    turn = 2 * np.pi * now / PERIOD
    shoulder = amplitude * np.cos(turn)
    elbow = 0.5 * amplitude * np.cos(turn + phase)
    return {'J1': shoulder, 'J2': elbow}


def fly(amplitude, phase):
    """Return times, and the base's angle of each robot at them [deg]."""
    batch = ffd.Batch(ffd.load_urdf(ROBOT), len(amplitude), dt=DT)
    angles, unwound = [], np.zeros(batch.count)
    for k in range(round(CYCLES * PERIOD / TICK)):
        batch.set_efforts(torques(amplitude, phase, k * TICK))
        batch.step(round(TICK / DT))
        _, _, z, w = batch.base_quaternions.T
        found = 2 * np.arctan2(z, w)
        unwound = unwound + np.angle(np.exp(1j * (found - unwound)))
        angles.append(np.degrees(unwound))
    return TICK * np.arange(1, len(angles) + 1), np.array(angles)


def main(path: Path = Path('batch.png'), side: int = 48):
    """Fly a grid of robots and draw; return amplitudes, phases, and angles at the end."""
    strengths, phases = np.linspace(0.2, 6.0, side), np.linspace(-np.pi, np.pi, side)
    amplitude, phase = (grid.ravel() for grid in np.meshgrid(strengths, phases))
    began = time.perf_counter()
    times, angles = fly(amplitude, phase)
    spent = time.perf_counter() - began
    with plotting.look():
        figure = plotting.figure(
            'How to wag so that the base turns',
            f'{len(amplitude)} robots, {CYCLES} cycles each, flown together in {spent:.1f} s: '
            f'{len(amplitude) * times[-1] / spent:.0f} robots in real time.',
        )
        chart = figure.add_axes((0.06, 0.1, 0.42, 0.72))
        worst = np.abs(angles[-1]).max()
        image = chart.pcolormesh(
            strengths, np.degrees(phases), angles[-1].reshape(side, side), cmap='RdBu_r',
            vmin=-worst, vmax=worst, shading='gouraud',
        )  # fmt: skip
        figure.colorbar(image, ax=chart, label='base has turned by [deg]')
        chart.set(xlabel='torque of the shoulder [N m]', ylabel='elbow ahead by [deg]')
        chart.set_title('After two cycles')
        curves = figure.add_axes((0.58, 0.1, 0.4, 0.72))
        shown = np.linspace(0, len(amplitude) - 1, 160).astype(int)
        order = np.argsort(angles[-1][shown])
        for rank, k in enumerate(shown[order]):
            tone = image.cmap(image.norm(angles[-1][k]))
            curves.plot(times, angles[:, k], color=tone, lw=0.8, alpha=0.9, zorder=rank)
        curves.set(title='160 of them: angle of the base [deg]', xlabel='time [s]')
        curves.grid(axis='y')
        plotting.leave(figure, path)
    return amplitude, phase, angles[-1]


if __name__ == '__main__':
    main()
