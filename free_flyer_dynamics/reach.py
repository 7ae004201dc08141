# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What hangs together in an assembly."""

from __future__ import annotations

from free_flyer_dynamics.assembly import Assembly
from free_flyer_dynamics.direct import Direct
from free_flyer_dynamics.graph import WORLD
from free_flyer_dynamics.kernels.edges import are_welded
import numpy as np

_are_welded = Direct(are_welded)


def welded(assembly: Assembly, one: int, other: int) -> bool:
    """Tell whether two links are one rigid body whatever joints are locked."""
    found = np.empty(len(assembly.links.mass), dtype=np.int64)
    table = assembly.edge_table
    return _are_welded(table.ints, table.reals, one, other, found)


def is_anchored(assembly: Assembly, link: int) -> bool:
    """Tell whether a link is joined to the world in any way."""
    edges = assembly.edges
    touched = (edges.a == WORLD).any() or (edges.b == WORLD).any()
    return bool(touched) and WORLD in _joined_to(assembly, link)


def _joined_to(assembly: Assembly, link: int) -> set[int]:
    """Return the links that are joined to a link in any way."""
    neighbours: dict[int, list[int]] = {}
    for a, b in zip(assembly.edges.a.tolist(), assembly.edges.b.tolist(), strict=True):
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, []).append(a)
    found, waiting = {link}, [link]
    while waiting:
        new = [n for n in neighbours.get(waiting.pop(), ()) if n not in found]
        found.update(new)
        waiting += new
    return found
