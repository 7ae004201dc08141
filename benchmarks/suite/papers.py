# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The papers' forward dynamics: cost against links, counted depth, and Tian and Wu's case."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
import time

from benchmarks.figures import Figure, Settings, SMOKE
from benchmarks.timing import alternate, python_loop
import free_flyer_dynamics as ffd
from free_flyer_dynamics.algorithms import ALGORITHMS
from free_flyer_dynamics.generate import random_chain
from free_flyer_dynamics.papers.base_invariant import decoupled, depth
from free_flyer_dynamics.papers.constraint_force import solved
import numpy as np

ROOT = Path(__file__).parents[2]
PLOT = ROOT / 'docs' / 'papers_cost.png'
ROBOT = ROOT / 'urdf' / 'tian_wu_three_joint.urdf'
SIZES = (4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
DENSE = 1024  # links beyond which the N^3 of mass_matrix is not waited for: minutes a call
FITTED = 128  # exponents are of this many links and more: below, calls from Python weigh
PRINTED = {'paper': 20.2, 'adams': 31.5}  # s for the five of the three-joint case
Times = dict[str, dict[int, float]]


def run(settings: Settings) -> Iterator[Figure]:
    """Yield times, exponents, cross-overs and counted depths of random chains in motion."""
    sizes = SIZES[:3] if settings == SMOKE else SIZES
    times: Times = {}
    with ThreadPoolExecutor(2) as threads:
        for n in sizes:
            ways = _ways(*_scene(n), n, threads)
            few = settings if n < 512 else Settings(rounds=min(5, settings.rounds))
            for name, us in alternate(ways, few).items():
                times.setdefault(name, {})[n] = us
    for name, row in times.items():
        for n, us in row.items():
            yield Figure(f'papers.{name}.{n}', us, 'us')
    for name, row in times.items():
        large = {n: us for n, us in row.items() if n >= FITTED}
        if len(large) > 2:
            slope = np.polyfit(np.log(list(large)), np.log(list(large.values())), 1)[0]
            yield Figure(f'papers.exponent.{name}', float(slope), '', note=f'from {FITTED} links')
    yield from _crossings(times)
    for n in sizes:
        yield from _depths(n)
    yield from three_joint()
    if settings != SMOKE:
        _plot(times)


def _scene(n: int):
    """Return structure, state and inputs of a chain of n moving links, the base included."""
    rng = np.random.default_rng(n)
    sim = ffd.Simulator()
    model = random_chain(n - 1, 1)
    names = [joint.name for joint in model.joints]
    sim.add(
        model,
        joint_positions=dict(zip(names, rng.uniform(-2, 2, n - 1), strict=True)),
        joint_velocities=dict(zip(names, rng.uniform(-0.1, 0.1, n - 1), strict=True)),
    )
    sim.set_efforts({name: float(rng.uniform(-1, 1)) for name in names})
    return sim._structure, sim._state, sim._inputs


def _ways(structure, state, inputs, n: int, threads: ThreadPoolExecutor) -> dict[str, Callable]:
    scene = (structure, state, inputs)
    ways = {
        name: partial(ALGORITHMS[name], *scene)
        for name in ('articulated_body', 'base_invariant', 'spatial_operator', 'constraint_force')
    }
    if n <= DENSE:
        ways['mass_matrix'] = partial(ALGORITHMS['mass_matrix'], *scene)
    ways['base_invariant, 2 threads'] = partial(decoupled, *scene, threads)
    ways['odd_even'] = partial(solved, *scene, 'odd_even')
    ways['odd_even, 2 threads'] = partial(solved, *scene, 'odd_even', threads)
    return {name: python_loop(call) for name, call in ways.items()}


def _crossings(times: Times) -> Iterator[Figure]:
    """Yield the fewest links from which one way is quicker than another for good."""
    pairs = [('mass_matrix', name) for name in times if name != 'mass_matrix']
    pairs += [(name.removesuffix(', 2 threads'), name) for name in times if 'threads' in name]
    for slow, quick in pairs:
        both = sorted(set(times[slow]) & set(times[quick]))
        won = [n for n in both if all(times[quick][m] < times[slow][m] for m in both if m >= n)]
        yield Figure(
            f'papers.crossing.{quick} before {slow}',
            float(won[0]) if won else float('inf'),
            'links',
            note='' if won else 'never, on this machine',
        )


def _depths(n: int) -> Iterator[Figure]:
    structure, state, inputs = _scene(n)
    first, last = depth(structure)
    yield Figure(f'papers.depth.base_invariant, first link.{n}', first, 'links')
    yield Figure(f'papers.depth.base_invariant, last link.{n}', last, 'links')
    _, count = solved(structure, state, inputs, 'odd_even')
    yield Figure(f'papers.depth.constraint_force.{n}', count.depth, 'levels')
    yield Figure(f'papers.work.constraint_force.{n}', count.blocks, 'blocks')


def three_joint() -> Iterator[Figure]:
    """Yield the seconds that five of Tian and Wu's three-joint case take; geometry assumed."""
    for algorithm in ('spatial_operator', 'articulated_body'):
        sim = ffd.Simulator(dt=1e-3, algorithm=algorithm)
        sim.add(ffd.load_urdf(ROBOT), joint_positions={'J1': np.pi / 2, 'J3': np.pi / 2})
        sim.set_efforts({'J1': -0.5, 'J2': -0.3, 'J3': -0.1})
        sim.warm_up()
        start = time.perf_counter()
        sim.step(5000)
        took = time.perf_counter() - start
        yield Figure(f'papers.three_joint_5s.{algorithm}', took, 's', note='assumed geometry')
    for name, seconds in PRINTED.items():
        note = 'printed; their machine of 2009'
        yield Figure(f'papers.three_joint_5s.{name}', seconds, 's', note=note)


def _plot(times: Times) -> None:
    try:
        from matplotlib.figure import Figure as Page
    except ImportError:
        return
    page = Page(figsize=(8, 5.5), layout='constrained')
    axes = page.subplots()
    for name, row in times.items():
        style = '--' if 'threads' in name else '-'
        axes.loglog(list(row), list(row.values()), style, marker='.', label=name)
    axes.set(xlabel='links', ylabel='one evaluation from Python [us]', xticks=SIZES)
    axes.set_xticklabels([str(n) for n in SIZES])
    axes.set_title('Forward dynamics of a free-flying chain: cost against links')
    axes.grid(alpha=0.3)
    axes.legend()
    page.savefig(PLOT, dpi=110)
