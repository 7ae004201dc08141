# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
The library itself. Only this file knows more of it than its users do.

`sim.step(n)` is one compiled call for n steps already; forward dynamics has no such loop in
public, so that of the engine is called.

"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
import time

from benchmarks.models import Flyer, Motion
from benchmarks.peers.peer import DT
from benchmarks.timing import Loop, python_loop
import free_flyer_dynamics as ffd
from free_flyer_dynamics.direct import Direct
from free_flyer_dynamics.engine import Engine
from free_flyer_dynamics.kernels._jit import kernel
import numpy as np


class Ours:
    """free_flyer_dynamics."""

    note = 'Numba, sim.step(n)'

    def __init__(
        self, flyer: Flyer, loaded: bool = False, welds: Sequence[tuple[int, int]] = ()
    ) -> None:
        """
        Hold a flyer; a loaded one has damping and limits at its joints.

        Bodies that are welded, the base is 0, are joined where they are taken to.
        """
        self.flyer = flyer
        self._welds = welds
        self._model = flyer.model
        if loaded:
            joints = tuple(
                replace(joint, damping=0.1, lower=-1e6, upper=1e6) for joint in self._model.joints
            )
            self._model = replace(self._model, joints=joints)
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
        links = [body.name for body in self._model.bodies]
        for a, b in self._welds:
            self.sim.attach(links[a], links[b])
        self.sim.step(0)  # now it is on the tree that steps walk

    def motion(self) -> Motion:
        """Return what it does now: with welds, not quite what it was told."""
        pose, twist, efforts = self.sim.pose('base'), self.sim.twist('base'), self.sim.efforts
        base = (pose.position, pose.quaternion, twist.linear, twist.angular)
        return Motion(*base, self.sim.positions, self.sim.velocities, efforts)

    def accelerations(self) -> np.ndarray:
        """Return what the engine gives: the base's, then the joints' by name."""
        structure, vdot = self._moving().structure, np.zeros(self.sim._structure.nv)
        self._engine().rates(vdot)
        if structure is self.sim._structure:
            base = self._base_accelerations(vdot)
        else:  # walked from another body: that of the base is not among the engine's
            seen = self.sim.acceleration('base')
            base = seen.angular, seen.linear
        return np.concatenate((*base, vdot[structure.joint_v]))

    def _base_accelerations(self, vdot: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the classical ones in world axes; the base comes first in v."""
        v, xyzw, still = self.sim._state.v, self.sim.pose('base').quaternion, np.zeros(3)
        R = Motion(still, xyzw, still, still, still, still, still).rotation
        return R @ vdot[:3], R @ (vdot[3:6] + np.cross(v[:3], v[3:6]))

    def _moving(self):
        """Return the motion that steps are of; a chain's is not on the tree that is seen."""
        return getattr(self.sim._motion, 'inner', self.sim._motion)

    def _engine(self) -> Engine:
        moving = self._moving()
        return Engine(moving.structure, moving.state, self.sim._commands.inputs(moving.structure))

    def coordinates(self) -> np.ndarray:
        pose = self.sim.pose('base')
        still = np.zeros(3)
        turned = Motion(pose.position, pose.quaternion, still, still, still, still, still)
        return np.concatenate((pose.position, turned.rotation.ravel(), self.sim.positions))

    def accelerate(self, count: int) -> float:
        engine, vdot = self._engine(), np.zeros(self.sim._structure.nv)
        start = time.perf_counter()
        engine.rates(vdot, count)
        return time.perf_counter() - start

    def step(self, count: int) -> float:
        start = time.perf_counter()
        self.sim.step(count)
        return time.perf_counter() - start

    def doors(self) -> dict[str, Loop]:
        """Return loops over the compiled call that takes no steps, and over one that is empty."""
        self.sim.step(0)
        engine, empty = self._moving().engine, Direct(_do_nothing)
        ints, reals, _closures = engine.arena
        empty(ints, reals, DT, 0)
        run, nothing = engine.run, empty.bound(ints, reals)
        return {
            'call_of_nothing': python_loop(partial(run, DT, 0)),
            'empty_call': python_loop(partial(nothing, DT, 0)),
        }


@kernel
def _do_nothing(_ints, _reals, _dt, count):
    return count


# Kernels that make a structure's arrays anew; the others of a change carry the state over.
MAKE_ARRAYS = ('compile_and_lay',)


def compiled_part(change: Callable[[], object]) -> dict[str, Loop]:
    """
    Carry out a structure change; return loops over its compiled calls as they were made.

    All of them, and those that make arrays.
    """
    calls: list[tuple[Direct, tuple]] = []
    call = Direct.__call__

    def note(door: Direct, *arguments):
        calls.append((door, arguments))
        return call(door, *arguments)

    Direct.__call__ = note  # type: ignore[method-assign]
    try:
        change()
    finally:
        Direct.__call__ = call  # type: ignore[method-assign]
    making = [(door, given) for door, given in calls if door.name in MAKE_ARRAYS]
    return {'whole': python_loop(_again(calls)), 'arrays': python_loop(_again(making))}


def _again(calls: list[tuple[Direct, tuple]]) -> Callable[[], None]:
    compiled = [door.bound(*arguments) for door, arguments in calls]

    def again() -> None:
        for call in compiled:
            call()

    return again
