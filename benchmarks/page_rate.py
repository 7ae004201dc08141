# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""How often a browser draws the viewer's page, and how often what it draws is new."""

from __future__ import annotations

import time

import numpy as np

# A page is one that has said where its camera is. It notes when the root's orientation comes.
LOOKER = """
import json
import os
import signal
import sys
import time
import msgspec
import viser
from websockets.sync.client import connect
import zstandard

address, protocol = f'ws://127.0.0.1:{sys.argv[1]}', f'viser-v{viser.__version__}'
camera = {
    'type': 'ViewerCameraMessage', 'wxyz': (1, 0, 0, 0), 'position': (3, 3, 3), 'fov': 1.3,
    'near': 0.01, 'far': 1000.0, 'image_height': 900, 'image_width': 1600,
    'look_at': (0, 0, 0), 'up_direction': (0, 0, 1),
}
came = []

def leave(*_):
    print(json.dumps(came), flush=True)
    os._exit(0)

signal.signal(signal.SIGTERM, leave)
open_ = zstandard.ZstdDecompressor().decompress
with connect(address, subprotocols=[protocol], max_size=None, compression=None) as page:
    page.send(msgspec.msgpack.encode(camera))
    for window in page:
        size = int.from_bytes(window[8:16], 'little')
        if b'SetOrientationMessage' in open_(window[16 : 16 + size]):
            came.append(time.monotonic())
"""

_WATCH = """
window.drawn = [];
(function next(now) { window.drawn.push(now); requestAnimationFrame(next); })
(performance.now());
"""


def intervals(times: np.ndarray) -> dict[str, float]:
    """Return how many a second, and how far apart [ms]."""
    gaps = 1e3 * np.diff(times)
    return {
        'per_second': round(float(1e3 / gaps.mean()), 1),
        'p50_ms': round(float(np.percentile(gaps, 50)), 1),
        'p99_ms': round(float(np.percentile(gaps, 99)), 1),
    }


def drawn_by_browser(port: int, seconds: float, size: tuple[int, int]) -> dict | None:
    """Return how often a Chromium without a graphics card draws the page; None without one."""
    from test.ros import browser

    if browser.executable() is None:
        return None
    page = browser.Browser(size)
    try:
        page.load(f'http://127.0.0.1:{port}')
        page.until(lambda: page.shows('DOF'), 'the simulator')
        time.sleep(3.0)
        page.run(_WATCH)
        time.sleep(seconds)
        return intervals(np.array(page.run('window.drawn')) * 1e-3)
    finally:
        page.close()
