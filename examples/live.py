# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
The capture, live: simulator, controller and viewer as they would run, and a page to watch it in.

Run `make demo`, or `python -m examples.live` where ROS 2 is. Ctrl-C ends all of it.

"""

from __future__ import annotations

import argparse
from collections import deque
from collections.abc import Sequence
from importlib.util import find_spec
import os
from pathlib import Path
import signal
import socket
import subprocess
import sys
import threading
import time
import webbrowser

ROOT = Path(__file__).resolve().parents[1]
MODULE = 'free_flyer_dynamics.ros'
PATIENCE = 600.0  # s; kernels may have to be compiled, on a slow machine
_TOLD = 20  # lines of a process that failed
GRACE = 5.0  # s; how long a process may take to end
_MARKS = {'simulator': 'Simulating', 'viewer': 'Open http'}


class Process:
    """One of the three, its words passed on."""

    def __init__(self, name: str, *arguments: str) -> None:
        self.name = name
        self.address = ''
        self.last: deque[str] = deque(maxlen=_TOLD)  # what it said last, should it fail
        self._ready = threading.Event()
        self.popen = subprocess.Popen(
            [sys.executable, '-m', f'{MODULE}.{name}_node', '--ros-args', *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=ROOT,
            env={**os.environ, 'PYTHONUNBUFFERED': '1'},
            start_new_session=True,  # Ctrl-C is ours to pass on
        )
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.popen.stdout is not None
        for line in self.popen.stdout:
            words = line.rstrip().rpartition(']: ')[2]
            self.last.append(line.rstrip())
            if 'Open http' in line:
                self.address = next(word for word in words.split() if word.startswith('http'))
            if _MARKS.get(self.name, '') in line:
                self._ready.set()
            if line.startswith('[') or 'Compiling' in line or 'Error' in line:
                print(f'{self.name:>10}  {words}', flush=True)

    def wait(self) -> None:
        """Wait until it runs."""
        end = time.monotonic() + PATIENCE
        while not self._ready.wait(0.1):
            if self.popen.poll() is not None or time.monotonic() > end:
                said = '\n'.join(self.last)
                raise SystemExit(f'{said}\nthe {self.name} did not start; above is what it said')

    def stop(self) -> None:
        """Ask it to end, and see to it."""
        if self.popen.poll() is None:
            self.popen.send_signal(signal.SIGINT)
            try:
                self.popen.wait(GRACE)
            except subprocess.TimeoutExpired:
                self.popen.kill()
                self.popen.wait()


def _interrupt(*_) -> None:
    raise KeyboardInterrupt


def where(address: str, host: str) -> str:
    """Return what to open from where."""
    if host == '0.0.0.0':
        address = address.replace('localhost', socket.gethostname())
        return f'open {address} in any browser that reaches this machine'
    port = address.rpartition(':')[2]
    return (
        f'open {address} in a browser on this machine;\n'
        f'            from another one: ssh -L {port}:localhost:{port} {socket.gethostname()}, '
        f'then the same address,\n            or begin with '
        f"`make demo ARGS='--host 0.0.0.0'`, which lets all in"
    )


def has_display() -> bool:
    """Tell whether a browser would be seen here."""
    return bool(os.environ.get('DISPLAY') or os.environ.get('WAYLAND_DISPLAY'))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run until told to stop."""
    parser = argparse.ArgumentParser(prog='python -m examples.live', description=__doc__)
    parser.add_argument('--host', default='127.0.0.1', help='where the page is served (127.0.0.1)')
    parser.add_argument('--port', type=int, default=8080, help='of the page (8080)')
    parser.add_argument('--speed', type=float, default=2.0, help='times real time (2)')
    parser.add_argument('--seconds', type=float, help='end after this long; else with Ctrl-C')
    parser.add_argument('--no-browser', action='store_true', help='only say what to open')
    asked = parser.parse_args(arguments)
    if find_spec('rclpy') is None:
        print('This needs ROS 2; without it there is `python -m examples.demo`.', file=sys.stderr)
        return 1
    running: list[Process] = []

    def start(name: str, *given: str) -> Process:
        running.append(Process(name, *given))
        return running[-1]

    # SIGINT too: who starts us may ignore it; SIGHUP: the terminal was closed.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)
    try:
        print('Starting; the first time kernels are compiled: a minute or so.', flush=True)
        scene, law = (str(ROOT / 'config' / f'{name}.yaml') for name in ('capture', 'controller'))
        pace = f'real_time_factor:={asked.speed}'
        start('simulator', '--params-file', scene, '-p', pace).wait()
        viewer = start('viewer', '-p', f'host:={asked.host}', '-p', f'port:={asked.port}')
        viewer.wait()
        recoil = 'capture.approach:=free_floating'  # so that there is something to see
        start('controller', '--params-file', law, '-p', 'capture.linger:=10.0', '-p', recoil)
        print(f'\n  watch it: {where(viewer.address, asked.host)}')
        print(f'  its topics: ROS_DOMAIN_ID={os.environ.get("ROS_DOMAIN_ID", 0)}\n', flush=True)
        if has_display() and not asked.no_browser:
            webbrowser.open(viewer.address)
        return watch(running, asked.seconds)
    except KeyboardInterrupt:
        return 0
    finally:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)  # once is enough
        for process in reversed(running):
            process.stop()
        print('All ended.', flush=True)


def watch(running: Sequence[Process], seconds: float | None) -> int:
    """Wait for the end, or for one that ends by itself."""
    end = float('inf') if seconds is None else time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(0.2)
        for process in running:
            if process.popen.poll() is not None:
                print('\n'.join(process.last), file=sys.stderr)
                print(f'the {process.name} ended; above is what it said', file=sys.stderr)
                return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
