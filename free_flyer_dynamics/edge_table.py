# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""All edges of a world as kernels take them: two flat arrays, never changed once made."""

from __future__ import annotations

from functools import cached_property

from free_flyer_dynamics.graph import Edges, empty_edges, joined
from free_flyer_dynamics.kernels.edges import edges_of, INTS, REALS
import numpy as np

SPARE = 16  # columns have room for a multiple of so many edges


class EdgeTable:
    """Edges in an array of integers and one of numbers; `columns` are cut when asked for."""

    def __init__(self, ints: np.ndarray, reals: np.ndarray, count: int) -> None:
        self.ints, self.reals = ints, reals
        self._count = count

    @staticmethod
    def of(columns: Edges) -> EdgeTable:
        """Return the table of columns."""
        table = EdgeTable.room(len(columns.kind))
        table.ints[0] = len(table)
        for column, given in zip(table.columns, columns, strict=True):
            column[:] = given
        return table

    @staticmethod
    def empty() -> EdgeTable:
        """Return a table without edges."""
        return EdgeTable.of(empty_edges())

    @staticmethod
    def room(count: int) -> EdgeTable:
        """Return a table for so many edges, to be filled."""
        room = -(-count // SPARE) * SPARE
        ints = np.empty(1 + INTS * room, dtype=np.int64)
        return EdgeTable(ints, np.empty(REALS * room), count)

    def __len__(self) -> int:
        return self._count

    @cached_property
    def columns(self) -> Edges:
        """Return the columns, cut."""
        return edges_of(self.ints, self.reals)

    @property
    def kinds(self) -> list[int]:
        """Return the kinds of all edges."""
        return self.ints[1 : 1 + len(self)].tolist()

    def grown(self, rows: Edges) -> EdgeTable:
        """Return this with more edges at the end."""
        return EdgeTable.of(joined(self.columns, rows))

    def without_last(self) -> EdgeTable:
        """Return this less the last edge: the same numbers, of which the last are not read."""
        ints = self.ints.copy()
        ints[0] -= 1
        return EdgeTable(ints, self.reals, len(self) - 1)
