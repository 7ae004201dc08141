# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Joints freeze while the robot flails: each freeze is a collision that keeps momentum.

Run `python -m examples.lock_in_flight`.

"""

from pathlib import Path

from examples import planar
from examples.sheet import columns, Sheet
import free_flyer_dynamics as ffd

RATES = {'J1': 0.25, 'J2': -0.4, 'J3': 0.5, 'J4': 0.25, 'J5': -0.6, 'J6': 0.3}  # rad/s
FREEZES = ((), ('J3', 'J6'), ('J2', 'J5'), ('J1', 'J4'))
PHASES = ('free', 'J3, J6 locked', 'J2, J5 too', 'all locked')  # three seconds each
HEADLINE = 'Joints lock one by one, until the robot is a single rigid body'
ABOUT = (
    'No external force: momentum is constant, energy falls, and the whole robot turns in the end.'
)


def main(path: Path = Path('lock_in_flight.png')):
    """Fly and draw; return rates, momentum and energy at each tick, and the transitions."""
    sim = ffd.Simulator(dt=0.01)
    sim.add(planar.robot(), joint_velocities=RATES)
    rows, done = [], []
    with Sheet(path, HEADLINE, ABOUT) as sheet:
        sketch = planar.Sketch(sheet.picture())
        for joints in FREEZES:
            if joints:
                done.append(sim.lock(*joints))
            sketch.draw(sim)
            for _ in range(60):
                now, base = sim.momentum(), sim.twist('base').angular[2]
                rates = (*sim.velocities, base)
                rows.append((sim.time, rates, now.angular[2], now.kinetic_energy))
                sim.step(5)
        time, rates, momentum, energy = columns(rows)
        axes = sheet.curves('Rates [rad/s]', time, rates, (*sim.joint_names, 'base'))
        for base in (axes.lines[-1], axes.get_legend().get_lines()[-1]):
            base.set(color='black', lw=2.2)
        around = (momentum[0] - 1, momentum[0] + 1)
        sheet.curves('Angular momentum [N m s]', time, momentum, ylim=around)
        sheet.curves('Kinetic energy [J]', time, energy, ylim=(0, 16))
        sheet.phases(PHASES, (0, 3, 6, 9, 12))
    return rates[:, :-1], momentum, energy, done


if __name__ == '__main__':
    main()
