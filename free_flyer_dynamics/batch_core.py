# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What one core steps the states of a batch with: room of its own, side by side where it can."""

from __future__ import annotations

from dataclasses import replace

from free_flyer_dynamics.arena import batch_arena
from free_flyer_dynamics.direct import Direct
from free_flyer_dynamics.engine import Engine
from free_flyer_dynamics.kernels.alone import ONE_BY_ONE
from free_flyer_dynamics.kernels.batch import run_states, States
from free_flyer_dynamics.kernels.claims import Ranges
from free_flyer_dynamics.kernels.frames import ALONG
from free_flyer_dynamics.kernels.lanes import WIDEST
from free_flyer_dynamics.motions import EngineMotion
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import Inputs, SPHERICAL, State
import numpy as np

_run_states = Direct(run_states)


def copied(structure: Structure) -> Structure:
    """Return a structure with scratch and workspace of its own, for another thread."""
    return replace(structure, ints=structure.ints.copy(), reals=structure.reals.copy(), rooms={})


def rows_of(state: State, inputs: Inputs, count: int) -> States:
    """Return so many states that start alike, and are acted on alike."""
    wrench = np.concatenate((inputs.wrench_force, inputs.wrench_torque), axis=1)
    one = {**state._asdict(), **inputs._asdict(), 'wrench': wrench}
    return States(*(np.tile(one[name].reshape(-1), (count, 1)) for name in States._fields))


def side_by_side(structure: Structure) -> bool:
    """Tell whether states may be stepped in lanes: there are neither closed loops nor balls."""
    return not structure.loops and not (structure.tree.kind == SPHERICAL).any()


class Core:
    """Steps states of one structure; no other thread uses what it holds."""

    def __init__(self, structure: Structure, inputs: Inputs) -> None:
        own = copied(structure)
        self._inputs = inputs
        engine = Engine(own, None, inputs)
        self._single = EngineMotion(own, engine, inputs)
        self._abreast, frames = None, engine.frames
        if side_by_side(own):
            *self._abreast, frames = batch_arena(own, inputs, WIDEST)
        still = inputs.wrench_in_world[:, None] != 0
        self._turns = np.where(still, (1.0, 0.0), frames[inputs.wrench_node, :ALONG])

    def step(
        self, states: States, ranges: Ranges, own: int, dt: float, count: int, done: np.ndarray
    ) -> None:
        """
        Advance states that nobody has claimed, those of the own range first.

        Fills how many steps of each were done: what is left may hold an event.
        """
        span = (ranges, own, dt, count, done)
        if self._abreast is not None:
            _run_states(*self._abreast, states, self._turns, *span)
        else:
            ints, reals, closures = self._single.engine.arena
            each = ONE_BY_ONE[self._single.lanes]
            each(ints, reals, closures, states, self._turns, *span)

    def go_on_alone(self, states: States, s: int, dt: float, left: int) -> int:
        """Take the rest of a state's steps, in which something may happen; return how many."""
        single = self._single
        for name in State._fields:
            column = getattr(single.state, name)
            column[:] = getattr(states, name)[s].reshape(column.shape)
        wrench = states.wrench[s].reshape(-1, 6)
        single.take(
            self._inputs._replace(
                effort=states.effort[s].copy(),
                loop_effort=states.loop_effort[s].reshape(-1, 3).copy(),
                wrench_force=wrench[:, :3].copy(),
                wrench_torque=wrench[:, 3:].copy(),
            )
        )
        done = single.advance(dt, left)
        for name in State._fields:
            getattr(states, name)[s] = getattr(single.state, name).ravel()
        return done
