# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The changing half of a simulator: what is joined, locked, anchored, and what is the base."""

from __future__ import annotations

from collections.abc import Iterable

from free_flyer_dynamics import connectivity, transition
from free_flyer_dynamics.assembly import ANCHOR, ATTACHMENT
from free_flyer_dynamics.engine import Engine
from free_flyer_dynamics.errors import TopologyError
from free_flyer_dynamics.graph import WORLD
from free_flyer_dynamics.inputs import Commands
from free_flyer_dynamics.integrators import Integrator
from free_flyer_dynamics.loop_watch import LoopWatch
from free_flyer_dynamics.motions import Motion, motion
from free_flyer_dynamics.readings import Readings
from free_flyer_dynamics.rerooting import reroot
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import Inputs, State
from free_flyer_dynamics.values import Wrench
import numpy as np


class Operations(Readings):
    """Structure changes: each is carried out whole or, with a TopologyError, not at all."""

    _commands: Commands

    _integrate: Integrator
    _motion: Motion
    _acting: Inputs | None  # on the structure that is seen; none until somebody asks
    _watch: LoopWatch | None

    def _adopt(
        self,
        structure: Structure,
        state: State,
        coordinates: np.ndarray,
        gone: Iterable[str] = (),
        seen: tuple[int, float] | None = None,
        engine: Engine | None = None,
    ) -> None:
        """
        Go on with another structure, less the joints that are gone.

        `coordinates` keeps those of its rigid edges; `seen` is the loops' rank and margin, if that
        is known; `engine`, the one that holds the state, if one does. A warning comes before
        anything is changed.
        """
        watch = LoopWatch() if structure.loops else None
        if watch is not None:
            watch.look(structure, state, seen)
        self._commands.forget(gone)
        self._structure, self._coordinates = structure, coordinates
        self._acting = engine.inputs if engine else self._commands.inputs(structure)
        self._motion = self._from(state, engine)
        self._observers = {}  # what was asked of the structure before
        self._watch = watch

    @property
    def _state(self) -> State:
        return self._motion.state

    @property
    def _inputs(self) -> Inputs:
        if self._acting is None:
            self._acting = self._commands.inputs(self._structure)
        return self._acting

    def _under_way(self) -> tuple[Structure, State, Inputs]:
        return self._motion.under_way()

    def _from(self, state: State, engine: Engine | None = None) -> Motion:
        """Return the motion from a state of the present structure on."""
        plain = motion(self._integrate, self._structure, state, self._inputs, engine)
        return reroot(plain, self._coordinates, self._commands.inputs)

    def _law_sums(self) -> np.ndarray | None:
        return self._motion.momentum()

    def _take_inputs(self) -> None:
        """Let the commands act."""
        of = self._motion.structure
        inputs = self._commands.inputs(of)
        self._motion.take(inputs)
        self._acting = inputs if of is self._structure else None

    def change(self, operations: Iterable[tuple]) -> transition.Transition:
        """
        Carry out several structure changes as one, all or none.

        Parameters
        ----------
        operations : iterable of tuple
            ('lock', 'j1', ...), ('attach', 'a', 'b', {'joint': 'revolute'}), ('detach', 'name')
            and so on: the method's name, its arguments, and at last its keywords as a mapping.

        """
        rank = self._watch.rank if self._watch else 0
        outcome = transition.carry_out(
            self._structure,
            self._state,
            self._coordinates,
            rank,
            operations,
            self._commands.pushed_links(self._structure.assembly),
            self._commands.inputs,
        )
        arrival = outcome.arrival
        self._adopt(
            outcome.structure,
            arrival.state,
            outcome.coordinates,
            outcome.gone,
            (arrival.rank, arrival.margin),
            outcome.engine,
        )
        return outcome.transition

    def lock(self, *joints: str) -> transition.Transition:
        """Make joints rigid at their present positions; they leave the computation."""
        return self.change([('lock', *joints)])

    def unlock(self, *joints: str) -> transition.Transition:
        """Let locked joints move again; no velocity changes."""
        return self.change([('unlock', *joints)])

    def attach(
        self,
        frame_a: str,
        frame_b: str,
        joint: str = 'fixed',
        axis=(0, 0, 1),
        name: str | None = None,
        align: bool = False,
    ) -> transition.Transition:
        """
        Join two frames where they now are.

        Between robots it makes them one; within one it closes a loop.

        Parameters
        ----------
        frame_a, frame_b : str
            Links. The joint sits at frame a's origin.
        joint : str
            'fixed', 'revolute', 'prismatic' or 'spherical'.
        axis
            In frame a's axes.
        name : str, optional
            Of the attachment and of its axis in `joint_names`; made from the frames' when not
            given. A spherical one has three: name_x, name_y and name_z, the parts of a rotation
            vector.
        align : bool
            Demand that the frames coincide, to 1 mm and 1 mrad.

        """
        options = {'joint': joint, 'axis': axis, 'name': name, 'align': align}
        return self.change([('attach', frame_a, frame_b, options)])

    def anchor(
        self, frame: str, joint: str = 'fixed', axis=(0, 0, 1), name: str | None = None
    ) -> transition.Transition:
        """Join a frame to inertial space where it now is; the axis is in the frame's axes."""
        return self.change([('anchor', frame, {'joint': joint, 'axis': axis, 'name': name})])

    def detach(self, name: str) -> transition.Transition:
        """Undo an attachment or an anchor; no velocity changes."""
        return self.change([('detach', name)])

    def rebase(self, link: str) -> transition.Transition:
        """Make the body of that link the base; no motion changes."""
        return self.change([('rebase', link)])

    def connectivity(self) -> connectivity.Connectivity:
        """Return the paper's connectivity table of the present structure."""
        return connectivity.report(self._structure, transition.dof(self._structure, self._state))

    @property
    def revision(self) -> int:
        """Return how often the structure has changed: what `connectivity` says, at no cost."""
        return self._structure.assembly.revision

    def attachment_wrench(self, name: str) -> Wrench:
        """
        Return the force and torque that an attachment gives frame b, or an anchor its frame.

        At the joint's origin, world axes.
        """
        assembly = self._structure.assembly
        e = assembly.edge(name, (ATTACHMENT, ANCHOR), TopologyError)
        links = self._commands.pushed_links(assembly)
        return transition.attachment_wrench(self._structure, self._state, self._inputs, links, e)

    def attachment_frame(self, name: str) -> str:
        """Return the link an attachment's joint sits on: frame a, or what an anchor holds."""
        assembly = self._structure.assembly
        e = assembly.edge(name, (ATTACHMENT, ANCHOR), TopologyError)
        a, b = assembly.edges.a[e], assembly.edges.b[e]
        return assembly.link_name(int(b if a == WORLD else a))
