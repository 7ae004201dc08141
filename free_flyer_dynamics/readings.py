# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What can be read from a world at its present state."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable

from free_flyer_dynamics import algorithms, dynamics
from free_flyer_dynamics.checks import vector
from free_flyer_dynamics.direct import Direct
from free_flyer_dynamics.errors import CommandError
from free_flyer_dynamics.kernels.holds import settle
from free_flyer_dynamics.kernels.observe import astray, tell_acceleration
from free_flyer_dynamics.matrices import Matrices
from free_flyer_dynamics.observation import Observer
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import Inputs, PRISMATIC, State
from free_flyer_dynamics.user_order import from_user, to_user
from free_flyer_dynamics.values import Momentum, Observation, Pose, Residuals, Twist
import numpy as np

_settle = Direct(settle)


def _settled(structure: Structure, state: State, inputs: Inputs) -> State:
    """Return a state with what rests, slides or is blocked under these inputs."""
    state = State(*(column.copy() for column in state))
    _settle(structure.tree, state, inputs, structure.workspace)
    return state


class Readings(Matrices):
    """The reading half of a simulator: nothing here changes anything."""

    _coordinates: np.ndarray
    _algorithm: str
    _observers: dict[tuple[tuple[str, ...], bool], Observer]  # and whether of what is seen

    @property
    @abstractmethod
    def _inputs(self) -> Inputs:
        """Return what now acts."""

    @abstractmethod
    def _under_way(self) -> tuple[Structure, State, Inputs]:
        """Return structure, state and inputs as steps have them, whatever is their base."""

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Return every joint that a file does not fix, locked or not, then attachments' axes."""
        return self._structure.assembly.joints.names

    @property
    def joint_units(self) -> tuple[str, ...]:
        """Return the unit of each joint's position, rad or m, in the order of `joint_names`."""
        assembly = self._structure.assembly
        slides = assembly.edges.kind[assembly.joints.edge] == PRISMATIC
        return tuple('m' if slide else 'rad' for slide in slides)

    @property
    def positions(self) -> np.ndarray:
        """Return the joints' positions [rad or m], in the order of `joint_names`."""
        structure, state, _inputs = self._under_way()
        places = structure.joint_q
        return self.observe(()).positions if places is None else state.q[places]

    @property
    def velocities(self) -> np.ndarray:
        """Return the joints' velocities [rad/s or m/s], in the order of `joint_names`."""
        structure, state, _inputs = self._under_way()
        if structure.joint_q is None:
            return self.observe(()).velocities
        return state.v[structure.joint_v]

    @property
    def efforts(self) -> np.ndarray:
        """Return what the drives apply [N m or N], in the order of `joint_names`."""
        return self.observe(()).efforts

    def _settled(self) -> State:
        """Return the state as it is seen with what rests, slides or is blocked."""
        return _settled(self._structure, self._state, self._inputs)

    def observe(self, links: Iterable[str]) -> Observation:
        """Return the joints, and the pose and twist of some links, by one compiled call."""
        return self._look(tuple(links), *self._under_way())

    def _look(
        self, links: tuple[str, ...], structure: Structure, state: State, inputs: Inputs
    ) -> Observation:
        asked = links, structure is self._structure
        observer = self._observers.get(asked)
        if observer is None:
            observer = Observer(structure, [self._link(name) for name in links])
            self._observers[asked] = observer
        return observer.look(state, self._coordinates, inputs)

    def residuals(self) -> Residuals:
        """Return how far rounding has let momentum and closed loops go astray."""
        structure, state = self._structure, self._state
        momentum = structure.workspace.pA
        gap = astray(structure.tree, state.q, state.v, structure.workspace, momentum)
        astray_by = np.abs(momentum[: structure.roots] - state.momentum)
        return Residuals(float(np.max(astray_by, initial=0.0)), float(gap))

    def _by_joint(self, values: np.ndarray, at_loops: np.ndarray) -> np.ndarray:
        """Return values by joint name, from those in the order of v and those of loops, (m, 3)."""
        structure = self._structure
        at, joints = structure.joint_v, structure.assembly.joints
        out = values[at]
        out[at < 0] = 0.0
        if not structure.loops:
            return out
        loop = structure.plan.edge_loop[joints.edge]
        locked = structure.assembly.locked[joints.edge] != 0
        closing = (loop >= 0) & ~locked
        out[closing] = at_loops[loop[closing], joints.part[closing]]
        return out

    def pose(self, link: str) -> Pose:
        """Return where a link is, in world."""
        frame = self._see(link).frames[0]
        return Pose(frame[:3], frame[3:7])

    def twist(self, link: str) -> Twist:
        """Return the velocity of a link's origin and its angular velocity, world axes."""
        twist = self._see(link).world_twists[0]
        return Twist(linear=twist[3:], angular=twist[:3])

    def _see(self, link: str) -> Observation:
        """Return what is told of a link."""
        self._link(link)
        return self._look((link,), *self._under_way())

    def acceleration(self, link: str) -> Twist:
        """
        Return the acceleration of a link's origin and its angular acceleration, world axes.

        It is the classical one: what an observer at rest would see of that point.
        """
        index = self._link(link)
        structure, state, inputs = self._under_way()
        plan, ws, gravity = structure.plan, structure.workspace, inputs.gravity
        state = _settled(structure, state, inputs)
        vdot = algorithms.algorithm(self._algorithm)(structure, state, inputs)
        out = np.zeros(6)
        tell_acceleration(plan, index, state.q, state.v, vdot, gravity, ws, out)
        return Twist(linear=out[3:], angular=out[:3])

    def _rates(self, state: State, algorithm: str | None) -> np.ndarray:
        chosen = algorithms.algorithm(algorithm or self._algorithm)
        return chosen(self._structure, state, self._inputs)

    def joint_accelerations(self, algorithm: str | None = None) -> np.ndarray:
        """
        Return the joints' accelerations at the present state and inputs, by `joint_names`.

        Parameters
        ----------
        algorithm : str, optional
            'articulated_body', 'mass_matrix' and others; the simulator's own when not given.

        """
        structure, state = self._structure, self._settled()
        vdot = self._rates(state, algorithm)
        at_loops = dynamics.loop_accelerations(structure, state, vdot, self._inputs.gravity)
        return self._by_joint(to_user(structure, state, vdot), at_loops)

    def inverse_dynamics(self, accelerations) -> np.ndarray:
        """
        Return the drives' efforts that give the joints these accelerations, the bases left free.

        The inverse of `joint_accelerations`: wrenches, damping and dry friction act as they do
        now. Entries of joints that do not move are ignored. Closed loops leave a choice: it is the
        one nearest to the present efforts, and joints that close loops keep theirs.
        """
        names = self.joint_names
        given = vector(accelerations, 'accelerations, in the order of joint_names,', len(names))
        structure, state = self._structure, self._settled()
        vdot = np.zeros(structure.nv)
        moving = structure.joint_v >= 0
        vdot[structure.joint_v[moving]] = given[moving]
        vdot = from_user(structure, state, vdot)
        total = dynamics.free_base_forces(structure, state, self._inputs, vdot)
        passive = dynamics.applied_forces(structure, state, self._inputs)
        efforts = to_user(structure, state, total - passive)
        efforts += dynamics.drives(structure, state, self._inputs)
        return self._by_joint(efforts, self._inputs.loop_effort)

    def momentum(self, prefix: str | None = None) -> Momentum:
        """Return the momentum of all robots, or of the one with that prefix."""
        first, last = 1, len(self._structure.assembly.links.mass)
        if prefix is not None:
            links = self._structure.assembly.robot(prefix, CommandError).links
            first, last = links.start, links.stop
        structure, state, _inputs = self._under_way()
        found = dynamics.momentum(structure, state, first, last)
        sums = self._law_sums() if prefix is None else None
        return found if sums is None else dynamics.momentum_of(sums, found.kinetic_energy)

    def _law_sums(self) -> np.ndarray | None:
        """Return the sums by which a step keeps momentum: far out, others round otherwise."""
        return None
