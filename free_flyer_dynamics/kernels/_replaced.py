# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Replace a little of Numba while kernels are compiled."""

from threading import Lock
from typing import Any


class Replaced:
    """Attributes that are others while somebody is inside, be it many at once."""

    def __init__(self, *replacements: tuple[Any, str, Any]) -> None:
        """Take owner, name and new value of each."""
        self._new = replacements
        self._old: list[tuple[Any, str, Any]] = []
        self._inside = 0
        self._lock = Lock()

    def __enter__(self) -> None:
        """Replace them, if nobody has."""
        with self._lock:
            if self._inside == 0:
                self._old = [(owner, name, getattr(owner, name)) for owner, name, _ in self._new]
                self._set(self._new)
            self._inside += 1

    def __exit__(self, *_error: object) -> None:
        """Put them back; the last who leaves does."""
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                self._set(self._old)

    @staticmethod
    def _set(values) -> None:
        for owner, name, value in values:
            setattr(owner, name, value)
