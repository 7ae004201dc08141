# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Numbers from outside: finite, of the right shape, or a sentence that says what was given."""

from __future__ import annotations

from collections.abc import Mapping
import math
import operator

from free_flyer_dynamics.errors import CommandError
import numpy as np

MOST_STEPS = 10**12  # in one call: more would be a slip


def mapping(value, what: str, error: type[Exception] = CommandError) -> dict:
    """Return a mapping of numbers by name as a dict, or say what was given instead."""
    if not isinstance(value, Mapping):
        raise error(f"{what} must be a mapping such as {{'joint1': 0.5}}, got {value!r}.")
    return dict(value)


def number(value, what: str, error: type[Exception] = CommandError) -> float:
    """Return a finite number, or say what was given instead."""
    try:
        if isinstance(value, bool | str):
            raise TypeError
        out = float(value)
    except (TypeError, ValueError):
        raise error(f'{what} must be a number, got {value!r}.') from None
    if not math.isfinite(out):
        raise error(f'{what} must be finite, got {out}.')
    return out


def vector(value, what: str, size: int = 3, error: type[Exception] = CommandError) -> np.ndarray:
    """Return a finite vector of that size, or say what was given instead."""
    try:
        out = np.array(value, dtype=float)
    except (TypeError, ValueError):
        raise error(f'{what} must be {size} numbers, got {value!r}.') from None
    if out.shape != (size,):
        raise error(f'{what} must be {size} numbers, got shape {out.shape}.')
    if not np.isfinite(out).all():
        raise error(f'{what} must be finite, got {out.tolist()}.')
    return out


def whole(value: object) -> int:
    """Return whatever counts as a whole number as one; -1 for all else."""
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return -1


def steps(n: object) -> int:
    """Return a number of steps, or say what was given instead."""
    count = whole(n)
    if not 0 <= count <= MOST_STEPS:
        raise CommandError(
            f'step takes a whole number of steps from 0 to {MOST_STEPS:.0e}, got {n!r}.'
        )
    return count


def step_length(dt) -> float:
    """Return the length of a step [s], or say what was given instead."""
    out = number(dt, 'dt')
    if not out > 0:
        raise CommandError(f'dt must be a positive number of seconds, got {dt!r}.')
    return out


def rows(values, what: str, shape: tuple[int, ...]) -> np.ndarray:
    """Return finite values of that shape, one row given for all or one for each."""
    try:
        out = np.array(np.broadcast_to(np.asarray(values, dtype=float), shape))
    except (TypeError, ValueError):
        out = np.full(shape, np.nan)
    if not np.isfinite(out).all():
        one = f'{shape[1:]}' if shape[1:] else 'one number'
        raise CommandError(
            f'{what} must be finite numbers of shape {shape} or {one}, got {_told(values)}.'
        )
    return out


def _told(values) -> str:
    """Return what was given in few words."""
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        return repr(values)[:80]
    return f'shape {array.shape}' + ('' if np.isfinite(array).all() else ', not all of it finite')
