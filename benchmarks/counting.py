# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Count what the algorithms do: the kernels themselves, uncompiled, on numbers that count.

`NUMBA_DISABLE_JIT=1 python -m benchmarks.counting 8 16` prints operations and depth of each for
chains of 8 and 16 links. Poses, twists and bias forces are given: what is counted is what the
algorithms differ in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
import json
import sys
from types import SimpleNamespace
from typing import Any

from benchmarks.counted import Counted, root
from benchmarks.suite.papers import scene
from free_flyer_dynamics import dynamics
from free_flyer_dynamics.kernels import aba, crba, kinematics, linear
from free_flyer_dynamics.papers import (
    base_invariant,
    constraint_force,
    dual,
    factorization,
    meeting,
    recursion,
    schur,
    spatial_operator,
)
from free_flyer_dynamics.structure import Structure
import numpy as np

AGREE = 1e-8  # relative: what is counted has been computed
real_load = recursion.load


class Objects:
    """NumPy, whose zeros take numbers of any kind."""

    def __getattr__(self, name: str) -> Any:
        """Return NumPy's own."""
        return getattr(np, name)

    @staticmethod
    def zeros(shape, dtype=object):
        """Return zeros that may become numbers that count."""
        return np.zeros(shape, dtype)


def fresh(arrays: Iterable[np.ndarray]) -> None:
    """Make every number a given one, and start counting."""
    for array in arrays:
        if array.dtype == object:
            array.flat = [Counted(float(x)) for x in array.flat]
    Counted.operations = 0


def load(tree, q, vel, inputs, ws, A) -> None:
    """Fill what is given."""
    real_load(tree, q, vel, inputs, ws, A)
    fresh([*ws, A.b])


def articulated_body(structure, state, inputs):
    """Return the rates by articulated bodies, as `kernels.forward` lists its parts."""
    tree, ws = structure.tree, structure.workspace
    tau = dynamics.applied_forces(structure, state, inputs)
    rates = np.zeros(structure.nv, object)
    kinematics.forward_kinematics(tree, state.q, state.v, ws)
    kinematics.external_wrenches(tree, inputs, ws)
    aba.bias_forces(tree, ws)
    fresh(ws)
    aba.articulate(tree, state.hold, ws)
    aba.respond(tree, state.hold, tau, ws.c, inputs.gravity, ws, rates)
    return rates


def mass_matrix(structure, state, inputs, force):
    """Return the rates by composite bodies and a plain Cholesky, the force less its bias given."""
    rates = force.astype(object)
    H = np.zeros((structure.nv, structure.nv), object)
    kinematics.forward_kinematics(structure.tree, state.q, state.v, structure.workspace)
    fresh([*structure.workspace, rates])
    crba.mass_matrix(structure.tree, structure.workspace, H)
    return solution(H, rates)


def cholesky_alone(structure, state, inputs, force):
    """Return the same with the matrix given, too."""
    kinematics.forward_kinematics(structure.tree, state.q, state.v, structure.workspace)
    H, rates = np.zeros((structure.nv, structure.nv), object), force.astype(object)
    crba.mass_matrix(structure.tree, structure.workspace, H)
    fresh([H, rates])
    return solution(H, rates)


def solution(H, x):
    """Overwrite x by the solution of H y = x, and return it."""
    L = np.zeros_like(H)
    linear.cholesky(H, len(H), L)
    linear.cholesky_solve(L, len(H), x)
    return x


WAYS: dict[str, Callable] = {
    'articulated_body': articulated_body,
    'base_invariant': base_invariant.base_invariant,
    'base_invariant, meeting': lambda *given: meeting.met(*given)[0],
    'spatial_operator': spatial_operator.spatial_operator,
    'constraint_force': constraint_force.constraint_force,
    'constraint_force, odd-even': lambda *given: constraint_force.solved(*given, 'odd_even')[0],
}
DENSE: dict[str, Callable] = {
    'mass_matrix': mass_matrix,
    'mass_matrix, Cholesky alone': cholesky_alone,
}


def objects(arrays):
    """Return the arrays with those of floats as arrays of numbers that count."""
    given = {name: getattr(arrays, name) for name in arrays._fields}
    for name, array in given.items():
        if isinstance(array, np.ndarray) and array.dtype == float:
            given[name] = array.astype(object)
    return arrays._replace(**given)


def counting(structure: Structure) -> Structure:
    """Return the structure with inertias and room that count."""
    inertias = objects(structure.tree)
    fresh([inertias.mass, inertias.moment, inertias.inertia])
    tree = structure.tree._replace(
        mass=inertias.mass, moment=inertias.moment, inertia=inertias.inertia
    )
    workspace = objects(structure.workspace)
    plan = structure.plan._replace(tree=tree)
    counted = replace(structure, rooms={})
    vars(counted).update(plan=plan, workspace=workspace)
    return counted


def count(n: int) -> dict[str, tuple[int, int]]:
    """Return operations and depth of each algorithm for a chain of n links."""
    structure, state, inputs = scene(n)
    force = dynamics.applied_forces(structure, state, inputs)
    force -= dynamics.generalized_forces(structure, state, inputs, np.zeros(structure.nv))
    structure = counting(structure)
    out, expected = {}, None
    for name in (*WAYS, *DENSE):
        if name in DENSE:
            rates = DENSE[name](structure, state, inputs, force)
        else:
            rates = WAYS[name](structure, state, inputs)
        out[name] = (Counted.operations, max(x.depth for x in rates))
        given = np.array([float(x) for x in rates])
        expected = given if expected is None else expected
        if not np.abs(given - expected).max() < AGREE * np.abs(expected).max():
            raise RuntimeError(f'{name} has not computed what articulated_body has.')
    return out


def main(sizes: Iterable[int]) -> None:
    """Print what is counted."""
    linear.math = SimpleNamespace(sqrt=root)
    for module in (
        base_invariant, constraint_force, dual, meeting, recursion, schur, spatial_operator
    ):  # fmt: skip
        module.np = Objects()
    for module in (base_invariant, constraint_force, factorization, meeting):
        module.load = load
    rows: dict[str, dict[int, tuple[int, int]]] = {}
    for n in sizes:
        for name, found in count(n).items():
            rows.setdefault(name, {})[n] = found
    print(json.dumps(rows))


if __name__ == '__main__':
    main([int(n) for n in sys.argv[1:]])
