# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The controller as a process of its own, beside the simulator: as its clock, and in real time."""

from copy import copy
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
pytestmark = [pytest.mark.ros, pytest.mark.jit, pytest.mark.slow]

from free_flyer_dynamics.control import attitude_error  # noqa: E402, I100
from free_flyer_dynamics.ros.conversions import odometry_from_msg  # noqa: E402
from free_flyer_dynamics.ros.sampling import matrix  # noqa: E402
from free_flyer_interfaces.msg import Connectivity, Momentum  # noqa: E402
from geometry_msgs.msg import TwistStamped  # noqa: E402
from nav_msgs.msg import Odometry  # noqa: E402
from sensor_msgs.msg import JointState  # noqa: E402
from std_msgs.msg import String  # noqa: E402
from std_srvs.srv import Trigger  # noqa: E402

from test.control.robots import seven_joint, START  # noqa: E402
from test.ros.peer import Process, stamp  # noqa: E402
from test.ros.peer import START as PATIENCE  # noqa: E402
from test.ros.twin import xyz  # noqa: E402

CONFIG = Path(__file__).parents[2] / 'config'
CAPTURE, CONTROLLER = str(CONFIG / 'capture.yaml'), str(CONFIG / 'controller.yaml')
TARGET_MOMENTUM = [-3.0, -3.0, -3.0]  # N m s
KEPT = 1e-10  # N m s, N s
TICK, GAIN = 'dt:=0.04', 'rate_gain:=12.0'  # s, 1/s


@pytest.fixture
def fly(_ros, tmp_path):
    """Start a simulator and a controller in a namespace of their own; both end with the test."""
    running = []

    def begin(space, simulator, controller):
        for node, given in (('simulator_node', simulator), ('controller_node', controller)):
            log = tmp_path / f'{node}.txt'
            running.append(Process(*given, f'__ns:={space}', log=log, node=node))
        return running

    yield begin
    for process in running:
        process.stop()
    for process in running:
        assert process.popen.returncode == 0
        assert 'Traceback' not in process.log()


def latched(peer, kind, topic):
    """Listen to a topic that keeps its last message; none is lost while we stand still."""
    from free_flyer_dynamics.ros.publishers import LATCHED

    quality = copy(LATCHED)
    quality.depth = 100
    return peer.listen(kind, topic, quality)


def phases(peer, space):
    """Return the list of phases told so far, as it grows."""
    return latched(peer, String, f'{space}/free_flyer_controller/phase')


def told(heard):
    """Return the phases in words."""
    return [message.data for message in heard]


def base_error(message):
    """Return how far the base is turned [deg]."""
    _, _, pose, _ = odometry_from_msg(message)
    return np.degrees(np.linalg.norm(attitude_error(matrix(pose))))


def turning(base):
    """Return how fast the base turns [rad/s]."""
    _, _, _, twist = odometry_from_msg(base)
    return np.linalg.norm(twist.angular)


def around(change, bases):
    """Return the last state of the base before a change of structure, and those after it."""
    before, after = (
        [each for each in bases if sign * (stamp(each) - stamp(change)) > 0] for sign in (-1, 1)
    )
    return before[-1], after


def situation(joints, base):
    """Return the robot as the messages have it."""
    _, _, pose, twist = odometry_from_msg(base)
    names, robot = list(joints.name), seven_joint()
    at = [names.index(name) for name in robot.joint_names]
    rates = np.array(joints.velocity)[at]
    both = np.concatenate((twist.angular, twist.linear))
    return robot.situation(np.array(joints.position)[at], rates, pose, both)


# By when the arm is locked: the phases while the target is held, and the tumble [rad/s] that the
# base takes over as the arm is locked.
ORDERS = {
    'at_contact': (['grasp', 'lock', 'absorb', 'hold'], 1e-3),
    'at_rest': (['absorb', 'lock', 'hold'], 0.0),
}


@pytest.mark.parametrize(
    ('lock', 'after', 'limit'),
    [
        ('at_contact', 'distributed_momentum', 0.6),
        ('at_rest', 'distributed_momentum', 0.2),
        ('at_rest', 'reaction_null_space', 0.05),
    ],
)
def test_the_thesiss_capture_in_lockstep_by_services_and_topics(fly, peer, lock, after, limit):
    """
    Approach, contact, what follows, rest: attitude [deg], momentum, wheels; and again.

    The controller is the simulator's clock, so that nothing depends on how fast the machine is.
    """
    space, (held, taken) = f'/{lock}/{after}', ORDERS[lock]
    fly(space, [CAPTURE, TICK, 'paused:=true'],
        [CONTROLLER, 'lockstep:=1', GAIN, f'capture.after:={after}',
         f'capture.lock:={lock}'])  # fmt: skip
    seen = phases(peer, space)
    bases, momenta = (
        peer.listen(kind, f'{space}/{topic}')
        for kind, topic in ((Odometry, 'odom'), (Momentum, 'momentum'))
    )
    joints = peer.listen(JointState, f'{space}/joint_states', 1)
    structures = latched(peer, Connectivity, f'{space}/connectivity')
    peer.until(lambda: bases and seen, PATIENCE, 'the first messages')
    whole = ['approach', *held]  # from a start that is heard: simulated time is quick
    peer.done(Trigger, f'{space}/free_flyer/reset')
    peer.until(lambda: told(seen)[-len(whole) :] == whole, PATIENCE, 'the end of the capture')
    peer.until(lambda: structures and len(structures[-1].locked) == 7, PATIENCE)
    assert 'grip' in structures[-1].attachments
    peer.until(lambda: around(structures[-1], bases)[1], PATIENCE, 'a state after the lock')
    before, (after, *_) = around(structures[-1], bases)
    assert turning(before) < 1e-4  # until then the arm gives way
    assert taken <= turning(after) < taken + 1e-3
    peer.until(lambda: len(bases) > 500 and joints, PATIENCE)
    assert max(base_error(message) for message in bases) < limit
    for part in ('linear', 'angular'):
        values = np.array([xyz(getattr(message, part)) for message in momenta])
        assert np.abs(values - values[0]).max() < KEPT
    settled = 35.0  # s after the arm is locked, in which the wheels store what is left

    def late():
        return joints[-1].header.stamp.sec > structures[-1].header.stamp.sec + settled

    peer.until(late, PATIENCE)
    now = situation(joints[-1], bases[-1])
    carried = now.rotation @ now.reduced.wheel_momentum
    assert np.allclose(carried, TARGET_MOMENTUM, atol=2e-3)
    assert np.abs(now.base_rate).max() < 5e-6
    # Anybody may set it back, and it begins again.
    seen.clear()
    peer.done(Trigger, f'{space}/free_flyer/reset')
    peer.until(lambda: held[0] in told(seen), PATIENCE)
    assert told(seen) == whole[:2]


AT_REACH = (2.6, -0.7, 1.0)


@pytest.mark.parametrize('lock', ORDERS)
def test_a_capture_in_real_time_again_and_again(fly, peer, lock):
    """
    A target that tumbles before the hand is grasped, brought to rest, let go, and caught again.

    The grasp point is where the hand is from the start; nothing of it is told to the arm.
    """
    space, spin = f'/again/{lock}', np.array([0.002, -0.002, 0.003])
    hand = seven_joint().geometry([*START, 0, 0, 0]).hand
    center = (hand - [-0.5, -0.5, 0.5]).tolist()
    fly(
        space,
        [CAPTURE, f'target.position:={center}', f'target.angular_velocity:={spin.tolist()}'],
        [CONTROLLER, 'capture.contact:=0.2', 'capture.linger:=0.5', 'rate_gain:=20.0',
         f'capture.torque_profile:={[0.0] * 6}', f'capture.lock:={lock}'],
    )  # fmt: skip
    seen = phases(peer, space)
    bases = peer.listen(Odometry, f'{space}/odom')
    momenta = peer.listen(Momentum, f'{space}/momentum')
    structures = latched(peer, Connectivity, f'{space}/connectivity')
    held = ORDERS[lock][0]
    whole = ['approach', *held, 'released']

    def from_an_approach():  # who listens late does not hear the first
        return told(seen)[told(seen).index('approach') :] if 'approach' in told(seen) else []

    peer.until(lambda: from_an_approach().count('released') == 2, PATIENCE, 'the second capture')
    assert from_an_approach()[: 2 * len(whole)] == 2 * whole
    assert max(base_error(message) for message in bases) < 0.2

    def releases():
        return [now for was, now in pairwise(structures) if was.attachments and was.locked]

    peer.until(lambda: len(releases()) >= 2, PATIENCE, 'what was told of the second release')
    assert [list(now.attachments) for now in releases()[:2]] == [[], []]
    assert all(turning(around(now, bases)[0]) < 1e-4 for now in releases())
    for part in ('linear', 'angular'):
        values = np.array([xyz(getattr(message, part)) for message in momenta])
        assert np.abs(values - values[0]).max() < KEPT


def test_a_target_out_of_reach_is_missed_and_not_grasped(fly, peer):
    """The hand is elsewhere: nothing is joined, the arm comes to rest, and it begins again."""
    space = '/missed'
    _, controller = fly(
        space,
        [CAPTURE, 'target.position:=[3.0, 0.0, 0.0]'],
        [CONTROLLER, 'capture.contact:=0.3', 'capture.linger:=0.5'],
    )
    seen = phases(peer, space)
    structures = latched(peer, Connectivity, f'{space}/connectivity')
    peer.until(lambda: told(seen).count('missed') == 2, PATIENCE)
    assert not any(message.attachments for message in structures)
    assert 'missed: ' in controller.log()


def test_the_hand_follows_a_twist_by_topic_in_real_time(fly, peer):
    """Resolved motion rate: 2 cm/s along x while somebody says so, then it stops."""
    space = '/jog'
    fly(space, [CAPTURE], ['law:=resolved_motion', 'wheels:=coast', 'rate_gain:=20.0'])
    seen = phases(peer, space)
    peer.until(lambda: told(seen) == ['resolved_motion'], PATIENCE)
    bases, joints = (
        peer.listen(kind, f'{space}/{topic}', 1)
        for kind, topic in ((Odometry, 'odom'), (JointState, 'joint_states'))
    )
    asked = TwistStamped()
    asked.twist.linear.x = 0.02
    peer.until(lambda: bases and joints)
    before = situation(joints[-1], bases[-1]).hand

    def told_and_moving():
        peer.say(asked, f'{space}/hand_twist')
        peer.spin(0.1)
        now = situation(joints[-1], bases[-1])
        twist = now.J @ now.velocity
        far = now.hand[0] - before[0] > 0.03
        return far and np.abs(twist - [0, 0, 0, 0.02, 0, 0]).max() < 1e-3

    peer.until(told_and_moving, what='the hand to move as it is told')
    peer.spin(1.5)
    now = situation(joints[-1], bases[-1])
    assert np.abs(now.J @ now.velocity).max() < 1e-3


WRONG = {
    'a law nobody knows': (['law:=juggle'], 'juggle'),
    'a capture without a profile': (['law:=capture'], 'capture.torque_profile'),
    'a parameter nobody knows': (['rate_gian:=3.0'], "Did you mean 'rate_gain'"),
}


@pytest.mark.parametrize('case', WRONG)
def test_a_controller_that_cannot_run_says_why_in_one_line(_ros, tmp_path, case):
    """No traceback, and a return code."""
    given, sentence = WRONG[case]
    process = Process(*given, log=tmp_path / 'log.txt', node='controller_node')
    assert process.popen.wait(60) == 1
    log = process.log()
    assert sentence in log
    assert 'Traceback' not in log
