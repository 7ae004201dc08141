# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What every competitor can do."""

from __future__ import annotations

from typing import Protocol

from benchmarks.models import Motion
import numpy as np

DT = 1e-3  # of every step [s]


class Peer(Protocol):
    """
    One simulator holding one robot; `Peer(flyer)` makes it.

    `note` says which build it is. `accelerations` and `after_steps` answer in the units of all:
    see `Accelerations` and `Motion`.
    """

    note: str

    def take(self, motion: Motion) -> None:
        """Take a state and efforts."""

    def accelerations(self) -> np.ndarray:
        """
        Return the base's angular and linear acceleration, then the joints'.

        World axes; the linear one is the classical one of the base's origin.
        """

    def coordinates(self) -> np.ndarray:
        """Return the base's position and rotation matrix, then the joints' positions."""

    def accelerate(self, count: int) -> float:
        """Run forward dynamics so often and return the seconds."""

    def step(self, count: int) -> float:
        """Run so many RK4 steps of DT and return the seconds."""
