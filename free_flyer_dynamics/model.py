# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""One robot as its file describes it: frozen, checked, valid once made."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
import math

from free_flyer_dynamics import mass_checks, model_checks
from free_flyer_dynamics.errors import ModelError, unknown_name
import numpy as np

MOVING_KINDS = ('revolute', 'continuous', 'prismatic')
KINDS = (*MOVING_KINDS, 'fixed')
_JOINT_NUMBERS = ('lower', 'upper', 'effort_limit', 'velocity_limit', 'damping', 'friction')
UNLIMITED = math.inf


class ModelWarning(UserWarning):
    """The robot description is used as it is, but something in it is odd."""


def _frozen(who: str, array, shape: tuple[int, ...]) -> np.ndarray:
    try:
        out = np.array(array, dtype=float)
    except (TypeError, ValueError):
        raise ModelError(f'{who} must be numbers, shape {shape}; got {array!r}.') from None
    if out.shape != shape:
        raise ModelError(f'{who} must have shape {shape}; got shape {out.shape}.')
    out.setflags(write=False)
    return out


def _number(who: str, value) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ModelError(f'{who} must be a number; got {value!r}.') from None


@dataclass(frozen=True, eq=False)
class Body:
    """
    One link.

    Parameters
    ----------
    name : str
    mass : float
        [kg]; 0 for a link that is only a frame.
    center : ndarray, shape (3,)
        Centre of mass in the link frame [m].
    inertia : ndarray, shape (3, 3)
        About the centre of mass, in link axes [kg m^2].

    """

    name: str
    mass: float = 0.0
    center: np.ndarray = field(default_factory=lambda: np.zeros(3))
    inertia: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))

    def __post_init__(self) -> None:
        who = f"Link '{self.name}'"
        object.__setattr__(self, 'mass', _number(f'{who}: the mass', self.mass))
        object.__setattr__(self, 'center', _frozen(f'{who}: the centre', self.center, (3,)))
        object.__setattr__(self, 'inertia', _frozen(f'{who}: the inertia', self.inertia, (3, 3)))
        model_checks.check_body(self)


@dataclass(frozen=True, eq=False)
class Joint:
    """
    One joint between two links.

    Parameters
    ----------
    name, kind, parent, child : str
        kind is 'revolute', 'continuous', 'prismatic' or 'fixed'.
    position : ndarray, shape (3,)
        Origin of the child frame at zero, in the parent link frame [m].
    rotation : ndarray, shape (3, 3)
        Takes child axes at zero to parent axes.
    axis : ndarray, shape (3,)
        Unit axis in child axes.
    lower, upper : float
        Position limits [rad or m]; infinite where there are none.
    effort_limit, velocity_limit : float
        [N m or N], [rad/s or m/s]; infinite where there are none. A drive does not push beyond
        its velocity limit, unless that is zero, which exporters write where they know of none.
    damping, friction : float
        Viscous [N m s/rad or N s/m] and Coulomb [N m or N].

    """

    name: str
    kind: str
    parent: str
    child: str
    position: np.ndarray = field(default_factory=lambda: np.zeros(3))
    rotation: np.ndarray = field(default_factory=lambda: np.eye(3))
    axis: np.ndarray = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    lower: float = -UNLIMITED
    upper: float = UNLIMITED
    effort_limit: float = UNLIMITED
    velocity_limit: float = UNLIMITED
    damping: float = 0.0
    friction: float = 0.0

    def __post_init__(self) -> None:
        for name, shape in (('position', (3,)), ('rotation', (3, 3)), ('axis', (3,))):
            who = f"Joint '{self.name}': the {name}"
            object.__setattr__(self, name, _frozen(who, getattr(self, name), shape))
        for name in _JOINT_NUMBERS:
            who = f"Joint '{self.name}': {name}"
            object.__setattr__(self, name, _number(who, getattr(self, name)))
        model_checks.check_joint(self, KINDS)
        if self.kind != 'fixed':
            axis = model_checks.unit_axis(self.name, self.axis)
            object.__setattr__(self, 'axis', _frozen('axis', axis, (3,)))


@dataclass(frozen=True)
class Wheel:
    """A reaction wheel: the joint it spins on and what its drive can do (infinite: no limit)."""

    joint: str
    torque_limit: float = UNLIMITED
    speed_limit: float = UNLIMITED
    momentum_limit: float = UNLIMITED

    def __post_init__(self) -> None:
        for name in ('torque_limit', 'speed_limit', 'momentum_limit'):
            who = f"Wheel '{self.joint}': the {name}"
            value = _number(who, getattr(self, name))
            if not value > 0.0:
                raise ModelError(f'{who} is {value}; expected a number above zero.')
            object.__setattr__(self, name, value)


@dataclass(frozen=True, eq=False)
class Model:
    """
    A tree of links.

    Parameters
    ----------
    name : str
    bodies : tuple of Body
        Every link, in file order, those that are only frames too.
    joints : tuple of Joint
        Every joint that moves, in file order.
    fixed_joints : tuple of Joint
        Those that do not: their links are frames of their parent's body.
    wheels : tuple of Wheel
    end_effectors : tuple of str
        Links that are tools, in the order that numbers them.
    imu : str or None
        The link that carries the inertial measurement unit.
    xml : str
        The description this came from, for those who pass it on.

    """

    name: str
    bodies: tuple[Body, ...]
    joints: tuple[Joint, ...] = ()
    fixed_joints: tuple[Joint, ...] = ()
    wheels: tuple[Wheel, ...] = ()
    end_effectors: tuple[str, ...] = ()
    imu: str | None = None
    xml: str = ''
    _by_name: dict[str, dict] = field(init=False, repr=False, compare=False)
    _order: tuple[str, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        for name in ('bodies', 'joints', 'fixed_joints', 'wheels', 'end_effectors'):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        all_joints = (*self.joints, *self.fixed_joints)
        order = model_checks.check_tree(self.name, self.bodies, all_joints)
        mass_checks.check_mass_outboard(self.bodies, all_joints, order)
        object.__setattr__(
            self,
            '_by_name',
            {
                'body': {body.name: body for body in self.bodies},
                'joint': {joint.name: joint for joint in all_joints},
            },
        )
        object.__setattr__(self, '_order', order)
        model_checks.check_extension(self)

    @property
    def root(self) -> str:
        """Return the name of the one link that is nobody's child."""
        return self._order[0]

    @property
    def mass(self) -> float:
        """Return the mass of all links [kg]."""
        return math.fsum(body.mass for body in self.bodies)

    def with_extension(
        self,
        wheels: Iterable[Wheel | str] | None = None,
        end_effectors: Iterable[str] | None = None,
        imu: str | None = None,
    ) -> Model:
        """
        Return the same robot with what the <free_flyer> tag would say.

        What is given replaces what the file says; what is left out stays. A joint's name
        stands for a wheel without limits.

        """
        changes: dict = {}
        if wheels is not None:
            changes['wheels'] = tuple(Wheel(w) if isinstance(w, str) else w for w in wheels)
        if end_effectors is not None:
            if isinstance(end_effectors, str):
                raise ModelError(f"end_effectors is '{end_effectors}'; expected a list of names.")
            changes['end_effectors'] = tuple(end_effectors)
        if imu is not None:
            changes['imu'] = imu
        return replace(self, **changes)

    def body(self, name: str) -> Body:
        """Return the link of that name."""
        return self._named('body', name)

    def joint(self, name: str) -> Joint:
        """Return the joint of that name, moving or fixed."""
        return self._named('joint', name)

    def _named(self, what: str, name: str):
        try:
            return self._by_name[what][name]
        except KeyError:
            raise ModelError(unknown_name(what, name, self._by_name[what])) from None
