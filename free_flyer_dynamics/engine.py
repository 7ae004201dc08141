# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
One structure's arena: all that compiled steps read and write, in two arrays made once.

`docs/kernels.md` tells what lies in them and why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from weakref import proxy

from free_flyer_dynamics.arena import aligned, ALIGNMENT, arena_room, FURNISH, LAY_OUT
from free_flyer_dynamics.closures import closure_size, loop_region, make_closures, take_efforts
from free_flyer_dynamics.direct import Direct
from free_flyer_dynamics.kernels.closures import Closures
from free_flyer_dynamics.kernels.course import CLOSED_KERNELS, KERNELS
from free_flyer_dynamics.kernels.given import put_inputs, put_state
from free_flyer_dynamics.kernels.impact import BIND, IMPACTS, STRIKE, TOLD, TRY
from free_flyer_dynamics.kernels.lanes import WIDEST
from free_flyer_dynamics.kernels.layout import LAYOUT, USERS
from free_flyer_dynamics.pace import Pace
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.transfer import Motion
from free_flyer_dynamics.tree import Inputs, State
import numpy as np

_SPARE_WRENCHES = 4
_NO_LOOPS, _NOTHING_TOLD, _NO_EDGES = np.zeros(0), np.zeros(TOLD), np.zeros(0, dtype=np.int64)
_NO_MOTION = Motion(np.zeros(0), np.zeros((0, 4)), np.zeros((0, 3)))
DOORS = {lanes: tuple(map(Direct, pair)) for lanes, pair in KERNELS.items()}
CLOSED_DOORS = {lanes: tuple(map(Direct, pair)) for lanes, pair in CLOSED_KERNELS.items()}
IMPACT_DOORS = {lanes: tuple(map(Direct, pair)) for lanes, pair in IMPACTS.items()}
_put_inputs, _put_state = Direct(put_inputs), Direct(put_state)


class Engine:
    """A structure ready to be stepped; `state` are views of the arena, always the same ones."""

    def __init__(self, structure: Structure, state: State | None, inputs: Inputs) -> None:
        """Lay an arena and put a state into it; where none is given it is at zero, at rest."""
        self._record, self._inputs = (structure.ints, structure.reals), inputs
        self._wrenches = len(inputs.wrench_node) + _SPARE_WRENCHES
        self._table, self._frames, self._ints = arena_room(structure.nodes, self._wrenches)
        self._structure = structure
        self._closures: Closures | None = None
        self._rates: Callable
        runs, size = self._lay()
        self._zero = size
        self._reals = aligned(size + self._rest() + self._loop_size())
        self._furnish(runs)
        self._flies = not structure.held
        self.state = self._views(structure)
        if structure.loops:
            self._close(self._reals[size + self._rest() :])
        if state is not None:
            _put_state(state, self._ints, self._reals)
            self.state.loop_angle[:] = state.loop_angle

    def _lay(self) -> tuple[int, int]:
        """Lay tables for branches side by side; return the runs and the numbers."""
        return LAY_OUT(
            *self._record,
            self._inputs,
            WIDEST,
            1,
            self._wrenches,
            self._table,
            self._frames,
            self._ints,
        )

    def _furnish(self, runs: int) -> None:
        room = (1, self._table, self._frames, runs, self._ints, self._reals)
        FURNISH(*self._record, self._inputs, *room)
        door, self._rates, self._weigh = DOORS[int(self._ints[0])]
        self._step_through(door, self._ints, self._reals)

    def _step_through(self, door: Direct, *arena) -> None:
        """Let `run` take up to so many steps of dt, and return how it ended; see `course.py`."""
        self._door, self._arena = door, arena
        # By a proxy: in a cycle with itself an arena would outlive its structure for long.
        self.run: Callable[[float, int], int] = partial(Engine._first_run, proxy(self))
        if door.is_open:
            self.run = door.bound(*arena)

    def _rest(self) -> int:
        """Return how many zeros are wanted where nothing acts on closed loops."""
        wanted = 6 * self._structure.nodes // ALIGNMENT + 1 + 2 * (self._structure.nodes + 1)
        return ALIGNMENT * wanted if self._structure.loops else 0

    def _loop_size(self) -> int:
        """Return how many numbers the tables of closed loops take in this layout."""
        loops = self._structure.loops
        self._region = loop_region(self._ints) if loops else 0
        return closure_size(loops, self._region) if loops else 0

    def _close(self, room: np.ndarray) -> None:
        """Make tables for the loops in this room, and let steps go through their doors."""
        region = self._region
        arena = self._zero, self._ints, self._frames, self._inputs.loop_effort
        closures = make_closures(self._structure, room, region, *arena, self.state.loop_angle)
        door, rates = CLOSED_DOORS[int(self._ints[0])]
        self._rates = partial(rates, closures)
        self._step_through(door, closures, self._ints, self._reals)
        self._closures = closures

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

    def _places(self) -> list[int]:
        """Return where the users' q, v, momentum, centre, slide, efforts, hold and blocked lie."""
        return self._ints[LAYOUT + USERS : LAYOUT + USERS + 8].tolist()

    def _views(self, structure: Structure) -> State:
        q, v, momentum, center, slide, _effort, hold, blocked = self._places()
        ints, reals, n, roots = self._ints, self._reals, structure.nodes, structure.roots
        return State(
            q=reals[q : q + structure.nq],
            v=reals[v : v + structure.nv],
            momentum=reals[momentum : momentum + 6 * roots].reshape(roots, 6),
            center=reals[center : center + 6 * roots].reshape(roots, 6),
            hold=ints[hold : hold + n],
            slide=reals[slide : slide + n],
            blocked=ints[blocked : blocked + n],
            loop_angle=np.zeros(structure.loops),
        )

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
            take_efforts(self._closures, self._ints, inputs.loop_effort)
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
        if self._closures is None or self._closures.rank[0] < 0 or self.state.hold.any():
            return None
        rank = int(self._closures.rank[0])
        return rank, float(np.min(np.diagonal(self._closures.F)[:rank] ** 2, initial=1.0))

    def forget_margin(self) -> None:
        """Know no margin until the engine steps again."""
        if self._closures is not None:
            self._closures.rank[0] = -1

    def bind(self, motion: Motion, edges: np.ndarray) -> tuple[int, float, np.ndarray]:
        """
        Take over a motion that the structure binds: velocities jump to the nearest it allows.

        Returns the rank of closed loops, their smallest pivot, and what is told, see `impact.py`:
        energy, momentum, and impulses on these edges.
        """
        told = np.zeros(TOLD + 6 * len(edges))
        return *self._act(BIND, motion, edges, told), told

    def strike(self, moves: bool) -> tuple[int, float, np.ndarray]:
        """
        Let the structure's `impulse` on each joint and root act at once, in the order of v.

        Unless it moves, the velocities stay. Returns the rank of closed loops, their smallest
        pivot, and the impulses that they bear.
        """
        how = STRIKE if moves else TRY
        rank, margin = self._act(how, _NO_MOTION, _NO_EDGES, _NOTHING_TOLD)
        return rank, margin, self._closures.wrench if self._closures else _NO_LOOPS

    def _act(self, how: int, motion: Motion, edges, told: np.ndarray) -> tuple[int, float]:
        act, act_closed = IMPACT_DOORS[int(self._ints[0])]
        structure, closures = self._structure, self._closures
        assembly = structure.assembly
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
            self._ints,
            self._reals,
            how,
        )
        if closures is None:
            act(*record)
            return 0, 1.0
        margin = act_closed(closures, *record)
        rank = int(closures.rank[0])
        self.forget_margin()  # it is that of steps
        return rank, margin


def first_calls(
    structure: Structure, state: State, inputs: Inputs, runs: int
) -> Iterator[tuple[Direct, tuple]]:
    """Yield the doors that lead to a first step, with arguments of the types that each takes."""
    lanes = min((count for count in DOORS if count >= runs), default=WIDEST)
    record = structure.ints, structure.reals
    table, frames, ints = arena_room(structure.nodes, _SPARE_WRENCHES)
    reals = aligned(0)
    yield LAY_OUT, (*record, inputs, WIDEST, 1, _SPARE_WRENCHES, table, frames, ints)
    yield FURNISH, (*record, inputs, 1, table, frames, 0, ints, reals)
    yield _put_state, (state, ints, reals)
    yield DOORS[lanes][0], (ints, reals, 0.0, 1)
