# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What the numbers of a kernel are: plain ones, one of each branch, or one of each state."""

from __future__ import annotations


class Lane:
    """A tag that a kernel is compiled for: `count` numbers of 'branches' or 'states' at once."""

    def __init__(self, kind: str, count: int) -> None:
        self.kind = kind
        self.count = count

    def __repr__(self) -> str:
        """Return the same in all processes: kernels are called by it (`_names.py`)."""
        return f'Lane({self.kind!r}, {self.count})'


WHOLE = 6755399441055744.0  # a number it is added to keeps no fraction: 1 is its last bit
