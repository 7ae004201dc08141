# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Measure the node in real time: python -m benchmarks.realtime [--seconds 30].

It runs the simulator of 16 DOF at 1 kHz, with one subscriber in another process, and beside it a
bare thread that sleeps to the same deadlines and does nothing. What that one misses, the machine
missed; `benchmarks.lateness` tells what it was. Needs ROS 2.

"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
import json
import os
from pathlib import Path
import random
import shutil
import subprocess
import sys
import time
import warnings

import free_flyer_dynamics as ffd
from free_flyer_dynamics.urdf import shipped
import numpy as np

RESULTS = Path(__file__).parent / 'results'
PERIOD = 1e-3
RATES = (100.0, 1000.0)
QUANTILES = (50.0, 99.0, 99.9, 100.0)
TICK = os.sysconf('SC_CLK_TCK')

SLEEPER = """
import sys, time, json
import numpy as np
from free_flyer_dynamics.ros.threads import make_punctual
make_punctual(0)
n = int(float(sys.argv[1]) * 1000)
late = np.zeros(n)
due = time.monotonic()
used = time.process_time()
for k in range(n):
    due += 1e-3
    now = time.monotonic()
    if now < due:
        time.sleep(due - now)
    late[k] = time.monotonic() - due
print(json.dumps([late.tolist(), (time.process_time() - used) / (n * 1e-3)]))
"""

LISTENER = """
import rclpy
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage
rclpy.init()
node = rclpy.create_node('listener')
for kind, topic in ((JointState, 'joint_states'), (Odometry, 'odom'), (TFMessage, '/tf')):
    node.create_subscription(kind, topic, lambda m: None, 10, raw=True)
rclpy.spin(node)
"""

SIMULATOR = """
import sys
import numpy as np
from free_flyer_dynamics import pace
from free_flyer_dynamics.ros import simulator_node
pace._KEPT = 10**6
kept = []
made = pace.Pace.__init__
def keep(self, *arguments):
    made(self, *arguments)
    self.deadlines.late.fill(0)  # or the kernel makes room for it while time is kept
    kept.append(self.deadlines)
pace.Pace.__init__ = keep
simulator_node.main()
np.save(sys.argv[-1], kept[-1].late[:kept[-1].counts[pace.WAKES]])
"""


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process, its threads included."""
    fields = Path(f'/proc/{pid}/stat').read_text().rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def busy() -> tuple[float, float]:
    """Return the jiffies that the machine has worked, and all."""
    numbers = [int(x) for x in Path('/proc/stat').read_text().split('\n', 1)[0].split()[1:]]
    return sum(numbers) - numbers[3] - numbers[4], float(sum(numbers))


def step_microseconds(count: int = 5000) -> float:
    """Return the CPU time of a step by itself: what of the shares is dynamics."""
    sim = ffd.Simulator()
    sim.add(ffd.load_urdf(shipped('thesis_seven_joint')))
    sim.step(10)
    before = time.process_time()
    sim.step(count)
    return 1e6 * (time.process_time() - before) / count


def figures(late: np.ndarray) -> dict[str, float]:
    """Return quantiles of lateness [us] and how many deadlines had passed already."""
    found = {f'p{q:g}_us': round(1e6 * float(np.percentile(late, q)), 1) for q in QUANTILES}
    found['overruns'] = int(np.floor(np.maximum(late, 0) / PERIOD).sum())
    found['wakes'] = len(late)
    return found


def python(code: str, *arguments: str, **options) -> subprocess.Popen:
    """Start a Python process."""
    return subprocess.Popen([sys.executable, '-c', code, *arguments], **options)


class Scene:
    """The simulator and its listener while they run; both are up and know each other."""

    def __init__(self, command: Sequence[str], rate: float, out: Path) -> None:
        self._out = out
        robot = ('-p', 'robots:=[a]', '-p', 'a.urdf:=thesis_seven_joint')
        given = ('--ros-args', *robot, '-p', f'publish_rate:={rate}', '--', str(out))
        self.simulator = subprocess.Popen([sys.executable, *command, *given])
        self._listener = python(LISTENER, stderr=subprocess.DEVNULL)
        time.sleep(8.0)

    def end(self, count: int) -> np.ndarray:
        """End both; return rows of what the simulator has noted but for its last second."""
        self.simulator.terminate()
        self.simulator.wait(20)
        self._listener.kill()  # it has nothing to save
        self._listener.wait(20)
        last = round(1 / PERIOD)  # in it, it was told to stop
        return np.load(self._out)[-count - last : -last]


def measure(rate: float, seconds: float, out: Path, beside: bool) -> dict:
    """Return the figures of a run at that publish rate."""
    scene = Scene(('-c', SIMULATOR), rate, out / 'lateness.npy')
    sleeper = python(SLEEPER, str(seconds), stdout=subprocess.PIPE, text=True) if beside else None
    worked, all_ = busy()
    used, start = cpu_seconds(scene.simulator.pid), time.monotonic()
    time.sleep(seconds)
    elapsed = time.monotonic() - start
    share = (cpu_seconds(scene.simulator.pid) - used) / elapsed
    worked, all_ = (b - a for a, b in zip((worked, all_), busy(), strict=True))
    load = os.getloadavg()[0]
    slept, bare_share = json.loads(sleeper.communicate()[0]) if sleeper else ([], 0.0)
    late = scene.end(int(seconds / PERIOD))
    return {
        'publish_rate_hz': rate,
        'cpu_share_percent': [round(100 * x, 1) for x in (share, bare_share)],
        'step_us': round(step_microseconds(), 1),
        'simulator': figures(late),
        'bare_sleeping_thread': figures(np.array(slept)) if slept else None,
        'machine_busy_percent': round(100 * worked / all_, 1),
        'machine_load': round(load, 2),
    }


def table(results: Sequence[dict], about: str) -> str:
    """Return the figures as text."""
    head = (
        '| publishing | who | p50 us | p99 us | p99.9 us | worst us | overruns | CPU of a core |'
    )
    lines = ['# Real time: 16 DOF, 1 kHz physics, one subscriber', '', about, '', head]
    lines.append('|---|---|---|---|---|---|---|---|')
    for run in results:
        for who in ('simulator', 'bare_sleeping_thread'):
            row = run[who]
            if row:
                share = f'{run["cpu_share_percent"][who != "simulator"]} %'
                quantiles = ' | '.join(str(row[f'p{q:g}_us']) for q in QUANTILES)
                lines.append(
                    f'| {run["publish_rate_hz"]:g} Hz | {who.replace("_", " ")} | {quantiles} | '
                    f'{row["overruns"]} of {row["wakes"]} | {share} |'
                )
    for run in results:
        lines.append(
            f'\n- {run["publish_rate_hz"]:g} Hz: the machine as a whole was busy '
            f'{run["machine_busy_percent"]} %, load {run["machine_load"]}; a step alone, in a '
            f'loop, took {run["step_us"]} us of a core.'
        )
    return '\n'.join(lines) + '\n'


def prepare() -> Path:
    """Have a domain of our own and a folder for what is noted; return the folder."""
    warnings.simplefilter('ignore', ffd.ModelWarning)
    os.environ['ROS_DOMAIN_ID'] = str(random.randint(1, 101))
    os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'
    out = RESULTS / '.realtime'
    out.mkdir(parents=True, exist_ok=True)
    return out


def keep(out: Path, name: str, results: Sequence[dict], text: str) -> None:
    """Write what was found, and show it."""
    shutil.rmtree(out)
    (RESULTS / f'{name}.json').write_text(json.dumps(results, indent=2) + '\n')
    (RESULTS / f'{name}.md').write_text(text)
    print(text)


def machine(seconds: float) -> str:
    """Return a sentence on where and how long was measured."""
    return f'{os.cpu_count()} cores, {time.strftime("%Y-%m-%d %H:%M")}, {seconds:g} s a run.'


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and write benchmarks/results/realtime.json and .md."""
    parser = argparse.ArgumentParser(prog='python -m benchmarks.realtime', description=__doc__)
    parser.add_argument('--seconds', type=float, default=30.0, help='of each run (30)')
    parser.add_argument('--alone', action='store_true', help='without the thread beside it')
    asked = parser.parse_args(arguments)
    out = prepare()
    results = [measure(rate, asked.seconds, out, not asked.alone) for rate in RATES]
    about = (
        f'{machine(asked.seconds)} '
        'The bare thread sleeps to the same deadlines at the same time in a process of its own, '
        'and takes its share of the machine while it is measured.'
    )
    keep(out, 'realtime', results, table(results, about))
    return 0


if __name__ == '__main__':
    sys.exit(main())
