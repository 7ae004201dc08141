# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The ways [Dimitrov] 3.1.1 solves a wide system A x = b: each is a particular and a null part."""

from __future__ import annotations

import numpy as np

RIGHT = 1e-6  # what an inverse may miss of the identity: rounding, unless rows are dependent
GROWTH = 1e9  # of a solution over what was asked: beyond, rounding has chosen it


def solve(A: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return A^-1 b of a square A; raise LinAlgError where rounding would choose the answer."""
    try:
        x = np.linalg.solve(A, b)
    except np.linalg.LinAlgError:  # to the last bit, which it seldom is
        x = np.array([np.inf])
    size, asked = np.abs(A).max(initial=0.0), np.abs(b).max(initial=0.0)
    if not size * np.abs(x).max(initial=0.0) <= GROWTH * asked:
        raise np.linalg.LinAlgError(
            f'A {len(A)} by {len(A)} system is singular here: take other joints or rows, or leave '
            'this pose.'
        )
    return x


def right_inverse(A: np.ndarray, damping: float = 0.0) -> np.ndarray:
    """
    Return A^T (A A^T + damping^2 E)^-1: of all solutions the smallest, [Dimitrov] below (3.12).

    Parameters
    ----------
    A : ndarray, shape (m, n)
        With m no larger than n, its rows independent unless damped.
    damping : float
        In the units of A; keeps the solution bounded where rows become dependent.

    Raises
    ------
    numpy.linalg.LinAlgError
        When rows depend on one another and nothing damps: A x = b has no answer for any b.

    """
    m, n = A.shape
    square = A @ A.T
    if damping:
        square.flat[:: m + 1] += damping * damping
        return np.linalg.solve(square, A).T
    try:
        found = np.linalg.solve(square, A).T
        off = np.abs(A @ found - np.eye(m)).max(initial=0.0)
    except np.linalg.LinAlgError:
        off = np.inf
    if not off <= RIGHT:
        raise np.linalg.LinAlgError(
            f'{n} joints cannot make these {m} motions at will here. Ask for fewer (held, rows), '
            'damp (threshold, damping), or leave this pose.'
        )
    return found


def projector(A: np.ndarray, inverse: np.ndarray) -> np.ndarray:
    """Return E - A+ A, the projector onto the null space of A: [Dimitrov] (3.14)."""
    out = -inverse @ A
    out.flat[:: len(out) + 1] += 1.0
    return out


def singular_damping(A: np.ndarray, threshold: float, most: float) -> float:
    """
    Return the damping for `right_inverse` that begins where A's smallest singular value is small.

    Zero down to the threshold, then rising to `most` at a singularity, smoothly:
    damping^2 = most^2 (1 - (sigma / threshold)^2), [Chiaverini].
    """
    smallest = float(np.sqrt(max(np.linalg.eigvalsh(A @ A.T)[0], 0.0)))
    if smallest >= threshold:
        return 0.0
    return most * float(np.sqrt(1.0 - (smallest / threshold) ** 2))


def pivot_columns(A: np.ndarray, tolerance: float = 1e-9) -> tuple[int, ...]:
    """
    Return the columns where Gauss-Jordan elimination with partial pivoting finds its pivots.

    [Dimitrov] (3.16): they belong to the dependent rates, the rest to the independent ones.
    """
    work = [row.tolist() for row in A]
    rows, columns = A.shape
    floor = tolerance * float(np.abs(A).max(initial=0.0))
    found: list[int] = []
    for j in range(columns):
        at = len(found)
        if at == rows:
            break
        best = max(range(at, rows), key=lambda i: abs(work[i][j]))
        pivot = work[best][j]
        if abs(pivot) <= floor:
            continue
        work[at], work[best] = work[best], work[at]
        for i in range(at + 1, rows):
            factor = work[i][j] / pivot
            if factor:
                work[i] = [a - factor * b for a, b in zip(work[i], work[at], strict=True)]
        found.append(j)
    return tuple(found)
