# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
A satellite with an arm reaches out, turns with its wheels, is pushed, and brakes.

Run `python -m examples.demo`, or `make demo`. It prints what happens and leaves a plot.

"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
import math
from pathlib import Path
import sys
import time

from examples.manoeuvre import conservation_errors, fly, load, Manoeuvre, PHASES, Sample, TICK
import free_flyer_dynamics as ffd
from free_flyer_dynamics import plotting
import numpy as np

LINES = 20  # of the printed table
BASE_SIZE = (1.9, 1.9, 1.4)  # m
HEADING = f'{"time":>7}  {"":<7} {"roll  pitch    yaw":>21}  {"momentum kept":>14}  {"speed":>12}'


class Poses:
    """Where base and arm were at chosen instants."""

    def __init__(self, sim: ffd.Simulator, model: ffd.Model) -> None:
        self._sim = sim
        wheels = {wheel.joint for wheel in model.wheels}
        self._chain = [joint.child for joint in model.joints if joint.name not in wheels]
        self._chain += list(model.end_effectors)
        self.kept: list[tuple[ffd.Pose, np.ndarray]] = []
        self.hand: list[np.ndarray] = []

    def keep(self) -> None:
        """Remember this instant."""
        points = [self._sim.pose(link).position for link in self._chain]
        self.kept.append((self._sim.pose('base'), np.array(points)))

    def follow(self) -> None:
        """Remember where the hand is."""
        self.hand.append(self._sim.pose(self._chain[-1]).position)


def line(sample: Sample, error: float, speed: float) -> str:
    """Return a row of the printed table; the error is that of momentum, relative."""
    roll, pitch, yaw = sample.attitude
    digits = 'pushed' if math.isnan(error) else f'{min(-math.log10(error + 1e-17), 16):.1f} digits'
    return (
        f'{sample.time:6.1f}s  {sample.phase:<7} {roll:6.2f} {pitch:6.2f} {yaw:6.2f}°  '
        f'{digits:>14}  {speed:5.0f} x real'
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Fly the manoeuvre."""
    parser = argparse.ArgumentParser(prog='python -m examples.demo', description=__doc__)
    parser.add_argument('--seconds', type=float, default=60.0, help='of simulated time (60)')
    parser.add_argument('--out', type=Path, default=Path('demo.png'), help='the plot (demo.png)')
    asked = parser.parse_args(arguments)
    if not (math.isfinite(asked.seconds) and asked.seconds > 0):
        parser.error(f'--seconds must be a positive number, got {asked.seconds}')
    model = load()
    sim = ffd.Simulator(dt=1e-3)
    sim.add(model)
    print(f'{model.name}: {model.mass:.0f} kg, {len(model.joints)} joints and a free base')
    warm_up(model)
    manoeuvre, poses = Manoeuvre(sim, model, asked.seconds), Poses(sim, model)
    poses.keep()
    samples = run(manoeuvre, poses, asked.seconds)
    draw(samples, poses, asked.out)
    return 0


def warm_up(model: ffd.Model) -> None:
    """Let everything be compiled, or read from the cache, before the clock starts."""
    sim = ffd.Simulator(dt=1e-3)
    sim.add(model)
    list(fly(Manoeuvre(sim, model, 1.0), TICK * sim.dt))


def run(manoeuvre: Manoeuvre, poses: Poses, seconds: float) -> list[Sample]:
    """Fly and print as it goes."""
    print(HEADING)
    samples: list[Sample] = []
    every, spent, due = seconds / LINES, 0.0, 0.0
    flight = fly(manoeuvre, seconds)
    start = time.perf_counter()
    for sample in flight:
        spent += time.perf_counter() - start
        samples.append(sample)
        poses.follow()
        if len(samples) > 1 and sample.phase != samples[-2].phase:
            poses.keep()
        if sample.time >= due:
            error = conservation_errors(samples)[-1]
            print(line(sample, error, sample.time / spent), flush=True)
            due += every
        start = time.perf_counter()
    poses.keep()
    return samples


def spans(samples: Sequence[Sample]) -> list[tuple[str, float, float]]:
    """Return name, start and end of each phase that was flown."""
    found: list[tuple[str, float, float]] = []
    for name, _ in PHASES:
        times = [sample.time for sample in samples if sample.phase == name]
        if times:
            found.append((name, found[-1][2] if found else times[0], times[-1]))
    return found


def draw(samples: Sequence[Sample], poses: Poses, path: Path) -> None:
    """Leave the plot."""
    with plotting.look():
        figure = plotting.figure(
            'A free flyer reaches out, and its base recoils',
            'Satellite with a seven-joint arm and three reaction wheels; nothing holds it.',
        )
        grid = figure.add_gridspec(
            4, 2, left=0.03, right=0.98, top=0.85, bottom=0.075, hspace=0.5, wspace=0.1,
            width_ratios=(1.0, 1.25),
        )  # fmt: skip
        _draw_robot(figure.add_subplot(grid[:, 0], projection='3d'), poses)
        _draw_curves([figure.add_subplot(grid[row, 1]) for row in range(4)], samples)
        plotting.leave(figure, path)


def _draw_robot(axes, poses: Poses) -> None:
    axes.computed_zorder = False  # the arm in front of the base, whatever the corners say
    reached = poses.kept[min(1, len(poses.kept) - 1)]
    for (base, points), colour, alpha, label in (
        (poses.kept[0], '#9fb0bf', 0.16, 'before'),
        (reached, plotting.COLOURS[1], 0.22, 'arm out'),
    ):
        plotting.box(axes, base.position, base.quaternion, BASE_SIZE, colour, alpha)
        axes.plot(*points.T, color=colour, lw=6, solid_capstyle='round', label=label, zorder=5)
        axes.plot(*points.T, ls='', marker='o', ms=4, color=plotting.INK, zorder=6)
    path = np.array(poses.hand).T
    axes.plot(*path, color=plotting.INK, lw=1, ls=':', label='path of the hand', zorder=4)
    axes.set_box_aspect((1, 1, 1), zoom=1.5)
    axes.set(xlim=(-1.1, 2.3), ylim=(-1.9, 1.5), zlim=(-0.8, 2.6))
    axes.view_init(elev=14, azim=-48)
    axes.set_axis_off()
    axes.legend(loc='lower left', bbox_to_anchor=(0.0, -0.06), ncols=3)


def _draw_curves(rows, samples: Sequence[Sample]) -> None:
    time_ = np.array([sample.time for sample in samples])
    phases = spans(samples)
    curves = (
        ('Base attitude [deg]', [sample.attitude for sample in samples], ('roll', 'pitch', 'yaw')),
        ('Arm joints [deg]', [s.joints for s in samples], [f'J{i}' for i in range(1, 8)]),
        ('Wheel speeds [rad/s]', [sample.wheels for sample in samples], ('x', 'y', 'z')),
    )
    for axes, (title, values, names) in zip(rows, curves, strict=False):
        axes.plot(time_, np.array(values), label=names)
        axes.set_title(title)
        plotting.names_above(axes, len(names))
    errors = np.maximum(conservation_errors(list(samples)), 1e-17)
    rows[3].semilogy(time_, errors, color=plotting.INK, lw=1)
    rows[3].set_title('Error of angular momentum, relative to what the base carried')
    rows[3].set(ylim=(3e-18, 1e-11), xlabel='time [s]')
    for i, axes in enumerate(rows):
        plotting.bands(axes, phases, named=i == 0)
        axes.tick_params(labelbottom=i == 3)


if __name__ == '__main__':
    sys.exit(main())
