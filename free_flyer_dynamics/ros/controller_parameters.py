# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Every parameter of the controller, once: name, default, range, unit and what it is."""

from __future__ import annotations

from dataclasses import dataclass

from free_flyer_dynamics.control.controller import LAWS
from free_flyer_dynamics.errors import CommandError, unknown_name
from free_flyer_dynamics.ros.declare import declared, parameter, unknown_overrides
from free_flyer_dynamics.ros.parameters import NOWHERE
from rclpy.node import Node

CAPTURE = 'capture'
WHEELS = ('coast', 'hold', 'absorb')
AFTER = ('distributed_momentum', 'reaction_null_space')
BIASED, FLOATING = 'bias_momentum', 'free_floating'
AT_CONTACT, AT_REST = 'at_contact', 'at_rest'


@dataclass(frozen=True)
class ControllerParameters:
    """The controller's own."""

    law: str = parameter('hold_joints', 'What the arm does.', choices=(*LAWS, CAPTURE))
    wheels: str = parameter(
        'hold',
        'What the wheels do beside the law: nothing, hold the base, or store all momentum.',
        choices=WHEELS,
    )
    simulator: str = parameter('free_flyer', 'Name of the simulator, whose services are called.')
    hand: str = parameter('', "Link that is the hand; empty: the model's first end effector.")
    lockstep: int = parameter(
        0,
        'Steps the simulator makes for each command, this node its clock; 0: it runs by itself.',
        low=0,
        high=1_000_000,
    )
    attitude: tuple[float, ...] = parameter(
        (0.0, 0.0, 0.0, 1.0), 'Attitude the base shall have in world, (x, y, z, w).', size=4
    )
    rate_gain: float = parameter(
        20.0, 'Of the loop that makes rates follow a law.', unit='1/s', low=0.0, high=1e4
    )
    base_gain: float = parameter(
        25.0, "Reaction null space: damps the base's rotation.", unit='1/s', low=0.0, high=1e4
    )
    arm_gain: float = parameter(
        10.0, "Reaction null space: damps the arm's motion.", unit='1/s', low=0.0, high=1e4
    )
    attitude_gain: float = parameter(
        0.0, 'Reaction null space: turns the base back.', unit='1/s^2', low=0.0, high=1e4
    )
    joint_frequency: float = parameter(
        1.0, 'Of held joints, critically damped.', unit='rad/s', low=0.0, high=1e3
    )
    joint_positions: tuple[float, ...] = parameter(
        (), 'Where hold_joints holds the arm; empty: where it is.', unit='rad or m'
    )
    base_stiffness: float = parameter(
        300.0, 'Of wheels that hold the base.', unit='N m/rad', low=0.0, high=1e9
    )
    base_damping: float = parameter(
        1500.0, 'Of wheels that hold the base.', unit='N m s/rad', low=0.0, high=1e9
    )
    settling: float = parameter(
        2.0, 'Time constant of wheels that store momentum.', unit='s', low=1e-3, high=1e6
    )
    reference_timeout: float = parameter(
        0.5,
        'Simulated time after which a reference is old, and the arm stops.',
        unit='s',
        low=0.0,
        high=1e6,
    )
    capture__approach: str = parameter(
        BIASED,
        'How the hand gets there: the wheels follow capture.torque_profile and the arm keeps the '
        'base at rest, or the wheels coast and the hand meets the grasp point while the base '
        'recoils.',
        choices=(BIASED, FLOATING),
    )
    capture__lock: str = parameter(
        AT_CONTACT,
        'When the arm is locked: soon after the contact, so that the base takes the tumble over '
        'and the wheels absorb the momentum of one rigid body; or when arm and wheels have '
        'absorbed it, the base kept still by the law capture.after.',
        choices=(AT_CONTACT, AT_REST),
    )
    capture__after: str = parameter(
        'distributed_momentum',
        'Law of the arm from the contact until it is locked.',
        choices=AFTER,
    )
    capture__contact: float = parameter(
        30.0,
        'When the hand is at the grasp point, counted from a reset.',
        unit='s',
        low=0.0,
        high=1e6,
    )
    capture__torque_profile: tuple[float, ...] = parameter(
        (),
        'Bias momentum: torques of the wheels until the contact, of all of them at the start, '
        'then at each further knot, evenly spread; straight lines between.',
        unit='N m',
    )
    capture__target: str = parameter('target_target', 'Link of the target that is grasped.')
    capture__grasp_point: tuple[float, ...] = parameter(
        NOWHERE,
        "In that link's axes; where the link is, topic target_odom tells.",
        unit='m',
        size=3,
    )
    capture__reach: float = parameter(
        0.05, 'From hand to grasp point at most for a contact.', unit='m', low=0.0, high=1e3
    )
    capture__linger: float = parameter(
        0.0,
        'How long the target is held and, let go, looked at before all begins again; 0: it is '
        'held for ever.',
        unit='s',
        low=0.0,
        high=1e6,
    )


def read(node: Node) -> ControllerParameters:
    """Declare every parameter on the node and return their values."""
    own = ControllerParameters(**declared(node, ControllerParameters))
    for name in unknown_overrides(node):
        raise CommandError(unknown_name('parameter', name, [*node.get_parameters_by_prefix('')]))
    biased = own.law == CAPTURE and own.capture__approach == BIASED
    if biased and not own.capture__torque_profile:
        raise CommandError(
            "Law 'capture' needs capture.torque_profile, as config/controller.yaml has it for "
            'the robots of config/capture.yaml, or capture.approach:=free_floating.'
        )
    return own
