# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The thesis's control laws: pure functions of a `Situation`, one published law per file."""

from free_flyer_dynamics.control.attitude import attitude_error
from free_flyer_dynamics.control.base_thrusters import thruster_torque
from free_flyer_dynamics.control.base_wheels import (
    absorbing_wheel_torques,
    attitude_wheel_torques,
    wheel_axes,
)
from free_flyer_dynamics.control.capture import Capture, GRIP, Phase, RESET, Seen
from free_flyer_dynamics.control.closed_loop import closed, loop_of_two_hands, loop_rates
from free_flyer_dynamics.control.controller import (
    Controller,
    controller,
    DistributedMomentum,
    HoldJoints,
    LAWS,
    Reactionless,
    ReactionNullSpace,
    ResolvedMotion,
    TaskPriority,
)
from free_flyer_dynamics.control.coordinate_partition import (
    partitioned_accelerations,
    partitioned_rates,
    partitioned_torques,
    solve_partitioned,
)
from free_flyer_dynamics.control.distributed_momentum import (
    distributed_momentum_loop_rates,
    distributed_momentum_rates,
)
from free_flyer_dynamics.control.generalized_jacobian import (
    ALL_ROWS,
    generalized_jacobian,
    LINEAR_ROWS,
    resolved_motion_rates,
)
from free_flyer_dynamics.control.inverses import pivot_columns, right_inverse, singular_damping
from free_flyer_dynamics.control.joint_pd import joint_pd_torques, tracking_torques
from free_flyer_dynamics.control.momentum_management import balancing_wheel_rates, managed_rates
from free_flyer_dynamics.control.rate_servo import (
    computed_torques,
    loop_servo_torques,
    servo_torques,
)
from free_flyer_dynamics.control.reaction_null_space import (
    damping_torques,
    reaction_null_space_loop_torques,
    reaction_null_space_torques,
)
from free_flyer_dynamics.control.reactionless import (
    reactionless_accelerations,
    reactionless_rates,
)
from free_flyer_dynamics.control.reactionless_torque import (
    reactionless_torques,
    torques_of,
)
from free_flyer_dynamics.control.rendezvous import meeting_velocity
from free_flyer_dynamics.control.robot import Robot
from free_flyer_dynamics.control.situation import (
    ATTITUDE,
    reduce,
    Reduced,
    Situation,
    WHOLE_BASE,
)
from free_flyer_dynamics.control.task_augmentation import (
    augmented_accelerations,
    augmented_rates,
    augmented_torques,
)
from free_flyer_dynamics.control.task_priority import (
    restricted_jacobian,
    restricted_manipulability,
    task_priority_rates,
)
from free_flyer_dynamics.control.wheel_programs import Absorb, coast, HoldBase

__all__ = [
    'ALL_ROWS',
    'ATTITUDE',
    'GRIP',
    'LAWS',
    'LINEAR_ROWS',
    'RESET',
    'WHOLE_BASE',
    'Absorb',
    'Capture',
    'Controller',
    'DistributedMomentum',
    'HoldBase',
    'HoldJoints',
    'Phase',
    'ReactionNullSpace',
    'Reactionless',
    'Reduced',
    'ResolvedMotion',
    'Robot',
    'Seen',
    'Situation',
    'TaskPriority',
    'absorbing_wheel_torques',
    'attitude_error',
    'attitude_wheel_torques',
    'augmented_accelerations',
    'augmented_rates',
    'augmented_torques',
    'balancing_wheel_rates',
    'closed',
    'coast',
    'computed_torques',
    'controller',
    'damping_torques',
    'distributed_momentum_loop_rates',
    'distributed_momentum_rates',
    'generalized_jacobian',
    'joint_pd_torques',
    'loop_of_two_hands',
    'loop_rates',
    'loop_servo_torques',
    'managed_rates',
    'meeting_velocity',
    'partitioned_accelerations',
    'partitioned_rates',
    'partitioned_torques',
    'pivot_columns',
    'reaction_null_space_loop_torques',
    'reaction_null_space_torques',
    'reactionless_accelerations',
    'reactionless_rates',
    'reactionless_torques',
    'reduce',
    'resolved_motion_rates',
    'restricted_jacobian',
    'restricted_manipulability',
    'right_inverse',
    'servo_torques',
    'singular_damping',
    'solve_partitioned',
    'task_priority_rates',
    'thruster_torque',
    'torques_of',
    'tracking_torques',
    'wheel_axes',
]
