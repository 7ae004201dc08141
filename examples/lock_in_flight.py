# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Joints freeze while the robot flails: each freeze is a collision that keeps momentum.

Run `python -m examples.lock_in_flight`.

"""

from __future__ import annotations

from pathlib import Path

from examples import planar
import free_flyer_dynamics as ffd
from free_flyer_dynamics import plotting
import numpy as np

FREEZES = ((3.0, ('J3', 'J6')), (6.0, ('J2', 'J5')), (9.0, ('J1', 'J4')))
RATES = {'J1': 0.25, 'J2': -0.4, 'J3': 0.5, 'J4': 0.25, 'J5': -0.6, 'J6': 0.3}


def main(path: Path = Path('lock_in_flight.png'), seconds: float = 12.0, tick: float = 0.05):
    """Fly and draw; return rates, momentum and energy at each tick, and the transitions."""
    sim = ffd.Simulator(dt=0.01)
    sim.add(planar.robot(), joint_velocities=RATES)
    rows, done = [], []
    with plotting.look():
        figure = plotting.figure(
            'One by one the joints freeze, until the robot is a stone',
            'Nothing pushes: momentum stays through every freeze, energy only falls, and what the '
            'arms carried turns the whole.',
        )
        scene = figure.add_axes((0.01, 0.03, 0.4, 0.85))
        for k in range(round(seconds / tick)):
            for at, joints in FREEZES:
                if abs(sim.time - at) < 0.5 * tick:
                    done.append(sim.lock(*joints))
            if k % 60 == 0:
                colour = plotting.COLOURS[k // 60]
                planar.draw(scene, sim, colour, 0.9, f'{sim.time:.0f} s')
            now = sim.momentum()
            base = sim.twist('base').angular[2]
            rows.append((sim.time, sim.velocities, base, now.angular[2], now.kinetic_energy))
            sim.step(round(tick / sim.dt))
        time, rates, base, momentum, energy = (np.array(c) for c in zip(*rows, strict=True))
        planar.frame(scene)
        scene.legend(loc='upper left', bbox_to_anchor=(0.0, -0.04), ncols=4)
        axes = figure.subplots(3, 1, gridspec_kw={'left': 0.47, 'right': 0.97, 'top': 0.83})
        axes[0].plot(time, rates, label=sim.joint_names, lw=1.2)
        axes[0].plot(time, base, color=plotting.INK, lw=2.2, label='base')
        axes[0].set_title('Rates [rad/s]')
        plotting.names_above(axes[0], 7)
        axes[1].plot(time, momentum)
        axes[1].set(title='Angular momentum [N m s]', ylim=(momentum[0] - 1, momentum[0] + 1))
        axes[2].step(time, energy, where='post', color=plotting.COLOURS[1])
        axes[2].set(title='Kinetic energy [J]', xlabel='time [s]', ylim=(0, None))
        ends = (0.0, *(at for at, _ in FREEZES), seconds)
        names = ('free', 'J3, J6 stiff', 'J2, J5 too', 'all stiff')
        figure.subplots_adjust(hspace=0.5)
        for k, one in enumerate(axes):
            plotting.bands(one, list(zip(names, ends, ends[1:], strict=False)), named=k == 0)
        plotting.leave(figure, path)
    return rates, momentum, energy, done


if __name__ == '__main__':
    main()
