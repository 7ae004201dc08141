# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What the papers' algorithms refuse, and the state of a world they are asked about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from free_flyer_dynamics.errors import CommandError
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import State

if TYPE_CHECKING:
    from free_flyer_dynamics.readings import Readings


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
