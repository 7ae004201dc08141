# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Every link integrated on its own: how far hinges gape. [JainRodriguez] algorithm 7."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks import pages
from benchmarks.figures import Figure, Settings, SMOKE
import free_flyer_dynamics as ffd
from free_flyer_dynamics.generate import random_tree
from free_flyer_dynamics.papers import links_apart
import numpy as np

STEPS = (0.02, 0.01, 0.005)  # s
SECONDS = 20.0
MOST = 1e-12  # m: below, the gap of a hinge is rounding


def run(settings: Settings) -> Iterator[Figure]:
    """Yield the widest gap and turn of a hinge of a tumbling tree of seven links."""
    seconds = 0.2 if settings == SMOKE else SECONDS
    gaps = {}
    for dt in STEPS:
        sim = _tumbling(dt)
        links = links_apart(sim)
        times, gaps[dt] = [], []
        for k in range(round(seconds / dt)):
            links.step(dt)
            links.momentum()
            times.append((k + 1) * dt)
            gaps[dt].append(links.drift)
        sim.step(len(times))
        apart = float(np.abs(links.state.q - sim._state.q).max())
        name = f'{1000 * dt:g} ms'
        yield Figure(f'drift.gap.{name}', gaps[dt][-1][0], 'm', note=f'after {seconds:g} s')
        yield Figure(f'drift.turn.{name}', gaps[dt][-1][1], 'rad', note='off the axis')
        yield Figure(f'drift.coordinates.{name}', apart, '', note='against rk4 of the joints')
    ends = [gaps[dt][-1][0] for dt in STEPS]
    for coarse, fine, dt in zip(ends, ends[1:], STEPS[1:], strict=False):
        if fine > MOST:
            order = float(np.log2(coarse / fine))
            yield Figure(f'drift.order.{1000 * dt:g} ms', order, '', note='of the step')
    if settings != SMOKE:
        _plot(gaps)


def _tumbling(dt: float) -> ffd.Simulator:
    rng = np.random.default_rng(8)
    model = random_tree(6, 3, kinds=('revolute', 'continuous', 'prismatic'))
    names = [joint.name for joint in model.joints]
    sim = ffd.Simulator(dt=dt)
    sim.add(
        model,
        angular_velocity=rng.uniform(-0.5, 0.5, 3),
        joint_positions=dict(zip(names, rng.uniform(-1, 1, len(names)), strict=True)),
        joint_velocities=dict(zip(names, rng.uniform(-0.5, 0.5, len(names)), strict=True)),
    )
    return sim


def _plot(gaps: dict[float, list[tuple[float, float]]]) -> None:
    made = pages.page(1)
    if made is None:
        return
    paper, (axes,) = made
    for dt, row in gaps.items():
        times = dt * np.arange(1, len(row) + 1)
        axes.semilogy(times, [gap for gap, _ in row], label=f'steps of {1000 * dt:g} ms')
    axes.set(xlabel='time [s]', ylabel='widest gap of a hinge [m]')
    axes.set_title('Links on their own drift apart, by the fourth order of the step')
    axes.grid(alpha=0.3)
    axes.legend()
    paper.savefig(pages.DOCS / 'links_apart.png', dpi=90)
