# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The papers' forward dynamics: time against links, serial and threaded, and a printed case."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import permutations
from pathlib import Path
import time

from benchmarks import pages
from benchmarks.blas import use_threads
from benchmarks.figures import Figure, Settings, SMOKE
from benchmarks.pages import THREADS
from benchmarks.timing import alternate, python_loop
import free_flyer_dynamics as ffd
from free_flyer_dynamics.algorithms import ALGORITHMS
from free_flyer_dynamics.generate import random_chain
from free_flyer_dynamics.papers.base_invariant import decoupled
from free_flyer_dynamics.papers.constraint_force import solved
from free_flyer_dynamics.papers.doors import together
from free_flyer_dynamics.papers.meeting import met
from free_flyer_dynamics.papers.recursion import inertias, load, make_recursion
import numpy as np

ROBOT = Path(__file__).parents[2] / 'urdf' / 'tian_wu_three_joint.urdf'
SIZES = (4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
FITTED = 512  # exponents are of this many links and more: below, calls from Python weigh
PATIENT = Settings(rounds=3)  # for mass_matrix beyond PATIENCE links: seconds a call
PATIENCE = 1024
PRINTED = {'paper': 20.2, 'adams': 31.5}  # s for the five of the three-joint case
MORE = 1.1  # times longer at the smallest is slower there, and not the same
AGREE = 1e-6  # relative, of all ways at every size
Times = dict[str, dict[int, float]]


def run(settings: Settings) -> Iterator[Figure]:
    """Yield times, exponents and cross-overs of random chains in motion, and the printed case."""
    sizes = SIZES[:3] if settings == SMOKE else SIZES
    times: Times = {}
    apart: Times = {}
    with ThreadPoolExecutor(2) as threads:
        for n in sizes:
            given = scene(n)
            ways, dense = _ways(given, threads), _dense(given)
            for name, off in _differences({**ways, **dense}).items():
                apart.setdefault(name, {})[n] = off
            found = alternate(_loops(ways), settings)
            found |= alternate(_loops(dense), settings if n <= PATIENCE else PATIENT)
            for name, us in found.items():
                times.setdefault(name, {})[n] = us
        two = _two_cores(threads, settings)
    use_threads(2)
    yield Figure('papers.two cores at once', two, '', note='1: one core for both; 2: all of two')
    for name, row in times.items():
        for n, us in row.items():
            yield Figure(f'papers.{name}.{n}', us, 'us')
    for name, row in times.items():
        large = {n: us for n, us in row.items() if n >= FITTED}
        if len(large) > 2:
            slope = np.polyfit(np.log(list(large)), np.log(list(large.values())), 1)[0]
            yield Figure(f'papers.exponent.{name}', float(slope), '', note=f'from {FITTED} links')
    yield from _crossings(times)
    for name in list(apart)[1:]:
        if not name.endswith(THREADS):
            n, off = list(apart[name].items())[-1]
            note = 'relative to articulated_body'
            yield Figure(f'papers.difference.{name}.{n}', off, '', note=note)
    yield from three_joint(50 if settings == SMOKE else 5000)
    if settings != SMOKE:
        _plot(times)


def scene(n: int):
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


def _ways(given, threads: ThreadPoolExecutor) -> dict[str, Callable[[], np.ndarray]]:
    """
    Return what takes its turn, by name.

    articulated_body and spatial_operator have no threads to give work to: in a chain every link
    waits for the one before.
    """
    return {
        'articulated_body': partial(ALGORITHMS['articulated_body'], *given),
        'base_invariant': partial(decoupled, *given),
        'base_invariant, meeting': lambda: met(*given)[0],
        'spatial_operator': partial(ALGORITHMS['spatial_operator'], *given),
        'constraint_force': lambda: solved(*given)[0],
        'constraint_force, odd-even': lambda: solved(*given, 'odd_even')[0],
        f'base_invariant{THREADS}': partial(decoupled, *given, threads),
        f'base_invariant, meeting{THREADS}': lambda: met(*given, threads)[0],
        f'constraint_force{THREADS}': lambda: solved(*given, 'serial', threads)[0],
        f'constraint_force, odd-even{THREADS}': lambda: solved(*given, 'odd_even', threads)[0],
    }


def _dense(given) -> dict[str, Callable[[], np.ndarray]]:
    """Return the ways through the inertia matrix, whose Cholesky is LAPACK's."""

    def on(count: int) -> np.ndarray:
        use_threads(count)
        return ALGORITHMS['mass_matrix'](*given)

    ways = {'mass_matrix': partial(on, 1)}
    return {**ways, f'mass_matrix{THREADS}': partial(on, 2)} if use_threads(1) else ways


def _differences(ways: dict[str, Callable[[], np.ndarray]]) -> dict[str, float]:
    """Return how far each is from articulated_body; refuse to time what does not agree."""
    expected = ways['articulated_body']()
    off = {}
    for name, way in ways.items():
        off[name] = float(np.abs(way() - expected).max() / np.abs(expected).max())
        if not off[name] < AGREE:
            raise RuntimeError(f'{name} differs from articulated_body by {off[name]:.1e}.')
    return off


def _two_cores(threads: ThreadPoolExecutor, settings: Settings) -> float:
    """Return how much quicker two recursions that share nothing are on two threads than on one."""
    structure, state, inputs = scene(1024)
    stop = np.zeros(1024, dtype=np.int64)
    rooms = [make_recursion(1024) for _ in range(2)]
    load(structure.tree, state.q, state.v, inputs, structure.workspace, rooms[0])

    def work(k: int) -> None:
        inertias(structure.tree, state.hold, stop, structure.workspace, rooms[k])

    both = [partial(work, k) for k in range(2)]
    ways = {'one': partial(together, None, *both), 'two': partial(together, threads, *both)}
    times = alternate(_loops(ways), settings)
    return times['one'] / times['two']


def _loops(ways: dict[str, Callable]):
    return {name: python_loop(call) for name, call in ways.items()}


def _crossings(times: Times) -> Iterator[Figure]:
    """Yield the fewest links from which a way that begins slower is quicker for good."""
    serial = [name for name in times if not name.endswith(THREADS)]
    smallest = min(times[serial[0]])
    pairs = [
        (first, then)
        for first, then in permutations(serial, 2)
        if MORE * times[first][smallest] < times[then][smallest]
    ]
    pairs += [(name.removesuffix(THREADS), name) for name in times if name.endswith(THREADS)]
    for first, then in pairs:
        sizes = sorted(times[first])
        won = [n for n in sizes if all(times[then][m] < times[first][m] for m in sizes if m >= n)]
        if won or THREADS in then:
            yield Figure(
                f'papers.crossing.{then} before {first}',
                float(won[0]) if won else float(sizes[-1]),
                'links',
                note='' if won else 'not even there: threads lose everywhere on this machine',
            )


def three_joint(steps: int) -> Iterator[Figure]:
    """Yield the seconds that five of Tian and Wu's three-joint case take; geometry assumed."""
    for algorithm in ('spatial_operator', 'articulated_body'):
        sim = ffd.Simulator(dt=1e-3, algorithm=algorithm)
        sim.add(ffd.load_urdf(ROBOT), joint_positions={'J1': np.pi / 2, 'J3': np.pi / 2})
        sim.set_efforts({'J1': -0.5, 'J2': -0.3, 'J3': -0.1})
        sim.warm_up()
        start = time.perf_counter()
        sim.step(steps)
        took = time.perf_counter() - start
        yield Figure(f'papers.three_joint_5s.{algorithm}', took, 's', note='assumed geometry')
    for name, seconds in PRINTED.items():
        note = 'printed; their machine, long ago'
        yield Figure(f'papers.three_joint_5s.{name}', seconds, 's', note=note)


def _plot(times: Times) -> None:
    made = pages.page(2)
    if made is None:
        return
    paper, (left, right) = made
    serial = {name: row for name, row in times.items() if not name.endswith(THREADS)}
    both = {name: row for name, row in times.items() if name + THREADS in times}
    both |= {name: row for name, row in times.items() if name.endswith(THREADS)}
    unit = 'one evaluation from Python [us]'
    pages.draw(left, serial, 'Forward dynamics of a free-flying chain, one thread', unit)
    pages.draw(right, both, 'Those with something to share, on one thread and on two', unit)
    paper.savefig(pages.DOCS / 'algorithms_time.png', dpi=90)
