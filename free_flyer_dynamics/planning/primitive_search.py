# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The search for primitives and durations by mesh adaptive direct search. [Dimitrov] 4.4.3."""

from __future__ import annotations

from dataclasses import dataclass
import signal
import threading

from free_flyer_dynamics.checks import vector
from free_flyer_dynamics.errors import FreeFlyerError
from free_flyer_dynamics.planning.holonomic import Distribution
from free_flyer_dynamics.planning.search import Search, Watch
import numpy as np


class PlannerError(FreeFlyerError):
    """A planner cannot start."""


@dataclass(frozen=True, eq=False)
class PrimitiveSequence:
    """
    A plan of primitives.

    Parameters
    ----------
    primitives : tuple of int
        0 rests.
    durations : ndarray
        [s]
    distance : float
        From the hand's end to the goal [m].
    violation : float
        How far beyond its limits a joint goes at the worst [rad]; zero when none does.
    evaluations : int
        How many paths were tried.

    """

    primitives: tuple[int, ...]
    durations: np.ndarray
    distance: float
    violation: float
    evaluations: int


def _nomad():
    try:
        import PyNomad
    except ImportError as error:
        raise PlannerError(
            'The search for primitives needs PyNomadBBO, which is not installed. Install it with '
            'pip install PyNomadBBO.'
        ) from error
    return PyNomad


def _whole(numbers: np.ndarray) -> tuple[int, ...]:
    return tuple(int(k) for k in np.rint(numbers))


def _check(
    distribution: Distribution,
    entries: int,
    x0: np.ndarray,
    bounds: np.ndarray,
    joint_limits: tuple[float, float],
) -> None:
    """Refuse what NOMAD would end the process for, or search in vain."""
    most, drive = len(distribution.primitives), distribution.drive
    if not most:
        raise PlannerError(
            f'This arm has no primitives that hold base motions {distribution.held}: a primitive '
            'takes one joint more than it holds motions.'
        )
    if drive is not None and np.shape(drive) != (len(distribution.held) + 1,):
        raise PlannerError(
            f'The drive must be {len(distribution.held) + 1} numbers, one for each joint of a '
            f'primitive, got {drive!r}.'
        )
    if entries < 1 or not (bounds[0] < bounds[1]).all() or not np.isfinite(bounds).all():
        raise PlannerError(
            'A search needs one entry or more, a lowest primitive below the highest, and a '
            f'longest duration above zero; got {entries} entries.'
        )
    if np.abs(bounds[:, 0]).max() > most:
        raise PlannerError(f'Primitives are numbered from -{most} to {most}; got others.')
    if x0.shape != bounds[0].shape or not ((bounds[0] <= x0) & (x0 <= bounds[1])).all():
        raise PlannerError(
            f'The guess must be {entries} primitives from {bounds[0, 0]:g} to {bounds[1, 0]:g} '
            f'and as many durations from 0 to {bounds[1, -1]:g} s.'
        )
    if not joint_limits[0] < joint_limits[1]:
        raise PlannerError(f'The joint limits must be (lowest, highest), got {joint_limits}.')


def find_sequence(
    distribution: Distribution,
    start: np.ndarray,
    goal: np.ndarray,
    joint_limits: tuple[float, float],
    entries: int = 10,
    numbers: tuple[int, int] | None = None,
    longest: float = 20.0,
    guess: tuple[np.ndarray, np.ndarray] | None = None,
    tolerance: float = 0.05,
    evaluations: int = 20000,
    seed: int = 0,
    watch: Watch | None = None,
) -> PrimitiveSequence:
    """
    Return primitives and durations that bring the hand to a goal, the base's attitude untouched.

    Parameters
    ----------
    distribution : Distribution
        The robot and its primitives.
    start : ndarray, shape (p,)
        The arm's positions [rad].
    goal : ndarray, shape (3,)
        In the base's frame at the start [m].
    joint_limits : tuple
        For all joints, all the way, (4.19) [rad].
    entries : int
        How many primitives follow each other, the thesis's h.
    numbers : tuple, optional
        Lowest and highest primitive; 0 to the last when not given, -k goes the other way.
    longest : float
        Of a duration [s].
    guess : tuple, optional
        Primitives and durations to begin with; the thesis's trivial one, all at rest for 8 s,
        when not given.
    tolerance : float
        Distance that is near enough [m].
    evaluations : int
        At most.
    seed : int
        The search is the same for the same seed.
    watch : callable, optional
        See `Search`: True stops it. Ctrl-C does too, and the best so far is returned.

    Raises
    ------
    PlannerError
        When PyNomadBBO is missing, or what is asked makes no sense.

    References
    ----------
    [Dimitrov] 4.4.3; C. Audet, J. E. Dennis, SIAM J. Optimization 17, 188-217, 2006.

    """
    nomad = _nomad()
    low, high = (0, len(distribution.primitives)) if numbers is None else numbers
    bounds = np.repeat([[low, 0.0], [high, longest]], entries, axis=1)
    x0 = np.repeat([0.0, 8.0], entries) if guess is None else np.concatenate(guess).astype(float)
    goal = vector(goal, 'The goal', 3, PlannerError)
    _check(distribution, entries, x0, bounds, joint_limits)
    distribution.hands(np.array([start, start]))  # what does not fit the robot is said at once
    search = Search(watch, enough=tolerance)
    stopped, failed = False, None

    def measured(x: np.ndarray) -> tuple[float, float]:
        _, path = distribution.arm_path(start, _whole(x[:entries]), list(x[entries:]))
        distance = float(np.linalg.norm(distribution.hands(path[[0, -1]])[-1] - goal))
        beyond = max(joint_limits[0] - float(path.min()), float(path.max()) - joint_limits[1])
        return distance, beyond

    def evaluate(point) -> int:
        nonlocal stopped, failed
        if stopped:
            return 0
        x = np.array([point.get_coord(i) for i in range(2 * entries)])
        try:
            distance, beyond = measured(x)
            point.setBBO(f'{distance:.12g} {beyond:.12g} {distance - tolerance:.12g}'.encode())
            stopped = search.note(x, distance, beyond)
        except np.linalg.LinAlgError:  # the arm has come to where no primitive goes on
            return 0
        except BaseException as error:  # NOMAD would print it and go on
            stopped, failed = True, error
        if stopped and not search.enough and threading.current_thread() is threading.main_thread():
            signal.raise_signal(signal.SIGINT)  # the one way NOMAD can be told to stop
        return int(failed is None)

    settings = [
        f'DIMENSION {2 * entries}',
        f'BB_INPUT_TYPE ({" ".join(["I"] * entries + ["R"] * entries)})',
        'BB_OUTPUT_TYPE OBJ PB PB',
        'STOP_IF_FEASIBLE TRUE',
        f'MAX_BB_EVAL {evaluations}',
        'DISPLAY_DEGREE 0',
        f'SEED {seed}',
    ]
    main = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGINT) if main else None
    try:
        nomad.optimize(
            evaluate,
            x0.tolist(),
            *bounds.tolist(),
            settings,
        )
    except KeyboardInterrupt:
        pass
    finally:
        if main and before is not None:
            signal.signal(signal.SIGINT, before)
    if failed is not None and not isinstance(failed, KeyboardInterrupt):
        raise failed
    best = x0 if search.point is None else search.point
    return PrimitiveSequence(
        primitives=_whole(best[:entries]),
        durations=best[entries:],
        distance=search.objective,
        violation=search.violation,
        evaluations=search.evaluations,
    )
