# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
One structure's arena: all that compiled steps read and write, in two arrays made once.

`docs/kernels.md` tells what lies in them and why.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from weakref import proxy

from free_flyer_dynamics.arena import (
    aligned,
    ALIGNMENT,
    FURNISH,
    Laid,
    lay,
    state_in,
)
from free_flyer_dynamics.closures import FURNISH_CLOSURES, PUT_EFFORTS, smallest_pivot
from free_flyer_dynamics.direct import Direct
from free_flyer_dynamics.kernels.closures import (
    closure_sizes,
    Closures,
    closures_of,
    ClosureTables,
    RANK,
)
from free_flyer_dynamics.kernels.course import CLOSED_KERNELS, KERNELS
from free_flyer_dynamics.kernels.given import put_inputs, put_state
from free_flyer_dynamics.kernels.impact import BIND, IMPACTS, LET, STRIKE, TOLD, TRY
from free_flyer_dynamics.pace import Pace
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.transfer import Motion
from free_flyer_dynamics.tree import Inputs, State
import numpy as np

_NO_LOOPS, _NOTHING_TOLD, _NO_EDGES = np.zeros(0), np.zeros(TOLD), np.zeros(0, dtype=np.int64)
_NO_MOTION = Motion(np.zeros(0), np.zeros((0, 4)), np.zeros((0, 3)))
DOORS = {lanes: tuple(map(Direct, pair)) for lanes, pair in KERNELS.items()}
CLOSED_DOORS = {lanes: tuple(map(Direct, pair)) for lanes, pair in CLOSED_KERNELS.items()}
IMPACT_DOORS = {lanes: tuple(map(Direct, pair)) for lanes, pair in IMPACTS.items()}
PUT_STATE, _put_inputs = Direct(put_state), Direct(put_inputs)


class Engine:
    """A structure ready to be stepped; `state` are views of the arena, always the same ones."""

    def __init__(
        self,
        structure: Structure,
        state: State | None,
        inputs: Inputs,
        laid: Laid | None = None,
    ) -> None:
        """
        Lay an arena and put a state into it; where none is given it is at zero, at rest.

        One that is laid already waits to be furnished for a motion that comes to it.
        """
        self._record, self._inputs = (structure.ints, structure.reals), inputs
        self._structure = structure
        waits = laid is not None
        laid = laid or lay(structure, inputs.wrench_node)
        self._wrenches, self._table, self._frames, self._ints, self._runs = laid[:5]
        self._closures: Closures | None = None
        self._tables: ClosureTables | None = None
        self._flies = not structure.held
        self._rates: Callable
        self._make_room(laid)
        self.state = state_in(structure, self._ints, self._reals, self._closures)
        self._open()
        if waits:
            return
        self._furnish()
        if state is not None:
            PUT_STATE(state, self._ints, self._reals)
            self.state.loop_angle[:] = state.loop_angle

    def _make_room(self, laid: Laid) -> None:
        """Make room for numbers: where there are closed loops, for theirs too, and for zeros."""
        structure, size = self._structure, laid.size
        if not structure.loops:
            self._reals = aligned(size)
            return
        zeros = ALIGNMENT * (6 * structure.nodes // ALIGNMENT + 1 + 2 * (structure.nodes + 1))
        integers, numbers = closure_sizes(structure.loops, structure.nodes, laid.region)
        self._reals = aligned(size + zeros + numbers)
        loops = np.zeros(integers, dtype=np.int64), self._reals[size + zeros :]
        self._closures = Closures(*loops)

    def _furnish(self) -> None:
        room = (1, self._table, self._frames, self._runs, self._ints, self._reals)
        FURNISH(*self._record, self._inputs, *room)
        if self._closures is not None:
            effort = self._inputs.loop_effort
            FURNISH_CLOSURES(*self._record, self._frames, self._ints, effort, self._closures)

    def _open(self) -> None:
        """Let steps and rates go through the doors of this layout."""
        lanes = int(self._ints[0])
        door, self._rates, self._weigh = DOORS[lanes]
        arena: tuple = self._ints, self._reals
        if self._closures is not None:
            arena = self._closures, *arena
            door, rates = CLOSED_DOORS[lanes]
            self._rates = partial(rates, self._closures)
        self._step_through(door, *arena)

    def _step_through(self, door: Direct, *arena) -> None:
        """Let `run` take up to so many steps of dt, and return how it ended; see `course.py`."""
        self._door, self._arena = door, arena
        # By a proxy: in a cycle with itself an arena would outlive its structure for long.
        self.run: Callable[[float, int], int] = partial(Engine._first_run, proxy(self))
        if door.is_open:
            self.run = door.bound(*arena)

    @property
    def inputs(self) -> Inputs:
        """Return what acts from outside."""
        return self._inputs

    @property
    def lanes(self) -> int:
        """Return how many branches are side by side."""
        return int(self._ints[0])

    @property
    def rows(self) -> int:
        """Return how many rows of joints are walked one after the other."""
        return int(self._ints[2])

    @property
    def frames(self) -> np.ndarray:
        """Return how each node's frame lies in the arena's: see `frames.py`."""
        return self._frames

    @property
    def arena(self) -> tuple[np.ndarray, np.ndarray, Closures | None]:
        """Return integers, numbers and the tables of loops as steps are now taken in them."""
        return self._ints, self._reals, self._closures

    def take(self, inputs: Inputs) -> bool:
        """
        Take what acts from outside, and tell whether it could be: else another arena is wanted.

        There may be no room for so many wrenches, or others of the round wheels are pushed.
        """
        if len(inputs.wrench_node) > self._wrenches:
            return False
        self._inputs = inputs
        suits = _put_inputs(*self._record, inputs, self._frames, 1, self._ints, self._reals)
        if self._closures is not None:
            PUT_EFFORTS(self._ints, inputs.loop_effort, self._closures)
        return suits

    def run_by(self, pace: Pace) -> Callable[[float, int], int]:
        """Return `run` that takes each step when it is due by a pace."""
        return partial(pace.keep, self.run, kernel=(self._door.address, self._arena))

    def _first_run(self, dt: float, count: int) -> int:
        """Take steps through a door nobody has been through yet; from now on it is open."""
        code = self._door(*self._arena, dt, count)
        self.run = self._door.bound(*self._arena)
        return code

    def rates(self, out: np.ndarray, count: int = 1) -> None:
        """Fill out with the rates of v at the present state, evaluated count times in a row."""
        self._rates(self._ints, self._reals, out, count)

    def momentum(self) -> np.ndarray | None:
        """
        Return mass, mass times centre, angular and linear momentum about the world's origin.

        Ten numbers, summed as the law of each step sums them; none where not all flies free.
        """
        if not self._flies:
            return None
        sums = np.zeros(10)
        self._weigh(self._ints, self._reals, sums)
        return sums

    def margin(self) -> tuple[int, float] | None:
        """
        Return the rank of closed loops and their smallest pivot, 1 at best, as a step left them.

        None where no step of the engine's was the last, or joints are held.
        """
        if self._closures is None or self.state.hold.any():
            return None
        rank = int(self._closures.ints[RANK])
        if rank < 0:
            return None
        return rank, smallest_pivot(self._cut(self._closures).F, rank)

    def _cut(self, closures: Closures) -> ClosureTables:
        """Return what is cut of the loops' tables, cut once."""
        if self._tables is None:
            self._tables = closures_of(closures)
        return self._tables

    def forget_margin(self) -> None:
        """Know no margin until the engine steps again."""
        if self._closures is not None:
            self._closures.ints[RANK] = -1

    def receive(
        self, motion: Motion, binds: bool, edges: np.ndarray
    ) -> tuple[int, float, np.ndarray]:
        """
        Be furnished, and take over a motion; where it is bound, velocities jump to the nearest.

        Returns the rank of closed loops, their smallest pivot, and what is told, see `impact.py`:
        energy, momentum, and impulses on these edges.
        """
        told = np.zeros(TOLD + 6 * len(edges))
        rank, margin = self._act(BIND if binds else LET, motion, edges, told)
        if len(self._inputs.wrench_node):
            self.take(self._inputs)  # an impact feels no wrench: there was none
        return rank, margin, told

    def strike(self, moves: bool) -> tuple[int, float, np.ndarray]:
        """
        Let the structure's `impulse` on each joint and root act at once, in the order of v.

        Unless it moves, the velocities stay. Returns the rank of closed loops, their smallest
        pivot, and the impulses that they bear.
        """
        how = STRIKE if moves else TRY
        rank, margin = self._act(how, _NO_MOTION, _NO_EDGES, _NOTHING_TOLD)
        return rank, margin, self._cut(self._closures).wrench if self._closures else _NO_LOOPS

    def _act(self, how: int, motion: Motion, edges, told: np.ndarray) -> tuple[int, float]:
        act, act_closed = IMPACT_DOORS[int(self._ints[0])]
        structure, closures = self._structure, self._closures
        assembly = structure.assembly
        inputs = self._inputs
        record = (
            assembly.links,
            assembly.edge_table.ints,
            assembly.edge_table.reals,
            *self._record,
            structure.passage,
            motion.bodies,
            motion.coordinates,
            motion.rates,
            edges,
            told,
            inputs.effort,
            inputs.gravity,
            self._table,
            self._frames,
            self._runs,
            self._ints,
            self._reals,
            how,
        )
        if closures is None:
            return 0, act(*record)
        margin = act_closed(closures, inputs.loop_effort, *record)
        rank = int(closures.ints[RANK])
        self.forget_margin()  # it is that of steps
        return rank, margin
