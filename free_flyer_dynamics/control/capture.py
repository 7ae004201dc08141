# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
A capture from approach to release, as a sequence that keeps nothing in mind.

What phase it is, is read off what is joined, locked and how long ago that changed; so a capture
can be watched, paused, taken over or set back by anybody, at any time. [Dimitrov] 4.5, 5.3.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    ABSORB = 'absorb'  # in contact: the arm holds the base, the wheels store momentum
    HOLD = 'hold'  # at rest, the arm locked
    RELEASED = 'released'  # the target let go
    MISSED = 'missed'  # at the contact the hand was elsewhere


@dataclass(frozen=True)
class Seen:
    """
    What a capture goes by, beside the motion of its robot.

    Parameters
    ----------
    time : float
        Since the start of the approach [s].
    since : float
        The last change of what is joined or locked [s].
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
    approach, after, rest : Controller
        The laws until the contact, after it until all is at rest, and from then on.
    hand, target : str
        The frames to be joined.
    arm : sequence of str
        The joints to be locked when all is at rest.
    contact : float
        When [s].
    reach : float
        At most from the hand to the grasp point then [m].
    still : float
        Rate of the arm's joints that is rest [rad/s].
    linger : float
        How long each of hold, released and missed lasts before it goes on; 0: for ever [s].

    """

    approach: Controller
    after: Controller
    rest: Controller
    hand: str
    target: str
    arm: Sequence[str]
    contact: float
    reach: float = 0.05
    still: float = 1e-3
    linger: float = 0.0

    def phase(self, seen: Seen) -> Phase:
        """Return where the capture stands."""
        if seen.held:
            return Phase.HOLD if seen.locked >= set(self.arm) else Phase.ABSORB
        if seen.caught:
            return Phase.RELEASED
        missed = seen.time > self.contact - ROUNDING and seen.gap > self.reach
        return Phase.MISSED if missed else Phase.APPROACH

    def law(self, seen: Seen) -> Controller:
        """Return the law of the phase."""
        by_phase = {Phase.APPROACH: self.approach, Phase.ABSORB: self.after}
        return by_phase.get(self.phase(seen), self.rest)

    def due(self, situation: Situation, seen: Seen) -> tuple[tuple, ...]:
        """Return the change to be made now, as `Simulator.change` takes it, or `RESET`, or ()."""
        phase = self.phase(seen)
        if phase is Phase.APPROACH:
            there = seen.time > self.contact - ROUNDING
            return (('attach', self.hand, self.target, {'name': GRIP}),) if there else ()
        if phase is Phase.ABSORB:
            slow = np.abs(situation.joint_rates[situation.arm]).max() < self.still
            free = [name for name in self.arm if name not in seen.locked]
            return (('lock', *free),) if slow else ()
        waited = seen.time - self.contact if phase is Phase.MISSED else seen.since
        if not self.linger or waited < self.linger:
            return ()
        if phase is not Phase.HOLD:
            return RESET
        return (('unlock', *self.arm), *(('detach', name) for name in seen.grips))
