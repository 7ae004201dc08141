# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Every public joint coordinate by name; a change of one edge changes it by as much."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from free_flyer_dynamics.graph import Edges
from free_flyer_dynamics.tree import FIXED, SPHERICAL
import numpy as np


def axis_names(edge: str, kind: int) -> tuple[str, ...]:
    """Return the names of the coordinates of an edge of that kind."""
    if kind == SPHERICAL:
        return tuple(f'{edge}_{part}' for part in 'xyz')
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
        return JointTable().grown(names, edges.kind, 0)

    def grown(self, edges: tuple[str, ...], kinds: np.ndarray, first: int) -> JointTable:
        """Return this with the parts of more edges, counted from the first."""
        rows = [
            (axis, first + e, k)
            for e, (edge, kind) in enumerate(zip(edges, kinds.tolist(), strict=True))
            if kind != FIXED
            for k, axis in enumerate(axis_names(edge, kind))
        ]
        if not rows:
            return self
        names, edge, part = zip(*rows, strict=True)
        index = dict(self.index)
        index.update(zip(names, range(len(index), len(index) + len(names)), strict=True))
        return JointTable(
            self.names + names,
            np.concatenate((self.edge, edge)),
            np.concatenate((self.part, part)),
            index,
        )

    def without(self, e: int) -> JointTable:
        """Return this less the parts of an edge, those behind it counted one down."""
        keep = self.edge != e
        behind = self.edge > e
        if keep.all():
            return JointTable(self.names, self.edge - behind, self.part, self.index)
        names = tuple(self.names[j] for j in np.flatnonzero(keep).tolist())
        index = {name: j for j, name in enumerate(names)}
        return JointTable(names, (self.edge - behind)[keep], self.part[keep], index)
