# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Bias Momentum Approach: where the arm starts and what the wheels do. [Dimitrov] 4.5.2."""

from __future__ import annotations

from dataclasses import dataclass

from free_flyer_dynamics.control.robot import Robot
from free_flyer_dynamics.errors import CommandError
from free_flyer_dynamics.planning.kinematic import approach, Path, TorqueProfile
from free_flyer_dynamics.planning.search import Search, Stopped, Watch
import numpy as np
from scipy.optimize import least_squares, minimize

# What ends a search with the best so far: Ctrl-C, a watcher, an arm that has no way on.
ENDS = (KeyboardInterrupt, Stopped, np.linalg.LinAlgError)

# Scales that make misses of position [m] and velocity [m/s] comparable to each other.
POSITION_SCALE, VELOCITY_SCALE = 0.1, 0.01


@dataclass(frozen=True, eq=False)
class Approach:
    """
    A planned approach.

    Parameters
    ----------
    start : ndarray, shape (p,)
        The arm's positions at t = 0 [rad].
    profile : TorqueProfile
        Of the wheels.
    path : Path
        What they lead to.
    position_error, velocity_error : float
        Of the hand at the end [m, m/s].
    complete : bool
        Whether the search came to its own end.

    """

    start: np.ndarray
    profile: TorqueProfile
    path: Path
    position_error: float
    velocity_error: float
    complete: bool


def initial_configuration(
    robot: Robot,
    profile: TorqueProfile,
    grasp: np.ndarray,
    guess: np.ndarray,
    limits: tuple[float, float] | None = None,
    step: float = 0.5,
    tolerance: float = 1e-7,
    watch: Watch | None = None,
) -> tuple[np.ndarray, Path]:
    """
    Return where the arm must start so that a fixed wheel torque brings the hand to the grasp.

    Parameters
    ----------
    robot : Robot
        With a free base and balanced wheels.
    profile : TorqueProfile
        What the wheels are told, come what may.
    grasp : ndarray, shape (3,)
        Grasp point at the end, in the base's frame at the start [m].
    guess : ndarray, shape (p,)
        [rad]
    limits : tuple, optional
        Lowest and highest joint position at the start [rad].
    step : float
        Of the kinematic simulation [s].
    tolerance : float
        How near is near enough [m].
    watch : callable, optional
        See `Search`; the best so far is returned when it stops the search, or Ctrl-C does.

    References
    ----------
    [Dimitrov] 4.5.2.1, (4.23) and (4.24).

    """
    search = Search(watch, enough=tolerance)

    def miss(start: np.ndarray) -> np.ndarray:
        error = approach(robot, start, profile, step).hand[-1] - grasp
        search.must_note(start, float(np.linalg.norm(error)), 0.0)
        return error

    bounds = (-np.inf, np.inf) if limits is None else limits
    try:
        found = least_squares(miss, guess, bounds=bounds, xtol=1e-12, ftol=1e-14, gtol=1e-12).x
    except ENDS:
        found = guess if search.point is None else search.point
    return found, approach(robot, found, profile, step)


def torque_profile(
    robot: Robot,
    start: np.ndarray,
    grasp: np.ndarray,
    grasp_velocity: np.ndarray,
    guess: TorqueProfile,
    torque_limit: float | np.ndarray,
    joint_limits: tuple[float, float] = (-np.inf, np.inf),
    dependent: tuple[int, ...] | None = None,
    step: float = 0.5,
    iterations: int = 60,
    watch: Watch | None = None,
) -> Approach:
    """
    Return wheel torques that bring the hand to the grasp with its velocity, on a short path.

    Parameters
    ----------
    robot : Robot
        With a free base and balanced wheels.
    start : ndarray, shape (p,)
        The arm's positions at t = 0 [rad].
    grasp, grasp_velocity : ndarray, shape (3,)
        At the end [m, m/s].
    guess : TorqueProfile
        Its knots are what is searched.
    torque_limit : float or ndarray, shape (r,)
        [N m]
    joint_limits : tuple
        For all joints of the arm, all the way [rad].
    dependent : tuple of int, optional
        Coordinate partition instead of the pseudoinverse: the thesis's case C3.
    step : float
        Of the kinematic simulation [s].
    iterations : int
        At most.
    watch : callable, optional
        See `Search`.

    References
    ----------
    [Dimitrov] 4.5.2.2, (4.22) to (4.27).

    """
    shape, most = guess.knots.shape, np.broadcast_to(torque_limit, guess.knots.shape).ravel()
    search = Search(watch)
    known: dict[bytes, tuple[float, np.ndarray, np.ndarray]] = {}

    def evaluate(x: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        key = x.tobytes()
        if key not in known:
            path = approach(robot, start, TorqueProfile(x.reshape(shape) * limit, guess.duration),
                            step, dependent)  # fmt: skip
            misses = np.concatenate(
                (
                    (path.hand[-1] - grasp) / POSITION_SCALE,
                    (path.hand_velocity[-1] - grasp_velocity) / VELOCITY_SCALE,
                )
            )
            inside = _inside(path.arm, joint_limits)
            known.clear()
            known[key] = path.length, misses, inside
            off = max(float(np.abs(misses).max()) - 1e-4, -float(inside.min(initial=0.0)))
            search.must_note(x, path.length, off)
        return known[key]

    limit = float(most.max())
    if not (limit > 0.0 and most.min() >= 0.0):
        raise CommandError(f'The torque limit must be above zero N m, got {torque_limit}.')
    bounded = list(zip(-most / limit, most / limit, strict=True))
    constraints = [{'type': 'eq', 'fun': lambda x: evaluate(x)[1]}]
    if np.isfinite(joint_limits).any():
        constraints.append({'type': 'ineq', 'fun': lambda x: evaluate(x)[2]})
    x = guess.knots.ravel() / limit
    complete = True
    try:
        found = minimize(
            lambda x: evaluate(x)[0],
            x,
            jac=None,
            method='SLSQP',
            bounds=bounded,
            constraints=constraints,
            options={'maxiter': iterations, 'ftol': 1e-6, 'eps': 1e-5},
        )
        complete = bool(found.success)
    except ENDS:
        complete = False
    best = x if search.point is None else search.point
    profile = TorqueProfile(np.clip(best, -most / limit, most / limit).reshape(shape) * limit,
                            guess.duration)  # fmt: skip
    path = approach(robot, start, profile, step, dependent)
    return Approach(
        start=start,
        profile=profile,
        path=path,
        position_error=float(np.linalg.norm(path.hand[-1] - grasp)),
        velocity_error=float(np.linalg.norm(path.hand_velocity[-1] - grasp_velocity)),
        complete=complete,
    )


def _inside(arm: np.ndarray, limits: tuple[float, float]) -> np.ndarray:
    """Return how far each joint stays within each finite limit, at its worst [rad]."""
    room = [arm.min(axis=0) - limits[0], limits[1] - arm.max(axis=0)]
    finite = [side for side, limit in zip(room, limits, strict=True) if np.isfinite(limit)]
    return np.concatenate(finite) if finite else np.zeros(0)
