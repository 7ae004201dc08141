# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""An assembly on its way from one structure to the next."""

from __future__ import annotations

from dataclasses import dataclass, field

from free_flyer_dynamics.assembly import Assembly
from free_flyer_dynamics.transfer import Motion


@dataclass(slots=True)
class Draft:
    """
    An assembly on its way, the motion its links come with and whether it binds any.

    Operations write here and nowhere else: what is given up half way leaves nothing behind.
    """

    assembly: Assembly
    motion: Motion
    binds: bool = False
    edges: list[str] = field(default_factory=list)  # those whose impulse is to be told
    gone: list[str] = field(default_factory=list)  # joints that were taken away
