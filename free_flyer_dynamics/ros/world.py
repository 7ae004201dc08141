# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A simulator with what a node adds: commands that run out, kept states, a clock for ever."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
import math

from free_flyer_dynamics.connectivity import Connectivity
from free_flyer_dynamics.errors import CommandError, StateError, unknown_name
from free_flyer_dynamics.pace import Pace
from free_flyer_dynamics.simulator import Simulator
from free_flyer_dynamics.transition import Transition

NANOSECONDS = 1_000_000_000


@dataclass(frozen=True)
class _Kept:
    """A state by name: the snapshot, and in how many steps which commands run out."""

    data: bytes
    left: Mapping[tuple[str, str], tuple[int, bool]]  # steps, by topic


class World:
    """
    The simulator and its clock, for one thread at a time.

    Parameters
    ----------
    sim : Simulator
        With its robots in it.
    wheels : iterable of str
        Joints that are reaction wheels.

    """

    def __init__(self, sim: Simulator, wheels: Iterable[str]) -> None:
        self.sim = sim
        self.tick = 0  # steps ever made
        self.timeouts = 0  # commands by topic that fell silent
        self.clipped = 0  # efforts; the simulator's own count goes back with its state
        self.restored = 0  # how often a state was set
        self._wheels = tuple(wheels)
        self._offset = 0  # stamp less simulated time [ns]
        self._until: dict[tuple[str, str], tuple[int, bool]] = {}  # (what, name): tick, by topic
        self._kept: dict[str, _Kept] = {}
        self._start = sim.snapshot()
        # How far the stamp goes on when a state is put in: no two states bear the same one.
        self._tick_length = max(round(sim.dt * NANOSECONDS), 1)

    @property
    def stamp(self) -> int:
        """Return the time of the state [ns]: above 0, and never less than it was."""
        return max(self._offset + round(self.sim.time * NANOSECONDS), 1)

    def advance(self, n: int, pace: Pace | None = None) -> int:
        """
        Advance by n steps; what runs out on the way stops acting on its step.

        With a pace each when it is due, and fewer when called away. Returns how many were made.
        """
        done, made, chunk = 0, 0, 0
        while made == chunk:
            if self._until:
                self._expire()
            if done == n:
                break
            nearest = min((tick for tick, _ in self._until.values()), default=self.tick + n)
            chunk = min(n - done, nearest - self.tick)
            made = self._step(chunk, pace)
            done += made
        return done

    def _step(self, n: int, pace: Pace | None) -> int:
        before = self.sim.time
        try:
            if pace is None:
                self.sim.step(n)
                return n
            return self.sim.step_on_time(pace, n)
        finally:  # where one goes bad those before it are made
            self.tick += round((self.sim.time - before) / self.sim.dt)

    def _expire(self) -> None:
        for key in [key for key, (tick, _) in self._until.items() if tick <= self.tick]:
            _, by_topic = self._until.pop(key)
            what, name = key
            self.timeouts += by_topic
            if what == 'wrench':
                self.sim.set_wrench(name)
            elif name in self.sim.joint_names:
                self.sim.set_efforts({name: 0.0})

    def set_efforts(
        self, efforts: Mapping[str, float], duration: float = 0.0, by_topic: bool = False
    ) -> None:
        """Drive joints, for a while or (0) until set again."""
        steps = self._steps(duration)
        self.clipped += len(self.sim.set_efforts(efforts))
        for name in efforts:
            self._remember(('effort', name), steps, by_topic)

    def set_wheel_efforts(self, efforts: Mapping[str, float], duration: float = 0.0) -> None:
        """Drive reaction wheels; other joints are refused."""
        for name in efforts:
            self.check_wheel(name)
        self.set_efforts(efforts, duration)

    def check_wheel(self, name: str) -> None:
        """Refuse what is not a reaction wheel."""
        if name not in self._wheels:
            raise CommandError(unknown_name('reaction wheel', name, self._wheels))

    def set_wrench(self, link: str, force, torque, frame: str, duration: float) -> None:
        """Push a link at its origin, for a while or (0) until set again."""
        self.sim.set_wrench(link, force, torque, frame)
        self._remember(('wrench', link), self._steps(duration), True)

    def _steps(self, duration: float) -> int:
        if not (math.isfinite(duration) and duration >= 0):
            raise CommandError(f'duration must be 0 or more seconds, got {duration}.')
        return max(round(duration / self.sim.dt), 1) if duration else 0

    def _remember(self, key: tuple[str, str], steps: int, by_topic: bool) -> None:
        if steps:
            self._until[key] = (self.tick + steps, by_topic)
        else:
            self._until.pop(key, None)

    def change(self, operations: Iterable[tuple]) -> Transition:
        """Change the structure, all or nothing."""
        transition = self.sim.change(operations)
        known = set(self.sim.joint_names)
        for key in [key for key in self._until if key[0] == 'effort' and key[1] not in known]:
            del self._until[key]
        return transition

    def place(self, prefix: str, **given) -> None:
        """Put a robot elsewhere, as `Simulator.place` does."""
        self.sim.place(prefix, **given)
        self._offset += self._tick_length

    @property
    def version(self) -> tuple[int, int]:
        """Return what is another whenever the structure may be."""
        return self.sim.revision, self.restored

    def connectivity(self) -> Connectivity:
        """Return how the world hangs together."""
        return self.sim.connectivity()

    def keep(self, name: str) -> None:
        """Keep the whole state under a name."""
        if not name:
            raise StateError('The name of a state is empty; give it one.')
        left = {key: (tick - self.tick, topic) for key, (tick, topic) in self._until.items()}
        self._kept[name] = _Kept(self.sim.snapshot(), left)

    def load(self, name: str) -> None:
        """Go back to a kept state; the clock goes on."""
        if name not in self._kept:
            raise StateError(unknown_name('state', name, self._kept))
        self._restore(self._kept[name])

    def reset(self) -> None:
        """Go back to the start; the clock goes on."""
        self._restore(_Kept(self._start, {}))

    def _restore(self, kept: _Kept) -> None:
        stamp = self.stamp
        self.sim.restore(kept.data)
        self.restored += 1
        self._until = {key: (self.tick + left, topic) for key, (left, topic) in kept.left.items()}
        self._offset = stamp + self._tick_length - round(self.sim.time * NANOSECONDS)
