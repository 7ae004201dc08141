# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Take the viewer's pictures for the documentation, of a live capture: make pictures.

It wants chromium (Debian, Ubuntu: apt install chromium). A moving picture of the capture and two
that stand still go to docs/figures.
"""

import io
from pathlib import Path
import re
import socket
import subprocess
import sys
import time

from examples.live import PATIENCE, ROOT
from PIL import Image

from test.ros.browser import Browser

FOLDER = ROOT / 'docs' / 'figures'
PORT = 8457
SCENE = (306, 150, 1266, 690)  # what of the page the moving picture shows
WIDTH, COLOURS = 720, 200
FRAME = 110  # ms
SPEED, EVERY = 0.2, 0.8  # times real time; s of the flight from frame to frame
_CLOCK = re.compile(r'([\d.]+) s · ')


def main() -> int:
    """Start the demo, watch a capture, end it."""
    command = [sys.executable, '-m', 'examples.live', '--no-browser', '--port', str(PORT)]
    demo = subprocess.Popen([*command, '--speed', str(SPEED)], cwd=ROOT)
    try:
        page = wait_for_page()
        try:
            shoot(page)
        finally:
            page.close()
    finally:
        demo.terminate()
        demo.wait(30)
    return 0


def wait_for_page() -> Browser:
    """Return the page once it shows the approach."""
    end = time.monotonic() + PATIENCE
    while not listens(PORT):
        assert time.monotonic() < end, 'the viewer did not start'
        time.sleep(1)
    page = Browser()
    page.load(f'http://127.0.0.1:{PORT}')
    page.until(lambda: page.shows('approach'), 'the approach')
    page.run("document.querySelector('.mantine-Notification-closeButton')?.click()")
    time.sleep(2)  # it fades in
    return page


def listens(port: int) -> bool:
    """Tell whether somebody serves that port here."""
    with socket.socket() as probe:
        return probe.connect_ex(('127.0.0.1', port)) == 0


def shoot(page: Browser) -> None:
    """Take frames until the target has been let go, with the two pictures on the way."""
    frames = []
    while not page.shows('16 DOF'):
        frames.append(next_frame(page, FOLDER / 'viewer.png'))
    while not page.shows('· absorb'):  # grasp and lock are short
        frames.append(next_frame(page, FOLDER / 'viewer.png', 0.3))
    page.press('Structure')
    while not page.shows('· hold'):
        frames.append(next_frame(page, FOLDER / 'structure_page.png', 3.0))
    while not page.shows('· released'):  # the rest is for the moving one alone
        frames.append(next_frame(page, None, 3.0))
    for _ in range(6):
        frames.append(next_frame(page, None))
    write(frames, FOLDER / 'capture.gif')


def next_frame(page: Browser, path: Path | None, times: float = 1.0) -> bytes:
    """Return a picture, so much simulated time after the one before."""
    before = clock(page)
    page.until(lambda: clock(page) > before + times * EVERY, 'time to pass')
    return page.picture(path)


def clock(page: Browser) -> float:
    """Return the simulated time that the page shows [s]."""
    found = _CLOCK.search(page.text())
    return float(found[1]) if found else 0.0


def write(frames: list[bytes], path: Path) -> None:
    """Write pictures as one that moves."""
    small = []
    for data in frames:
        image = Image.open(io.BytesIO(data)).convert('RGB').crop(SCENE)
        size = (WIDTH, round(WIDTH * image.height / image.width))
        image = image.resize(size, Image.Resampling.LANCZOS)
        small.append(image.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=0))
    small[0].save(path, save_all=True, append_images=small[1:], duration=FRAME, loop=0)


if __name__ == '__main__':
    sys.exit(main())
