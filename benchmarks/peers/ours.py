# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
The library itself. Only this file knows more of it than its users do.

`sim.step(n)` is one compiled call for n steps already; forward dynamics has no such loop in
public, so one is compiled here around the kernel.

"""

from __future__ import annotations

import time

from benchmarks.models import Flyer, Motion
from benchmarks.peers.peer import DT
import free_flyer_dynamics as ffd
from free_flyer_dynamics import dynamics
from free_flyer_dynamics.kernels.integrate import forward_dynamics
from numba import njit
import numpy as np


@njit(nogil=True, error_model='numpy')
def _accelerate(tree, q, v, hold, inputs, tau, ws, vdot, count):
    last = len(v) - 1
    for _ in range(count):  # each call depends on the one before, as in an integrator
        forward_dynamics(tree, q, v, hold, inputs, tau, ws, vdot)
        v[last] += 1e-12 * vdot[last]


class Ours:
    """free_flyer_dynamics."""

    note = 'Numba, sim.step(n)'

    def __init__(self, flyer: Flyer) -> None:
        self._model = flyer.model
        self.sim = ffd.Simulator(dt=DT)

    def take(self, motion: Motion) -> None:
        names = [joint.name for joint in self._model.joints]
        self.sim = ffd.Simulator(dt=DT)
        self.sim.add(
            self._model,
            position=motion.position,
            quaternion=motion.quaternion,
            linear_velocity=motion.linear,
            angular_velocity=motion.angular,
            joint_positions=dict(zip(names, motion.q, strict=True)),
            joint_velocities=dict(zip(names, motion.qd, strict=True)),
        )
        self.sim.set_efforts(dict(zip(names, motion.effort, strict=True)))

    def accelerations(self) -> np.ndarray:
        base = self.sim.acceleration('base')
        return np.concatenate((base.angular, base.linear, self.sim.joint_accelerations()))

    def coordinates(self) -> np.ndarray:
        pose = self.sim.pose('base')
        still = np.zeros(3)
        turned = Motion(pose.position, pose.quaternion, still, still, still, still, still)
        return np.concatenate((pose.position, turned.rotation.ravel(), self.sim.positions))

    def accelerate(self, count: int) -> float:
        structure, state, inputs = self.sim._structure, self.sim._state, self.sim._inputs
        tau = dynamics.applied_forces(structure, state, inputs)
        v, vdot = state.v.copy(), np.zeros_like(state.v)
        room = (tau, structure.workspace, vdot)
        start = time.perf_counter()
        _accelerate(structure.tree, state.q, v, state.hold, inputs, *room, count)
        return time.perf_counter() - start

    def step(self, count: int) -> float:
        start = time.perf_counter()
        self.sim.step(count)
        return time.perf_counter() - start
