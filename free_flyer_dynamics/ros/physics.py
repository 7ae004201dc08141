# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The physics thread: steps on a steady clock, obeys between steps, hands states on."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
import logging
import math
import queue
import threading
import time
from typing import Any

from free_flyer_dynamics.errors import CommandError, FreeFlyerError
from free_flyer_dynamics.pace import Pace
from free_flyer_dynamics.ros import threads
from free_flyer_dynamics.ros.outbox import Again, Changed, Reply
from free_flyer_dynamics.ros.sampling import Sample, Sampler, Wanted
from free_flyer_dynamics.ros.world import World

_LOG = logging.getLogger(__name__)
_MOST_WAITING = 200  # samples handed on and not yet published
_IDLE = 0.05  # s; how long the thread sleeps at most
_LOOK = 1e-3  # s; what a look may take
_ASKED = 10_000_000  # ns; how long what somebody listens to is taken for known, while it runs
_BATCH = 100  # steps at once at most: between looks at the commands, or whether to stop


class PhysicsLoop:
    """
    A world that runs by itself.

    Parameters
    ----------
    world : World
        Nobody else touches it while the loop runs.
    sampler : Sampler
        Of that world.
    wanted : callable
        Tells what is listened to; called on the physics thread.
    pace : Pace
    publish_rate : float
        Samples in a simulated second.
    paused : bool

    """

    def __init__(
        self,
        world: World,
        sampler: Sampler,
        wanted: Callable[[], Wanted],
        pace: Pace,
        publish_rate: float,
        paused: bool,
        priority: int = 0,
    ) -> None:
        self.outbox: queue.SimpleQueue = queue.SimpleQueue()
        self.world = world
        self.pace = pace
        self.paused = paused
        self.skipped = 0  # samples that nobody had time to publish
        self.fault = ''  # why physics stopped by itself
        self._sampler, self._wanted = sampler, wanted
        self._commands: deque[tuple[Callable[[], Any], Any]] = deque()
        self._looks: deque[tuple[Callable[[], Any], Any]] = deque()
        self._wake = threading.Event()
        self._stopping = False
        self._told: tuple[int, int] | None = None
        self._rate = publish_rate
        self._next_sample = 0
        self._priority = priority
        self._listened = Wanted()
        self._ask_at = 0
        self._thread = threading.Thread(target=self._run, name='physics', daemon=True)

    def start(self) -> None:
        """Let it run."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread; a long step ends early."""
        self._stopping = True
        self.pace.call_away()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def submit(self, action: Callable[[], Any], done=None) -> None:
        """Let the physics thread do something between two steps; done(result, error) is told."""
        self._commands.append((action, done))
        self._call()

    def look(self, action: Callable[[], Any], done) -> None:
        """Let the physics thread tell how things stand, amid many steps at once too."""
        self._looks.append((action, done))
        self._call()

    def _call(self) -> None:
        """Call the physics thread away from steps on time, or awake; any thread may."""
        self.pace.call_away()
        if self.paused or not self.pace.period or self.pace.period > _IDLE:
            self._wake.set()

    def set_paused(self, paused: bool) -> None:
        """Stop or go; on the physics thread."""
        if self.paused and not paused:
            self.fault = ''
            self.pace.restart(time.monotonic())
        if paused and not self.paused:
            self._emit()
        self.paused = paused

    def set_publish_rate(self, rate: float) -> None:
        """Publish that often from now on; on the physics thread."""
        self._rate = rate
        self._plan_sample()

    def set_factor(self, factor: float) -> None:
        """Run that fast from now on; on the physics thread."""
        self.pace.set_factor(factor)

    def step(self, n: int) -> int:
        """Make n steps while paused, and return the stamp [ns]; on the physics thread."""
        if not self.paused:
            raise CommandError(
                'The simulation runs; stepping is for a paused one. Call ~/pause with data true.'
            )
        self._advance(n, wait=True)
        return self.world.stamp

    def _run(self) -> None:
        threads.make_punctual(self._priority)
        self._tell_structure()
        self._emit()
        self._plan_sample()
        self.pace.restart(time.monotonic())
        while not self._stopping:
            try:
                self._turn()
            except Exception as error:
                self._stop_at(error)

    def _stop_at(self, error: Exception) -> None:
        """Stand still after an error, and say so: physics never just vanishes."""
        self.paused = True
        self.fault = str(error)
        told = _LOG.error if isinstance(error, FreeFlyerError) else _LOG.exception
        told('Physics stopped and is paused now: %s', error)

    def _turn(self) -> None:
        """Do what was asked, then what is due, or sleep."""
        self._obey(self._commands)
        if self._looks and not self.paused and self._is_soon():
            self._advance(1, self.pace)  # then there is all the time until the next one
        self._obey(self._looks)
        if self.paused or self.pace.wait(time.monotonic()) > _IDLE:
            self._wake.wait(_IDLE)
            self._wake.clear()
        elif self.pace.period:
            self._advance(_BATCH if self.pace.period < _IDLE else 1, self.pace)
        else:
            self._advance(_BATCH)

    def _is_soon(self) -> bool:
        """Tell whether a step is to be on time, and who looks first may be too late for it."""
        return self.pace.period > 0 and self.pace.wait(time.monotonic()) < _LOOK

    def _obey(self, asked: deque) -> None:
        for _ in range(len(asked)):  # those that come meanwhile wait for a step
            if self._stopping:
                return
            action, done = asked.popleft()
            before = self.world.stamp
            try:
                result, error = action(), None
            except Exception as failure:
                result, error = None, failure
            if done is None:
                if error is not None:
                    _LOG.error('A command failed: %s', error)
                continue
            try:
                if self._tell_structure() or self.world.stamp != before:
                    self._emit()
            finally:  # whoever asked is answered, even if the new state cannot be read
                self.outbox.put(Reply(done, result, error))

    def _tell_structure(self) -> bool:
        """Tell how the world hangs together when that changed, or when a state was set."""
        version = self.world.version
        if version == self._told:
            return False
        self._told = version
        self.outbox.put(Changed(self.world.stamp, self.world.connectivity()))
        return True

    def _advance(self, n: int, pace: Pace | None = None, wait: bool = False) -> None:
        made = chunk = 0
        while n > 0 and made == chunk and not self._stopping:
            chunk = max(min(n, self._next_sample - self.world.tick, _BATCH), 1)
            made = self.world.advance(chunk, pace)
            n -= made
            if wait:
                self._obey(self._looks)
            if self.world.tick >= self._next_sample:
                self._plan_sample()
                if wait and n == 0:
                    return  # the last one goes out with the answer
                self._emit(wait)

    def _plan_sample(self) -> None:
        """Let the next sample be at the next multiple of its interval, in steps ever made."""
        interval = 1 / (self._rate * self.world.sim.dt)
        count = math.floor(self.world.tick / interval + 1e-6) + 1
        self._next_sample = max(math.ceil(count * interval - 1e-6), self.world.tick + 1)

    def tell(self) -> None:
        """Hand the present state on once more; on the physics thread."""
        self.outbox.put(Again(self._sampler.sample(self._wanted())))

    def _emit(self, wait: bool = False) -> None:
        """Hand the state on; when publishing lags, leave it out, or wait where there is time."""
        while wait and self.outbox.qsize() > _MOST_WAITING and not self._stopping:
            time.sleep(1e-3)
        if self.outbox.qsize() > (_MOST_WAITING if self.pace.period or self.paused else 2):
            self.skipped += 1
            return
        now = self.world.stamp
        if self.paused or now >= self._ask_at:
            self._listened, self._ask_at = self._wanted(), now + _ASKED
        sample: Sample = self._sampler.sample(self._listened)
        self.outbox.put(sample)
