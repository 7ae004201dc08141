# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
The one file that knows urchin: checked XML elements to Body and Joint.

We build urchin's elements rather than call its `URDF.load`, which would open mesh files, take
time quadratic in the number of links, and replace a zero axis or a missing inertia by one of
its own. So urchin never sees a file name, and every number it gets has been checked.

"""

from __future__ import annotations

from collections.abc import Callable
from importlib import util
import sys
from threading import RLock
from types import ModuleType
from typing import Any

from free_flyer_dynamics.errors import ModelError
from free_flyer_dynamics.model import Body, Joint, UNLIMITED
from free_flyer_dynamics.model_checks import unit_axis
from free_flyer_dynamics.urdf_xml import Element
import numpy as np

_ZEROS = (0.0, 0.0, 0.0)
_LIMITED = ('revolute', 'prismatic')
# What a text has for "no limit": URDF numbers are finite.
LARGEST = sys.float_info.max
# What urchin imports for meshes and graphs, of which we ask nothing: a fifth of a first start.
_ONLY_WHEN_ASKED = ('trimesh', 'networkx')
_LOADING = RLock()


def body_from(link: Element) -> Body:
    """Return the body of a <link>; without <inertial> it is only a frame."""
    urchin = _import_urchin()
    name = link.text('name')
    inertial = link.one('inertial')
    if inertial is None:
        return Body(name)
    inertia = inertial.needed('inertia')
    xx, xy, xz, yy, yz, zz = (
        inertia.number(key) for key in ('ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz')
    )
    element = _urchin(
        link,
        lambda: urchin.Inertial(
            mass=inertial.needed('mass').number('value'),
            inertia=[[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]],
            origin=_origin(inertial),
        ),
    )
    R = element.origin[:3, :3]
    turned = element.inertia if np.array_equal(R, np.eye(3)) else R @ element.inertia @ R.T
    return _ours(link, lambda: Body(name, element.mass, element.origin[:3, 3], _even(turned)))


def joint_from(joint: Element) -> Joint:
    """Return the joint of a <joint> that is one of ours (fixed, revolute, ...)."""
    urchin = _import_urchin()
    name, kind = joint.text('name'), joint.text('type')
    if joint.one('mimic') is not None:
        raise joint.error('<mimic> is not supported; drive the joint from your controller.')
    axis_element = joint.one('axis')
    axis = np.array((1.0, 0.0, 0.0) if axis_element is None else axis_element.triple('xyz'))
    if kind != 'fixed':
        axis = _ours(joint, lambda: unit_axis(name, axis))
    limit = _limit(joint, kind)
    dynamics = joint.one('dynamics')
    damping = 0.0 if dynamics is None else dynamics.number('damping', 0.0)
    friction = 0.0 if dynamics is None else dynamics.number('friction', 0.0)
    element = _urchin(
        joint,
        lambda: urchin.Joint(
            name=name,
            joint_type=kind,
            parent=joint.needed('parent').text('link'),
            child=joint.needed('child').text('link'),
            axis=axis,
            origin=_origin(joint),
            limit=urchin.JointLimit(limit[2], limit[3], limit[0], limit[1]),
            dynamics=urchin.JointDynamics(damping, friction),
        ),
    )
    return _ours(
        joint,
        lambda: Joint(
            name=element.name,
            kind=element.joint_type,
            parent=element.parent,
            child=element.child,
            position=element.origin[:3, 3],
            rotation=element.origin[:3, :3],
            axis=axis,
            lower=element.limit.lower,
            upper=element.limit.upper,
            effort_limit=element.limit.effort,
            velocity_limit=element.limit.velocity,
            damping=element.dynamics.damping,
            friction=element.dynamics.friction,
        ),
    )


def _limit(joint: Element, kind: str) -> tuple[float, float, float, float]:
    """Return lower, upper, effort and velocity as the URDF specification reads them."""
    if kind == 'fixed':
        return (-UNLIMITED, UNLIMITED, UNLIMITED, UNLIMITED)
    limit = joint.one('limit')
    if limit is None:
        if kind in _LIMITED:
            raise joint.error(
                f'<limit> is missing; URDF requires it, with effort and velocity, on a {kind} '
                'joint. A hinge without position limits is of type continuous.'
            )
        return (-UNLIMITED, UNLIMITED, UNLIMITED, UNLIMITED)
    lower, upper = (_unlimited(limit.number(key, 0.0)) for key in ('lower', 'upper'))
    if kind == 'continuous':
        lower, upper = -UNLIMITED, UNLIMITED
    return (lower, upper, _unlimited(limit.number('effort')), _unlimited(limit.number('velocity')))


def _unlimited(value: float) -> float:
    return value * UNLIMITED if abs(value) == LARGEST else value


def _origin(element: Element) -> np.ndarray:
    origin = element.one('origin')
    if origin is None:
        return np.zeros(6)
    return np.array([*origin.triple('xyz', _ZEROS), *origin.triple('rpy', _ZEROS)])


def _even(matrix: np.ndarray) -> np.ndarray:
    return 0.5 * matrix + 0.5 * matrix.T


class _PutOff(ModuleType):
    """
    A module that is there for whoever imports it, and loads when something is asked of it.

    One of importlib's own `LazyLoader` loads when it is imported: its `__spec__` is looked at.
    """

    def __getattr__(self, name: str) -> Any:
        """Load, and answer; asked only for what is not there yet."""
        with _LOADING:
            spec = self.__spec__
            if type(self) is _PutOff and spec is not None and spec.loader is not None:
                self.__class__ = ModuleType  # type: ignore[assignment]
                spec.loader.exec_module(self)
        return getattr(self, name)


def _import_urchin() -> Any:
    """Return urchin, with what it imports but hardly ever uses put off."""
    if 'urchin' not in sys.modules:
        for name in _ONLY_WHEN_ASKED:
            spec = None if name in sys.modules else util.find_spec(name)
            if spec is not None and spec.loader is not None:
                sys.modules[name] = util.module_from_spec(spec)
                sys.modules[name].__class__ = _PutOff
    import urchin

    return urchin


def _urchin(element: Element, build: Callable[[], Any]) -> Any:
    try:
        return build()
    except (TypeError, ValueError, ArithmeticError) as error:
        raise element.error(f'urchin refuses it: {error}') from None


def _ours(element: Element, build: Callable[[], Any]) -> Any:
    try:
        return build()
    except ModelError as error:
        raise ModelError(f'Line {element.line}: {error}') from None
