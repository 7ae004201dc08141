# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Run the benchmarks: one named number a line, and all of them in benchmarks/results/."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
import pkgutil
import sys

from benchmarks import suite
from benchmarks.figures import Settings, SMOKE
from benchmarks.guard import LOST, lost_ratios, recorded_ratios
from benchmarks.machine import describe
from benchmarks.report import RESULTS, Section, write
from free_flyer_dynamics.ahead import ahead


def benchmarks() -> list[str]:
    """Return the names of the files in suite/."""
    return sorted(module.name for module in pkgutil.iter_modules(suite.__path__))


def measure(name: str, settings: Settings) -> Section:
    """Return a benchmark's heading and figures, printing each as it comes."""
    module = import_module(f'benchmarks.suite.{name}')
    figures = []
    for figure in module.run(settings):
        print(figure, flush=True)
        figures.append(figure)
    return (module.__doc__ or name).strip().splitlines()[0], figures


def main(arguments: Sequence[str] | None = None) -> int:
    """
    Measure what was asked for; what is written down is all of it.

    Returns 3 when a ratio has fallen below 80 % of the recorded one.
    """
    known = benchmarks()
    parser = argparse.ArgumentParser(prog='python -m benchmarks', description=__doc__)
    parser.add_argument('names', nargs='*', help=f'which ones, of {", ".join(known)}; else all')
    parser.add_argument('--rounds', type=int, default=Settings.rounds, help='bursts of each')
    parser.add_argument(
        '--smoke', action='store_true', help='see that it runs; figures mean nothing'
    )
    parser.add_argument('--out', type=Path, help='folder for results; only all of them go to ours')
    asked = parser.parse_args(arguments)
    for name in asked.names:
        if name not in known:
            parser.error(f"no benchmark is named '{name}'; known: {', '.join(known)}")
    ahead.allowed = False  # after a cold start others would still compile beside what is measured
    settings = SMOKE if asked.smoke else replace(Settings(), rounds=asked.rounds)
    sections = [measure(name, settings) for name in asked.names or known]
    machine = describe()
    recorded = {} if asked.smoke else recorded_ratios(RESULTS, machine)
    lost = lost_ratios((figure for _, figures in sections for figure in figures), recorded)
    folder = asked.out or (None if asked.smoke or asked.names or lost else RESULTS)
    if folder is not None:
        write(folder, machine, sections)
        print(f'written to {folder.name}/results.md and results.json')
    for sentence in lost:
        print(f'SLOWER: {sentence}', file=sys.stderr)
    return LOST if lost else 0


if __name__ == '__main__':
    sys.exit(main())
