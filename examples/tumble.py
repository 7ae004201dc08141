# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
A wing nut in weightlessness: spun about its middle axis it turns over, again and again.

Run `python -m examples.tumble`.

"""

from pathlib import Path

from examples.ball import Ball
from examples.sheet import columns, Sheet
import free_flyer_dynamics as ffd
import numpy as np
from scipy.spatial.transform import Rotation

MOMENTS = np.array([1.0, 2.0, 3.0])  # kg m^2
OTHERS = ((1, 0.3, 0), (1, 0.7, 0), (0, 0.3, 1), (0, 0.7, 1))  # rad/s, for comparison
HEADLINE = 'Spin about the middle axis is unstable'
ABOUT = 'Moments 1, 2, 3 kg m²: angular momentum is fixed in space; in body axes it wanders.'


def fly(rates, seconds):
    """Return times, rates in the body's axes [rad/s], momentum [N m s] and energy [J]."""
    nut = ffd.Model('wing_nut', (ffd.Body('nut', mass=1.0, inertia=np.diag(MOMENTS)),))
    sim, rows = ffd.Simulator(dt=0.01), []
    sim.add(nut, angular_velocity=rates)
    while sim.time < seconds:
        sim.step(5)
        turned, now = Rotation.from_quat(sim.pose('nut').quaternion), sim.momentum()
        rates = turned.inv().apply(sim.twist('nut').angular)
        rows.append((sim.time, rates, now.angular, now.kinetic_energy))
    return columns(rows)


def main(path: Path = Path('tumble.png')):
    """Fly and draw; return what was flown."""
    time, rates, momentum, energy = flown = fly((0.01, 1.0, 0.0), 60.0)
    off = np.linalg.norm(momentum - momentum[0], axis=1) / np.linalg.norm(momentum[0])
    with Sheet(path, HEADLINE, ABOUT, (2, 1), left=0.52) as sheet:
        axes = {'middle_axis': (0, 1.25, 0), 'largest_moment': (0, 0, 1.15)}
        ball = Ball(sheet.picture(projection='3d'), **axes)
        for start in np.vstack((OTHERS, np.negative(OTHERS))):
            ball.curve(MOMENTS * fly(start, 40.0)[1])
        ball.curve(MOMENTS * rates, '#d1603d', 3.0)
        names = ('smallest', 'middle', 'largest')
        sheet.curves('Rates about the principal axes [rad/s]', time, rates, names)
        sheet.zeros('Relative error', time, momentum=off, energy=energy / energy[0] - 1)
    return flown


if __name__ == '__main__':
    main()
