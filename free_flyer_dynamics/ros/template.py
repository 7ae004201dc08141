# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
A message serialized once, whose numbers are then written in place.

A state message differs from the last one in its stamp and its numbers alone. Publishing the bytes
costs a fraction of building and converting a message.
"""

from __future__ import annotations

from collections.abc import Sequence
import struct

import numpy as np
from rclpy.serialization import serialize_message

_NANOSECONDS = 1_000_000_000
_SECONDS = 0x5A5B5C5D


def mark_stamp() -> int:
    """Return the stamp [ns] that a message to be made a template of bears."""
    return _SECONDS * _NANOSECONDS + 123_454_321


def marks(*sizes: int) -> list[np.ndarray]:
    """Return numbers nobody uses, for arrays of these sizes: they are found by them."""
    numbers = 1e-300 * (1 + np.arange(sum(sizes), dtype=float))
    return np.split(numbers, np.cumsum(sizes)[:-1])


class Template:
    """
    The bytes of a message.

    Parameters
    ----------
    message
        With the mark for its stamps, and marks for its numbers.
    groups : sequence of arrays
        The marks, those that lie side by side together.

    """

    def __init__(self, message, groups: Sequence[np.ndarray]) -> None:
        self._data = bytearray(serialize_message(message))
        stamp = struct.pack('<iI', *divmod(mark_stamp(), _NANOSECONDS))
        self._stamps = []
        at = self._data.find(stamp)
        while at >= 0:
            self._stamps.append(at)
            at = self._data.find(stamp, at + 1)
        self.numbers = [self._view(group) for group in groups]

    def _view(self, group: np.ndarray) -> np.ndarray:
        if not len(group):
            return np.zeros(0)
        offset = self._data.index(group.astype('<f8').tobytes())
        return np.frombuffer(self._data, '<f8', len(group), offset)

    def stamped(self, stamp: int) -> bytes:
        """Return the message with its present numbers and that stamp [ns]."""
        parts = divmod(stamp, _NANOSECONDS)
        for at in self._stamps:
            struct.pack_into('<iI', self._data, at, *parts)
        return bytes(self._data)
