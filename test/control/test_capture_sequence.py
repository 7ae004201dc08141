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
APPROACH, AFTER, REST = HoldJoints(frequency=1.0), HoldJoints(frequency=2.0), HoldJoints()
ENDLESS = Capture(APPROACH, AFTER, REST, 'hand', 'target', ARM, contact=30.0)
AGAIN = replace(ENDLESS, linger=5.0)
START = Seen(time=0.0, since=0.0, held=False, caught=False, locked=frozenset(), gap=1.0)
GRASP = (('attach', 'hand', 'target', {'name': GRIP}),)

HELD = replace(START, time=31.0, held=True, caught=True, gap=0.0)
LOCKED = replace(HELD, locked=frozenset(ARM))
RELEASED = replace(HELD, held=False)
STORY = (
    # what is seen, the phase, the law, what is due while the arm still moves
    (START, Phase.APPROACH, APPROACH, ()),
    (replace(START, time=29.99, gap=0.001), Phase.APPROACH, APPROACH, ()),
    (replace(START, time=30.0, gap=0.001), Phase.APPROACH, APPROACH, GRASP),
    (replace(START, time=30.0, gap=0.1), Phase.MISSED, REST, ()),
    (HELD, Phase.ABSORB, AFTER, ()),
    (replace(LOCKED, locked=frozenset(ARM[1:])), Phase.ABSORB, AFTER, ()),
    (LOCKED, Phase.HOLD, REST, ()),
    (RELEASED, Phase.RELEASED, REST, ()),
)


def situation(rate):
    """Return an instant at which the arm moves so fast."""
    return seven_joint().situation(np.zeros(10), np.full(10, rate))


@pytest.mark.parametrize(
    ('seen', 'phase', 'law', 'due'), STORY, ids=lambda x: getattr(x, 'value', '')
)
def test_each_phase_has_its_law_and_its_change(seen, phase, law, due):
    """From what is joined, locked and near."""
    assert ENDLESS.phase(seen) is phase
    assert ENDLESS.law(seen) is law
    assert ENDLESS.due(situation(0.1), seen) == due


def test_the_arm_is_locked_once_it_has_come_to_rest():
    """Only those joints that are not locked yet; wheels that turn do not matter."""
    now = situation(0.0)
    assert ENDLESS.due(now, HELD) == (('lock', *ARM),)
    assert ENDLESS.due(now, replace(HELD, locked=frozenset(('J1', 'J3')))) == (
        ('lock', 'J2', 'J4', 'J5', 'J6', 'J7'),
    )
    wheels = seven_joint().situation(np.zeros(10), [0.0] * 7 + [30.0] * 3)
    assert ENDLESS.due(wheels, HELD) == (('lock', *ARM),)


def test_after_it_has_lingered_it_lets_go_and_begins_again():
    """Held, released and missed each last as long; without lingering nothing more happens."""
    now, missed = situation(0.0), replace(START, gap=0.1)
    assert AGAIN.due(now, replace(LOCKED, since=4.9)) == ()
    assert AGAIN.due(now, replace(LOCKED, since=5.0)) == (('unlock', *ARM), ('detach', GRIP))
    assert AGAIN.due(now, replace(RELEASED, since=4.9)) == ()
    assert AGAIN.due(now, replace(RELEASED, since=5.0)) == RESET
    assert AGAIN.due(now, replace(missed, time=34.0, since=34.0)) == ()
    assert AGAIN.due(now, replace(missed, time=35.0)) == RESET
    for seen in (LOCKED, RELEASED, missed):
        assert ENDLESS.due(now, replace(seen, time=1e4, since=1e4)) == ()
