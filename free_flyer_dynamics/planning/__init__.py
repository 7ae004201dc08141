# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The thesis's planners: Holonomic Distribution Control and the Bias Momentum Approach."""

from free_flyer_dynamics.planning.bias_momentum import (
    Approach,
    initial_configuration,
    torque_profile,
)
from free_flyer_dynamics.planning.favourable import bias, is_favourable, left_to_absorb
from free_flyer_dynamics.planning.holonomic import Distribution, primitives
from free_flyer_dynamics.planning.kinematic import (
    approach,
    center_of_mass,
    follow,
    Path,
    TorqueProfile,
)
from free_flyer_dynamics.planning.primitive_search import (
    find_sequence,
    PlannerError,
    PrimitiveSequence,
)
from free_flyer_dynamics.planning.search import Progress, show

__all__ = [
    'Approach',
    'Distribution',
    'Path',
    'PlannerError',
    'PrimitiveSequence',
    'Progress',
    'TorqueProfile',
    'approach',
    'bias',
    'center_of_mass',
    'find_sequence',
    'follow',
    'initial_configuration',
    'is_favourable',
    'left_to_absorb',
    'primitives',
    'show',
    'torque_profile',
]
