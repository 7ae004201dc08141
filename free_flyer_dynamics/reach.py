# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What hangs together in an assembly."""

from __future__ import annotations

from free_flyer_dynamics.assembly import Assembly
from free_flyer_dynamics.graph import WORLD


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
