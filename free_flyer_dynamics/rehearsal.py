# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The second half of a cold start: kernels compiled for what they will be called with."""

from __future__ import annotations

from free_flyer_dynamics.assembly import Assembly
from free_flyer_dynamics.engine import first_calls
from free_flyer_dynamics.inputs import Commands
from free_flyer_dynamics.kernels.records import HEAD, LINKS, NODES, record_sizes
from free_flyer_dynamics.structure import Structure
import numpy as np


def rehearse(limbs: int) -> None:
    """Compile what `ahead` waits for, and say of each kernel when it is there."""
    integers, numbers = record_sizes(1, 0, 0)  # the world alone is a link
    ints, reals = np.zeros(integers, dtype=np.int64), np.zeros(numbers)
    ints[LINKS] = 1
    nothing = Structure(Assembly(), ints, reals, *ints[NODES:HEAD].tolist())
    inputs = Commands((0.0, 0.0, 0.0)).inputs(nothing)
    for door, arguments in first_calls(nothing, nothing.new_state(), inputs, limbs):
        door.compile_for(*arguments)
        print(door.name, flush=True)
