# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Kernels that are being compiled, told as it goes on: the first start is long."""

from __future__ import annotations

import logging
import threading
import time

from numba.core import event

_OURS = 'free_flyer_dynamics.kernels.'
_REST = 0.1  # intervals without a kernel: what is compiled then is another wait
_LOG = logging.getLogger(__name__)


class Patience(event.Listener):
    """
    Says once that kernels have to be compiled, and every so often that they still are.

    Parameters
    ----------
    interval : float
        Between two words [s].

    """

    def __init__(self, interval: float = 20.0) -> None:
        self._interval = interval
        self._began = self._heard = 0.0
        self._depth = 0  # kernels compile those they call
        self._told = False
        self._teller: threading.Thread | None = None

    def on_start(self, event_) -> None:
        """Note that a kernel is begun."""
        if not _is_ours(event_):
            return
        if not self._told:
            self._told = True
            kept = event_.data['dispatcher'].stats.cache_path
            _LOG.warning(
                'Compiling kernels: a minute or so.%s',
                ' They are kept for the next start.' if kept else '',
            )
        now = time.monotonic()
        if not self._depth and now - self._heard > _REST * self._interval:
            self._began = now
        self._depth += 1
        self._heard = now
        if self._teller is None or not self._teller.is_alive():
            self._teller = threading.Thread(target=self._tell, name='patience', daemon=True)
            self._teller.start()

    def on_end(self, event_) -> None:
        """Note that it is done."""
        if _is_ours(event_):
            self._depth -= 1
            self._heard = time.monotonic()

    def _tell(self) -> None:
        while True:
            time.sleep(self._interval)
            now = time.monotonic()
            if self._depth and now - self._began >= self._interval:
                _LOG.warning('Still compiling, %.0f s so far.', now - self._began)
            elif not self._depth and now - self._heard > self._interval:
                return


def _is_ours(event_) -> bool:
    """Tell of a kernel; what Numba makes for a user's class has no module."""
    return (event_.data['dispatcher'].py_func.__module__ or '').startswith(_OURS)


def tell() -> None:
    """Begin to listen."""
    event.register('numba:compile', Patience())
