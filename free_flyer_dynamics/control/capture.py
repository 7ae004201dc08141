# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
A capture from approach to release, as a sequence that keeps nothing in mind.

What phase it is, is read off what is joined, locked and moving, and for how long; so a capture can
be watched, paused, taken over or set back by anybody, at any time. [Dimitrov] 4.5, 5.3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from free_flyer_dynamics.control.controller import Controller
from free_flyer_dynamics.control.situation import Situation
import numpy as np

GRIP = 'grip'  # the name of the attachment
RESET = (('reset',),)
ROUNDING = 1e-6  # s


class Phase(Enum):
    """Where a capture stands."""

    APPROACH = 'approach'  # the hand on its way to the grasp point
    GRASP = 'grasp'  # in contact, soon to be locked: the arm still gives way
    LOCK = 'lock'  # just locked: one rigid body, the base in it, goes on as momentum has it
    ABSORB = 'absorb'  # the wheels store momentum until nothing else moves
    HOLD = 'hold'  # at rest, the arm locked
    RELEASED = 'released'  # the target let go
    MISSED = 'missed'  # at the contact the hand was elsewhere


@dataclass(frozen=True)
class Seen:
    """
    What a capture goes by.

    Parameters
    ----------
    time : float
        Since the start of the approach [s].
    since : float
        The last change of what is joined or locked [s].
    rest : float
        For how long all has been at rest; 0 while something moves, or was just changed [s].
    held, caught : bool
        Whether the grip holds, and whether it has held since the start.
    locked : frozenset of str
        Joints that are.
    gap : float
        From the hand to the grasp point [m].
    grips : tuple of str
        The attachments that hold; somebody may have grasped by hand and named it otherwise.

    """

    time: float
    since: float
    rest: float
    held: bool
    caught: bool
    locked: frozenset[str]
    gap: float
    grips: tuple[str, ...] = (GRIP,)


@dataclass(frozen=True)
class Capture:
    """
    A capture: which law in which phase, and what change is due.

    Parameters
    ----------
    laws : mapping of Phase to Controller
        One for each phase that can come up; that of HOLD absorbs too, once the arm is locked.
    hand, target : str
        The frames to be joined.
    arm : sequence of str
        The joints to be locked.
    contact : float
        When [s].
    locks_moving : bool
        Whether the arm is locked soon after the contact, so that the base takes the tumble over
        at once, and the wheels absorb it from there; or when arm and wheels have absorbed it.
    pause : float
        How long grasp and lock last each, so that who watches sees one after the other [s].
    reach : float
        At most from the hand to the grasp point at the contact [m].
    still, calm : float
        Rates of the arm's joints, and of the base, that are rest [rad/s].
    linger : float
        How long each of hold, released and missed lasts before it goes on; 0: for ever [s].

    """

    laws: Mapping[Phase, Controller]
    hand: str
    target: str
    arm: Sequence[str]
    contact: float
    locks_moving: bool = True
    pause: float = 2.0
    reach: float = 0.05
    still: float = 1e-3
    calm: float = 5e-5
    linger: float = 0.0

    def moves(self, situation: Situation) -> bool:
        """Tell whether the arm moves, or the base turns that has wheels to stop it."""
        arm, base = situation.joint_rates[situation.arm], situation.base_rate
        turns = len(situation.positions[situation.wheels]) and np.abs(base).max() > self.calm
        return bool(np.abs(arm).max(initial=0.0) > self.still or turns)

    def phase(self, seen: Seen) -> Phase:
        """Return where the capture stands."""
        if seen.held:
            return self._holding(seen)
        if seen.caught:
            return Phase.RELEASED
        missed = seen.time > self.contact - ROUNDING and seen.gap > self.reach
        return Phase.MISSED if missed else Phase.APPROACH

    def _holding(self, seen: Seen) -> Phase:
        if not self._stopped(seen):
            return Phase.GRASP if self.locks_moving else Phase.ABSORB
        if seen.since < self.pause - ROUNDING:
            return Phase.LOCK
        return Phase.HOLD if seen.rest > 0.0 else Phase.ABSORB

    def law(self, seen: Seen) -> Controller:
        """Return the law of the phase; once the arm is locked only the wheels have a say."""
        phase = self.phase(seen)
        alone = phase is Phase.ABSORB and self._stopped(seen)
        return self.laws[Phase.HOLD if alone else phase]

    def due(self, seen: Seen) -> tuple[tuple, ...]:
        """Return the change to be made now, as `Simulator.change` takes it, or `RESET`, or ()."""
        phase = self.phase(seen)
        if phase is Phase.APPROACH:
            there = seen.time > self.contact - ROUNDING
            return (('attach', self.hand, self.target, {'name': GRIP}),) if there else ()
        free = [name for name in self.arm if name not in seen.locked]
        if seen.held and free:
            late = seen.since > self.pause - ROUNDING if self.locks_moving else seen.rest > 0.0
            return (('lock', *free),) if late else ()
        if not self.linger or self._waited(phase, seen) < self.linger:
            return ()
        if phase is not Phase.HOLD:
            return RESET
        unlock = (('unlock', *self.arm),) if self.arm else ()
        return (*unlock, *(('detach', name) for name in seen.grips))

    def _stopped(self, seen: Seen) -> bool:
        return seen.locked >= set(self.arm)

    def _waited(self, phase: Phase, seen: Seen) -> float:
        """Return how long a phase that somebody may look at has lasted [s]."""
        if phase is Phase.HOLD:
            return min(seen.rest, seen.since - self.pause)
        return {Phase.MISSED: seen.time - self.contact, Phase.RELEASED: seen.since}.get(phase, 0.0)
