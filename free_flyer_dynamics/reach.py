# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What hangs together in an assembly."""

from __future__ import annotations

from free_flyer_dynamics.assembly import Assembly
from free_flyer_dynamics.graph import WORLD
from free_flyer_dynamics.tree import FIXED
import numpy as np


def welded(assembly: Assembly, link: int) -> set[int]:
    """Return the links that are one rigid body with a link whatever joints are locked."""
    fixed = assembly.edges.kind == FIXED
    return _reached(assembly, link, fixed) if fixed.any() else {link}


def joined_to(assembly: Assembly, link: int) -> set[int]:
    """Return the links that are joined to a link in any way."""
    return _reached(assembly, link, np.ones(len(assembly.edge_names), dtype=bool))


def is_anchored(assembly: Assembly, link: int) -> bool:
    """Tell whether a link is joined to the world in any way."""
    ends = assembly.edges.a, assembly.edges.b
    return any((end == WORLD).any() for end in ends) and WORLD in joined_to(assembly, link)


def _reached(assembly: Assembly, link: int, edges: np.ndarray) -> set[int]:
    neighbours: dict[int, list[int]] = {}
    chosen = np.flatnonzero(edges)
    ends = zip(assembly.edges.a[chosen].tolist(), assembly.edges.b[chosen].tolist(), strict=True)
    for a, b in ends:
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, []).append(a)
    found, waiting = {link}, [link]
    while waiting:
        new = [n for n in neighbours.get(waiting.pop(), ()) if n not in found]
        found.update(new)
        waiting += new
    return found
