# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Ways to advance the state by one call: the compiled fourth-order step and scipy's reference."""

from __future__ import annotations

from typing import Protocol

from free_flyer_dynamics.engine import Engine
from free_flyer_dynamics.errors import CommandError
from free_flyer_dynamics.kernels import events, holds
from free_flyer_dynamics.kernels.forward import displace
from free_flyer_dynamics.kernels.integrate import accept, end_of_step, rates
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import FREE, Inputs, SPHERICAL, State
import numpy as np

REFERENCE_TOLERANCE = 1e-12  # of dop853, relative and absolute
SHORTEST = 1e-4  # of a step: who turns by a radian in less is not followed


class Integrator(Protocol):
    """A motion under way: `state` is advanced in place."""

    state: State

    def __init__(self, structure: Structure, state: State, inputs: Inputs) -> None:
        """Start from a state, which is copied or kept."""

    def take(self, inputs: Inputs) -> None:
        """Let other inputs act from now on."""

    def advance(self, dt: float, count: int) -> int:
        """Advance by count steps of dt; return how many were done: fewer when one went bad."""


class Rk4:
    """
    The compiled fourth-order step.

    Smooth steps are the engine's, as many as there are in one call. One that may hold an event,
    and those of closed loops, are taken where the instants of events are found.
    """

    def __init__(self, structure: Structure, state: State, inputs: Inputs) -> None:
        self._structure = structure
        self.state = state
        self._inputs = inputs
        self._engine = None
        if len(structure.tree.parent) and not len(structure.tree.loops.kind):
            self._engine = Engine(structure, state, inputs)
            self.state = self._engine.state

    def take(self, inputs: Inputs) -> None:
        """Let other inputs act from now on."""
        self._inputs = inputs
        if self._engine and self._engine.has_room(inputs):
            self._engine.take(inputs)
        elif self._engine:
            self._engine = Engine(self._structure, self.state, inputs)
            self.state = self._engine.state

    def advance(self, dt: float, count: int) -> int:
        """Advance by count steps of dt; return how many were done: fewer when one went bad."""
        if not self._engine:
            return self._find_events(dt, count)
        done, rough = self._engine.advance(dt, count)
        while rough:
            if not self._find_events(dt, 1):
                return done
            done += 1
            self._engine.widen()
            more, rough = self._engine.advance(dt, count - done)
            done += more
        return done

    def _find_events(self, dt: float, count: int) -> int:
        structure = self._structure
        return events.step(
            structure.tree, self.state, self._inputs, dt, count, structure.workspace
        )


class Dop853:
    """Scipy's DOP853, the reference for the other."""

    def __init__(self, structure: Structure, state: State, inputs: Inputs) -> None:
        self._structure = structure
        self.state = state
        self._inputs = inputs

    def take(self, inputs: Inputs) -> None:
        """Let other inputs act from now on."""
        self._inputs = inputs

    def advance(self, dt: float, count: int) -> int:
        """Advance by count steps of dt; return how many were done: fewer when one went bad."""
        return dop853(self._structure, self.state, self._inputs, dt, count)


def dop853(structure: Structure, state: State, inputs: Inputs, dt: float, count: int) -> int:
    """
    Advance by scipy's DOP853 at 1e-12: slow and accurate, the reference for the others.

    Each stretch integrates the displacement from its start, so that orientations stay unit; none
    is long enough for a free body to turn by more than a radian. Stops, dry friction and speed
    limits cut it as they do for rk4. A step that goes bad, or turns further than can be followed,
    leaves the state where it began.
    """
    for n in range(count):
        before = [column.copy() for column in state]
        left = dt
        cuts = 0
        while left > 0:
            holds.settle(structure.tree, state, inputs, structure.workspace)
            radian = _time_for_a_radian(structure, state)
            h = min(left, radian)
            lost = not radian > SHORTEST * dt
            taken = np.nan if lost else _advance(structure, state, inputs, h, cuts)
            cuts += taken < h
            left -= taken
            if not np.isfinite(left) or not np.isfinite(state.v).all():
                for column, was in zip(state, before, strict=True):
                    column[:] = was
                return n
    return count


def _time_for_a_radian(structure: Structure, state: State) -> float:
    kind, at = structure.tree.kind, structure.tree.v_at
    turning = at[(kind == FREE) | (kind == SPHERICAL)]
    rates_ = state.v[turning[:, None] + np.arange(3)]
    return 1 / max(float(np.max(np.abs(rates_), initial=0.0)), 1e-300)


def _advance(structure: Structure, state: State, inputs: Inputs, h: float, cuts: int) -> float:
    """Advance by h or to the first event, unless there were many; return the time, or NaN."""
    from scipy.integrate import solve_ivp

    ws, nv = structure.workspace, structure.nv
    watch = cuts < events.MOST_EVENTS and events.may_happen(structure.tree, state, inputs)
    roots = 6 * structure.roots

    def unpack(y: np.ndarray) -> None:
        ws.delta[:] = y[:nv]
        ws.vel[:] = y[nv : 2 * nv]
        displace(structure.tree, state.q, ws.delta, ws.q)

    def rate(_t: float, y: np.ndarray) -> np.ndarray:
        unpack(y)
        rates(structure.tree, state, inputs, ws, 0)
        linear = y[2 * nv : 2 * nv + roots].reshape(-1, 6)[:, 3:]
        out = np.concatenate((ws.d[0], ws.k[0], ws.w[0].ravel(), linear.ravel()))
        if not np.isfinite(out).all():  # scipy would halve its step for ever
            raise FloatingPointError
        return out

    centers = state.center[:, :3]
    start = np.concatenate((np.zeros(nv), state.v, state.momentum.ravel(), centers.ravel()))

    def past_event(_t: float, y: np.ndarray) -> float:
        unpack(y)  # a joint that leaves rest starts at its event: that one is not ahead
        return events.nearest_event(structure.tree, state, inputs, ws) - holds.NEAR

    past_event.terminal = True  # type: ignore[attr-defined]
    past_event.direction = 1.0  # type: ignore[attr-defined]
    try:
        solution = solve_ivp(
            rate,
            (0.0, h),
            start,
            method='DOP853',
            rtol=REFERENCE_TOLERANCE,
            atol=REFERENCE_TOLERANCE,
            events=past_event if watch else None,
        )
    except FloatingPointError:
        return np.nan
    if solution.status < 0:
        return np.nan
    end = solution.y[:, -1]
    unpack(end)
    ws.momentum[:] = end[2 * nv : 2 * nv + roots].reshape(-1, 6)
    ws.center[:, :3] = end[2 * nv + roots :].reshape(-1, 3)
    ws.center[:, 3:] = 0.0
    end_of_step(structure.tree, state.hold, ws)
    taken = float(solution.t[-1])
    happened = solution.status == 1
    accept(state, ws)
    if happened:
        gently = cuts >= events.MOST_KNOCKS
        events.happen_nearest(structure.tree, state, inputs, gently, ws)
    return taken if happened else h


INTEGRATORS: dict[str, type[Integrator]] = {'rk4': Rk4, 'dop853': Dop853}


def integrator(name: str) -> type[Integrator]:
    """Return the integrator of that name."""
    try:
        return INTEGRATORS[name]
    except KeyError:
        raise CommandError(
            f"No integrator is named '{name}'. Known: {', '.join(sorted(INTEGRATORS))}."
        ) from None
