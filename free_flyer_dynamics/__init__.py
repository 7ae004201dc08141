# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Free-flying robots whose structure changes while they move."""

from importlib import import_module
from types import ModuleType

from free_flyer_dynamics import early  # noqa: F401  # isort: skip  # before what takes long
from free_flyer_dynamics.uncollected import uncollected

with uncollected():
    from free_flyer_dynamics import papers, patience
    from free_flyer_dynamics.batch import Batch
    from free_flyer_dynamics.connectivity import Connectivity
    from free_flyer_dynamics.errors import (
        CommandError,
        FreeFlyerError,
        ModelError,
        StateError,
        TopologyError,
    )
    from free_flyer_dynamics.loop_watch import LoopWarning
    from free_flyer_dynamics.model import Body, Joint, Model, ModelWarning, Wheel
    from free_flyer_dynamics.pace import Pace
    from free_flyer_dynamics.simulator import Simulator
    from free_flyer_dynamics.transition import Transition
    from free_flyer_dynamics.urdf import load_urdf
    from free_flyer_dynamics.values import Clip, Impulse, Momentum, Pose, Twist, Wrench

__version__ = '0.1.0'

__all__ = [
    'Batch',
    'Body',
    'Clip',
    'CommandError',
    'Connectivity',
    'FreeFlyerError',
    'Impulse',
    'Joint',
    'LoopWarning',
    'Model',
    'ModelError',
    'ModelWarning',
    'Momentum',
    'Pace',
    'Pose',
    'Simulator',
    'StateError',
    'TopologyError',
    'Transition',
    'Twist',
    'Wheel',
    'Wrench',
    'load_urdf',
    'papers',
]

patience.tell()

# Loaded when first asked for: the planners bring scipy's optimizers along.
_LATER = ('control', 'planning')


def __getattr__(name: str) -> ModuleType:
    if name in _LATER:
        return import_module(f'{__name__}.{name}')
    raise AttributeError(f'module {__name__!r} has no attribute {name!r}')


def __dir__() -> list[str]:
    return [*__all__, *_LATER]
