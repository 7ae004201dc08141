# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The states of a batch, read and set: what a simulator says of one, as rows."""

from __future__ import annotations

from free_flyer_dynamics.batch_core import copied, rows_of
from free_flyer_dynamics.checks import rows
from free_flyer_dynamics.errors import CommandError, StateError, unknown_name
from free_flyer_dynamics.kernels import many
from free_flyer_dynamics.kernels.batch import States, weigh_states
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import FREE, Inputs, MARKS, State
from free_flyer_dynamics.values import Pose, Twist
import numpy as np

# How far what is set may be from a closed loop, or from where a joint is bound to be: rounding of
# what was read elsewhere, at lever arms and speeds of a thousand [m, rad, m/s, rad/s].
ASTRAY = 1e-9


class BatchStates:
    """The half of a batch that knows where its states are."""

    count: int

    def _hold(
        self, structure: Structure, state: State, coordinates: np.ndarray, inputs: Inputs, count
    ) -> None:
        """Hold so many copies of a state."""
        self._structure = structure = copied(structure)
        self._coordinates, self._inputs, self.count = coordinates.copy(), inputs, count
        self._states = rows_of(state, inputs, count)
        assembly = structure.assembly
        joints, edges = assembly.joints, len(assembly.edge_names)
        self._joined = (
            assembly.edges, structure.plan, joints.edge, joints.part, self._coordinates,
        )  # fmt: skip
        self._room = (
            structure.new_state(),
            structure.turns,
            structure.shifts,
            np.zeros((edges, 4)),
            np.zeros((edges, 3)),
        )

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Return every joint, as `Simulator.joint_names`."""
        return self._structure.assembly.joints.names

    @property
    def positions(self) -> np.ndarray:
        """Return the joints' positions [rad or m], a row for each state."""
        return self._read()[:, many.POSITION].copy()

    @property
    def velocities(self) -> np.ndarray:
        """Return the joints' velocities [rad/s or m/s], a row for each state."""
        return self._read()[:, many.VELOCITY].copy()

    def _read(self) -> np.ndarray:
        out = np.zeros((self.count, 2, len(self.joint_names)))
        ws = self._structure.workspace
        many.read_states(*self._joined, self._states, self._room, ws, out)
        return out

    def pose(self, link: str) -> Pose:
        """Return where a link is in world: positions (count, 3), quaternions (count, 4)."""
        seen = self._see(link)
        return Pose(seen[:, :3], np.roll(seen[:, 3:7], -1, axis=1))

    def twist(self, link: str) -> Twist:
        """Return the velocities of a link's origin, world axes; (count, 3) each."""
        seen = self._see(link)
        return Twist(linear=seen[:, 10:], angular=seen[:, 7:10])

    def _see(self, link: str) -> np.ndarray:
        structure, out = self._structure, np.zeros((self.count, 13))
        index = structure.assembly.link(link, CommandError)
        many.see_link(structure.plan, index, self._states, self._room, structure.workspace, out)
        return out

    def _base(self, link: str | None = None) -> tuple[int, int]:
        """Return where a free base, the first when none is named, is in q and in v."""
        tree, assembly = self._structure.tree, self._structure.assembly
        free = np.flatnonzero(tree.kind == FREE)
        if not len(free):
            raise StateError('This world has no free base: all of it is anchored.')
        names = [assembly.link_name(self._structure.plan.node_link[i]) for i in free]
        if link is not None and link not in names:
            raise CommandError(unknown_name('free base', link, names))
        i = free[0 if link is None else names.index(link)]
        return int(tree.q_at[i]), int(tree.v_at[i])

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
        if self._structure.held:  # what is anchored keeps no law of momentum
            return np.roll(self._sums()[:, 4:10], 3, axis=1)
        total = self._states.momentum.reshape(self.count, -1, 6).sum(axis=1)
        return np.roll(total, 3, axis=1)

    def kinetic_energies(self) -> np.ndarray:
        """Return the kinetic energy of each state [J]."""
        return self._sums()[:, 10].copy()

    def _sums(self) -> np.ndarray:
        structure, out = self._structure, np.zeros((self.count, 11))
        links = structure.assembly.links
        many.sum_states(links, structure.plan, self._states, structure.workspace, out)
        return out

    def set_states(
        self,
        positions=None,
        velocities=None,
        base_positions=None,
        base_quaternions=None,
        base_velocities=None,
        base: str | None = None,
    ) -> None:
        """
        Put the states where they are told; rows as they are read, one row for all or one for each.

        `base` names the free base that is meant, the first one when not given; call once for each.
        What is not given stays. Closed loops must be closed, in velocity too, and locked joints
        where they are: else nothing changes, and a CommandError says what is astray.
        """
        new = {
            name: getattr(self._states, name).copy()
            for name in ('q', 'v', 'momentum', 'center', 'loop_angle')
        }
        rest = {name: np.zeros_like(getattr(self._states, name)) for name in MARKS}
        trial = self._states._replace(**new, **rest)
        self._set_base(trial, base, base_positions, base_quaternions, base_velocities)
        self._set_joints(trial, positions, velocities)
        weigh_states(self._structure.tree, self._structure.workspace, trial)
        self._states = trial

    def _set_base(self, trial: States, link, positions, quaternions, velocities) -> None:
        """Set a free base of states on trial."""
        if all(given is None for given in (link, positions, quaternions, velocities)):
            return
        q, v = self._base(link)
        if positions is not None:
            trial.q[:, q : q + 3] = rows(positions, 'base_positions', (self.count, 3))
        if quaternions is not None:
            xyzw = rows(quaternions, 'base_quaternions', (self.count, 4))
            length = np.linalg.norm(xyzw, axis=1, keepdims=True)
            if not (np.abs(length - 1) < 1e-6).all():
                raise CommandError('base_quaternions must have unit length.')
            trial.q[:, q + 3 : q + 7] = np.roll(xyzw / length, 1, axis=1)
        if velocities is not None:
            given = rows(velocities, 'base_velocities', (self.count, 6))
            trial.v[:, v : v + 6] = np.roll(given, 3, axis=1)

    def _set_joints(self, trial: States, positions, velocities) -> None:
        """Set the joints of states on trial, and refuse what is not as it was given."""
        shape = (self.count, len(self.joint_names))
        gives = np.array([positions is not None, velocities is not None])
        if not (gives.any() or self._structure.loops):
            return
        given, astray = np.zeros((2, shape[0], 2, shape[1]))
        gaps = np.zeros((self.count, 2))
        if positions is not None:
            given[:, many.POSITION] = rows(positions, 'positions', shape)
        if velocities is not None:
            given[:, many.VELOCITY] = rows(velocities, 'velocities', shape)
        ws = self._structure.workspace
        many.set_states(*self._joined, given, gives, self._room, ws, trial, astray, gaps)
        self._refuse_open(gaps)
        self._refuse_astray(astray)

    def _refuse_open(self, gaps: np.ndarray) -> None:
        """Refuse states whose loops would be open."""
        for s, what in np.argwhere(gaps > ASTRAY)[:1]:
            names = self._structure.assembly.edge_names
            loops = ', '.join(names[e] for e in self._structure.plan.loop_edge)
            units = ('by {:.2g} m or rad', 'at {:.2g} m/s or rad/s')[what].format(gaps[s, what])
            raise CommandError(
                f'State {s} would open the loops closed by {loops} {units}; {ASTRAY:g} is '
                'allowed. Give all joints of a loop together, as they are read of a simulator '
                'or a batch in which it is closed.'
            )

    def _refuse_astray(self, astray: np.ndarray) -> None:
        """Refuse joints that cannot be where they are told."""
        assembly = self._structure.assembly
        for s, what, j in np.argwhere(astray > ASTRAY)[:1]:
            e = assembly.joints.edge[j]
            why = 'it is locked' if assembly.locked[e] else 'the others decide where it is'
            raise CommandError(
                f'State {s}: the {("position", "velocity")[what]} of joint '
                f"'{self.joint_names[j]}' cannot be what was given: {why}, which is "
                f'{astray[s, what, j]:.2g} away. Give it as it is read.'
            )
