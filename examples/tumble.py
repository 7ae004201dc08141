# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
A wing nut in weightlessness: spun about its middle axis it turns over, again and again.

Run `python -m examples.tumble`.

"""

from __future__ import annotations

from pathlib import Path

import free_flyer_dynamics as ffd
from free_flyer_dynamics import plotting
import numpy as np
from scipy.spatial.transform import Rotation

MOMENTS = np.array([1.0, 2.0, 3.0])  # kg m^2
VIEW = (18.0, 38.0)  # deg: up, around


def fly(start=(0.01, 1.0, 0.0), seconds: float = 60.0, tick: float = 0.05):
    """Return times, rates in the body's axes [rad/s], momentum [N m s] and energy [J]."""
    sim = ffd.Simulator(dt=0.01)
    nut = ffd.Body('nut', mass=1.0, inertia=np.diag(MOMENTS))
    sim.add(ffd.Model('wing_nut', (nut,)), angular_velocity=start)
    rows = []
    for _ in range(round(seconds / tick)):
        sim.step(round(tick / sim.dt))
        turn = Rotation.from_quat(sim.pose('nut').quaternion)
        now = sim.momentum()
        rates = turn.inv().apply(sim.twist('nut').angular)
        rows.append((sim.time, rates, now.angular, now.kinetic_energy))
    return [np.array(column) for column in zip(*rows, strict=True)]


def curve(ball, momentum, colour: str, width: float) -> None:
    """Draw where a momentum points, on a ball; the far side faintly."""
    up, around = np.radians(VIEW)
    towards = (np.cos(up) * np.cos(around), np.cos(up) * np.sin(around), np.sin(up))
    unit = momentum / np.linalg.norm(momentum, axis=1)[:, None]
    near = (unit @ towards > 0)[:, None]
    ball.plot(*np.where(near, np.nan, unit).T, color=colour, lw=width, alpha=0.18, zorder=1)
    ball.plot(*np.where(near, unit, np.nan).T, color=colour, lw=width, zorder=2)


def main(path: Path = Path('tumble.png')):
    """Fly and draw; return what was flown."""
    time, rates, momentum, energy = flown = fly()
    with plotting.look():
        figure = plotting.figure(
            'Spin about the middle axis does not last',
            'A body with moments 1, 2 and 3 kg m², spun about the second. Momentum stands still '
            'in space; seen from the body it wanders once around.',
        )
        ball = figure.add_axes((0.0, 0.02, 0.46, 0.86), projection='3d')
        along, around = np.mgrid[0 : np.pi : 30j, 0 : 2 * np.pi : 60j]
        round_ = np.sin(along) * np.cos(around), np.sin(along) * np.sin(around), np.cos(along)
        ball.computed_zorder = False  # what faces us is drawn last, by `curve`
        ball.plot_surface(*round_, color='#eef2f5', shade=False, zorder=0)
        for start in np.array([(1, 0.3, 0), (1, 0.7, 0), (0, 0.3, 1), (0, 0.7, 1)]):
            for sign in (1, -1):
                other = MOMENTS * fly(sign * start, 40.0)[1]
                ball.plot(
                    *(other / np.linalg.norm(other, axis=1)[:, None]).T, color='#9fb0bf', lw=1
                )
        curve(ball, MOMENTS * rates, plotting.COLOURS[1], 3.0)
        ball.set_box_aspect((1, 1, 1), zoom=1.35)
        ball.view_init(elev=VIEW[0], azim=VIEW[1])
        ball.set_axis_off()
        ball.text(0, 1.25, 0, 'middle axis', color=plotting.INK)
        ball.text(0, 0, 1.15, 'largest moment', color=plotting.INK)
        top, bottom = figure.subplots(2, 1, gridspec_kw={'left': 0.52, 'right': 0.97, 'top': 0.82})
        figure.subplots_adjust(hspace=0.4)
        top.plot(time, rates, label=('smallest', 'middle', 'largest'))
        top.set_title('Rates about the principal axes [rad/s]')
        plotting.names_above(top, 3)
        off = np.abs(momentum - momentum[0]).max(axis=1) / np.linalg.norm(momentum[0])
        bottom.semilogy(time, off + 1e-18, label='momentum')
        bottom.semilogy(time, np.abs(energy / energy[0] - 1) + 1e-18, label='energy')
        bottom.set(title='Error, relative', ylim=(1e-18, 1e-8), xlabel='time [s]')
        plotting.names_above(bottom, 2)
        plotting.leave(figure, path)
    return flown


if __name__ == '__main__':
    main()
