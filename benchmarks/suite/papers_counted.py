# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The papers' forward dynamics, counted: operations, and how many wait for one another."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks import pages
from benchmarks.counted import Counts, counts
from benchmarks.figures import Figure, Settings, SMOKE
from benchmarks.suite.papers import scene
from free_flyer_dynamics.papers.base_invariant import depth
from free_flyer_dynamics.papers.constraint_force import solved
from free_flyer_dynamics.papers.meeting import met
import numpy as np

SIZES = (4, 8, 16, 32, 64, 128, 256)
LARGE = (1024, 4096)  # links whose levels and hinges are counted by the algorithms themselves


def run(settings: Settings) -> Iterator[Figure]:
    """Yield operations and depth of chains, their growth, and what the algorithms count."""
    found = counts(SIZES[:3] if settings == SMOKE else SIZES)
    for name, row in found.items():
        for n, (work, deep) in row.items():
            yield Figure(f'counted.work.{name}.{n}', work, '', note='operations')
            yield Figure(f'counted.depth.{name}.{n}', deep, '', note='one after another')
    yield from _growth(found)
    for n in () if settings == SMOKE else LARGE:
        given = scene(n)
        yield Figure(f'counted.levels.odd-even.{n}', solved(*given, 'odd_even')[1].depth, 'levels')
        yield Figure(f'counted.hinges.meeting.{n}', met(*given)[1], 'hinges', note='one way')
        first, last = depth(given[0])
        yield Figure(f'counted.hinges.base_invariant, first link.{n}', first, 'hinges')
        yield Figure(f'counted.hinges.base_invariant, last link.{n}', last, 'hinges')
    if settings != SMOKE:
        _plot(found)


def _growth(found: Counts) -> Iterator[Figure]:
    """Yield the exponents of the last doubling, and what it adds to the depth."""
    for name, row in found.items():
        before, last = sorted(row)[-2:]
        for kind, index in (('work', 0), ('depth', 1)):
            slope = np.log(row[last][index] / row[before][index]) / np.log(last / before)
            note = f'from {before} to {last} links'
            yield Figure(f'counted.exponent of {kind}.{name}', float(slope), '', note=note)
        more = row[last][1] - row[before][1]
        yield Figure(f'counted.depth of a doubling.{name}', more, '', note=note)


def _plot(found: Counts) -> None:
    made = pages.page(2)
    if made is None:
        return
    paper, axes = made
    titles = ('Operations', 'Operations that wait for one another')
    for index, (title, place) in enumerate(zip(titles, axes, strict=True)):
        rows = {
            name: {n: float(pair[index]) for n, pair in row.items()}
            for name, row in found.items()
            if name in pages.COLOURS
        }
        pages.draw(place, rows, f'{title}, poses and twists given', 'counted')
    paper.savefig(pages.DOCS / 'algorithms_counted.png', dpi=90)
