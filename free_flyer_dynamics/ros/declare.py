# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Declare parameters from the fields of a frozen dataclass: type, range, sentence and all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
import math
from typing import Any

from free_flyer_dynamics.errors import CommandError
from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor
from rclpy.node import Node
from rclpy.parameter import Parameter


@dataclass(frozen=True)
class Declaration:
    """What a user is told of a parameter, and what is refused."""

    sentence: str
    unit: str = ''
    low: float | None = None
    high: float | None = None
    size: int | None = None
    choices: tuple[str, ...] = ()
    live: bool = False

    def descriptor(self, name: str, default) -> ParameterDescriptor:
        """Return the descriptor that 'ros2 param describe' prints."""
        unit = f' [{self.unit}]' if self.unit else ''
        described = ParameterDescriptor(
            name=name,
            description=f'{self.sentence}{unit}',
            read_only=not self.live,
            additional_constraints=self._constraints(),
        )
        if self.low is not None and self.high is not None and not isinstance(default, tuple):
            if isinstance(default, float):
                described.floating_point_range = [
                    FloatingPointRange(from_value=float(self.low), to_value=float(self.high))
                ]
            else:
                described.integer_range = [
                    IntegerRange(from_value=int(self.low), to_value=int(self.high), step=1)
                ]
        return described

    def _constraints(self) -> str:
        if self.choices:
            return f'One of {", ".join(self.choices)}.'
        return '' if self.size is None else f'{self.size} finite numbers.'

    def check(self, name: str, value) -> None:
        """Refuse what the type and range let pass all the same."""
        if self.choices and value not in self.choices:
            raise CommandError(
                f"Parameter '{name}' is '{value}'; expected one of {', '.join(self.choices)}."
            )
        numbers = value if isinstance(value, (tuple, list)) else (value,)
        if not all(math.isfinite(x) for x in numbers if isinstance(x, float)):
            raise CommandError(f"Parameter '{name}' is {value}; expected finite numbers.")
        if self.size is not None and len(value) != self.size:
            raise CommandError(
                f"Parameter '{name}' has {len(value)} numbers; expected {self.size}."
            )
        if self.low is not None and self.high is not None:
            for x in numbers:
                if not self.low <= x <= self.high:
                    raise CommandError(
                        f"Parameter '{name}' is {x}; expected {self.low} to {self.high}."
                    )


def parameter(default, sentence: str, **known) -> Any:
    """Return a field of a dataclass that is a parameter; a tuple of its type stands for empty."""
    return field(default=default, metadata={'declaration': Declaration(sentence, **known)})


def declared(node: Node, kind: type, prefix: str = '', leave: Sequence[str] = ()) -> dict:
    """Declare every field of a dataclass on a node and return their values by field."""
    values = {}
    for item in fields(kind):
        declaration = item.metadata.get('declaration')
        if declaration is None or item.name in leave:
            continue
        name = prefix + item.name.replace('__', '.')
        values[item.name] = declare(node, name, item.default, declaration, str(item.type))
    return values


# How a tuple is declared that may be empty: ROS cannot tell the type of nothing.
_EMPTY = {
    'tuple[str, ...]': Parameter.Type.STRING_ARRAY,
    'tuple[float, ...]': Parameter.Type.DOUBLE_ARRAY,
}


def declare(node: Node, name: str, default, declaration: Declaration, kind: str):
    """Declare one parameter and return its value; a whole number will do for a real one."""
    value = _given(node, name)
    value = default if value is None else _as(kind, value)
    descriptor = declaration.descriptor(name, default)
    shown = list(value) if isinstance(value, tuple) else value
    _refuse_other_type(name, kind, value)
    declaration.check(name, value)
    if shown == []:
        _declare_empty(node, name, _EMPTY[kind], descriptor)
        return ()
    node.declare_parameter(name, shown, descriptor, ignore_override=True)
    return value


def _declare_empty(
    node: Node, name: str, kind: Parameter.Type, descriptor: ParameterDescriptor
) -> None:
    """Declare a list of nothing: unset, rclpy would tell no parameter asked for along with it."""
    descriptor.type = kind.value
    node.declare_parameter(name, kind, ignore_override=True)
    node.set_parameters([Parameter(name, kind, [])])
    node.set_descriptor(name, descriptor)


def _given(node: Node, name: str):
    """Return what was given for a parameter, of whatever type; None when nothing was."""
    node.declare_parameter(name, None, ParameterDescriptor(dynamic_typing=True))
    value = node.get_parameter(name).value
    node.undeclare_parameter(name)
    return value


def is_given(node: Node, name: str) -> bool:
    """Tell whether somebody gave the parameter, which need not be declared."""
    return _given(node, name) is not None


def given_names(node: Node) -> list[str]:
    """Return the names of what was given."""
    return list(getattr(node, '_parameter_overrides', {}))  # rclpy has no public way to them


def unknown_overrides(node: Node) -> list[str]:
    """Return what was given and nobody has declared; what ROS itself declares is not ours."""
    own = ('use_sim_time', 'qos_overrides.', 'start_type_description_service')
    return [n for n in given_names(node) if not node.has_parameter(n) and not n.startswith(own)]


def _as(kind: str, value):
    if isinstance(value, (str, bool, int, float)):
        return float(value) if kind == 'float' and type(value) is int else value
    items = tuple(value)
    return tuple(float(x) for x in items) if 'float' in kind and _numbers(items) else items


def _numbers(items: tuple) -> bool:
    return all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in items)


_WORDS = {'str': 'text', 'float': 'a number', 'int': 'a whole number', 'bool': 'true or false'}


def _refuse_other_type(name: str, kind: str, value) -> None:
    found = type(value).__name__
    if value == ():
        return
    if isinstance(value, tuple):
        inner = {type(x).__name__ for x in value}
        found = f'tuple[{"|".join(sorted(inner))}, ...]'
    if found != kind:
        expected = _WORDS.get(kind, 'a list of ' + ('names' if 'str' in kind else 'numbers'))
        raise CommandError(f"Parameter '{name}' is {value!r}; expected {expected}.")
