# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Many independent states of one world, stepped together: campaigns of thousands of runs."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
import os

from free_flyer_dynamics import dynamics
from free_flyer_dynamics.engine import batch_arena
from free_flyer_dynamics.errors import CommandError, StateError, TopologyError, unknown_name
from free_flyer_dynamics.inputs import Commands
from free_flyer_dynamics.kernels.batch import run_states, States, weigh_states
from free_flyer_dynamics.kernels.lanes import WIDEST
from free_flyer_dynamics.model import Model
from free_flyer_dynamics.motions import EngineMotion
from free_flyer_dynamics.robots import empty_world, Placement, with_robot, World
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import FREE, Inputs, SPHERICAL, State
import numpy as np


class Batch:
    """
    So many independent states of one model.

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
        self._start(world, Commands(gravity), count, dt, cores)

    @classmethod
    def of_world(
        cls, world: World, commands: Commands, count: int, dt: float, cores: int | None = None
    ) -> Batch:
        """Return so many copies of a world."""
        batch = cls.__new__(cls)
        batch._start(world, commands, count, dt, cores)
        return batch

    def _start(
        self, world: World, commands: Commands, count: int, dt: float, cores: int | None
    ) -> None:
        structure, state, coordinates = world
        if not (isinstance(count, int) and count > 0):
            raise CommandError(f'A batch takes a whole number of states above 0, got {count!r}.')
        tree = structure.tree
        if len(tree.loops.kind) or (tree.kind == SPHERICAL).any():
            raise TopologyError(
                'A batch takes neither closed loops nor ball joints. Open them, lock the '
                'balls, or step one Simulator for each state.'
            )
        self._structure: Structure = structure
        self._inputs: Inputs = commands.inputs(structure)
        self._coordinates = coordinates
        self.dt, self.count, self.time = dt, count, 0.0
        rows = {**state._asdict(), 'effort': self._inputs.effort}
        self._states = States(
            *(np.repeat(rows[name].reshape(1, -1), count, axis=0) for name in States._fields)
        )
        self._done = np.zeros(count, dtype=np.int64)
        self._single = EngineMotion(structure, State(*(c.copy() for c in state)), self._inputs)
        cores = max(1, min(cores or os.cpu_count() or 1, count // WIDEST))
        self._arenas = [batch_arena(structure, self._inputs, WIDEST) for _ in range(cores)]
        self._pool = ThreadPoolExecutor(cores) if cores > 1 else None

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Return every joint, as `Simulator.joint_names`."""
        return self._structure.assembly.joints.names

    @property
    def positions(self) -> np.ndarray:
        """Return the joints' positions [rad or m], a row for each state."""
        joints = self._structure.assembly.joints
        rest = self._coordinates[joints.edge, joints.part]
        out = np.repeat(rest[None], self.count, axis=0)
        columns, places = self._moving()
        out[:, columns] = self._states.q[:, self._structure.tree.q_at[places]]
        return out

    @property
    def velocities(self) -> np.ndarray:
        """Return the joints' velocities [rad/s or m/s], a row for each state."""
        out = np.zeros((self.count, len(self.joint_names)))
        columns, places = self._moving()
        out[:, columns] = self._states.v[:, self._structure.tree.v_at[places]]
        return out

    def _moving(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the joints that move, and their nodes."""
        node = self._structure.plan.edge_node[self._structure.assembly.joints.edge]
        return np.flatnonzero(node >= 0), node[node >= 0]

    def _base(self) -> tuple[int, int]:
        """Return where the first free base is in q and in v."""
        tree = self._structure.tree
        free = np.flatnonzero(tree.kind == FREE)
        if not len(free):
            raise StateError('This world has no free base: all of it is anchored.')
        return int(tree.q_at[free[0]]), int(tree.v_at[free[0]])

    @property
    def base_positions(self) -> np.ndarray:
        """Return where the first free base is, in world [m]; (count, 3)."""
        at, _ = self._base()
        return self._states.q[:, at : at + 3].copy()

    @property
    def base_quaternions(self) -> np.ndarray:
        """Return how it is turned, (x, y, z, w); (count, 4)."""
        at, _ = self._base()
        return np.roll(self._states.q[:, at + 3 : at + 7], -1, axis=1)

    @property
    def base_velocities(self) -> np.ndarray:
        """Return its linear velocity in its own axes, then the angular one; (count, 6)."""
        _, at = self._base()
        return np.roll(self._states.v[:, at : at + 6], 3, axis=1)

    @property
    def momentum(self) -> np.ndarray:
        """Return linear, then angular momentum of all, about the world origin; (count, 6)."""
        roots = self._structure.roots
        total = self._states.momentum.reshape(self.count, roots, 6).sum(axis=1)
        return np.roll(total, 3, axis=1)

    def set_states(
        self,
        positions=None,
        velocities=None,
        base_positions=None,
        base_quaternions=None,
        base_velocities=None,
    ) -> None:
        """
        Put the states where they are told; rows as they are read, one row for all or one for each.

        What is not given stays.
        """
        tree, states = self._structure.tree, self._states
        columns, places = self._moving()
        joints = (self.count, len(self.joint_names))
        q, v = states.q.copy(), states.v.copy()
        if positions is not None:
            q[:, tree.q_at[places]] = _rows(positions, 'positions', joints)[:, columns]
        if velocities is not None:
            v[:, tree.v_at[places]] = _rows(velocities, 'velocities', joints)[:, columns]
        if base_positions is not None:
            at, _ = self._base()
            q[:, at : at + 3] = _rows(base_positions, 'base_positions', (self.count, 3))
        if base_quaternions is not None:
            at, _ = self._base()
            xyzw = _rows(base_quaternions, 'base_quaternions', (self.count, 4))
            length = np.linalg.norm(xyzw, axis=1, keepdims=True)
            if not (np.abs(length - 1) < 1e-6).all():
                raise CommandError('base_quaternions must have unit length.')
            q[:, at + 3 : at + 7] = np.roll(xyzw / length, 1, axis=1)
        if base_velocities is not None:
            _, at = self._base()
            rows = _rows(base_velocities, 'base_velocities', (self.count, 6))
            v[:, at : at + 6] = np.roll(rows, 3, axis=1)
        states.q[:], states.v[:] = q, v
        for column in (states.hold, states.slide, states.blocked):
            column[:] = 0
        weigh_states(tree, self._structure.workspace, states)

    def set_efforts(self, efforts: Mapping[str, object]) -> None:
        """Drive joints with these torques [N m] or forces [N], a number or one for each state."""
        joints = self._structure.assembly.joints
        limits = self._structure.assembly.edges.effort_limit
        given = []
        for name, value in efforts.items():
            if name not in joints.index:
                raise CommandError(unknown_name('joint', name, joints.names))
            row = joints.index[name]
            asked = np.broadcast_to(np.asarray(value, dtype=float), (self.count,))
            if not np.isfinite(asked).all():
                raise CommandError(f"The effort of joint '{name}' must be finite.")
            limit = limits[joints.edge[row]]
            given.append((self._structure.joint_v[row], np.clip(asked, -limit, limit)))
        for at, column in given:
            if at >= 0:
                self._states.effort[:, at] = column

    def step(self, n: int = 1) -> None:
        """Advance all states by n steps of dt, on all cores."""
        cores = len(self._arenas)
        group = WIDEST
        each = -(-self.count // (cores * group)) * group
        bounds = [min(k * each, self.count) for k in range(cores + 1)]
        jobs = [
            (*arena, self._states, first, last, self.dt, n, self._done)
            for arena, first, last in zip(self._arenas, bounds, bounds[1:], strict=False)
            if last > first
        ]
        if self._pool and len(jobs) > 1:
            list(self._pool.map(lambda job: run_states(*job), jobs))
        else:
            run_states(*jobs[0])
        for s in np.flatnonzero(self._done < n):
            self._go_on_alone(int(s), n - int(self._done[s]))
        self.time += n * self.dt

    def _go_on_alone(self, s: int, left: int) -> None:
        """Take the rest of a state's steps by itself: something may happen in them."""
        single, states = self._single, self._states
        carried = States._fields[:-1]  # all but the efforts
        for name in carried:
            column = getattr(single.state, name)
            column[:] = getattr(states, name)[s].reshape(column.shape)
        single.take(self._inputs._replace(effort=states.effort[s].copy()))
        if single.advance(self.dt, left) < left:
            raise StateError(f'The motion of state {s} stopped being finite. Use a smaller dt.')
        for name in carried:
            getattr(states, name)[s] = getattr(single.state, name).ravel()

    def kinetic_energies(self) -> np.ndarray:
        """Return the kinetic energy of each state [J]."""
        state = self._single.state
        links = len(self._structure.assembly.links.mass)
        out = np.zeros(self.count)
        for s in range(self.count):
            at = state._replace(q=self._states.q[s], v=self._states.v[s])
            out[s] = dynamics.momentum(self._structure, at, 1, links).kinetic_energy
        return out


def _rows(values, name: str, shape: tuple[int, int]) -> np.ndarray:
    """Return values as one row for each state, all finite."""
    try:
        rows = np.broadcast_to(np.asarray(values, dtype=float), shape)
    except ValueError:
        rows = np.full(shape, np.nan)
    if not np.isfinite(rows).all():
        raise CommandError(
            f'{name} must be finite numbers of shape {shape} or {shape[1:]}, got shape '
            f'{np.shape(values)}.'
        )
    return rows
