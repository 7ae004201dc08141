# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Every public joint coordinate by name; a change of one edge changes it by as much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from free_flyer_dynamics.graph import Edges
from free_flyer_dynamics.tree import FIXED, SPHERICAL
import numpy as np

_PARTS = np.arange(3)


def axis_names(edge: str, kind: int) -> tuple[str, ...]:
    """Return the names of the coordinates of an edge of that kind."""
    if kind == SPHERICAL:
        return f'{edge}_x', f'{edge}_y', f'{edge}_z'
    return () if kind == FIXED else (edge,)


@dataclass(frozen=True)
class JointTable:
    """Every public joint coordinate: its name, its edge and which part of the edge's it is."""

    names: tuple[str, ...] = ()
    edge: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    part: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    index: Mapping[str, int] = field(default_factory=dict)

    @staticmethod
    def of(names: tuple[str, ...], edges: Edges) -> JointTable:
        """Return the table of all edges that are not fixed; a spherical one has three parts."""
        return JointTable().grown(names, edges.kind.tolist(), 0)

    def grown(self, edges: tuple[str, ...], kinds: Sequence[int], first: int) -> JointTable:
        """Return this with the parts of more edges, counted from the first."""
        known = len(self.names)
        axes = [axis_names(name, kind) for name, kind in zip(edges, kinds, strict=True)]
        names = tuple(chain.from_iterable(axes))
        if not names:
            return self
        edge, part = (_longer(column, len(names)) for column in (self.edge, self.part))
        at = known
        for e, parts in enumerate(axes, first):
            end = at + len(parts)
            edge[at:end], part[at:end] = e, _PARTS[: len(parts)]
            at = end
        index = dict(self.index)
        index.update(zip(names, range(known, at), strict=True))
        return JointTable(self.names + names, edge, part, index)

    def without(self, e: int) -> JointTable:
        """Return this less the parts of an edge, those behind it counted one down."""
        first, end = self.edge.searchsorted((e, e + 1)).tolist()
        if first == len(self.edge):
            return self
        names, index = self.names[:first] + self.names[end:], dict(self.index)
        for name in self.names[first:end]:
            del index[name]
        if end == len(self.edge):  # what came last, as most often: nothing is counted down
            return JointTable(names, self.edge[:first], self.part[:first], index)
        index = {name: j for j, name in enumerate(names)}
        edge = np.concatenate((self.edge[:first], self.edge[end:] - 1))
        return JointTable(names, edge, np.concatenate((self.part[:first], self.part[end:])), index)


def _longer(column: np.ndarray, more: int) -> np.ndarray:
    """Return a column with room for more entries."""
    longer = np.empty(len(column) + more, dtype=np.int64)
    longer[: len(column)] = column
    return longer
