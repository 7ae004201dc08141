# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Free-flying robots whose structure changes while they move."""

from free_flyer_dynamics.errors import (
    CommandError,
    FreeFlyerError,
    ModelError,
    StateError,
    TopologyError,
)
from free_flyer_dynamics.model import Model
from free_flyer_dynamics.simulator import Simulator
from free_flyer_dynamics.urdf import load_urdf
from free_flyer_dynamics.values import Clip, Momentum, Pose, Twist

__all__ = [
    'Clip',
    'CommandError',
    'FreeFlyerError',
    'Model',
    'ModelError',
    'Momentum',
    'Pose',
    'Simulator',
    'StateError',
    'TopologyError',
    'Twist',
    'load_urdf',
]
