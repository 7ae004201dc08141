# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Ways to advance the state: the compiled step, scipy's reference, both by any algorithm."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from free_flyer_dynamics.algorithms import Algorithm
from free_flyer_dynamics.algorithms import algorithm as algorithm_named
from free_flyer_dynamics.direct import Direct
from free_flyer_dynamics.errors import CommandError, unknown_name
from free_flyer_dynamics.kernels import events, holds
from free_flyer_dynamics.kernels.forward import displace
from free_flyer_dynamics.kernels.integrate import accept, displacement_rate, end_of_step, rates
from free_flyer_dynamics.kernels.kinematics import external_wrenches, forward_kinematics
from free_flyer_dynamics.kernels.momentum import momentum_rate
from free_flyer_dynamics.papers.link_by_link import link_by_link
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import FREE, Inputs, SPHERICAL, State
import numpy as np

REFERENCE_TOLERANCE = 1e-12  # of dop853, relative and absolute
SHORTEST = 1e-4  # of a step: who turns by a radian in less is not followed
Integrator = Callable[[Structure, State, Inputs, float, int], int]
Rates = Callable[[Structure, State, Inputs, int], None]
_step = Direct(events.step)


def rk4(structure: Structure, state: State, inputs: Inputs, dt: float, count: int) -> int:
    """Advance by count steps of dt in one compiled call; return how many were done."""
    return _step(structure.tree, state, inputs, dt, count, structure.workspace)


def dop853(structure: Structure, state: State, inputs: Inputs, dt: float, count: int) -> int:
    """
    Advance by scipy's DOP853 at 1e-12: slow and accurate, the reference for the others.

    Each stretch integrates the displacement from its start, so that orientations stay unit; none
    is long enough for a free body to turn by more than a radian. Stops, dry friction and speed
    limits cut it as they do for rk4. A step that goes bad, or turns further than can be followed,
    leaves the state where it began.
    """
    return _advance(_reference(compiled_rates), structure, state, inputs, dt, count)


def _advance(stretch, structure, state: State, inputs: Inputs, dt: float, count: int) -> int:
    """
    Advance by count steps of dt, cut where something happens; return how many were done.

    `stretch` goes as far as it can into the workspace and tells the time and whether it ended at
    an event.
    """
    tree, ws = structure.tree, structure.workspace
    for n in range(count):
        before = [column.copy() for column in state]
        left = dt
        cuts = 0
        while left > 0:
            holds.settle(tree, state, inputs, ws)
            watch = cuts < events.MOST_EVENTS and events.may_happen(tree, state, inputs)
            taken, happened = stretch(structure, state, inputs, dt, left, watch)
            if not (np.isfinite(taken) and np.isfinite(ws.vel).all()):
                for column, was in zip(state, before, strict=True):
                    column[:] = was
                return n
            accept(tree, state, ws)
            if happened:
                gently = cuts >= events.MOST_KNOCKS
                events.happen_nearest(tree, state, inputs, gently, ws)
                cuts += 1
            left -= taken
    return count


def compiled_rates(structure: Structure, state: State, inputs: Inputs, stage: int) -> None:
    """Fill a stage's rates at the workspace's q, vel and delta, by articulated bodies."""
    rates(structure.tree, state, inputs, structure.workspace, stage)


def rates_by(algorithm: Algorithm) -> Rates:
    """Return what fills a stage's rates by any forward dynamics."""

    def fill(structure: Structure, state: State, inputs: Inputs, stage: int) -> None:
        tree, ws = structure.tree, structure.workspace
        ws.k[stage] = algorithm(structure, state._replace(q=ws.q, v=ws.vel), inputs)
        forward_kinematics(tree, ws.q, ws.vel, ws)
        external_wrenches(tree, inputs, ws)
        displacement_rate(tree, ws.delta, ws.vel, ws, ws.d[stage])
        momentum_rate(tree, inputs.gravity, ws, ws.w[stage])

    return fill


def _trial_step(structure: Structure, state: State, inputs: Inputs, h: float, fill: Rates) -> None:
    """Advance by h into the workspace, as the kernel `trial_step` does, with rates by `fill`."""
    tree, ws = structure.tree, structure.workspace
    ws.delta[:], ws.vel[:] = 0.0, state.v
    for stage, reach in enumerate((0.5 * h, 0.5 * h, h, 0.0)):
        displace(tree, state.q, ws.delta, ws.q)
        fill(structure, state, inputs, stage)
        ws.delta[:] = reach * ws.d[stage]
        ws.vel[:] = state.v + reach * ws.k[stage]
    weights = h / 6 * np.array([1.0, 2.0, 2.0, 1.0])
    ws.delta[:] = weights @ ws.d
    ws.vel[:] = state.v + weights @ ws.k
    displace(tree, state.q, ws.delta, ws.q)
    ws.momentum[:] = state.momentum + np.tensordot(weights, ws.w, 1)
    gain = h / 6 * ws.w[:3, :, 3:].sum(axis=0)
    travel = h * (state.momentum[:, 3:] + gain) - state.center[:, 3:]  # Kahan's sum
    ws.center[:, :3] = state.center[:, :3] + travel
    ws.center[:, 3:] = (ws.center[:, :3] - state.center[:, :3]) - travel
    end_of_step(tree, state.hold, ws)


def _runge_kutta(fill: Rates):
    """
    Return the stretch of a fourth-order step whose rates `fill` finds.

    Unlike the compiled one, a joint that comes to a stop and leaves it within one step passes.
    """
    from scipy.optimize import brentq

    def stretch(structure, state, inputs, _dt: float, left: float, watch: bool):
        def past_event(h: float) -> float:
            if h == 0.0:
                structure.workspace.q[:], structure.workspace.vel[:] = state.q, state.v
            else:
                _trial_step(structure, state, inputs, h, fill)
            return _past_event(structure, state, inputs)

        if not (past_event(left) > 0 and watch):
            return left, False
        if past_event(0.0) >= 0:  # past it from the start: on its way back
            past_event(left)
            return left, False
        h = brentq(past_event, 0.0, left, xtol=1e-15 * left, rtol=1e-15)
        past_event(h)
        return h, True

    return stretch


def _past_event(structure: Structure, state: State, inputs: Inputs) -> float:
    """Tell how far past the nearest event the workspace is: a joint that leaves rest is before."""
    return events.nearest_event(structure.tree, state, inputs, structure.workspace) - holds.NEAR


def _time_for_a_radian(structure: Structure, state: State) -> float:
    kind, at = structure.tree.kind, structure.tree.v_at
    turning = at[(kind == FREE) | (kind == SPHERICAL)]
    rates_ = state.v[turning[:, None] + np.arange(3)]
    return 1 / max(float(np.max(np.abs(rates_), initial=0.0)), 1e-300)


def _reference(fill: Rates):
    """Return the stretch of scipy's DOP853 whose rates `fill` finds."""
    from scipy.integrate import solve_ivp

    def stretch(structure, state, inputs, dt: float, left: float, watch: bool):
        ws, nv = structure.workspace, structure.nv
        radian = _time_for_a_radian(structure, state)
        if not radian > SHORTEST * dt:
            return np.nan, False
        h = min(left, radian)
        roots = 6 * structure.roots

        centers = state.center[:, :3]
        start = np.concatenate((np.zeros(nv), state.v, state.momentum.ravel(), centers.ravel()))

        def unpack(y: np.ndarray) -> None:
            ws.delta[:] = y[:nv]
            ws.vel[:] = y[nv : 2 * nv]
            displace(structure.tree, state.q, ws.delta, ws.q)

        def rate(_t: float, y: np.ndarray) -> np.ndarray:
            unpack(y)
            fill(structure, state, inputs, 0)
            linear = y[2 * nv : 2 * nv + roots].reshape(-1, 6)[:, 3:]
            out = np.concatenate((ws.d[0], ws.k[0], ws.w[0].ravel(), linear.ravel()))
            if not np.isfinite(out).all():  # scipy would halve its step for ever
                raise FloatingPointError
            return out

        def past_event(_t: float, y: np.ndarray) -> float:
            unpack(y)
            return _past_event(structure, state, inputs)

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
            return np.nan, False
        if solution.status < 0:
            return np.nan, False
        end = solution.y[:, -1]
        unpack(end)
        ws.momentum[:] = end[2 * nv : 2 * nv + roots].reshape(-1, 6)
        ws.center[:, :3] = end[2 * nv + roots :].reshape(-1, 3)
        ws.center[:, 3:] = 0.0
        end_of_step(structure.tree, state.hold, ws)
        happened = solution.status == 1
        return (float(solution.t[-1]) if happened else h), happened

    return stretch


INTEGRATORS: dict[str, Integrator] = {
    'rk4': rk4,
    'dop853': dop853,
    'link_by_link': link_by_link,
}
_STRETCHES = {'rk4': _runge_kutta, 'dop853': _reference}


def integrator(name: str, algorithm: str = 'articulated_body') -> Integrator:
    """
    Return the integrator of that name, stepping by the forward dynamics of that name.

    'articulated_body' is compiled; any other comes through Python at every stage.
    """
    if not isinstance(name, str) or name not in INTEGRATORS:
        raise CommandError(unknown_name('integrator', name, INTEGRATORS))
    chosen = algorithm_named(algorithm)
    if algorithm == 'articulated_body':
        return INTEGRATORS[name]
    if name in _STRETCHES:
        return partial(_advance, _STRETCHES[name](rates_by(chosen)))
    if algorithm != 'base_invariant':
        raise CommandError(
            f"'{name}' is a way of base_invariant: leave algorithm out, or name that, not "
            f"'{algorithm}'."
        )
    return INTEGRATORS[name]
