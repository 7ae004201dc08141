# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What a capture does next, read off what is seen: no phase is kept in mind."""

from dataclasses import replace

from free_flyer_dynamics.control import Capture, GRIP, HoldJoints, Phase, RESET, Seen
import numpy as np
import pytest

from test.control.robots import seven_joint

pytestmark = pytest.mark.jit

ARM = tuple(f'J{i}' for i in range(1, 8))
LAWS = {phase: HoldJoints(frequency=k + 1.0) for k, phase in enumerate(Phase)}
MOVING = Capture(LAWS, 'hand', 'target', ARM, contact=30.0)  # locked soon after the contact
AT_REST = replace(MOVING, locks_moving=False)
START = Seen(
    time=0.0, since=0.0, rest=0.0, held=False, caught=False, locked=frozenset(), gap=1.0
)  # fmt: skip
GRASP = (('attach', 'hand', 'target', {'name': GRIP}),)
LOCK = (('lock', *ARM),)
LET_GO = (('unlock', *ARM), ('detach', GRIP))

HELD = replace(START, time=31.0, since=1.0, held=True, caught=True, gap=0.0)
LOCKED = replace(HELD, locked=frozenset(ARM))
LATER = replace(LOCKED, since=2.0)
RESTING = replace(LATER, rest=0.01)
RELEASED = replace(HELD, held=False)
STORY = (
    # what is seen, the phase and what is due, of a capture that locks the arm while it moves
    (START, Phase.APPROACH, ()),
    (replace(START, time=29.99, gap=0.001), Phase.APPROACH, ()),
    (replace(START, time=30.0, gap=0.001), Phase.APPROACH, GRASP),
    (replace(START, time=30.0, gap=0.1), Phase.MISSED, ()),
    (HELD, Phase.GRASP, ()),
    (replace(HELD, rest=1.0), Phase.GRASP, ()),
    (replace(HELD, since=2.0), Phase.GRASP, LOCK),
    (replace(LATER, locked=frozenset(ARM[1:])), Phase.GRASP, (('lock', 'J1'),)),
    (LOCKED, Phase.LOCK, ()),
    (LATER, Phase.ABSORB, ()),
    (RESTING, Phase.HOLD, ()),
    (RELEASED, Phase.RELEASED, ()),
)
OTHER = (
    # and of one that waits until it is at rest
    (replace(START, time=30.0, gap=0.001), Phase.APPROACH, GRASP),
    (replace(HELD, since=50.0), Phase.ABSORB, ()),
    (replace(HELD, rest=0.01), Phase.ABSORB, LOCK),
    (LOCKED, Phase.LOCK, ()),
    (LATER, Phase.ABSORB, ()),
    (RESTING, Phase.HOLD, ()),
)


@pytest.mark.parametrize(
    ('capture', 'seen', 'phase', 'due'),
    [*((MOVING, *row) for row in STORY), *((AT_REST, *row) for row in OTHER)],
    ids=lambda x: getattr(x, 'value', ''),
)
def test_each_phase_has_its_law_and_its_change(capture, seen, phase, due):
    """From what is joined, locked, near and at rest."""
    assert capture.phase(seen) is phase
    alone = phase is Phase.ABSORB and seen.locked >= {*ARM}
    assert capture.law(seen) is LAWS[Phase.HOLD if alone else phase]
    assert capture.due(seen) == due


def situation(arm=0.0, wheels=0.0, base=(0.0, 0.0, 0.0)):
    """Return an instant at which the joints move, and the base turns, so fast."""
    rates = [arm] * 7 + [wheels] * 3
    return seven_joint().situation(np.zeros(10), rates, base_twist=[*base, 1.0, 0.0, 0.0])


def test_arm_and_base_can_be_at_rest_whatever_wheels_do():
    """A base that drifts may be at rest, one that turns may not, unless no wheel can stop it."""
    assert not MOVING.moves(situation(wheels=30.0))
    assert MOVING.moves(situation(arm=0.01))
    assert MOVING.moves(situation(base=(0.0, -1e-4, 0.0)))
    assert not MOVING.moves(replace(situation(base=(0.0, -1e-4, 0.0)), wheels=slice(0, 0)))


@pytest.mark.parametrize('capture', [MOVING, AT_REST])
def test_after_it_has_lingered_it_lets_go_and_begins_again(capture):
    """Held, released and missed each last as long; without lingering nothing more happens."""
    again, missed = replace(capture, linger=5.0), replace(START, gap=0.1)
    assert again.due(replace(LOCKED, since=100.0)) == ()  # not at rest yet
    assert again.due(replace(LOCKED, since=100.0, rest=4.9)) == ()
    assert again.due(replace(LOCKED, since=100.0, rest=5.0)) == LET_GO
    assert again.due(replace(LOCKED, since=6.9, rest=6.9)) == ()  # the pause is no holding
    assert again.due(replace(LOCKED, since=7.0, rest=7.0)) == LET_GO
    assert again.due(replace(RELEASED, since=4.9)) == ()
    assert again.due(replace(RELEASED, since=5.0)) == RESET
    assert again.due(replace(missed, time=34.0, since=34.0)) == ()
    assert again.due(replace(missed, time=35.0)) == RESET
    for seen in (LOCKED, RELEASED, missed):
        assert capture.due(replace(seen, time=1e4, since=1e4, rest=1e4)) == ()


def test_a_robot_without_an_arm_can_hold_what_it_was_given():
    """There is nothing to lock or unlock, and only the base can be at rest or not."""
    armless = replace(MOVING, arm=(), linger=5.0)
    rigid = replace(situation(base=(0.0, -1e-4, 0.0)), arm=slice(0, 0))
    assert armless.moves(rigid)
    assert armless.due(HELD) == ()
    assert armless.phase(replace(HELD, since=2.0, rest=0.1)) is Phase.HOLD
    assert armless.due(replace(HELD, since=9.0, rest=9.0)) == (('detach', GRIP),)
