# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
A drifting robot takes hold of a rail, swings about it and lets go: it leaves another way.

The same flight is flown a second time with a hand as the base: only the bookkeeping differs.
Run `python -m examples.anchor_and_rebase`.

"""

from pathlib import Path

from examples import planar
from examples.sheet import columns, Sheet
import free_flyer_dynamics as ffd

GRASP, RELEASE, END, TICK = 4.0, 16.0, 22.0, 0.05  # s
BENT = planar.bent(50, 30, -20, 50, 40, 30)
HEADLINE = 'Take hold, swing, let go'
ABOUT = 'A robot with locked joints grasps a rail, swings about it and lets go; six instants.'


def fly(base, sketch=None):
    """Return times, centres, momenta linear and angular, the hand, and the impulse."""
    sim, rows = ffd.Simulator(dt=0.01), []
    sim.add(planar.robot(), linear_velocity=(0, 0.35, 0), joint_positions=BENT)
    sim.change([('lock', *BENT), ('rebase', base)])

    def drift(until):
        for tick in range(round((until - sim.time) / TICK)):
            if sketch and tick % 80 == 0:
                sketch.draw(sim)
            now, hand = sim.momentum(), sim.pose(planar.HANDS[0]).position
            rows.append((sim.time, now.center, now.linear, now.angular, hand))
            sim.step(5)

    drift(GRASP)
    grasp = sim.anchor(planar.HANDS[0], joint='revolute', name='rail')
    drift(RELEASE)
    sim.change([('detach', 'rail'), ('rebase', base)])
    drift(END)
    return *columns(rows), grasp.momentum_change.linear


def main(path: Path = Path('anchor_and_rebase.png')):
    """Fly twice and draw; return both flights."""
    with Sheet(path, HEADLINE, ABOUT) as sheet:
        sketch = planar.Sketch(sheet.picture())
        time, center, linear, angular, hand, _ = one = fly('base', sketch)
        two = fly(planar.HANDS[1])
        sketch.trace(center)
        sketch.star(hand[round(GRASP / TICK)])
        sheet.curves('Linear momentum [N s]', time, linear[:, :2], 'xy')
        sheet.curves("Angular momentum about the world's origin [N m s]", time, angular[:, 2])
        sheet.zeros('Difference of the hand between two bases [m]', time, gap=hand - two[4])
        sheet.phases(('drift', 'on the rail', 'free'), (0.0, GRASP, RELEASE, END))
    return one, two


if __name__ == '__main__':
    main()
