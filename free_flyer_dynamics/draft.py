# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""An assembly on its way from one structure to the next."""

from __future__ import annotations

from dataclasses import dataclass

from free_flyer_dynamics.assembly import Assembly
from free_flyer_dynamics.transfer import Motion


@dataclass(frozen=True)
class Draft:
    """An assembly on its way, the motion its links come with and whether it binds any."""

    assembly: Assembly
    motion: Motion
    binds: bool = False
    edges: tuple[str, ...] = ()  # those whose impulse is to be told
    gone: tuple[str, ...] = ()  # joints that were taken away
