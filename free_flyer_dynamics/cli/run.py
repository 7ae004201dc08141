# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""free-flyer run: fly a scenario, tell how it goes, keep what happened."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
import contextlib
from dataclasses import replace
from pathlib import Path
import sys
import time

from free_flyer_dynamics.checks import number
from free_flyer_dynamics.cli import plots, recording, scenario
from free_flyer_dynamics.cli.arrays import save_npz
from free_flyer_dynamics.cli.bag_write import BagWriter
from free_flyer_dynamics.cli.flight import Flight
from free_flyer_dynamics.cli.recording import Record
from free_flyer_dynamics.cli.table import save_csv
from free_flyer_dynamics.errors import CommandError
from free_flyer_dynamics.transition import in_words, Transition

HELP = (
    """Fly a scenario: robots, inputs and structure changes over time, written in YAML.
examples:
  free-flyer run capture                       a shipped one; any wrong name lists them all
  free-flyer run my.yaml --plot                also draws my.png; --plot other.svg names it
  free-flyer run my.yaml --out my.mcap         a bag: ros2 bag play, PlotJuggler, Foxglove
  free-flyer run my.yaml --out my.npz          numpy arrays; .csv: a table

a scenario:
"""
    + '\n'.join(f'  {line}' for line in scenario.EXAMPLE.splitlines())
    + """

In events, names of links and joints carry the robot's prefix. Inputs are constant within each tick
of 1/rate seconds. docs/command_line.md lists every key with its default.
"""
)
_SAVE = {'.npz': save_npz, '.csv': save_csv}
_WRITTEN = ('.mcap', *_SAVE)
_WIDTH = 32  # of the progress bar


def arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what this command takes."""
    parser.add_argument('scenario', help='YAML file, or the name of a shipped scenario')
    parser.add_argument('--out', type=Path, help='write .mcap, .npz or .csv')
    parser.add_argument(
        '--plot', type=Path, nargs='?', const=True, metavar='FILE', help='draw (SCENARIO.png)'
    )
    parser.add_argument('--seconds', type=float, help='of simulated time, instead of its own')
    parser.add_argument('--quiet', action='store_true', help='no progress bar')


def command(asked: argparse.Namespace) -> int:
    """Fly."""
    if asked.out is not None and asked.out.suffix not in _WRITTEN:
        raise CommandError(
            f"--out is '{asked.out}'; expected a name that ends in {', '.join(_WRITTEN)}."
        )
    given = scenario.read(asked.scenario)
    if asked.seconds is not None:
        if not number(asked.seconds, '--seconds') > 0:
            raise CommandError(f'--seconds is {asked.seconds:g}; expected more than zero.')
        given = replace(given, seconds=asked.seconds)
    picture = Path(f'{given.name}.png') if asked.plot is True else asked.plot
    for path in filter(None, (asked.out, picture)):  # before the flight, which may take long
        make_room(path)
    if picture is not None:
        plots.refuse_unknown(picture)
    kept = fly(given, asked.out, asked.quiet)
    if asked.out is not None:
        print(f'written: {asked.out}')
    if picture is not None:
        plots.draw(kept, given.name, picture)
        print(f'plot: {picture}')
    return 0


def make_room(path: Path) -> None:
    """See to it that a file can be written there."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(f"Cannot write '{path}': {error.strerror}.") from None
    if path.is_dir():
        raise CommandError(f"Cannot write '{path}': it is a folder.")
    there = path.exists()
    try:
        path.open('ab').close()
    except OSError as error:
        raise CommandError(f"Cannot write '{path}': {error.strerror}.") from None
    if not there:
        path.unlink()


def fly(
    given: scenario.Scenario, out: Path | None = None, quiet: bool = True
) -> recording.Recording:
    """Fly a scenario, write it where asked, and return it."""
    with contextlib.ExitStack() as stack:
        bag = None
        if out is not None and out.suffix == '.mcap':
            bag = stack.enter_context(BagWriter(out, given))

        def told(at: float, transition: Transition) -> None:
            if bag is not None:
                bag.told(at, transition)
            if not quiet:
                print(('\r\033[K' if sys.stderr.isatty() else '') + tell(at, transition))

        flight = Flight(given, told)
        flight.sim.warm_up()
        records = flight.fly() if quiet else progress(flight.fly(), flight.ticks, given.seconds)
        kept = []
        for record in records:
            kept.append(record)
            if bag is not None:
                bag.add(record)
    found = recording.collect(kept)
    if out is not None and out.suffix in _SAVE:
        try:
            _SAVE[out.suffix](found, out)
        except OSError as error:
            raise CommandError(f"Cannot write '{out}': {error.strerror}.") from None
    return found


def tell(at: float, done: Transition) -> str:
    """Return a line on a structure change."""
    return (
        f'{at:7.2f} s  {in_words(done.operations)}: {done.dof_before} to {done.dof_after} DOF, '
        f'{done.energy_lost:.4g} J lost'
    )


def progress(records: Iterable[Record], ticks: int, seconds: float) -> Iterator[Record]:
    """Pass records on, and show on stderr how far it has come and how fast."""
    start, shown = time.perf_counter(), -1.0
    live = sys.stderr.isatty()
    for k, record in enumerate(records):
        yield record
        now = time.perf_counter() - start
        last = k == ticks
        if last or (live and now - shown > 0.1):
            shown = now
            done = round(_WIDTH * k / ticks)
            bar = '█' * done + '·' * (_WIDTH - done)
            speed = record.time / max(now, 1e-9)
            line = f'{bar} {record.time:6.1f} of {seconds:g} s, {speed:.0f} x real time'
            end = '\n' if last else ''
            print(f'\r{line}' if live else line, end=end, file=sys.stderr, flush=True)
