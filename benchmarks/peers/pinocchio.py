# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Pinocchio: its C++ templates compiled for this machine, else the calls of its Python wheel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
import ctypes
from importlib.util import find_spec
from pathlib import Path
import time

from benchmarks.models import Flyer, Motion
from benchmarks.peers import native
from benchmarks.peers.peer import DT
import numpy as np

SOURCE = Path(__file__).with_name('pinocchio_loop.cpp')
# As Pinocchio's own build sets them for its users; its templates are compiled here, not linked.
DEFINITIONS = (
    'BOOST_MPL_LIMIT_LIST_SIZE=30',
    'BOOST_MPL_LIMIT_VECTOR_SIZE=30',
    'BOOST_MPL_CFG_NO_PREPROCESSED_HEADERS',
    'BOOST_FUSION_INVOKE_MAX_ARITY=12',
)
_POINTER = ctypes.c_void_p
Welds = Sequence[tuple[int, int]]  # bodies joined where they are, the base is 0


def include_folders() -> list[Path]:
    """Return where the headers of Pinocchio, Boost and Eigen are, those that are there."""
    spec = find_spec('pinocchio')
    wheels = [Path(spec.origin).parents[4] / 'include'] if spec and spec.origin else []
    roots = [*wheels, Path('/usr/include')]
    folders = [*wheels, *(root / 'eigen3' for root in roots)]
    return [folder for folder in folders if folder.is_dir()]


def make(flyer: Flyer, compiled: bool, welds: Welds = ()) -> CompiledPinocchio | PythonPinocchio:
    """Return the C++ loop where it can be had, else the Python calls; `note` says which."""
    if not compiled:
        return PythonPinocchio(flyer, 'Python calls', welds)
    try:
        return CompiledPinocchio(flyer, welds)
    except OSError as error:
        return PythonPinocchio(flyer, f'Python calls: {error}', welds)


class _Coordinates:
    """Pinocchio's order: position, quaternion (x, y, z, w), joints; twist in base axes."""

    def __init__(self, flyer: Flyer) -> None:
        self.flyer = flyer
        self.q = np.zeros(7 + flyer.joints)
        self.v = np.zeros(6 + flyer.joints)
        self.tau = np.zeros_like(self.v)
        self.a = np.zeros_like(self.v)

    def write(self, motion: Motion) -> None:
        R = motion.rotation
        self.q[:] = np.concatenate((motion.position, motion.quaternion, motion.q))
        self.v[:] = np.concatenate((R.T @ motion.linear, R.T @ motion.angular, motion.qd))
        self.tau[6:] = motion.effort

    def _rotation(self) -> np.ndarray:
        still = np.zeros(3)
        return Motion(still, self.q[3:7], still, still, still, still, still).rotation

    def accelerations(self) -> np.ndarray:
        R, v, a = self._rotation(), self.v, self.a
        classical = a[:3] + np.cross(v[3:6], v[:3])
        return np.concatenate((R @ a[3:6], R @ classical, a[6:]))

    def coordinates(self) -> np.ndarray:
        return np.concatenate((self.q[:3], self._rotation().ravel(), self.q[7:]))


class CompiledPinocchio:
    """Pinocchio in a C++ loop."""

    def __init__(self, flyer: Flyer, welds: Welds = ()) -> None:
        self._welds = welds
        self.note = f'C++ loop, {native.compiler_version()}, -O3 -march=native'
        self._library = native.load(SOURCE, DEFINITIONS, include_folders())
        self._library.flyer_new.restype = _POINTER
        for name in ('flyer_accelerate', 'flyer_step'):
            getattr(self._library, name).restype = ctypes.c_double
        self._at = _Coordinates(flyer)
        names = ('parent', 'axis', 'slides', 'rotation', 'position', 'mass', 'center', 'inertia')
        arrays = [np.ascontiguousarray(getattr(flyer, name)) for name in names]
        self._handle = _POINTER(self._library.flyer_new(flyer.joints, *map(_address, arrays)))

    def __del__(self) -> None:
        """Give the robot's memory back."""
        if hasattr(self, '_handle'):
            self._library.flyer_delete(self._handle)

    def take(self, motion: Motion) -> None:
        self._at.write(motion)
        at = self._at
        self._library.flyer_set(self._handle, *map(_address, (at.q, at.v, at.tau)))
        self._library.flyer_open(self._handle)
        for a, b in self._welds:
            self._library.flyer_weld(self._handle, a, b)

    def _read(self) -> _Coordinates:
        at = self._at
        self._library.flyer_get(self._handle, *map(_address, (at.q, at.v, at.a)))
        return at

    def accelerations(self) -> np.ndarray:
        self.accelerate(1)
        return self._read().accelerations()

    def coordinates(self) -> np.ndarray:
        return self._read().coordinates()

    def accelerate(self, count: int) -> float:
        return self._library.flyer_accelerate(self._handle, ctypes.c_long(count))

    def step(self, count: int) -> float:
        h = ctypes.c_double(DT)
        return self._library.flyer_step(self._handle, h, ctypes.c_long(count))


class PythonPinocchio:
    """Pinocchio's wheel, called from Python."""

    def __init__(self, flyer: Flyer, note: str, welds: Welds = ()) -> None:
        import pinocchio as pin

        self.note = note
        self._welds = welds
        self._constraints: list = []
        self._pin = pin
        self.model = pin.Model()
        self.model.gravity.setZero()
        here = pin.SE3.Identity()
        bodies = [
            pin.Inertia(mass, center, inertia)
            for mass, center, inertia in zip(flyer.mass, flyer.center, flyer.inertia, strict=True)
        ]
        made = [self.model.addJoint(0, pin.JointModelFreeFlyer(), here, 'base')]
        self.model.addJointFrame(made[0])
        self.model.appendBodyToJoint(made[0], bodies[0], here)
        turning: list[Callable] = [pin.JointModelRX, pin.JointModelRY, pin.JointModelRZ]
        sliding: list[Callable] = [pin.JointModelPX, pin.JointModelPY, pin.JointModelPZ]
        for i in range(flyer.joints):
            mount = pin.SE3(flyer.rotation[i], flyer.position[i])
            kinds = sliding if flyer.slides[i] else turning
            on, kind = made[flyer.parent[i]], kinds[flyer.axis[i]]()
            made.append(self.model.addJoint(on, kind, mount, f'joint{i}'))
            self.model.addJointFrame(made[-1])  # which its reduced models go by
            self.model.appendBodyToJoint(made[-1], bodies[i + 1], here)
        self._made = made
        self._data = self.model.createData()
        self._at = _Coordinates(flyer)

    def take(self, motion: Motion) -> None:
        self._at.write(motion)
        if self._welds:
            self._weld()

    def _weld(self) -> None:
        pin, model, data = self._pin, self.model, self._data
        pin.forwardKinematics(model, data, self._at.q)
        self._constraints = []
        for a, b in self._welds:
            one, other = self._made[a], self._made[b]
            seen = data.oMi[other].actInv(data.oMi[one])
            kind, here = pin.ContactType.CONTACT_6D, pin.SE3.Identity()
            weld = pin.RigidConstraintModel(kind, model, one, here, other, seen)
            self._constraints.append(weld)
        self._room = [weld.createData() for weld in self._constraints]
        pin.initConstraintDynamics(model, data, self._constraints, self._room)

    def accelerations(self) -> np.ndarray:
        self._at.a[:] = self._rate(self._at.q, self._at.v)
        return self._at.accelerations()

    def coordinates(self) -> np.ndarray:
        return self._at.coordinates()

    def _rate(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        if self._constraints:
            settings, welds = self._pin.ProximalSettings(), (self._constraints, self._room)
            return self._pin.constraintDynamics(
                self.model, self._data, q, v, self._at.tau, *welds, settings
            )
        return self._pin.aba(self.model, self._data, q, v, self._at.tau)

    def accelerate(self, count: int) -> float:
        at = self._at
        start = time.perf_counter()
        for _ in range(count):
            self._rate(at.q, at.v)
        return time.perf_counter() - start

    def step(self, count: int) -> float:
        at, model, integrate = self._at, self.model, self._pin.integrate
        start = time.perf_counter()
        for _ in range(count):
            v, a = [at.v.copy()], [self._rate(at.q, at.v).copy()]
            for reach in (0.5 * DT, 0.5 * DT, DT):
                q = integrate(model, at.q, reach * v[-1])
                v.append(at.v + reach * a[-1])
                a.append(self._rate(q, v[-1]).copy())
            mean_v = DT / 6 * (v[0] + 2 * (v[1] + v[2]) + v[3])
            at.q[:] = integrate(model, at.q, mean_v)
            at.v += DT / 6 * (a[0] + 2 * (a[1] + a[2]) + a[3])
        return time.perf_counter() - start


def _address(array: np.ndarray) -> ctypes.c_void_p:
    return array.ctypes.data_as(_POINTER)
