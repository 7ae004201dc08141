# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Measure what the viewer does to the physics: python -m benchmarks.viewer [--seconds 15].

The simulator of 16 DOF runs at 1 kHz, in turns without a viewer and with one whose page somebody
looks at: a client that takes every frame, as a browser does, and draws nothing. A bare thread
sleeps to the same deadlines beside each run; what that one misses, the machine missed. Needs
ROS 2 and viser.

"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
import json
import os
import random
import re
import subprocess
import sys
import time

from benchmarks.page_rate import drawn_by_browser, intervals, LOOKER
from benchmarks.realtime import (
    busy,
    cpu_seconds,
    figures,
    PERIOD,
    python,
    QUANTILES,
    RESULTS,
    SIMULATOR,
    SLEEPER,
)
import numpy as np

PORT = 8452
ROUNDS = 2
SIZES = ((1600, 900), (800, 600), (400, 300))  # px
MOVING = (
    'robots:=[a]',
    'a.urdf:=thesis_seven_joint',
    'a.angular_velocity:=[0.01, 0.02, 0.03]',
    *(f'a.joint_velocities.J{k}:=0.05' for k in range(1, 8)),
)
WITHOUT_CARD = (
    'Headless Chromium with SwiftShader on the same cores, so that this is what its own drawing '
    'takes; what a graphics card would draw has not been measured. A page can draw as often as '
    'the browser likes; something new comes to it as often as the table above says.'
)


def wait_for(lines, words: str) -> None:
    """Read what a process says until it says this."""
    for line in lines:
        if words in line:
            return
    raise RuntimeError(f'it ended without {words!r}')


def start_simulator(path) -> subprocess.Popen:
    """Return a simulator that runs, of a robot that moves."""
    given = [word for one in MOVING for word in ('-p', one)]
    simulator = python(
        SIMULATOR, '--ros-args', *given, '--', str(path), stderr=subprocess.PIPE, text=True
    )
    wait_for(simulator.stderr, 'Simulating')  # kernels may have to be compiled
    return simulator


def start_viewer() -> subprocess.Popen:
    """Return a viewer that serves its page."""
    command = [sys.executable, '-m', 'free_flyer_dynamics.ros.viewer_node', '--ros-args']
    viewer = subprocess.Popen(
        [*command, '-p', f'port:={PORT}'],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    wait_for(viewer.stdout, 'Open http')
    return viewer


def end(process: subprocess.Popen) -> str:
    """End a process and return what it has said."""
    process.terminate()
    return process.communicate(timeout=20)[0] or ''


def in_browsers(seconds: float, path) -> list[dict]:
    """Return how often Chromium, drawing by the processor, shows pages of some sizes."""
    simulator, viewer = start_simulator(path), start_viewer()
    try:
        found = [(size, drawn_by_browser(PORT, seconds, size)) for size in SIZES]
    finally:
        end(viewer)
        simulator.terminate()
        simulator.wait(20)
    return [{'size': size, **rate} for size, rate in found if rate is not None]


def measure(watched: bool, seconds: float, path) -> dict:
    """Return the figures of a run."""
    simulator, helpers = start_simulator(path), []
    if watched:
        viewer = start_viewer()
        helpers = [python(LOOKER, str(PORT), stdout=subprocess.PIPE, text=True), viewer]
    time.sleep(8.0)  # all are up and know each other
    sleeper = python(SLEEPER, str(seconds), stdout=subprocess.PIPE, text=True)
    before, start = busy(), time.monotonic()
    used = [cpu_seconds(process.pid) for process in (simulator, *helpers[1:])]
    time.sleep(seconds)
    elapsed = time.monotonic() - start
    shares = [
        (cpu_seconds(process.pid) - then) / elapsed
        for process, then in zip((simulator, *helpers[1:]), used, strict=True)
    ]
    worked, all_ = (b - a for a, b in zip(before, busy(), strict=True))
    slept = np.array(json.loads(sleeper.communicate()[0])[0])
    simulator.terminate()
    simulator.wait(20)
    frames, updates = None, None
    if watched:
        looker, viewer = helpers
        updates = intervals(np.array(json.loads(end(looker)))[-int(30 * seconds) :])
        found = re.search(r'(\d+\.\d) frames a second', end(viewer))
        frames = float(found.group(1)) if found else 0.0
    late = np.load(path)[-int(seconds / PERIOD) :]
    return {
        'watched': watched,
        'simulator': figures(late),
        'bare_sleeping_thread': figures(slept),
        'simulator_cpu_percent': round(100 * shares[0], 1),
        'viewer_cpu_percent': round(100 * shares[1], 1) if watched else None,
        'frames_per_second': frames,
        'updates': updates,
        'machine_busy_percent': round(100 * worked / all_, 1),
    }


def told(rate: dict) -> str:
    """Return how often something happened."""
    return f'{rate["per_second"]}/s, {rate["p50_ms"]} ms apart (p99 {rate["p99_ms"]})'


def table(runs: Sequence[dict], pages: Sequence[dict], about: str) -> str:
    """Return the figures as text."""
    lines = ['# The viewer beside the physics: 16 DOF, 1 kHz', '', about, '']
    lines.append(
        '| viewer | who | p50 us | p99 us | p99.9 us | worst us | overruns | CPU of a core '
        '| frames/s | new at the page | machine busy |'
    )
    lines.append('|---|---|---|---|---|---|---|---|---|---|---|')
    for run in runs:
        name = 'watched' if run['watched'] else 'none'
        for who in ('simulator', 'bare_sleeping_thread'):
            row = run[who]
            quantiles = ' | '.join(str(row[f'p{q:g}_us']) for q in QUANTILES)
            rest = '| | | |'
            if who == 'simulator':
                viewer = '' if not run['watched'] else f', viewer {run["viewer_cpu_percent"]} %'
                new = told(run['updates']) if run['watched'] else ''
                rest = (
                    f'| {run["simulator_cpu_percent"]} %{viewer} '
                    f'| {run["frames_per_second"] or ""} | {new} | {run["machine_busy_percent"]} %'
                )
            lines.append(
                f'| {name} | {who.replace("_", " ")} | {quantiles} '
                f'| {row["overruns"]} of {row["wakes"]} {rest} |'
            )
    lines += ['', '## In a browser that draws by the processor', '', WITHOUT_CARD, '']
    lines += ['| page [px] | drawn |', '|---|---|']
    lines += [f'| {p["size"][0]} x {p["size"][1]} | {told(p)} |' for p in pages]
    return '\n'.join(lines) + '\n'


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and write benchmarks/results/viewer.json and .md."""
    parser = argparse.ArgumentParser(prog='python -m benchmarks.viewer', description=__doc__)
    parser.add_argument('--seconds', type=float, default=15.0, help='of each run (15)')
    asked = parser.parse_args(arguments)
    os.environ['ROS_DOMAIN_ID'] = str(random.randint(1, 101))
    os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'
    path = RESULTS / '.viewer.npy'
    runs = [measure(watched, asked.seconds, path) for watched in (False, True) * ROUNDS]
    pages = in_browsers(asked.seconds, path)
    path.unlink()
    about = (
        f'{os.cpu_count()} cores, {time.strftime("%Y-%m-%d %H:%M")}, {asked.seconds:g} s a run, '
        'in turns. The bare thread sleeps to the same deadlines beside each run.'
    )
    text = table(runs, pages, about)
    kept = {'runs': runs, 'pages': pages}
    (RESULTS / 'viewer.json').write_text(json.dumps(kept, indent=2) + '\n')
    (RESULTS / 'viewer.md').write_text(text)
    print(text)
    return 0


if __name__ == '__main__':
    sys.exit(main())
