# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What the physics thread hands on, beside samples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from free_flyer_dynamics.connectivity import Connectivity
from free_flyer_dynamics.ros.sampling import Sample


@dataclass(frozen=True)
class Changed:
    """The structure is another one now."""

    stamp: int
    connectivity: Connectivity


@dataclass(frozen=True)
class Again:
    """The present state once more, for who has just come."""

    sample: Sample


@dataclass(frozen=True)
class Reply:
    """A command has been carried out, and what it did is published: tell who waits."""

    done: Callable[[Any, Exception | None], None]
    result: Any
    error: Exception | None
