# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Ways to advance the state by one call: the compiled fourth-order step and scipy's reference."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from free_flyer_dynamics.errors import CommandError
from free_flyer_dynamics.kernels import events
from free_flyer_dynamics.kernels.forward import displace
from free_flyer_dynamics.kernels.integrate import accept, end_of_step, rates
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import Inputs, State

REFERENCE_TOLERANCE = 1e-12  # of dop853, relative and absolute


def rk4(structure: Structure, state: State, inputs: Inputs, dt: float, count: int) -> int:
    """Advance by count steps of dt in one compiled call; return how many were done."""
    return events.step(structure.tree, state, inputs, dt, count, structure.workspace)


def dop853(structure: Structure, state: State, inputs: Inputs, dt: float, count: int) -> int:
    """
    Advance by scipy's DOP853 at 1e-12: slow and accurate, the reference for the others.

    Each step integrates the displacement from its start, so that orientations stay unit. Stops,
    dry friction and speed limits cut the step as they do for rk4.
    """
    for n in range(count):
        left = dt
        for _cut in range(events.MOST_EVENTS):
            events.settle(structure.tree, state, inputs, structure.workspace)
            left -= _advance(structure, state, inputs, left)
            if left <= 0:
                break
        if not np.isfinite(state.v).all():
            return n
    return count


def _advance(structure: Structure, state: State, inputs: Inputs, h: float) -> float:
    """Advance by h or to the first event; return the time taken."""
    from scipy.integrate import solve_ivp

    ws, nv = structure.workspace, structure.nv
    roots = state.momentum.size

    def unpack(y: np.ndarray) -> None:
        ws.delta[:] = y[:nv]
        ws.vel[:] = y[nv : 2 * nv]
        displace(structure.tree, state.q, ws.delta, ws.q)

    def rate(_t: float, y: np.ndarray) -> np.ndarray:
        unpack(y)
        rates(structure.tree, state, inputs, ws, 0)
        return np.concatenate((ws.d[0], ws.k[0], ws.w[0].ravel()))

    start = np.concatenate((np.zeros(nv), state.v, state.momentum.ravel()))

    def past_event(_t: float, y: np.ndarray) -> float:
        unpack(y)
        return events.nearest_event(structure.tree, state, inputs, ws)

    past_event.terminal = True  # type: ignore[attr-defined]
    past_event.direction = 1.0  # type: ignore[attr-defined]
    solution = solve_ivp(
        rate,
        (0.0, h),
        start,
        method='DOP853',
        rtol=REFERENCE_TOLERANCE,
        atol=REFERENCE_TOLERANCE,
        events=past_event if events.may_happen(structure.tree, state, inputs) else None,
    )
    end = solution.y[:, -1]
    unpack(end)
    ws.momentum[:] = end[2 * nv : 2 * nv + roots].reshape(state.momentum.shape)
    end_of_step(structure.tree, state.hold, ws)
    taken = float(solution.t[-1])
    happened = solution.status == 1
    accept(state, ws)
    if happened:
        events.happen_nearest(structure.tree, state, inputs, ws)
    return taken if happened else h


INTEGRATORS: dict[str, Callable[[Structure, State, Inputs, float, int], int]] = {
    'rk4': rk4,
    'dop853': dop853,
}


def integrator(name: str) -> Callable[[Structure, State, Inputs, float, int], int]:
    """Return the integrator of that name."""
    try:
        return INTEGRATORS[name]
    except KeyError:
        raise CommandError(
            f"No integrator is named '{name}'. Known: {', '.join(sorted(INTEGRATORS))}."
        ) from None
