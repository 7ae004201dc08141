# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
A drifting robot takes hold of a rail, swings about it and lets go: it leaves another way.

The same flight is flown a second time with a hand as the base: only the bookkeeping differs.
Run `python -m examples.anchor_and_rebase`.

"""

from __future__ import annotations

from pathlib import Path

from examples import planar
import free_flyer_dynamics as ffd
from free_flyer_dynamics import plotting
import numpy as np

GRASP, RELEASE = 4.0, 16.0  # s
STIFF = tuple(f'J{k}' for k in range(1, 7))
BENT = dict(zip(STIFF, np.radians([50, 30, -20, 50, 40, 30]), strict=True))


def fly(base: str, seconds: float = 22.0, tick: float = 0.05, watch=None):
    """Return times, centres of mass, momenta and base positions, and the impulse of the rail."""
    sim = ffd.Simulator(dt=0.01)
    sim.add(planar.robot(), linear_velocity=(0, 0.35, 0), joint_positions=BENT)
    sim.change([('lock', *STIFF), ('rebase', base)])
    rows, impulse = [], np.zeros(3)
    for k in range(round(seconds / tick)):
        if abs(sim.time - GRASP) < 0.5 * tick:
            done = sim.anchor('end_effector_right', joint='revolute', name='rail')
            impulse = done.momentum_change.linear
        if abs(sim.time - RELEASE) < 0.5 * tick:
            sim.change([('detach', 'rail'), ('rebase', base)])
        if watch is not None:
            watch(k, sim)
        now = sim.momentum()
        rows.append((sim.time, now.center, now.linear, now.angular, sim.pose('base').position))
        sim.step(round(tick / sim.dt))
    return *(np.array(column) for column in zip(*rows, strict=True)), impulse


def main(path: Path = Path('anchor_and_rebase.png')):
    """Fly twice and draw; return both flights."""
    with plotting.look():
        figure = plotting.figure(
            'Take hold, swing, let go',
            'A stiff robot drifts past a rail and grasps it with one hand. The rail gives it an '
            'impulse, then a centripetal force; everything else is conserved.',
        )
        scene = figure.add_axes((0.01, 0.03, 0.4, 0.85))

        def watch(k: int, sim: ffd.Simulator) -> None:
            if k % 80 == 0:
                place = k // 80
                planar.draw(scene, sim, plotting.COLOURS[place], 0.9, f'{sim.time:.0f} s')
            if abs(sim.time - GRASP) < 1e-9:
                rail = sim.pose('end_effector_right').position
                scene.plot(*rail[:2], marker='*', ms=16, color=plotting.INK, zorder=9)

        time, center, linear, angular, place, impulse = one = fly('base', watch=watch)
        two = fly('end_effector_left')
        scene.plot(*center.T[:2], color=plotting.INK, ls=':', lw=1.5)
        planar.frame(scene)
        scene.legend(loc='upper left', bbox_to_anchor=(0.0, 0.02), ncols=3, fontsize=8)
        axes = figure.subplots(3, 1, gridspec_kw={'left': 0.47, 'right': 0.97, 'top': 0.83})
        figure.subplots_adjust(hspace=0.5)
        axes[0].plot(time, linear[:, :2], label=('x', 'y'))
        axes[0].set_title(f'Linear momentum [N s]; the grasp gave {np.round(impulse[:2], 1)}')
        plotting.names_above(axes[0], 2)
        axes[1].plot(time, angular[:, 2], color=plotting.COLOURS[3])
        axes[1].set_title("Angular momentum about the world's origin [N m s]")
        axes[2].semilogy(time, np.linalg.norm(place - two[4], axis=1) + 1e-18)
        axes[2].set(title='Base position, by this base less by the other [m]', ylim=(1e-18, 1e-9))
        axes[2].set_xlabel('time [s]')
        spans = [
            ('drift', 0.0, GRASP),
            ('on the rail', GRASP, RELEASE),
            ('free', RELEASE, time[-1]),
        ]
        for k, axis in enumerate(axes):
            plotting.bands(axis, spans, named=k == 0)
        plotting.leave(figure, path)
    return one, two


if __name__ == '__main__':
    main()
