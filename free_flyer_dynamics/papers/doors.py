# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What the papers' algorithms refuse, and the state of a world they are asked about."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any, TYPE_CHECKING, TypeVar

from free_flyer_dynamics.errors import CommandError
from free_flyer_dynamics.papers.recursion import room
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import State
import numpy as np

if TYPE_CHECKING:
    from free_flyer_dynamics.readings import Readings


PIECES = 2  # that threads share work in; no more cores were here to try
Room = TypeVar('Room')


def room_of(structure: Structure, name: str, make: Callable[[], Room]) -> Room:
    """Return an algorithm's room for a structure, made when first asked for; zeros at first."""
    if name not in structure.rooms:
        structure.rooms[name] = make()
    return structure.rooms[name]


def together(threads: Executor | None, *works: Callable[[], Any]) -> list:
    """Do these one after another, or at once on threads if there are some; return what they do."""
    if threads is None:
        return [work() for work in works]
    waiting = [threads.submit(work) for work in works[1:]]
    return [works[0](), *(each.result() for each in waiting)]


def pieces(
    structure: Structure, threads: Executor | None, count: int, fewest: int
) -> list[tuple[int, int, np.ndarray]]:
    """Return the ranges that threads share, each with its own scratch; one, if not worth more."""
    parts = 1 if threads is None or count < fewest else PIECES
    ends = [count * k // parts for k in range(parts + 1)]
    rooms = [room_of(structure, f'scratch {k}', lambda: room(2)) for k in range(parts)]
    return [(ends[k], ends[k + 1], rooms[k]) for k in range(parts)]


def no_loops(structure: Structure, algorithm: str) -> None:
    """Refuse closed loops: the paper's recursion walks trees."""
    count = len(structure.tree.loops.kind)
    if count:
        raise CommandError(
            f"'{algorithm}' cannot close loops, and here {count} "
            f'{"is" if count == 1 else "are"} closed: open with detach, or take '
            "'articulated_body', 'mass_matrix' or 'independent_coordinates'."
        )


def of_world(sim: Readings) -> tuple[Structure, State]:
    """Return the compiled structure of a simulator and its state."""
    return sim._structure, sim._state
