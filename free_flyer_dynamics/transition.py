# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A structure change carried out: what it did to the motion, told."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
import time
from typing import NamedTuple

from free_flyer_dynamics import algorithms, dynamics
from free_flyer_dynamics.arena import compile_to_step
from free_flyer_dynamics.arrival import Arrival, arrive
from free_flyer_dynamics.changes import OPERATIONS
from free_flyer_dynamics.draft import Draft
from free_flyer_dynamics.engine import Engine
from free_flyer_dynamics.errors import FreeFlyerError, TopologyError
from free_flyer_dynamics.kernels import loads
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.transfer import Motion, motion_of
from free_flyer_dynamics.tree import FREE, Inputs, State
from free_flyer_dynamics.values import Impulse, Impulses, Wrench
import numpy as np


@dataclass(frozen=True, eq=False)
class MomentumChange:
    """After minus before, about the world origin, world axes [N s, N m s]."""

    linear: np.ndarray
    angular: np.ndarray


@dataclass(frozen=True, eq=False)
class Transition:
    """
    What a structure change did.

    Parameters
    ----------
    revision : int
        Of the structure it led to.
    operations : tuple of tuple
        As they were given.
    impulses : mapping of str to Impulse
        Of each joint locked and each frame joined: on frame b, or the joint's child, at the
        joint's origin, world axes [N s, N m s].
    energy_lost : float
        [J]
    momentum_change : MomentumChange
        Zero but for rounding unless something was anchored.
    dof_before, dof_after : int
        Independent freedoms: columns less the rank of the loops.
    seconds : float
        What the change took to carry out.

    """

    revision: int
    operations: tuple[tuple, ...]
    impulses: Mapping[str, Impulse]
    energy_lost: float
    momentum_change: MomentumChange
    dof_before: int
    dof_after: int
    seconds: float

    def __str__(self) -> str:
        rows = [
            ('freedoms', f'{self.dof_before} to {self.dof_after}'),
            ('energy lost', f'{self.energy_lost:.4g} J'),
            *((f'impulse of {name}', _told(impulse)) for name, impulse in self.impulses.items()),
            ('momentum gained', _told(self.momentum_change)),
            ('took', f'{1e6 * self.seconds:.0f} us'),
        ]
        width = max(len(name) for name, _ in rows)
        lines = [f'  {name:<{width}}  {value}' for name, value in rows]
        return '\n'.join([f'Revision {self.revision}: {in_words(self.operations)}', *lines])


def in_words(operations: tuple[tuple, ...]) -> str:
    """Return operations as one would say them; their options are left out."""
    return ', '.join(
        ' '.join(str(word) for word in operation if not isinstance(word, Mapping))
        for operation in operations
    )


def _told(both: Impulse | MomentumChange) -> str:
    """Return a linear and an angular part, with their units."""
    linear, angular = (', '.join(f'{x:.3g}' for x in part) for part in (both.linear, both.angular))
    return f'({linear}) N s, ({angular}) N m s'


class Outcome(NamedTuple):
    """The new structure with the state it starts from."""

    structure: Structure
    engine: Engine | None
    arrival: Arrival
    coordinates: np.ndarray
    gone: tuple[str, ...]
    transition: Transition


def carry_out(
    structure: Structure,
    state: State,
    coordinates: np.ndarray,
    rank: int,
    operations,
    pushed: np.ndarray,
    inputs_of: Callable[[Structure, Collection[str]], Inputs],
) -> Outcome:
    """
    Carry out operations, all or none.

    The rank is that of the loops as they now are; `pushed` are the links that wrenches act on, and
    `inputs_of` tells what acts on the structure that comes of it, less what acted on joints that
    are gone.
    """
    began = time.perf_counter()
    draft = Draft(structure.assembly, motion_of(structure, state, coordinates))
    given = _listed(operations)
    for operation in given:
        _apply(draft, operation)
    assembly = draft.assembly
    after, laid = compile_to_step(assembly, draft.motion.coordinates, pushed)
    if after.massless:
        _refuse_massless(after)
    told = np.array([assembly.edge_index[name] for name in draft.edges], dtype=np.int64)
    engine = Engine(after, None, inputs_of(after, draft.gone), laid) if after.nodes else None
    arrival = arrive(after, draft.motion, draft.binds, engine, told)
    gained = arrival.momentum_gained
    transition = Transition(
        assembly.revision,
        given,
        Impulses(draft.edges, arrival.impulses),
        arrival.energy_lost,
        MomentumChange(gained[3:], gained[:3]),
        structure.nv - rank,
        after.nv - arrival.rank,
        time.perf_counter() - began,
    )
    return Outcome(after, engine, arrival, draft.motion.coordinates, tuple(draft.gone), transition)


def _listed(operations) -> tuple[tuple, ...]:
    try:
        if not isinstance(operations, str) and not any(isinstance(o, str) for o in operations):
            return tuple(tuple(operation) for operation in operations)
    except TypeError:
        pass
    raise TopologyError(
        f"change takes a list of operations such as ('lock', 'joint1'), got {operations!r}."
    )


def _refuse_massless(structure: Structure) -> None:
    """Refuse a base without mass and a joint that moves none: nothing would resist a force."""
    tree = structure.tree
    carried = tree.mass.copy()
    for i in reversed(range(len(carried))):
        link = structure.assembly.link_name(structure.plan.node_link[i])
        if tree.kind[i] == FREE and not tree.mass[i] > 0:
            raise TopologyError(f"'{link}' has no mass, and would be the base of what flies free.")
        if not carried[i] > 0:
            joint = structure.assembly.edge_names[structure.plan.node_edge[i]]
            raise TopologyError(
                f"Joint '{joint}' would move nothing that has mass: '{link}' and all behind it "
                'are massless. Lock the joint, or keep them held.'
            )
        if tree.parent[i] >= 0:
            carried[tree.parent[i]] += carried[i]


def _apply(draft: Draft, operation: tuple) -> None:
    kind, *arguments = operation if operation else ('',)
    if not isinstance(kind, str) or kind not in OPERATIONS:
        raise TopologyError(
            f"No structure change is named '{kind}'. Known: {', '.join(sorted(OPERATIONS))}."
        )
    options = arguments.pop() if arguments and isinstance(arguments[-1], Mapping) else {}
    try:
        OPERATIONS[kind](draft, *arguments, **options)
    except TypeError as error:
        raise TopologyError(f"The arguments of '{kind}' do not fit: {error}.") from None
    except TopologyError:
        raise
    except FreeFlyerError as error:
        raise TopologyError(str(error)) from error


def dof(structure: Structure, state: State) -> int:
    """Return the number of independent freedoms at a state."""
    return structure.nv - dynamics.loop_rank(structure, state)


def edge_load(structure: Structure, motion: Motion, load: np.ndarray, e: int) -> np.ndarray:
    """Return what an edge gives its link b, once loads are transmitted."""
    out = np.zeros(6)
    loads.edge_load(
        structure.assembly.edges,
        structure.plan,
        e,
        load,
        motion.rotation,
        motion.position,
        structure.workspace,
        out,
    )
    return out


def attachment_wrench(structure: Structure, state: State, inputs, wrench_links, e: int) -> Wrench:
    """Return the force and torque of an edge on its link b, at the joint's origin, world axes."""
    motion = motion_of(structure, state, np.zeros((len(structure.plan.edge_node), 4)))
    algorithms.articulated_body(structure, state, inputs)
    ws = structure.workspace
    load = np.zeros((len(structure.plan.link_node), 6))
    links = structure.assembly.links
    loads.momentum_rates(links, structure.plan, inputs.gravity, ws, load)
    loads.less_external(structure.plan, wrench_links, inputs, ws, load)
    loads.transmit(structure.assembly.edges, structure.plan, ws, load)
    out = edge_load(structure, motion, load, e)
    return Wrench(force=out[3:], torque=out[:3])
