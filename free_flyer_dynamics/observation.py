# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""One look at a world: joints and links by one compiled call, as often as every millisecond."""

from __future__ import annotations

from collections.abc import Sequence

from free_flyer_dynamics.direct import Direct
from free_flyer_dynamics.kernels.observe import limit_efforts, observe
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import Inputs, State
from free_flyer_dynamics.values import Observation
import numpy as np

_observe, _limit_efforts = Direct(observe), Direct(limit_efforts)


class Observer:
    """
    Looks at the joints and at some links of one structure.

    Parameters
    ----------
    structure : Structure
    links : sequence of int

    """

    def __init__(self, structure: Structure, links: Sequence[int] = ()) -> None:
        assembly, plan = structure.assembly, structure.plan
        edges, joints = assembly.edges, assembly.joints
        self._joined = (
            edges, plan, assembly.locked, joints.edge, joints.part, structure.joint_v,
        )  # fmt: skip
        self._room = (
            structure.workspace,
            structure.turns,
            structure.shifts,
            np.zeros((len(edges.kind), 4)),
            np.zeros((len(edges.kind), 3)),
            np.array(links, dtype=np.int64),
        )
        self._structure = structure
        self._settled = structure.new_state(), np.zeros(structure.nv)
        self._shapes = (3, len(joints.names)), (len(links), 13), (len(links), 6)

    def look(self, state: State, coordinates: np.ndarray, inputs: Inputs) -> Observation:
        """Return what is seen at a state; coordinates are those of the rigid edges."""
        told = joints, frames, twists = tuple(map(np.empty, self._shapes))
        if _observe(*self._joined, state, coordinates, inputs, *self._room, *told):
            structure = self._structure
            acting = state, inputs, structure.workspace, *self._settled
            _limit_efforts(structure.tree, structure.joint_v, *acting, joints[2])
        return Observation(joints, frames, twists)
