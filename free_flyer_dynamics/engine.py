# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
One structure's arena: all that compiled steps read and write, in two arrays made once.

`docs/kernels.md` tells what lies in them and why.
"""

from __future__ import annotations

from free_flyer_dynamics.kernels.arrange import arrange, lay_course
from free_flyer_dynamics.kernels.course import KERNELS, ROUGH, TOO_WIDE
from free_flyer_dynamics.kernels.fill import fill, fill_course, set_inputs
from free_flyer_dynamics.kernels.frames import FRAME
from free_flyer_dynamics.kernels.lanes import WIDEST
from free_flyer_dynamics.kernels.layout import Course, HEAD, LAYOUT
from free_flyer_dynamics.kernels.runs import is_wheel, RUN
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import Inputs, State
import numpy as np

_ALIGNMENT = 8  # numbers: a full register starts on a cache line
_SPARE_WRENCHES = 4


class Engine:
    """
    A structure ready to be stepped; `state` are views of the arena, and stay the same arrays.

    `widest` bounds how many branches are worked on side by side: joints that are held need their
    rows one by one.
    """

    def __init__(self, structure: Structure, state: State, inputs: Inputs) -> None:
        self._tree = structure.tree
        n = len(self._tree.parent)
        self._wrenches = len(inputs.wrench_node) + _SPARE_WRENCHES
        self._table = np.zeros((3 + n, max(n, RUN)), dtype=np.int64)
        self._frames = np.zeros((n, FRAME))
        self._ints = np.zeros(_integers(n, self._wrenches), np.int64)
        self._inputs = inputs
        self._reals = np.zeros(0)
        sizes = [self._lay(widest, folds) for widest in (1, WIDEST) for folds in (False, True)]
        self._reals = _aligned(max(size for _runs, size in sizes))
        self._build(WIDEST)
        self.state = self._views(structure)
        for view, column in zip(self.state, state, strict=True):
            view[:] = column

    def _lay(self, widest: int, folds: bool) -> tuple[int, int]:
        """Lay tables for rows of so many lanes; return the number of runs and of numbers."""
        runs, ints, reals = arrange(
            self._tree, widest, folds, 1, self._table, self._frames, self._ints
        )
        _ints, reals = lay_course(self._tree, self._wrenches, 1, ints, reals, self._ints)
        return runs, reals

    def _may_fold(self, inputs: Inputs) -> bool:
        """Tell whether wheels may be part of their roots: not those that a wrench pushes."""
        pushed = inputs.wrench_node[inputs.wrench_node >= 0]
        return not any(is_wheel(self._tree, i) for i in pushed)

    def _build(self, widest: int) -> None:
        self._widest, self._folds = widest, self._may_fold(self._inputs)
        runs, _size = self._lay(widest, self._folds)
        self._reals[self._after_users() :] = 0.0
        fill(self._tree, self._table, self._frames, runs, self._ints, self._reals)
        fill_course(self._tree, self._ints, self._reals)
        self._run, self._rates = KERNELS[int(self._ints[0])]
        set_inputs(self._tree, self._inputs, self._frames, 1, self._ints, self._reals)

    def _course(self) -> Course:
        return Course(*self._ints[LAYOUT:HEAD].tolist())

    def _after_users(self) -> int:
        course = self._course()
        return course.effort + len(self._inputs.effort)

    def _views(self, structure: Structure) -> State:
        course, n = self._course(), len(self._tree.parent)
        reals, roots = self._reals, structure.roots
        return State(
            q=reals[course.user_q : course.user_q + structure.nq],
            v=reals[course.user_v : course.user_v + structure.nv],
            momentum=reals[course.momentum : course.momentum + 6 * roots].reshape(roots, 6),
            center=reals[course.center : course.center + 6 * roots].reshape(roots, 6),
            hold=self._ints[course.hold : course.hold + n],
            slide=reals[course.slide : course.slide + n],
            blocked=self._ints[course.blocked : course.blocked + n],
            loop_angle=np.zeros(len(self._tree.loops.kind)),
        )

    def has_room(self, inputs: Inputs) -> bool:
        """Tell whether there is room for so many wrenches."""
        return len(inputs.wrench_node) <= self._wrenches

    def take(self, inputs: Inputs) -> None:
        """Take what acts from outside."""
        self._inputs = inputs
        if self._may_fold(inputs) != self._folds:
            self._build(self._widest)
        set_inputs(self._tree, inputs, self._frames, 1, self._ints, self._reals)

    def advance(self, dt: float, count: int) -> tuple[int, bool]:
        """Take up to count steps; return how many were, and whether the next may hold an event."""
        code = self._run(self._ints, self._reals, dt, count)
        if code & 3 == TOO_WIDE:
            self._build(1)
            code = self._run(self._ints, self._reals, dt, count)
        return code >> 2, code & 3 == ROUGH

    def rates(self, out: np.ndarray, count: int = 1) -> None:
        """Fill out with the rates of v at the present state, evaluated count times in a row."""
        if self._rates(self._ints, self._reals, out, count) == TOO_WIDE:
            self._build(1)
            self._rates(self._ints, self._reals, out, count)

    def widen(self) -> None:
        """Go back to branches side by side once no joint is held."""
        if self._widest < WIDEST and not self.state.hold.any():
            self._build(WIDEST)


def _aligned(size: int) -> np.ndarray:
    """Return so many zeros that start on a cache line."""
    raw = np.zeros(size + _ALIGNMENT)
    skip = -(raw.ctypes.data // raw.itemsize) % _ALIGNMENT
    return raw[skip : skip + size]


def batch_arena(
    structure: Structure, inputs: Inputs, states: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the arena in which so many states of a structure are worked on side by side."""
    tree, wrenches = structure.tree, len(inputs.wrench_node)
    n = len(tree.parent)
    table = np.zeros((3 + n, max(n, RUN)), dtype=np.int64)
    frames = np.zeros((n, FRAME))
    ints = np.zeros(_integers(n, wrenches), np.int64)
    pushed = inputs.wrench_node[inputs.wrench_node >= 0]
    folds = not any(is_wheel(tree, i) for i in pushed)
    runs, after, used = arrange(tree, 1, folds, states, table, frames, ints)
    _ints, size = lay_course(tree, wrenches, states, after, used, ints)
    reals = _aligned(size)
    fill(tree, table, frames, runs, ints, reals)
    fill_course(tree, ints, reals)
    set_inputs(tree, inputs, frames, states, ints, reals)
    return ints, reals


def _integers(n: int, wrenches: int) -> int:
    """Return how many integers an arena of n nodes takes at most."""
    return HEAD + 64 + 24 * n + 3 * (4 * n + 64) + wrenches * (n + 4)
