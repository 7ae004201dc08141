# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A scenario: who is in the world, what is done to it and when, read from YAML and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
import os
from pathlib import Path
from typing import Any

from free_flyer_dynamics.checks import number, vector
from free_flyer_dynamics.errors import CommandError, unknown_name
from free_flyer_dynamics.urdf import load_known
from free_flyer_dynamics.urdf_source import named, own_shares
import yaml

EXAMPLE = """\
seconds: 20            # how long it flies
dt: 0.001              # length of a step [s]
rate: 100              # states recorded in a second [Hz]; inputs change at these instants
robots:
  chaser:              # what messages call it
    model: thesis_seven_joint        # path, package:// address, or a shipped robot's name
    joint_positions: {J2: 0.5}       # also: joint_velocities, position, quaternion (x, y, z, w),
  target:                            # linear_velocity, angular_velocity, fixed
    model: thesis_target
    prefix: target/                  # goes before the names of its links and joints
    position: [3, 0, 1]
events:
  - at: 0
    efforts: {J1: 2.0, J2: [[0, 0], [3, 5], [6, 0]]}   # held, or a line through (seconds, N m)
  - at: 4
    wrench: {link: base, force: [1, 0, 0], for: 2}     # also torque, frame, point
  - at: 10
    change:                                            # all of these or none
      - attach: [end_effector, target/grasp]           # also joint, axis, align
        name: grip
      - lock: [J1, J2]                                 # unlock, detach, anchor, rebase
"""
_WORLD = ('name', 'about', 'seconds', 'dt', 'rate', 'gravity', 'integrator', 'robots', 'events')
_ROBOT = (
    'model', 'prefix', 'position', 'quaternion', 'linear_velocity', 'angular_velocity',
    'joint_positions', 'joint_velocities', 'fixed',
)  # fmt: skip
_EVENT = ('at', 'efforts', 'wrench', 'change')
_WRENCH = ('link', 'force', 'torque', 'frame', 'point', 'for')
_KINDS = ('attach', 'anchor', 'detach', 'lock', 'unlock', 'rebase')
_OPTIONS = {'attach': ('joint', 'axis', 'name', 'align'), 'anchor': ('joint', 'axis', 'name')}


@dataclass(frozen=True)
class Event:
    """What is done to the world at an instant."""

    at: float
    efforts: Mapping[str, Any] = field(default_factory=dict)  # held, or points of a line
    wrench: Mapping[str, Any] = field(default_factory=dict)
    change: tuple[tuple, ...] = ()


@dataclass(frozen=True)
class Scenario:
    """A flight, described; `text` is the description it came from."""

    name: str
    seconds: float
    robots: Mapping[str, Mapping[str, Any]]
    events: tuple[Event, ...] = ()
    dt: float = 1e-3
    rate: float = 100.0
    gravity: tuple = (0.0, 0.0, 0.0)
    integrator: str = 'rk4'
    text: str = ''


def find(source: str) -> Path:
    """Return the file of a scenario; a bare name is that of one that ships with us."""
    if Path(source).suffix or os.sep in source:
        return Path(source)
    known = shipped()
    if source not in known:
        raise CommandError(unknown_name('shipped scenario', source, known))
    return known[source]


def shipped() -> dict[str, Path]:
    """Return the files of the scenarios that ship with us, by name."""
    known: dict[str, Path] = {}
    for share in reversed(own_shares()):
        known.update({p.stem: p for p in sorted((share / 'config/scenarios').glob('*.yaml'))})
    return known


def read(source: str) -> Scenario:
    """Return the scenario of a file, or of a shipped name."""
    path = find(source)
    try:
        text = path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, 'strerror', None) or error
        raise CommandError(f"Cannot read the scenario '{path}': {reason}.") from None
    return parse(text, path)


def parse(text: str, path: Path = Path('scenario.yaml')) -> Scenario:
    """Return the scenario that a text describes; robots' paths count from its folder."""
    try:
        given = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, 'problem_mark', None)
        where = f', line {mark.line + 1}' if mark else ''
        problem = getattr(error, 'problem', None) or 'it is no YAML'
        raise CommandError(f"'{path}'{where}: {problem}.") from None
    world = _mapping(given, 'The scenario', _WORLD)
    robots = _mapping(world.get('robots'), 'robots')
    if not robots:
        raise CommandError('The scenario has no robots; expected robots: {name: {model: ...}}.')
    events = [
        _event(item, f'event {k + 1}') for k, item in enumerate(_listed(world, 'events', ()))
    ]
    return Scenario(
        name=str(world.get('name', path.stem)),
        seconds=_positive(world.get('seconds', 10.0), 'seconds'),
        robots={str(name): _robot(str(name), robot, path) for name, robot in robots.items()},
        events=tuple(sorted(events, key=lambda event: event.at)),
        dt=_positive(world.get('dt', 1e-3), 'dt'),
        rate=_positive(world.get('rate', 100.0), 'rate'),
        gravity=tuple(vector(world.get('gravity', (0, 0, 0)), 'gravity')),
        integrator=str(world.get('integrator', 'rk4')),
        text=text,
    )


def circumstances(text: str) -> tuple[dict[str, Any], tuple[bool, ...]]:
    """Return what a scenario says of its world, and which robots are fixed; no robot is loaded."""
    given = yaml.safe_load(text)
    world = {key: given[key] for key in ('dt', 'gravity', 'integrator') if key in given}
    return world, tuple(bool(robot.get('fixed')) for robot in given['robots'].values())


def _robot(name: str, given, path: Path) -> Mapping[str, Any]:
    robot = dict(_mapping(given, f"Robot '{name}'", _ROBOT))
    if not isinstance(robot.get('model'), str) or not robot['model']:
        raise CommandError(f"Robot '{name}' has no model; expected a path or a shipped name.")
    source = named(robot.pop('model'))
    beside = path.parent / source
    local = '://' not in source and not source.lstrip().startswith('<')
    found = beside if local and beside.is_file() else source
    robot['model'] = load_known(found)  # `check` warns
    return robot


def _event(given, what: str) -> Event:
    event = _mapping(given, what, _EVENT)
    at = number(event.get('at', 0.0), f"'at' of {what}")
    if at < 0:
        raise CommandError(f"'at' of {what} is {at}; expected seconds from the start.")
    efforts = _mapping(event.get('efforts', {}), f'efforts of {what}')
    wrench = _mapping(event.get('wrench', {}), f'wrench of {what}', _WRENCH)
    if wrench and 'link' not in wrench:
        raise CommandError(f"The wrench of {what} names no link; expected link: '...'.")
    return Event(
        at,
        {
            joint: _course(value, f"effort of '{joint}', {what},")
            for joint, value in efforts.items()
        },
        wrench,
        tuple(_operation(item, what) for item in _listed(event, 'change', ())),
    )


def _course(value, what: str):
    """Return a number that is held, or the points (seconds, value) of a line."""
    if not isinstance(value, list):
        return number(value, f'The {what}')
    points = [tuple(vector(point, f'A point of the {what}', 2)) for point in value]
    times = [time for time, _ in points]
    if not points or sorted(times) != times:
        raise CommandError(f'The {what} has points that are not in the order of time.')
    return tuple(points)


def _operation(given, what: str) -> tuple:
    """Return an operation as Simulator.change takes it."""
    item = _mapping(given, f'A change of {what}')
    kinds = [kind for kind in _KINDS if kind in item]
    if len(kinds) != 1:
        raise CommandError(
            f'A change of {what} has the keys {", ".join(map(str, item)) or "none"}; expected one '
            f'of {", ".join(_KINDS)}.'
        )
    kind = kinds[0]
    options = {key: value for key, value in item.items() if key != kind}
    _mapping(options, f"'{kind}' of {what}", _OPTIONS.get(kind, ()))
    names = item[kind] if isinstance(item[kind], list) else [item[kind]]
    return (kind, *map(str, names), *([options] if options else []))


def _mapping(given, what: str, known: tuple[str, ...] | None = None) -> Mapping[str, Any]:
    if given is None:
        given = {}
    if not isinstance(given, dict):
        raise CommandError(f'{what} is {given!r}; expected keys and values.')
    for key in given:
        if known is not None and key not in known:
            raise CommandError(f'{what}: {unknown_name("key", key, known)}')
    return given


def _listed(mapping: Mapping[str, Any], key: str, default) -> list:
    found = mapping.get(key) or default
    if not isinstance(found, (list, tuple)):
        raise CommandError(f"'{key}' is {found!r}; expected a list.")
    return list(found)


def _positive(value, what: str) -> float:
    found = number(value, what)
    if found <= 0:
        raise CommandError(f'{what} is {found:g}; expected a number above zero.')
    return found
