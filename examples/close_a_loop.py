# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Two hands take hold of each other, and the closed chain moves as one.

Run `python -m examples.close_a_loop`.

"""

from __future__ import annotations

from pathlib import Path

from examples import planar
import free_flyer_dynamics as ffd
from free_flyer_dynamics import plotting
import numpy as np

# The hands meet in front of the base: cos 30 + cos 120 + cos 150 = -0.5, half the base's width.
ANGLES = {'J1': 30, 'J2': 90, 'J3': 30, 'J4': -30, 'J5': -90, 'J6': -30}  # deg
MEETING = {name: np.radians(angle) for name, angle in ANGLES.items()}


def main(path: Path = Path('close_a_loop.png'), seconds: float = 16.0, tick: float = 0.02):
    """Fly and draw; return the gap, momentum and work less energy at each tick, and the change."""
    sim = ffd.Simulator(dt=0.01)
    sim.add(planar.robot(), joint_positions=MEETING)
    closed = sim.attach('end_effector_right', 'end_effector_left', joint='revolute', name='hands')
    rows, work = [], 0.0
    with plotting.look():
        figure = plotting.figure(
            'Hand in hand: a closed chain that swings',
            f'{closed.dof_before} freedoms before the hands meet, {closed.dof_after} after. '
            'Shoulders are driven; elbows, wrists and the base follow.',
        )
        scene = figure.add_axes((0.01, 0.03, 0.4, 0.85))
        for k in range(round(seconds / tick)):
            torque = 12.0 * np.sin(2 * np.pi * sim.time / 8.0)
            sim.set_efforts({'J1': torque, 'J4': torque})
            if k % 100 == 0 and sim.time <= 6.0:
                planar.draw(scene, sim, plotting.COLOURS[k // 100], 0.9, f'{sim.time:.0f} s')
            before = sim.positions
            right, left = (sim.pose(name).position for name in planar_hands())
            held = np.linalg.norm(sim.attachment_wrench('hands').force)
            now = sim.momentum()
            rows.append((sim.time, before, np.linalg.norm(right - left), held, now.angular[2],
                         work - now.kinetic_energy))  # fmt: skip
            sim.step(round(tick / sim.dt))
            moved = sim.positions - before
            work += torque * (moved[0] + moved[3])
        time, angles, gap, held, momentum, missing = (np.array(c) for c in zip(*rows, strict=True))
        planar.frame(scene)
        scene.legend(loc='upper left', bbox_to_anchor=(0.0, -0.04), ncols=4)
        axes = figure.subplots(3, 1, gridspec_kw={'left': 0.47, 'right': 0.97, 'top': 0.83})
        figure.subplots_adjust(hspace=0.5)
        axes[0].plot(time, np.degrees(angles), label=sim.joint_names, lw=1.3)
        axes[0].set_title('Joint angles [deg]')
        plotting.names_above(axes[0], len(sim.joint_names))
        axes[1].plot(time, held, color=plotting.COLOURS[1])
        axes[1].set_title('Force between the hands [N]')
        axes[2].semilogy(time, gap + 1e-18, label='gap between the hands [m]')
        axes[2].semilogy(time, np.abs(momentum) + 1e-18, label='momentum [N m s]')
        axes[2].set(title='What should be zero', ylim=(1e-18, 1e-9), xlabel='time [s]')
        plotting.names_above(axes[2], 2)
        for one in axes:
            one.grid(axis='y')
        plotting.leave(figure, path)
    return gap, momentum, missing, closed


def planar_hands() -> tuple[str, str]:
    """Return the links that are the hands."""
    return planar.ARMS[0][-1], planar.ARMS[1][-1]


if __name__ == '__main__':
    main()
