# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Tell what makes the node late in real time: python -m benchmarks.lateness [--seconds 30].

It runs what `benchmarks.realtime` runs, and notes of each wake-up what made it late:
`benchmarks.blame`. Needs ROS 2, and Linux.

"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
import sys
import time

from benchmarks.blame import blame, PARTS, ROOM
from benchmarks.realtime import busy, keep, machine, PERIOD, prepare, RATES, Scene, TICK

LONGEST = 0.8 * ROOM * PERIOD  # s, with what comes before


def stolen() -> float:
    """Return the milliseconds that the hypervisor has kept cores from us which had work."""
    return 1e3 * int(Path('/proc/stat').read_text().split('\n', 1)[0].split()[8]) / TICK


def why(rate: float, seconds: float, out: Path) -> dict:
    """Return what made wake-ups late in a run at that publish rate."""
    scene = Scene(('-m', 'benchmarks.watched'), rate, out / 'notes.npy')
    kept, (worked, all_) = stolen(), busy()
    time.sleep(seconds)
    kept, (worked, all_) = (
        stolen() - kept,
        (b - a for a, b in zip((worked, all_), busy(), strict=True)),
    )
    return {
        'publish_rate_hz': rate,
        **blame(scene.end(int(seconds / PERIOD)), 1e9 * PERIOD),
        'stolen_ms': round(kept),
        'machine_busy_percent': round(100 * worked / all_, 1),
    }


def reasons(results: Sequence[dict], about: str) -> str:
    """Return what made wake-ups late as text."""
    named = ('timer late', 'cores busy', 'core stood still', 'own threads', 'GIL', 'own work')
    head = ['publishing', 'deadlines missed', 'without our part', 'by our part, in calm']
    head += [
        *(f'{n} ms' for n in named),
        'our part p99.9 us',
        'worst us',
        'stolen ms',
        'machine busy',
    ]
    lines = [
        '# What made the simulator late',
        '',
        about,
        '',
    ]
    lines += [f'| {" | ".join(head)} |', '|---' * len(head) + '|']
    for run in results:
        row = (
            f'{run["publish_rate_hz"]:g} Hz',
            f'{run["overruns"]} of {run["wakes"]}',
            run['overruns_without_us'],
            f'{run["overruns_with_us_in_calm"]}, {run["calm_percent"]} % of the time',
            *(run['late_ms'][name] for name in PARTS),
            *(run[name] for name in ('ours_p999_us', 'ours_worst_us', 'stolen_ms')),
            f'{run["machine_busy_percent"]} %',
        )
        lines.append(f'| {" | ".join(map(str, row))} |')
    return '\n'.join(lines) + '\n'


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and write benchmarks/results/lateness.json and .md."""
    parser = argparse.ArgumentParser(prog='python -m benchmarks.lateness', description=__doc__)
    parser.add_argument('--seconds', type=float, default=30.0, help='of each run (30)')
    seconds = parser.parse_args(arguments).seconds
    if seconds > LONGEST:
        parser.error(f'there is room for the notes of {LONGEST:g} s')
    out = prepare()
    results = [why(rate, seconds, out) for rate in RATES]
    about = (
        f'16 DOF, 1 kHz physics, one subscriber; {machine(seconds)} Each wake-up noted what lay '
        'between its deadline and its step: `benchmarks/blame.py`. What is ours (own threads, '
        'GIL, own work) is an upper bound. Milliseconds are of wake-ups that missed a deadline, '
        'our part that of any; calm is half a second away from any timer that rang a millisecond '
        'late; stolen is what the hypervisor took.'
    )
    keep(out, 'lateness', results, reasons(results, about))
    return 0


if __name__ == '__main__':
    sys.exit(main())
