# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""MuJoCo: `mj_step(model, data, n)`, a loop in C inside its wheel, all extras off."""

from __future__ import annotations

import time

from benchmarks.models import Flyer, Motion
from benchmarks.peers.peer import DT
import numpy as np

# What a free flyer has no use for: leaving it on would only slow MuJoCo down.
_OFF = (
    'CONSTRAINT', 'EQUALITY', 'FRICTIONLOSS', 'LIMIT', 'CONTACT', 'SPRING', 'DAMPER', 'GRAVITY',
    'CLAMPCTRL', 'WARMSTART', 'FILTERPARENT', 'ACTUATION', 'REFSAFE', 'SENSOR', 'MIDPHASE',
    'EULERDAMP', 'AUTORESET', 'ISLAND',
)  # fmt: skip


class Mujoco:
    """MuJoCo's RK4 step."""

    def __init__(self, flyer: Flyer) -> None:
        import mujoco

        self.note = 'C loop in its wheel, every option off'
        self._mujoco = mujoco
        self._model = _spec(mujoco, flyer).compile()
        self._data = mujoco.MjData(self._model)

    def take(self, motion: Motion) -> None:
        data = self._data
        self._mujoco.mj_resetData(self._model, data)
        data.qpos[:] = np.concatenate((motion.position, np.roll(motion.quaternion, 1), motion.q))
        angular = motion.rotation.T @ motion.angular
        data.qvel[:] = np.concatenate((motion.linear, angular, motion.qd))
        data.qfrc_applied[6:] = motion.effort

    def _rotation(self) -> np.ndarray:
        still = np.zeros(3)
        xyzw = np.roll(self._data.qpos[3:7], -1)
        return Motion(still, xyzw, still, still, still, still, still).rotation

    def accelerations(self) -> np.ndarray:
        self._mujoco.mj_forward(self._model, self._data)
        a = self._data.qacc
        return np.concatenate((self._rotation() @ a[3:6], a[:3], a[6:]))

    def coordinates(self) -> np.ndarray:
        position, joints = self._data.qpos[:3], self._data.qpos[7:]
        return np.concatenate((position, self._rotation().ravel(), joints))

    def accelerate(self, count: int) -> float:
        forward, model, data = self._mujoco.mj_forward, self._model, self._data
        start = time.perf_counter()
        for _ in range(count):
            forward(model, data)
        return time.perf_counter() - start

    def step(self, count: int) -> float:
        start = time.perf_counter()
        self._mujoco.mj_step(self._model, self._data, count)
        return time.perf_counter() - start


def _spec(mujoco, flyer: Flyer):
    spec = mujoco.MjSpec()
    spec.option.timestep = DT
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
    spec.option.gravity = [0, 0, 0]
    for name in _OFF:
        spec.option.disableflags |= getattr(mujoco.mjtDisableBit, f'mjDSBL_{name}', 0)
    bodies = [spec.worldbody.add_body(name='base')]
    bodies[0].add_freejoint(name='root')
    for i in range(flyer.joints):
        where = {'pos': flyer.position[i], 'quat': _wxyz(flyer.rotation[i])}
        bodies.append(bodies[flyer.parent[i]].add_body(name=f'link{i}', **where))
        axis = np.eye(3)[flyer.axis[i]]
        joints = mujoco.mjtJoint
        kind = joints.mjJNT_SLIDE if flyer.slides[i] else joints.mjJNT_HINGE
        bodies[-1].add_joint(name=f'joint{i}', type=kind, axis=axis)
    for i, body in enumerate(bodies):
        body.mass, body.ipos, body.explicitinertial = flyer.mass[i], flyer.center[i], True
        body.fullinertia = flyer.inertia[i][[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    return spec


def _wxyz(rotation: np.ndarray) -> np.ndarray:
    from scipy.spatial.transform import Rotation

    return np.roll(Rotation.from_matrix(rotation).as_quat(), 1)
