# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Two hands take hold of each other, and the closed chain moves as one.

Run `python -m examples.close_a_loop`.

"""

from pathlib import Path

from examples import planar
from examples.sheet import columns, Sheet
import free_flyer_dynamics as ffd
import numpy as np

# The hands meet in front of the base: cos 30 + cos 120 + cos 150 = -0.5, half the base's width.
MEETING = planar.bent(30, 90, 30, -30, -90, -30)
HEADLINE = 'Hand in hand: a closed chain that swings'
ABOUT = '{0.dof_before} DOF, then {0.dof_after}. The shoulders are driven, the rest follows.'


def main(path: Path = Path('close_a_loop.png')):
    """Fly and draw; return the gap, momentum and work less energy at each tick, and the change."""
    sim, rows, work = ffd.Simulator(dt=0.01), [], 0.0
    sim.add(planar.robot(), joint_positions=MEETING)
    closed = sim.attach(*planar.HANDS, joint='revolute', name='hands')
    with Sheet(path, HEADLINE, ABOUT.format(closed)) as sheet:
        sketch = planar.Sketch(sheet.picture())
        for tick in range(800):
            if tick in (0, 100, 200, 300):
                sketch.draw(sim)
            torque = 12.0 * np.sin(2 * np.pi * sim.time / 8.0)
            sim.set_efforts({'J1': torque, 'J4': torque})
            angles, now = sim.positions, sim.momentum()
            right, left = (sim.pose(hand).position for hand in planar.HANDS)
            force = np.linalg.norm(sim.attachment_wrench('hands').force)
            gap, missing = np.linalg.norm(right - left), work - now.kinetic_energy
            rows.append((sim.time, np.degrees(angles), force, gap, now.angular[2], missing))
            sim.step(2)
            work += torque * (sim.positions - angles)[[0, 3]].sum()
        time, angles, force, gap, momentum, missing = columns(rows)
        sheet.curves('Joint angles [deg]', time, angles, sim.joint_names)
        sheet.curves('Force between the hands [N]', time, force)
        sheet.zeros('Errors: gap [m], momentum [N m s]', time, gap=gap, momentum=momentum)
    return gap, momentum, missing, closed


if __name__ == '__main__':
    main()
