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

# A page is one that has said where its camera is.
LOOKER = """
import sys
import msgspec
import viser
from websockets.sync.client import connect
address, protocol = f'ws://127.0.0.1:{sys.argv[1]}', f'viser-v{viser.__version__}'
camera = {
    'type': 'ViewerCameraMessage', 'wxyz': (1, 0, 0, 0), 'position': (3, 3, 3), 'fov': 1.3,
    'near': 0.01, 'far': 1000.0, 'image_height': 900, 'image_width': 1600,
    'look_at': (0, 0, 0), 'up_direction': (0, 0, 1),
}
with connect(address, subprotocols=[protocol], max_size=None, compression=None) as page:
    page.send(msgspec.msgpack.encode(camera))
    for message in page:
        pass
"""


def wait_for(lines, words: str) -> None:
    """Read what a process says until it says this."""
    for line in lines:
        if words in line:
            return
    raise RuntimeError(f'it ended without {words!r}')


def measure(watched: bool, seconds: float, path) -> dict:
    """Return the figures of a run."""
    given = ('-p', 'robots:=[a]', '-p', 'a.urdf:=thesis_seven_joint')
    simulator = python(
        SIMULATOR, '--ros-args', *given, '--', str(path), stderr=subprocess.PIPE, text=True
    )
    wait_for(simulator.stderr, 'Simulating')  # kernels may have to be compiled
    helpers = []
    if watched:
        command = [sys.executable, '-m', 'free_flyer_dynamics.ros.viewer_node', '--ros-args']
        viewer = subprocess.Popen(
            [*command, '-p', f'port:={PORT}'],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        wait_for(viewer.stdout, 'Open http')
        helpers = [python(LOOKER, str(PORT), stderr=subprocess.DEVNULL), viewer]
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
    frames = 0.0
    if watched:
        looker, viewer = helpers
        looker.terminate()
        looker.wait(20)
        viewer.terminate()
        viewer.wait(20)
        found = re.search(r'(\d+\.\d) frames a second', viewer.stdout.read())
        frames = float(found.group(1)) if found else 0.0
    late = np.load(path)[-int(seconds / PERIOD) :]
    return {
        'watched': watched,
        'simulator': figures(late),
        'bare_sleeping_thread': figures(slept),
        'simulator_cpu_percent': round(100 * shares[0], 1),
        'viewer_cpu_percent': round(100 * shares[1], 1) if watched else None,
        'frames_per_second': frames if watched else None,
        'machine_busy_percent': round(100 * worked / all_, 1),
    }


def table(runs: Sequence[dict], about: str) -> str:
    """Return the figures as text."""
    lines = ['# The viewer beside the physics: 16 DOF, 1 kHz', '', about, '']
    lines.append(
        '| viewer | who | p50 us | p99 us | p99.9 us | worst us | overruns | CPU of a core '
        '| frames/s | machine busy |'
    )
    lines.append('|---|---|---|---|---|---|---|---|---|---|')
    for run in runs:
        name = 'watched' if run['watched'] else 'none'
        for who in ('simulator', 'bare_sleeping_thread'):
            row = run[who]
            quantiles = ' | '.join(str(row[f'p{q:g}_us']) for q in QUANTILES)
            rest = '| | |'
            if who == 'simulator':
                viewer = '' if not run['watched'] else f', viewer {run["viewer_cpu_percent"]} %'
                rest = (
                    f'| {run["simulator_cpu_percent"]} %{viewer} '
                    f'| {run["frames_per_second"] or ""} | {run["machine_busy_percent"]} %'
                )
            lines.append(
                f'| {name} | {who.replace("_", " ")} | {quantiles} '
                f'| {row["overruns"]} of {row["wakes"]} {rest} |'
            )
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
    path.unlink()
    about = (
        f'{os.cpu_count()} cores, {time.strftime("%Y-%m-%d %H:%M")}, {asked.seconds:g} s a run, '
        'in turns. The bare thread sleeps to the same deadlines beside each run.'
    )
    text = table(runs, about)
    (RESULTS / 'viewer.json').write_text(json.dumps(runs, indent=2) + '\n')
    (RESULTS / 'viewer.md').write_text(text)
    print(text)
    return 0


if __name__ == '__main__':
    sys.exit(main())
