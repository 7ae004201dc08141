# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What is told each second of how the simulation fares."""

from __future__ import annotations

import time

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from free_flyer_dynamics.ros import conversions
from free_flyer_dynamics.ros.guard import Guard
from free_flyer_dynamics.ros.physics import PhysicsLoop
from free_flyer_dynamics.ros.publishers import Publishers
from free_flyer_dynamics.ros.tally import Tally
import numpy as np

ASTRAY = 1e-6  # residuals beyond this are worth a warning
_QUANTILES = (50.0, 99.0, 99.9)


class Diagnostics:
    """Collects on the physics thread; hands out a message."""

    def __init__(
        self, name: str, loop: PhysicsLoop, publishers: Publishers, refused: Tally, guard: Guard
    ) -> None:
        self._name, self._loop, self._publishers = name, loop, publishers
        self._refused, self._guard = refused, guard
        self._before = (time.monotonic(), 0, loop.world.tick)
        self._counted = (0, 0, 0, 0)

    def collect(self) -> DiagnosticArray:
        """Return the report of the last second; on the physics thread."""
        stamp = self._loop.world.stamp
        return DiagnosticArray(
            header=conversions.header(stamp, ''),
            status=[self._physics(), self._motion(), self._commands()],
        )

    def _status(self, what: str, level: bytes, message: str, values) -> DiagnosticStatus:
        return DiagnosticStatus(
            level=level,
            name=f'{self._name}: {what}',
            message=message,
            hardware_id=self._name,
            values=[KeyValue(key=key, value=_text(value)) for key, value in values],
        )

    def _physics(self) -> DiagnosticStatus:
        loop, pace, dt = self._loop, self._loop.pace, self._loop.world.sim.dt
        now, tick = time.monotonic(), loop.world.tick
        then, overruns, tick_before = self._before
        self._before = (now, pace.overruns, tick)
        reached = (tick - tick_before) * dt / max(now - then, 1e-9)
        late = [1e6 * x for x in _quantiles(pace.take_lateness())]
        level, message = DiagnosticStatus.OK, 'Paused.' if loop.paused else 'Running.'
        if pace.overruns > overruns:
            level = DiagnosticStatus.WARN
            message = f'{pace.overruns - overruns} deadlines missed in the last second.'
        if loop.fault:
            level, message = DiagnosticStatus.ERROR, f'Stopped: {loop.fault}'
        values = (
            ('simulated time', f'{loop.world.sim.time:.9g} s'),
            ('steps', tick),
            ('paused', loop.paused),
            ('real-time factor', reached),
            ('real-time factor asked', pace.factor),
            ('overruns', pace.overruns),
            ('time lost', f'{pace.lost:.6g} s'),
            *((f'lateness p{q:g}', f'{x:.1f} us') for q, x in zip(_QUANTILES, late, strict=False)),
            ('states not published', loop.skipped),
        )
        return self._status('physics', level, message, values)

    def _motion(self) -> DiagnosticStatus:
        residuals = self._loop.world.sim.residuals()
        momentum = self._loop.world.sim.momentum()
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

    def _commands(self) -> DiagnosticStatus:
        world, crashes = self._loop.world, self._guard.crashes
        counted = (self._refused.total, world.clipped, world.timeouts, crashes.total)
        names = ('rejected commands', 'clipped efforts', 'timed out commands', 'callback crashes')
        new = [
            f'{now - before} {name}'
            for name, now, before in zip(names, counted, self._counted, strict=True)
            if now > before
        ]
        self._counted = counted
        values = (
            *zip(names, counted, strict=True),
            *((f'rejected by {where}', n) for where, n in self._refused.counts().items()),
            ('last rejection', self._refused.last),
            ('last crash', crashes.last),
            ('publishing failures', self._publishers.failures),
        )
        level = DiagnosticStatus.WARN if new else DiagnosticStatus.OK
        message = f'In the last second: {", ".join(new)}.' if new else 'Nothing refused.'
        return self._status('commands', level, message, values)


def _quantiles(values: np.ndarray) -> list[float]:
    return list(np.percentile(values, _QUANTILES)) if len(values) else []


def _text(value) -> str:
    return f'{value:.6g}' if isinstance(value, float) else str(value)
