# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Many independent states of one world, stepped together: campaigns of thousands of runs."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
import logging
import os

from free_flyer_dynamics.batch_core import Core, side_by_side
from free_flyer_dynamics.batch_states import BatchStates
from free_flyer_dynamics.checks import mapping, rows, step_length, steps, whole
from free_flyer_dynamics.crew import Crew
from free_flyer_dynamics.errors import CommandError, StateError, TopologyError, unknown_name
from free_flyer_dynamics.inputs import Commands, held_wrench, pushed, seen_by_node
from free_flyer_dynamics.kernels.batch import States
from free_flyer_dynamics.kernels.claims import shared_out
from free_flyer_dynamics.kernels.lanes import WIDEST
from free_flyer_dynamics.model import Model
from free_flyer_dynamics.robots import empty_world, Placement, with_robot, World
import numpy as np

_LOG = logging.getLogger(__name__)


class Batch(BatchStates):
    """
    So many independent states of one model.

    One thread at a time: it takes the cores it needs by itself.

    Parameters
    ----------
    model : Model
        What `load_urdf` returned.
    count : int
        How many states.
    dt : float
        Length of a step [s].
    gravity
        Uniform, in world axes [m/s^2].
    cores : int, optional
        How many to work on; all there are when not given.
    placement
        What `Simulator.add` takes: where all of them start.

    """

    def __init__(
        self,
        model: Model,
        count: int,
        dt: float = 1e-3,
        gravity=(0, 0, 0),
        cores: int | None = None,
        **placement,
    ) -> None:
        world = with_robot(empty_world(), model, '', Placement.checked(**placement))
        self._start(world, Commands(gravity), count, dt, cores, (0.0, 0))

    @classmethod
    def of_world(
        cls,
        world: World,
        commands: Commands,
        count: int,
        dt: float,
        cores: int | None = None,
        clock: tuple[float, int] = (0.0, 0),
    ) -> Batch:
        """Return so many copies of a world, so many steps after a time."""
        batch = cls.__new__(cls)
        batch._start(world, commands, count, dt, cores, clock)
        return batch

    def _start(
        self,
        world: World,
        commands: Commands,
        count: int,
        dt: float,
        cores: int | None,
        clock: tuple[float, int],
    ) -> None:
        structure, state, coordinates = world
        states = _counted(count, 'A batch takes a whole number of states')
        if cores is None:
            cores = os.cpu_count() or 1
        cores = _counted(cores, 'A batch works on a whole number of cores')
        if not structure.nodes:
            raise TopologyError('Nothing moves in this world: add a robot, or unlock a joint.')
        self.dt, (self._began, self._steps) = step_length(dt), clock
        self._hold(structure, state, coordinates, commands.inputs(structure), states)
        self._links = list(commands.wrenches)
        self._clips = 0
        self._told: set[str] = set()
        self._done = np.zeros(states, dtype=np.int64)
        self._group = WIDEST if side_by_side(structure) else 1
        self._cores = max(1, min(cores, states // self._group))
        self._crew = Crew(self._cores)
        self._take_cores()

    def __deepcopy__(self, _memo: dict) -> Batch:
        """Return states of their own, which go on as these."""
        twin, structure = copy(self), self._structure
        twin._hold(structure, structure.new_state(), self._coordinates, self._inputs, self.count)
        twin._states = States(*(column.copy() for column in self._states))
        twin._links, twin._told = list(self._links), set(self._told)
        twin._done, twin._crew = self._done.copy(), Crew(self._cores)
        twin._take_cores()
        return twin

    def _take_cores(self) -> None:
        """Share states out, and make room on each core for what acts now."""
        self._at_work = [Core(self._structure, self._inputs) for _ in range(self._cores)]
        self._ranges = shared_out(self.count, self._cores, self._group)

    @property
    def time(self) -> float:
        """Return the simulated time [s]."""
        return self._began + self._steps * self.dt

    @property
    def clipped_efforts(self) -> int:
        """Return how many efforts, of any state, have been clipped so far."""
        return self._clips

    def set_efforts(self, efforts: Mapping[str, object]) -> None:
        """
        Drive joints with these torques [N m] or forces [N], a number or one for each state.

        Held until set again. What goes beyond a joint's effort limit is clipped, counted and
        logged.
        """
        assembly = self._structure.assembly
        joints, limits = assembly.joints, assembly.edges.effort_limit
        given = {}
        for name, value in mapping(efforts, 'set_efforts').items():
            if not isinstance(name, str) or name not in joints.index:
                raise CommandError(unknown_name('joint', name, joints.names))
            given[name] = rows(value, f"The efforts of joint '{name}'", (self.count,))
        for name, asked in given.items():
            row = joints.index[name]
            limit = limits[joints.edge[row]]
            applied = np.clip(asked, -limit, limit)
            self._tell_clipped(name, int((applied != asked).sum()), limit)
            at, loop = self._structure.joint_v[row], self._structure.plan.edge_loop
            if at >= 0:
                self._states.effort[:, at] = applied
            elif loop[joints.edge[row]] >= 0:
                place = 3 * loop[joints.edge[row]] + joints.part[row]
                self._states.loop_effort[:, place] = applied

    def _tell_clipped(self, joint: str, states: int, limit: float) -> None:
        self._clips += states
        if states and joint not in self._told:
            self._told.add(joint)
            _LOG.warning(
                "Efforts of %d states on joint '%s' are beyond its limit; %g is applied.",
                states,
                joint,
                limit,
            )

    def set_wrench(
        self, link: str, force=(0, 0, 0), torque=(0, 0, 0), frame: str = 'world', point=(0, 0, 0)
    ) -> None:
        """
        Push a link until set again, in all states.

        As `Simulator.set_wrench`; force [N] and torque [N m] may have a row for each state.
        """
        index = pushed(self._structure.assembly, link)
        shape = (self.count, 3)
        wrench = held_wrench(
            rows(force, 'force', shape), rows(torque, 'torque', shape), frame, point
        )
        on = seen_by_node(self._structure, index, wrench)
        columns = np.concatenate((on.force, on.torque), axis=1)
        known = link in self._links
        at = self._links.index(link) if known else len(self._links)
        acts = self._inputs
        alike = known and acts.wrench_in_world[at] == on.in_world
        if not (alike and (acts.wrench_point[at] == on.point).all()):
            node = self._structure.plan.link_node[index]
            self._inputs = acts._replace(
                wrench_node=_with(acts.wrench_node, at, node),
                wrench_in_world=_with(acts.wrench_in_world, at, on.in_world),
                wrench_point=_with(acts.wrench_point, at, on.point),
                wrench_force=_with(acts.wrench_force, at, on.force[0]),
                wrench_torque=_with(acts.wrench_torque, at, on.torque[0]),
            )
            self._take_cores()
        if not known:
            self._links.append(link)
            wider = np.concatenate((self._states.wrench, columns), axis=1)
            self._states = self._states._replace(wrench=wider)
        self._states.wrench[:, 6 * at : 6 * at + 6] = columns

    def step(self, n: int = 1) -> None:
        """
        Advance all states by n steps of dt, on all cores.

        A state whose motion stops being finite stays where that was; the others go on, and then a
        StateError tells.
        """
        count, done = steps(n), self._done
        ranges = self._ranges
        ranges.first[:] = ranges.ends[:-1]

        def advance(own: int) -> None:
            self._at_work[own].step(self._states, ranges, own, self.dt, count, done)

        def go_on(own: int) -> None:
            for s in map(int, left[own::busy]):
                more = count - int(done[s])
                done[s] += self._at_work[own].go_on_alone(self._states, s, self.dt, more)

        self._crew.do(advance, range(self._cores))
        left = np.flatnonzero(done < count)
        if len(left):
            busy = min(self._cores, len(left))
            self._crew.do(go_on, range(busy))
        self._steps += count
        bad = left[done[left] < count]
        if len(bad):
            raise StateError(
                f'The motion of {len(bad)} states stopped being finite, the first of them state '
                f'{bad[0]} after {self._done[bad[0]]} of {count} steps. Use a smaller dt, or '
                'look for stiff damping, huge efforts or wrenches.'
            )


def _with(array: np.ndarray, at: int, value) -> np.ndarray:
    """Return an array with a value at a place, which may be the one behind its end."""
    longer = np.concatenate(
        (array[:at], np.asarray(value, dtype=array.dtype)[None], array[at + 1 :])
    )
    return np.ascontiguousarray(longer)


def _counted(value: object, what: str) -> int:
    """Return a whole number above 0."""
    count = whole(value)
    if count < 1:
        raise CommandError(f'{what} above 0, got {value!r}.')
    return count
