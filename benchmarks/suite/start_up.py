# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""From nothing to the first step, in processes of their own, kernels compiled or not."""

from __future__ import annotations

from collections.abc import Iterator
import json
import os
from pathlib import Path
import shutil
import subprocess
import sys
import tempfile

from benchmarks.figures import Figure, Settings
import free_flyer_dynamics

PACKAGE = Path(free_flyer_dynamics.__file__).parent
ROBOT = Path(__file__).parents[2] / 'urdf' / 'thesis_seven_joint.urdf'
IMPORT_GOAL, WARM_GOAL, COLD_GOAL = 0.5, 0.6, 20.0  # s
COLD_STARTS = 2  # the better one counts

SCRIPT = """
import json, sys, time, warnings
start = time.perf_counter()
warnings.simplefilter('ignore')
import free_flyer_dynamics as ffd
imported = time.perf_counter()
model = ffd.load_urdf(sys.argv[1])
loaded = time.perf_counter()
sim = ffd.Simulator()
sim.add(model)
sim.step()
stepped = time.perf_counter()
print(json.dumps({
    'import': imported - start,
    'load': loaded - imported,
    'step': stepped - loaded,
    'all': stepped - start,
}), flush=True)
if 'everything' in sys.argv:
    import logging
    from free_flyer_dynamics import rehearsal
    logging.disable()
    rehearsal.play(rehearsal.robot_like(limbs=1, joints=7))
    print(json.dumps({'everything': time.perf_counter() - start}))
"""


def run(settings: Settings) -> Iterator[Figure]:
    """Yield times of copies of the package, whose caches start empty and are their own."""
    cold: list[dict[str, float]] = []
    warm: list[dict[str, float]] = []
    for _ in range(COLD_STARTS):
        with tempfile.TemporaryDirectory() as folder:
            uncompiled = shutil.ignore_patterns('__pycache__')
            shutil.copytree(PACKAGE, Path(folder) / PACKAGE.name, ignore=uncompiled)
            cold.append(start(folder, 'everything'))
            warm += [start(folder) for _ in range(settings.starts)]
    best = {name: min(times[name] for times in warm) for name in warm[0]}
    soonest = {name: min(times[name] for times in cold) for name in cold[0]}
    yield Figure('start_up.import', best['import'], 's', IMPORT_GOAL)
    yield Figure('start_up.load_urdf', best['load'], 's', note='the first one')
    yield Figure('start_up.first_step_warm', best['all'], 's', WARM_GOAL, 'import and all')
    note = 'every kernel of it compiled, by two processes'
    yield Figure('start_up.first_step_cold', soonest['all'], 's', COLD_GOAL, note)
    note = (
        'at once after it: a loop, a batch, a stop, a grasp, a lock, readings; by three processes'
    )
    yield Figure('start_up.all_kernels_cold', soonest['everything'], 's', COLD_GOAL, note)


def start(folder: str, *more: str) -> dict[str, float]:
    """Return the seconds a fresh process takes with the package in that folder."""
    variables = {**os.environ, 'PYTHONPATH': folder}
    variables.pop('FREE_FLYER_CACHE', None)
    variables.pop('NUMBA_CACHE_DIR', None)
    done = subprocess.run(
        [sys.executable, '-c', SCRIPT, str(ROBOT), *more],
        capture_output=True,
        check=True,
        cwd=folder,
        env=variables,
        text=True,
    )
    told: dict[str, float] = {}
    for line in done.stdout.splitlines():
        told |= json.loads(line)
    return told
