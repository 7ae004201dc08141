# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The thesis's planners: the Bias Momentum Approach, and what it needs of kinematics."""

from free_flyer_dynamics.planning.bias_momentum import (
    Approach,
    initial_configuration,
    torque_profile,
)
from free_flyer_dynamics.planning.favourable import bias, is_favourable, left_to_absorb
from free_flyer_dynamics.planning.kinematic import (
    approach,
    center_of_mass,
    follow,
    Path,
    TorqueProfile,
)
from free_flyer_dynamics.planning.search import Progress, show

__all__ = [
    'Approach',
    'Path',
    'Progress',
    'TorqueProfile',
    'approach',
    'bias',
    'center_of_mass',
    'follow',
    'initial_configuration',
    'is_favourable',
    'left_to_absorb',
    'show',
    'torque_profile',
]
