# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""All edges of a world as kernels take them: two flat arrays, never changed once made."""

from __future__ import annotations

from functools import cached_property

from free_flyer_dynamics.graph import Edges, empty_edges, joined
from free_flyer_dynamics.kernels.edges import edges_of, INTS, REALS
import numpy as np


class EdgeTable:
    """Edges in an array of integers and one of numbers; `columns` are cut when asked for."""

    def __init__(self, ints: np.ndarray, reals: np.ndarray) -> None:
        self.ints, self.reals = ints, reals

    @staticmethod
    def of(columns: Edges) -> EdgeTable:
        """Return the table of columns."""
        flat = [column.ravel() for column in columns]
        return EdgeTable(np.concatenate(flat[:INTS]), np.concatenate(flat[INTS:]))

    @staticmethod
    def empty() -> EdgeTable:
        """Return a table without edges."""
        return EdgeTable.of(empty_edges())

    @staticmethod
    def room(count: int) -> EdgeTable:
        """Return a table for so many edges, to be filled."""
        return EdgeTable(np.empty(INTS * count, dtype=np.int64), np.empty(REALS * count))

    def __len__(self) -> int:
        return len(self.ints) // INTS

    @cached_property
    def columns(self) -> Edges:
        """Return the columns, cut."""
        return edges_of(self.ints, self.reals)

    @property
    def kinds(self) -> list[int]:
        """Return the kinds of all edges."""
        return self.ints[: len(self)].tolist()

    def grown(self, rows: Edges) -> EdgeTable:
        """Return this with more edges at the end."""
        return EdgeTable.of(joined(self.columns, rows))
