# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Fly a scenario: a tick at a time, inputs held within a tick, everything noted at its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from free_flyer_dynamics.checks import number
from free_flyer_dynamics.cli.recording import Record, Recorder
from free_flyer_dynamics.cli.scenario import Event, Scenario
from free_flyer_dynamics.errors import CommandError, unknown_name
from free_flyer_dynamics.simulator import Simulator
from free_flyer_dynamics.transition import Transition
import numpy as np
from scipy.spatial.transform import Rotation


def build(scenario: Scenario) -> Simulator:
    """Return the world at its start."""
    sim = Simulator(dt=scenario.dt, gravity=scenario.gravity, integrator=scenario.integrator)
    for robot in scenario.robots.values():
        sim.add(**robot)
    return sim


def steps_in_a_tick(scenario: Scenario) -> int:
    """Return how many steps a tick has: a whole number."""
    steps = 1.0 / (scenario.rate * scenario.dt)
    if round(steps) < 1 or abs(steps - round(steps)) > 1e-6 * steps:
        raise CommandError(
            f'rate {scenario.rate:g} Hz does not go with dt {scenario.dt:g} s: a tick would have '
            f'{steps:g} steps; expected a whole number.'
        )
    return round(steps)


class Flight:
    """
    A scenario on its way.

    Parameters
    ----------
    scenario : Scenario
    told : callable
        Called with each Transition, once it has happened.

    """

    def __init__(
        self, scenario: Scenario, told: Callable[[float, Transition], None] | None = None
    ) -> None:
        self.sim = build(scenario)
        self.scenario = scenario
        self._told = told or (lambda time, transition: None)
        self._steps = steps_in_a_tick(scenario)
        _refuse_unknown(scenario, self.sim)  # now, and not after an hour of flight
        self.ticks = max(round(scenario.seconds * scenario.rate), 1)
        self._coming = list(scenario.events)
        self._courses: dict[str, tuple[float, Any]] = {}
        self._pushes: dict[str, tuple[float, Mapping[str, Any]]] = {}
        self._recorder = Recorder(self.sim, scenario.robots)

    def fly(self) -> Iterator[Record]:
        """Yield what is noted at the start, and after each tick."""
        for k in range(self.ticks):
            commands = self._command(k / self.scenario.rate)
            yield self._recorder.record(self.sim, commands)
            self.sim.step(self._steps)
        yield self._recorder.record(self.sim, {})

    def _command(self, now: float) -> Mapping[str, Any]:
        """Do what is due; return efforts and wrenches given, and operations done."""
        given: dict[str, Any] = {'efforts': {}, 'operations': []}
        slack = 1e-9
        for link, (end, _) in list(self._pushes.items()):
            if end <= now + slack:
                self._pushes[link] = (np.inf, {'link': link})
                self.sim.set_wrench(link)
        while self._coming and self._coming[0].at <= now + slack:
            self._begin(self._coming.pop(0), given)
        names = self.sim.joint_names
        efforts = {j: _at(c, now - start) for j, (start, c) in self._courses.items() if j in names}
        if efforts:
            self.sim.set_efforts(efforts)
            given['efforts'] = efforts
        given['wrenches'] = {link: self._felt(push) for link, (_, push) in self._pushes.items()}
        return given

    def _begin(self, event: Event, given: dict[str, Any]) -> None:
        if event.change:
            transition = self.sim.change(event.change)
            given['operations'] += event.change
            self._told(event.at, transition)
        self.sim.set_efforts(dict.fromkeys(event.efforts, 0.0))  # refuses what nobody is named
        self._courses.update({j: (event.at, course) for j, course in event.efforts.items()})
        if event.wrench:
            push = {key: value for key, value in event.wrench.items() if key != 'for'}
            self.sim.set_wrench(**push)
            until = event.wrench.get('for')
            lasts = np.inf if until is None else number(until, "'for' of a wrench")
            self._pushes[push['link']] = (event.at + lasts, push)

    def _felt(self, push: Mapping[str, Any]) -> tuple[np.ndarray, np.ndarray]:
        """Return a push as force and torque at its link's origin, in the link's axes."""
        force, torque = (np.array(push.get(key, (0, 0, 0)), float) for key in ('force', 'torque'))
        if push.get('frame', 'world') == 'world':
            turn = Rotation.from_quat(self.sim.pose(push['link']).quaternion).inv()
            force, torque = turn.apply(force), turn.apply(torque)
        return force, torque + np.cross(push.get('point', (0, 0, 0)), force)


def _refuse_unknown(scenario: Scenario, sim: Simulator) -> None:
    """Refuse events that name joints or links which nobody has, nor an attachment to come."""
    joined = [op for event in scenario.events for op in event.change if op[0] == 'attach']
    names = [op[-1].get('name') if isinstance(op[-1], dict) else None for op in joined]
    coming = {f'{name}{axis}' for name in names for axis in ('', '_x', '_y', '_z')}
    for event in scenario.events:
        for joint in event.efforts:
            if joint not in sim.joint_names and joint not in coming and None not in names:
                raise CommandError(unknown_name('joint', joint, sim.joint_names))
        if event.wrench:
            sim.pose(event.wrench['link'])  # raises, with the names there are


def _at(course, time: float) -> float:
    """Return the value of a course at a time since it began."""
    if isinstance(course, tuple):
        times, values = zip(*course, strict=True)
        return float(np.interp(time, times, values))
    return course
