# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
What simulator.launch.py hands its nodes, by what a user gives.

launch is no package of Python's index: here stand-ins for it keep what they are told.
"""

from importlib import util
from pathlib import Path
import sys
from types import ModuleType

import pytest
import yaml

ROOT = Path(__file__).parents[2]
GIVEN = 'real_time_factor', 'paused', 'publish_rate'


class Kept:
    """Anything of launch: it keeps what it is told."""

    def __init__(self, *parts, **named):
        self.parts, self.named = parts, named

    def perform(self, context):
        """Return the text it stands for."""
        if type(self).__name__ == 'LaunchConfiguration':
            return context[self.parts[0]]
        parts = self.parts[0] if isinstance(self.parts[0], list) else self.parts
        return '/'.join(p if isinstance(p, str) else p.perform(context) for p in parts)


class Everything(ModuleType):
    """A module that has whatever is imported from it."""

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return type(name, (Kept,), {})


@pytest.fixture
def launch_file(monkeypatch):
    """Return the launch file as a module."""
    for package, modules in (
        ('launch', ('actions', 'conditions', 'substitutions')),
        ('launch_ros', ('actions', 'parameter_descriptions', 'substitutions')),
    ):
        for name in (package, *(f'{package}.{module}' for module in modules)):
            monkeypatch.setitem(sys.modules, name, Everything(name))
    path = ROOT / 'launch' / 'simulator.launch.py'
    spec = util.spec_from_file_location('simulator_launch', path)
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def started(launch_file, tmp_path):
    """Return a function: tree of params_file and arguments to executables and parameters."""

    def start(tree, **arguments):
        path = tmp_path / 'mine.yaml'
        path.write_text(yaml.safe_dump({'/**/free_flyer': {'ros__parameters': tree}}))
        defaults = {name: default for name, (default, _) in launch_file.ARGUMENTS.items()}
        told = {**defaults, 'params_file': str(path), **arguments}
        nodes = launch_file.simulator(told)
        found = {node.named['executable']: node.named['parameters'] for node in nodes}
        first, *others = found['free_flyer_simulator']
        assert first == str(path)
        return found, {name: value for other in others for name, value in other.items()}

    return start


def test_what_is_not_given_is_up_to_the_file(started):
    """Its rates, its pace and its robots."""
    nodes, over = started({'robots': ['a'], 'paused': True, 'publish_rate': 250.0})
    assert over == {}
    assert list(nodes) == ['free_flyer_simulator']


@pytest.mark.parametrize('name', GIVEN)
def test_what_is_given_goes_before_the_file(started, name):
    """It alone; launch reads it as YAML, so that 0 or 2 is a number as well as 2.0."""
    _, over = started({'robots': ['a'], 'publish_rate': 250.0}, **{name: '2'})
    assert list(over) == [name]
    assert type(over[name]).__name__ == 'LaunchConfiguration'
    assert over[name].named == {}


@pytest.mark.parametrize(
    ('model', 'expected'), [('', 'thesis_seven_joint.urdf'), ('my r', 'my r')]
)
def test_a_file_that_names_no_robot_has_the_model(started, model, expected):
    """Or the one of the thesis; robot_state_publisher is told the same."""
    nodes, over = started({'publish_rate': 250.0}, model=model)
    (command,) = over['robot_description'].parts
    text = ''.join(part if isinstance(part, str) else '' for part in command.parts[0])
    assert text.startswith('xacro "')
    assert text.endswith(f'{expected}"')
    (frames,) = nodes['robot_state_publisher']
    assert frames['robot_description'] is over['robot_description']
