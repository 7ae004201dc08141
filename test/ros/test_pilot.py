# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The pilot: what topics say, into what is to be done. No node, no clock."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
pytestmark = [pytest.mark.ros, pytest.mark.jit]

from free_flyer_dynamics.control import GRIP, RESET  # noqa: E402, I100
from free_flyer_dynamics.errors import CommandError  # noqa: E402
from free_flyer_dynamics.ros.controller_parameters import ControllerParameters  # noqa: E402
from free_flyer_dynamics.ros.pilot import Pilot  # noqa: E402
from free_flyer_dynamics.urdf import shipped  # noqa: E402
from free_flyer_dynamics.values import Pose, Twist  # noqa: E402

from test.control.robots import seven_joint, START  # noqa: E402

SECOND = 1_000_000_000  # ns
NAMES = tuple(f'J{i}' for i in range(1, 11))
HERE = Pose(np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]))
STILL = Twist(np.zeros(3), np.zeros(3))
HELD = ControllerParameters(law='hold_joints')
CAUGHT = ControllerParameters(
    law='capture', capture__torque_profile=(0.1,) * 6, capture__contact=2.0
)


def pilot(given=HELD):
    """Return a pilot of the thesis's robot."""
    return Pilot(given, shipped('thesis_seven_joint').read_text())


def tell(one, stamp, q=START, rates=None, twist=STILL):
    """Tell a whole state, and have it looked at."""
    rates = np.zeros(10) if rates is None else rates
    one.joints(stamp, NAMES, [*q, 0.0, 0.0, 0.0], rates)
    one.base(stamp, 'base', HERE, twist)
    return one.look()


def test_a_state_is_answered_once_and_only_when_it_is_whole():
    """Joints and base of one stamp."""
    one = pilot()
    one.joints(5, NAMES, np.zeros(10), np.zeros(10))
    assert not one.look()
    one.base(4, 'base', HERE, STILL)
    assert not one.look()
    one.base(5, 'base', HERE, STILL)
    assert one.look()
    assert not one.look()
    command = one.command()
    assert command.stamp == 5
    assert (tuple(command.arm), tuple(command.wheels)) == (NAMES[:7], NAMES[7:])


def test_joints_come_in_any_order_and_others_among_them():
    """As in the topic: by name."""
    one, other, rng = pilot(), pilot(), np.random.default_rng(4)
    q, v = rng.normal(size=10), rng.normal(size=10)
    order = rng.permutation(10)
    one.joints(1, NAMES, q, v)
    names = ('grip', *(NAMES[k] for k in order))
    other.joints(1, names, [9.0, *q[order]], [9.0, *v[order]])
    for each in (one, other):
        each.base(1, 'base', HERE, STILL)
        assert each.look()
    assert one.command() == other.command()
    with pytest.raises(CommandError, match='J1'):
        one.joints(2, ('J2',), [0.0], [0.0])


def test_a_capture_waits_for_a_start_and_begins_anew_at_every_reset():
    """A structure that is not newer than the last tells of one, with its stamp."""
    one = pilot(CAUGHT)
    one.structure(3, 0, (), ())
    tell(one, 10)
    assert one.due() == RESET
    assert (one.phase(), one.command()) == ('waiting', None)
    one.structure(20, 0, (), ())
    tell(one, 20 + SECOND)
    assert one.due() == ()
    assert one.phase() == 'approach'
    assert one.command().wheels == dict.fromkeys(NAMES[7:], 0.1)
    tell(one, 20 + 2 * SECOND)
    assert one.phase() == 'missed'  # nobody has told of a target
    one.structure(3 * SECOND, 1, (GRIP,), ())
    assert one.phase() == 'grasp'
    one.structure(4 * SECOND, 0, (), ())
    tell(one, 4 * SECOND)
    assert one.phase() == 'approach'


def test_a_floating_approach_moves_the_arm_towards_the_target_and_lets_the_wheels_coast():
    """As soon as somebody has told where the target is; nothing needs to be planned."""
    one = pilot(replace(CAUGHT, capture__approach='free_floating', capture__torque_profile=()))
    one.structure(0, 0, (), ())
    one.structure(0, 0, (), ())
    tell(one, SECOND)
    assert np.abs(list(one.command().arm.values())).max() < 1e-12
    hand = seven_joint().geometry([*START, 0, 0, 0]).hand
    one.target(SECOND, 'target_target', Pose(hand + np.array([0.1, 0, 0]), HERE.quaternion), STILL)
    tell(one, SECOND)
    command = one.command()
    assert np.abs(list(command.arm.values())).max() > 0.1
    assert command.wheels == dict.fromkeys(NAMES[7:], 0.0)


def test_a_grasp_by_hand_is_a_catch_by_whatever_name():
    """Somebody pressed a button: it is held and let go; not so what was there before."""
    one = pilot(replace(CAUGHT, capture__linger=1.0))
    one.structure(0, 0, ('panel',), ())
    one.structure(0, 0, ('panel',), ())
    tell(one, SECOND)
    assert one.phase() == 'approach'
    one.structure(SECOND, 1, ('panel', 'hand_target'), ())
    assert one.phase() == 'grasp'
    one.structure(2 * SECOND, 2, ('panel', 'hand_target'), NAMES[:7])
    tell(one, 5 * SECOND)
    assert one.phase() == 'hold'
    assert one.due() == (('unlock', *NAMES[:7]), ('detach', 'hand_target'))


def caught(lock):
    """Return a pilot that has just grasped, at 1 s, by what is told of it."""
    one = pilot(replace(CAUGHT, capture__lock=lock))
    one.structure(0, 0, (), ())
    one.structure(0, 0, (), ())
    tell(one, SECOND)
    one.structure(SECOND, 1, (GRIP,), ())
    one.momentum([-3.0, -3.0, -3.0])
    return one


def moves(command):
    """Tell whether arm and wheels are driven."""
    return tuple(max(map(abs, part.values())) > 1e-9 for part in (command.arm, command.wheels))


def test_locked_at_contact_the_arm_gives_way_for_a_moment_and_the_wheels_wait():
    """Then both are one rigid body, and a moment later the wheels begin, until it is at rest."""
    one, turning = caught('at_contact'), Twist(np.zeros(3), np.array([0.0, 0.002, 0.0]))
    tell(one, 2 * SECOND, rates=np.full(10, 0.1), twist=turning)
    assert (one.phase(), one.due(), moves(one.command())) == ('grasp', (), (True, False))
    tell(one, 3 * SECOND, rates=np.full(10, 0.1), twist=turning)
    assert one.due() == (('lock', *NAMES[:7]),)
    one.structure(3 * SECOND, 2, (GRIP,), NAMES[:7])
    tell(one, 4 * SECOND, twist=turning)
    assert (one.phase(), moves(one.command())[1]) == ('lock', False)
    tell(one, 60 * SECOND, twist=turning)
    assert (one.phase(), moves(one.command())[1]) == ('absorb', True)
    tell(one, 61 * SECOND)
    assert one.phase() == 'hold'


def test_locked_at_rest_the_arm_gives_way_until_all_is_still():
    """The wheels store momentum meanwhile; what a state says from before the grasp is no rest."""
    one = caught('at_rest')
    assert (one.phase(), one.due()) == ('absorb', ())
    tell(one, 60 * SECOND, rates=np.full(10, 0.1))
    assert (one.phase(), one.due(), moves(one.command())) == ('absorb', (), (True, True))
    tell(one, 61 * SECOND)
    assert one.due() == (('lock', *NAMES[:7]),)


def test_the_grasp_is_asked_once_and_again_only_after_a_while():
    """Refused, it is not repeated with every state."""
    one, hand = pilot(CAUGHT), seven_joint().geometry([*START, 0, 0, 0]).hand
    one.structure(0, 0, (), ())
    one.structure(0, 0, (), ())
    one.target(2 * SECOND, 'target_target', Pose(hand, HERE.quaternion), STILL)
    tell(one, 2 * SECOND)
    grasp = (('attach', 'end_effector', 'target_target', {'name': GRIP}),)
    assert one.due() == grasp
    one.asked = True
    assert one.due() == ()
    one.refused()
    assert one.due() == ()
    tell(one, 3 * SECOND)
    assert one.due() == grasp
    assert 'hand 0.00 mm from the grasp point' in one.report()


def test_the_target_is_where_its_twist_has_brought_it():
    """Its message may be one state older than the joints'."""
    one, hand = pilot(CAUGHT), seven_joint().geometry([*START, 0, 0, 0]).hand
    moving = Twist(np.array([0.1, 0.0, 0.0]), np.zeros(3))
    one.target(SECOND, 'target_target', Pose(hand - [0.001, 0, 0], HERE.quaternion), moving)
    tell(one, SECOND + SECOND // 100)
    assert 'hand 0.00 mm' in one.report()


def test_after_a_reset_the_distance_is_that_to_where_the_target_began():
    """Not to where it was when somebody put it back."""
    one, hand = pilot(CAUGHT), seven_joint().geometry([*START, 0, 0, 0]).hand
    one.structure(0, 0, (), ())
    one.target(SECOND, 'target_target', Pose(np.zeros(3), HERE.quaternion), STILL)
    one.structure(SECOND, 0, (), ())
    tell(one, SECOND + 1)
    assert 'from the grasp point' not in one.report()
    one.target(SECOND + 1, 'target_target', Pose(hand, HERE.quaternion), STILL)
    assert 'hand 0.00 mm' in one.report()


def test_a_reference_grows_old():
    """The hand moves while somebody says so, and half a second longer."""
    one = pilot(ControllerParameters(law='resolved_motion', wheels='coast', rate_gain=1.0))
    tell(one, SECOND)
    one.refer(Twist(np.array([0.02, 0.0, 0.0]), np.zeros(3)))
    assert np.abs(list(one.command().arm.values())).max() > 0.01
    tell(one, SECOND + SECOND // 2)
    assert one.reference() is not None
    tell(one, SECOND + SECOND // 2 + 1)
    assert one.reference() is None
    assert np.abs(list(one.command().arm.values())).max() < 1e-12


@pytest.mark.parametrize('law', ['reactionless', 'resolved_motion'])
def test_a_reference_of_the_other_kind_moves_nothing_and_is_told_once(law, caplog):
    """A twist is no arm's rates, least of all of six joints."""
    one = pilot(ControllerParameters(law=law, wheels='coast', rate_gain=1.0))
    tell(one, SECOND)
    say_twist = (one.refer, Twist(np.array([0.02, 0.0, 0.0]), np.zeros(3)))
    say_rates = (one.refer_rates, {'J1': 0.1, 'J4': 0.1})
    right, wrong = (say_rates, say_twist) if law == 'reactionless' else (say_twist, say_rates)
    for _ in range(2):
        wrong[0](wrong[1])
        assert one.reference() is None
        assert np.abs(list(one.command().arm.values())).max() < 1e-12
    assert caplog.text.count('does not follow') == 1
    right[0](right[1])
    assert len(one.reference()) == (7 if law == 'reactionless' else 6)
    assert np.abs(list(one.command().arm.values())).max() > 0.01


def test_where_a_law_has_no_answer_the_arm_is_braked(caplog):
    """Whatever law it is; said once."""
    one = pilot(ControllerParameters(law='distributed_momentum', wheels='coast'))

    one._law = Lost()
    tell(one, 1, rates=np.full(10, 0.1))
    braking = one.command()
    expected = pilot(ControllerParameters(wheels='coast', joint_frequency=3.0))
    tell(expected, 1, rates=np.full(10, 0.1))
    assert braking == expected.command()
    one.command()
    assert caplog.text.count('the arm is braked') == 1


class Lost:
    """A law at its singularity."""

    def efforts(self, situation, time):
        """Give up."""
        raise np.linalg.LinAlgError('Singular matrix')


@pytest.mark.parametrize(
    ('given', 'sentence'),
    [
        (replace(HELD, joint_positions=(1.0, 2.0)), 'expected 7'),
        (replace(HELD, attitude=(0.0, 0.0, 0.0, 0.0)), 'attitude'),
        (replace(CAUGHT, capture__torque_profile=(0.1,) * 4), 'expected two knots or more of 3'),
        (replace(HELD, hand='tentacle'), 'tentacle'),
    ],
)
def test_what_does_not_fit_the_robot_is_refused(given, sentence):
    """In a sentence."""
    with pytest.raises(Exception, match=sentence) as refused:
        pilot(given)
    assert type(refused.value).__module__ == 'free_flyer_dynamics.errors'
