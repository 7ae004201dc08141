# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Operations counted as they are done, and how many of them have to wait for one another.

Depth is that of as many processors as there is room for: the length of the longest chain of
operations each of which needs the result of the one before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
import json
import math
import operator
import os
import subprocess
import sys

Counts = dict[str, dict[int, tuple[int, int]]]


def counts(sizes: Sequence[int]) -> Counts:
    """Return operations and depth of every algorithm for chains of these many links."""
    done = subprocess.run(
        [sys.executable, '-m', 'benchmarks.counting', *map(str, sizes)],
        capture_output=True,
        check=True,
        env={**os.environ, 'NUMBA_DISABLE_JIT': '1'},
        text=True,
    )
    rows = json.loads(done.stdout)
    return {
        name: {int(n): (work, depth) for n, (work, depth) in row.items()}
        for name, row in rows.items()
    }


class Counted:
    """A number and the length of the longest chain of operations that led to it."""

    __slots__ = ('depth', 'value')
    operations = 0  # done so far, by all

    def __init__(self, value: float, depth: int = 0) -> None:
        self.value, self.depth = value, depth

    def __float__(self) -> float:
        """Return the number alone."""
        return float(self.value)

    def __neg__(self) -> Counted:
        """Change the sign, which costs nothing."""
        return Counted(-self.value, self.depth)

    def __gt__(self, other) -> bool:
        """Compare the numbers."""
        return self.value > float(other)


def _counted(function: Callable, swapped: bool = False) -> Callable:
    def operation(self, other):
        Counted.operations += 1
        mine, depth = self.value, self.depth
        if type(other) is Counted:
            depth = max(depth, other.depth)
            other = other.value
        value = function(other, mine) if swapped else function(mine, other)
        return Counted(value, depth + 1)

    return operation


for _name in ('add', 'sub', 'mul', 'truediv'):
    _function = getattr(operator, _name)
    setattr(Counted, f'__{_name}__', _counted(_function))
    setattr(Counted, f'__r{_name}__', _counted(_function, swapped=True))


def root(x: Counted) -> Counted:
    """Return the square root."""
    Counted.operations += 1
    return Counted(math.sqrt(x.value), x.depth + 1)
