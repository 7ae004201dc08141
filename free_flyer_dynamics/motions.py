# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A motion under way: by the engine where it can be, else by any integrator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from free_flyer_dynamics.engine import Engine
from free_flyer_dynamics.integrators import Integrator, rk4
from free_flyer_dynamics.pace import Pace
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import Inputs, State
import numpy as np


class Motion(Protocol):
    """A motion under way: `state` as it now is, and the structure that inputs are wanted for."""

    @property
    def structure(self) -> Structure:
        """Return the structure that inputs are wanted for."""

    @property
    def state(self) -> State:
        """Return the state; always the same arrays, until other inputs are taken."""

    def under_way(self) -> tuple[Structure, State, Inputs]:
        """Return structure, state and inputs as steps have them."""

    def take(self, inputs: Inputs) -> None:
        """Let other inputs act from now on."""

    def advance(self, dt: float, count: int, pace: Pace | None = None) -> int:
        """
        Advance by count steps of dt; return how many were done: fewer when one went bad.

        With a pace each is taken when it is due, and there are fewer when it was called away.
        """

    def start_again(self) -> None:
        """Go on from the state that is seen, as whoever is given it will."""

    def momentum(self) -> np.ndarray | None:
        """Return the sums that the law of momentum is kept by, if it is one kept for all."""

    def margin(self) -> tuple[int, float] | None:
        """Return the rank and the smallest pivot of closed loops, if the last step knows them."""


class PlainMotion:
    """A motion by any integrator."""

    def __init__(
        self, integrate: Integrator, structure: Structure, state: State, inputs: Inputs
    ) -> None:
        self._integrate, self._inputs = integrate, inputs
        self.structure, self.state = structure, state

    def under_way(self) -> tuple[Structure, State, Inputs]:
        """Return structure, state and inputs as steps have them."""
        return self.structure, self.state, self._inputs

    def take(self, inputs: Inputs) -> None:
        """Let other inputs act from now on."""
        self._inputs = inputs

    def advance(self, dt: float, count: int, pace: Pace | None = None) -> int:
        """Advance by count steps of dt; return how many were done, see `Motion`."""

        def run(dt: float, count: int) -> int:
            return self._integrate(self.structure, self.state, self._inputs, dt, count)

        return run(dt, count) if pace is None else pace.keep(run, dt, count)

    def start_again(self) -> None:
        """Do nothing: the state that is seen is the one that moves."""

    def momentum(self) -> None:
        """Leave the sums to whoever reads."""
        return None

    def margin(self) -> None:
        """Leave the loops to whoever looks."""
        return None


class EngineMotion:
    """
    The compiled fourth-order step in its own arena.

    Smooth steps are the engine's, as many as there are in one call. One that may hold an event is
    taken by `rk4`, which finds its instant.
    """

    def __init__(self, structure: Structure, engine: Engine, inputs: Inputs) -> None:
        self.structure = structure
        self._take_arena(engine, inputs)

    @property
    def lanes(self) -> int:
        """Return how many branches are side by side."""
        return self.engine.lanes

    @property
    def rows(self) -> int:
        """Return how many rows of joints are walked one after the other."""
        return self.engine.rows

    def _take_arena(self, engine: Engine, inputs: Inputs) -> None:
        self._inputs, self.engine = inputs, engine
        self.state = self.engine.state

    def under_way(self) -> tuple[Structure, State, Inputs]:
        """Return structure, state and inputs as steps have them."""
        return self.structure, self.state, self._inputs

    def take(self, inputs: Inputs) -> None:
        """Let other inputs act from now on."""
        if self.engine.take(inputs):
            self._inputs = inputs
        else:
            self._take_arena(Engine(self.structure, self.state, inputs), inputs)

    def advance(self, dt: float, count: int, pace: Pace | None = None) -> int:
        """Advance by count steps of dt; return how many were done, see `Motion`."""
        run = self.engine.run if pace is None else self.engine.run_by(pace)
        code = run(dt, count)  # in the common case there is nothing more
        return code if code >= 0 else self.go_on(code, run, dt, count, pace)

    def go_on(
        self,
        code: int,
        run: Callable[[float, int], int],
        dt: float,
        count: int,
        pace: Pace | None = None,
    ) -> int:
        """Go on where `run` has ended with a step that may hold an event; see `advance`."""
        done = 0
        while code < 0:
            done += ~code
            self.engine.forget_margin()
            if not rk4(self.structure, self.state, self._inputs, dt, 1):
                return done
            done += 1
            if pace is not None:
                pace.pay(1)
            code = run(dt, count - done)
        return done + code

    def start_again(self) -> None:
        """Do nothing: the state that is seen is the one that moves."""

    def momentum(self) -> np.ndarray | None:
        """Return mass, mass times centre, angular and linear momentum; see `Engine.momentum`."""
        return self.engine.momentum()

    def margin(self) -> tuple[int, float] | None:
        """Return the rank and the smallest pivot of closed loops; see `Engine.margin`."""
        return self.engine.margin()


def motion(
    integrate: Integrator,
    structure: Structure,
    state: State,
    inputs: Inputs,
    engine: Engine | None = None,
) -> PlainMotion | EngineMotion:
    """Return the motion from a state on; in the engine that holds it, if one does."""
    if integrate is rk4 and structure.nodes:
        return EngineMotion(structure, engine or Engine(structure, state, inputs), inputs)
    return PlainMotion(integrate, structure, state, inputs)
