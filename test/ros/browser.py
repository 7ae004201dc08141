# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A headless Chromium, driven by its DevTools protocol: open, look, press, take a picture."""

from __future__ import annotations

import base64
import json
from pathlib import Path
import shutil
import subprocess
import tempfile
import time
import urllib.request

PATIENCE = 180.0  # s; without a graphics card, on a busy machine, a picture takes a minute
NAMES = ('chromium', 'chromium-browser', 'google-chrome', 'chrome')


def executable() -> str | None:
    """Return the browser's path; None where there is none."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """
    A page in a browser without a screen.

    Parameters
    ----------
    size : (int, int)
        Of the page [px].

    """

    def __init__(self, size: tuple[int, int] = (1600, 900)) -> None:
        from websockets.sync.client import connect

        self._profile = Path(tempfile.mkdtemp(prefix='browser_'))
        self._process = subprocess.Popen(
            [
                str(executable()),
                '--headless=new',
                '--no-sandbox',
                '--disable-dev-shm-usage',
                '--use-gl=angle',
                '--use-angle=swiftshader',
                '--enable-unsafe-swiftshader',
                '--ignore-gpu-blocklist',
                '--no-first-run',
                '--hide-scrollbars',
                f'--window-size={size[0]},{size[1]}',
                '--remote-debugging-port=0',
                f'--user-data-dir={self._profile}',
                'about:blank',
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        port = self._port()
        targets = json.load(urllib.request.urlopen(f'http://127.0.0.1:{port}/json'))
        address = next(t['webSocketDebuggerUrl'] for t in targets if t['type'] == 'page')
        self._socket = connect(address, max_size=None)
        self._count = 0
        self.errors: list[str] = []
        self.call('Runtime.enable')
        self.call('Page.enable')
        width, height = size
        self.call(
            'Emulation.setDeviceMetricsOverride',
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def _port(self) -> int:
        file, end = self._profile / 'DevToolsActivePort', time.monotonic() + PATIENCE
        while not (file.exists() and file.read_text().strip()):
            assert time.monotonic() < end, 'the browser did not start'
            time.sleep(0.1)
        return int(file.read_text().split()[0])

    def call(self, method: str, **parameters):
        """Call a method of the protocol and return its result."""
        self._count += 1
        message = {'id': self._count, 'method': method, 'params': parameters}
        self._socket.send(json.dumps(message))
        while True:
            answer = json.loads(self._socket.recv(timeout=PATIENCE))
            if answer.get('method') == 'Runtime.exceptionThrown':
                self.errors.append(answer['params']['exceptionDetails'].get('text', ''))
            if answer.get('id') == self._count:
                assert 'error' not in answer, answer
                return answer['result']

    def load(self, address: str) -> None:
        """Load a page."""
        self.call('Page.navigate', url=address)

    def run(self, script: str):
        """Return what a piece of JavaScript makes in the page."""
        found = self.call('Runtime.evaluate', expression=script, returnByValue=True)
        assert 'exceptionDetails' not in found, found['exceptionDetails']
        return found['result'].get('value')

    def text(self) -> str:
        """Return all the text of the page."""
        return self.run('document.body ? document.body.innerText : ""') or ''

    def until(self, condition, what: str = '', patience: float = PATIENCE) -> None:
        """Wait until a condition holds, or fail."""
        end = time.monotonic() + patience
        while not condition():
            assert time.monotonic() < end, f'waited in vain for {what or condition}: {self.text()}'
            time.sleep(0.1)

    def shows(self, text: str) -> bool:
        """Tell whether a text is on the page."""
        return text in self.text()

    def press(self, label: str) -> None:
        """Click on what has exactly this text, once it stands still."""
        script = (
            "(() => { const all = [...document.querySelectorAll('body *')].filter("
            f'e => e.innerText && e.innerText.trim() === {json.dumps(label)}'
            ' && e.getClientRects().length); const one = all[all.length - 1];'
            'if (!one) return null; one.scrollIntoView({block: "center"});'
            'const r = one.getBoundingClientRect();'
            'return [r.x + r.width / 2, r.y + r.height / 2]; })()'
        )
        place: list = []

        def there() -> bool:
            before = [*place]
            place[:] = self.run(script) or []
            return bool(place) and place == before

        self.until(there, f'something that says {label!r}', 20.0)
        for event in ('mousePressed', 'mouseReleased'):
            self._mouse(event, *place)

    def _mouse(self, event: str, x: float, y: float) -> None:
        self.call('Input.dispatchMouseEvent', type=event, x=x, y=y, button='left', clickCount=1)

    def slide(self, label: str, share: float) -> float:
        """Drag the slider of this label to a share of its way; return the number it shows."""
        found = (
            'const label = [...document.querySelectorAll("label")].find('
            f'e => e.innerText.trim() === {json.dumps(label)});'
            'const slider = document.getElementById(label.htmlFor);'
            'const thumb = slider.querySelector("[role=slider]");'
        )
        box = (
            'const middle = e => { const r = e.getBoundingClientRect();'
            'return [r.x + r.width / 2, r.y + r.height / 2, r.x, r.width]; };'
        )
        way, thumb = self.run(
            f'(() => {{ {found} {box} slider.scrollIntoView({{block: "center"}});'
            'return [middle(slider.querySelector(".mantine-Slider-track")), middle(thumb)]; })()'
        )
        self._mouse('mousePressed', *thumb[:2])
        for part in (0.5, 1.0):
            to = way[2] + share * way[3]
            self._mouse('mouseMoved', thumb[0] + part * (to - thumb[0]), way[1])
        self._mouse('mouseReleased', to, way[1])
        return float(self.run(f'(() => {{ {found} return thumb.ariaValueNow; }})()'))

    def key(self, key: str, code: str) -> None:
        """Press a key, with nothing on the page in focus."""
        self.run('document.activeElement?.blur()')
        number = ord(key.upper())
        for event in ('keyDown', 'keyUp'):
            self.call(
                'Input.dispatchKeyEvent',
                type=event,
                key=key,
                code=code,
                text=key if event == 'keyDown' else '',
                windowsVirtualKeyCode=number,
            )

    def picture(self, path: Path | None) -> bytes:
        """Take a picture of the page, write it where asked, and return it."""
        data = base64.b64decode(self.call('Page.captureScreenshot', format='png')['data'])
        if path is not None:
            path.write_bytes(data)
        return data

    def close(self) -> None:
        """End the browser."""
        self._socket.close()
        self._process.terminate()
        self._process.wait(20)
        shutil.rmtree(self._profile, ignore_errors=True)
