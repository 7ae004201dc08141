# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What is told each second of how the simulation fares."""

from __future__ import annotations

from collections.abc import Callable
import time
from typing import NamedTuple

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from free_flyer_dynamics.ros import conversions
from free_flyer_dynamics.ros.guard import Guard
from free_flyer_dynamics.ros.physics import PhysicsLoop
from free_flyer_dynamics.ros.publishers import Publishers
from free_flyer_dynamics.ros.tally import Tally
from free_flyer_dynamics.values import Momentum, Residuals
import numpy as np

ASTRAY = 1e-6  # residuals beyond this are worth a warning
_QUANTILES = (50.0, 99.0, 99.9)
_COUNTED = ('rejected commands', 'clipped efforts', 'timed out commands', 'callback crashes')


class Reading(NamedTuple):
    """How things stood at one instant; nothing of it changes any more."""

    stamp: int  # ns
    now: float  # s, on the steady clock
    time: float  # s, simulated
    tick: int
    paused: bool
    fault: str
    factor: float
    overruns: int
    lost: float  # s
    lateness: np.ndarray  # s, of each wake-up since the reading before
    skipped: int
    residuals: Residuals
    momentum: Momentum
    counted: tuple[int, int, int, int]  # as `_COUNTED` names them


class Diagnostics:
    """
    Reads on the physics thread, which has no time to lose; tells on another.

    Parameters
    ----------
    name : str
    loop : PhysicsLoop
    publishers : Publishers
    refused : Tally
    guard : Guard

    """

    def __init__(
        self, name: str, loop: PhysicsLoop, publishers: Publishers, refused: Tally, guard: Guard
    ) -> None:
        self._name, self._loop, self._publishers = name, loop, publishers
        self._refused, self._guard = refused, guard
        self._then, self._ticked = time.monotonic(), loop.world.tick
        self._overruns, self._counted = 0, (0, 0, 0, 0)

    def ask(self, done: Callable[[DiagnosticArray | None, Exception | None], None]) -> None:
        """Have a report made of the time since the one before; done(report, error) is told."""

        def told(read: Reading | None, error: Exception | None) -> None:
            try:
                message = None if read is None else self._message(read)
            except Exception as wrong:  # who asked asks again once this one has ended
                message, error = None, wrong
            done(message, error)

        self._loop.look(self._read, told)

    def _read(self) -> Reading:
        loop, pace, world = self._loop, self._loop.pace, self._loop.world
        return Reading(
            stamp=world.stamp,
            now=time.monotonic(),
            time=world.sim.time,
            tick=world.tick,
            paused=loop.paused,
            fault=loop.fault,
            factor=pace.factor,
            overruns=pace.overruns,
            lost=pace.lost,
            lateness=pace.take_lateness(),
            skipped=loop.skipped,
            residuals=world.sim.residuals(),
            momentum=world.sim.momentum(),
            counted=(
                self._refused.total,
                world.clipped,
                world.timeouts,
                self._guard.crashes.total,
            ),
        )

    def _message(self, read: Reading) -> DiagnosticArray:
        return DiagnosticArray(
            header=conversions.header(read.stamp, ''),
            status=[self._physics(read), self._motion(read), self._commands(read)],
        )

    def _status(self, what: str, level: bytes, message: str, values) -> DiagnosticStatus:
        return DiagnosticStatus(
            level=level,
            name=f'{self._name}: {what}',
            message=message,
            hardware_id=self._name,
            values=[KeyValue(key=key, value=_text(value)) for key, value in values],
        )

    def _physics(self, read: Reading) -> DiagnosticStatus:
        simulated = (read.tick - self._ticked) * self._loop.world.sim.dt
        reached = simulated / max(read.now - self._then, 1e-9)
        missed = read.overruns - self._overruns
        self._then, self._ticked, self._overruns = read.now, read.tick, read.overruns
        late = [1e6 * x for x in _quantiles(read.lateness)]
        level, message = DiagnosticStatus.OK, 'Paused.' if read.paused else 'Running.'
        if missed > 0:
            level = DiagnosticStatus.WARN
            message = f'{missed} deadlines missed in the last second.'
        if read.fault:
            level, message = DiagnosticStatus.ERROR, f'Stopped: {read.fault}'
        values = (
            ('simulated time', f'{read.time:.9g} s'),
            ('steps', read.tick),
            ('paused', read.paused),
            ('real-time factor', reached),
            ('real-time factor asked', read.factor),
            ('overruns', read.overruns),
            ('time lost', f'{read.lost:.6g} s'),
            *((f'lateness p{q:g}', f'{x:.1f} us') for q, x in zip(_QUANTILES, late, strict=False)),
            ('states not published', read.skipped),
        )
        return self._status('physics', level, message, values)

    def _motion(self, read: Reading) -> DiagnosticStatus:
        residuals, momentum = read.residuals, read.momentum
        astray = not max(residuals.momentum, residuals.loops) < ASTRAY
        values = (
            ('momentum residual', residuals.momentum),
            ('loop residual', residuals.loops),
            ('linear momentum', f'{float(np.linalg.norm(momentum.linear)):.9g} N s'),
            ('angular momentum', f'{float(np.linalg.norm(momentum.angular)):.9g} N m s'),
            ('kinetic energy', f'{momentum.kinetic_energy:.9g} J'),
        )
        level = DiagnosticStatus.WARN if astray else DiagnosticStatus.OK
        return self._status('motion', level, 'Astray.' if astray else 'Consistent.', values)

    def _commands(self, read: Reading) -> DiagnosticStatus:
        new = [
            f'{now - before} {name}'
            for name, now, before in zip(_COUNTED, read.counted, self._counted, strict=True)
            if now > before
        ]
        self._counted = read.counted
        values = (
            *zip(_COUNTED, read.counted, strict=True),
            *((f'rejected by {where}', n) for where, n in self._refused.counts().items()),
            ('last rejection', self._refused.last),
            ('last crash', self._guard.crashes.last),
            ('publishing failures', self._publishers.failures),
        )
        level = DiagnosticStatus.WARN if new else DiagnosticStatus.OK
        message = f'In the last second: {", ".join(new)}.' if new else 'Nothing refused.'
        return self._status('commands', level, message, values)


def _quantiles(values: np.ndarray) -> list[float]:
    return list(np.percentile(values, _QUANTILES)) if len(values) else []


def _text(value) -> str:
    return f'{value:.6g}' if isinstance(value, float) else str(value)
