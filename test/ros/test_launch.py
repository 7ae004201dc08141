# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Launch files and the files of parameters they start from, as far as they can be read."""

import ast
from pathlib import Path
import warnings

import free_flyer_dynamics as ffd
import pytest
import yaml

ROOT = Path(__file__).parents[2]
CONTRACT = {
    'simulator': {
        'model',
        'params_file',
        'namespace',
        'rviz',
        'viewer',
        'real_time_factor',
        'paused',
    },
    'hil': {'model'},
}


def arguments(name):
    """Return the arguments of a launch file with their sentences."""
    tree = ast.parse((ROOT / 'launch' / f'{name}.launch.py').read_text())
    (table,) = (
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and node.targets[0].id == 'ARGUMENTS'
    )
    return {
        key.value: value.elts[1].value for key, value in zip(table.keys, table.values, strict=True)
    }


@pytest.mark.parametrize('name', CONTRACT)
def test_launch_arguments_are_those_of_the_contract_and_described(name):
    """Each says what it is, in a sentence."""
    found = arguments(name)
    assert set(found) >= CONTRACT[name]
    for sentence in found.values():
        assert len(sentence) > 20
        assert sentence.endswith(('.', ']'))


@pytest.mark.parametrize('path', sorted((ROOT / 'urdf').glob('*.urdf')), ids=lambda p: p.stem)
def test_every_shipped_robot_has_its_parameters(path):
    """And names itself in them."""
    tree = yaml.safe_load((ROOT / 'config' / f'{path.stem}.yaml').read_text())
    given = tree['/**/free_flyer']['ros__parameters']
    (name,) = given['robots']
    assert given[name]['urdf'] == path.stem
    with warnings.catch_warnings():
        warnings.simplefilter('ignore', ffd.ModelWarning)
        model = ffd.load_urdf(path)
    joints = {joint.name for joint in model.joints}
    assert set(given[name].get('joint_positions', {})) <= joints


def test_the_sample_for_ros2_control_drives_every_joint():
    """Each by effort, with the states that effort controllers read, on our topics."""
    import xml.etree.ElementTree as ElementTree

    with warnings.catch_warnings():
        warnings.simplefilter('ignore', ffd.ModelWarning)
        model = ffd.load_urdf(ROOT / 'urdf' / 'thesis_seven_joint.ros2_control.urdf.xacro')
    system = ElementTree.fromstring(model.xml.encode()).find('ros2_control')
    joints = [joint.get('name') for joint in system.findall('joint')]
    assert joints == [joint.name for joint in model.joints]
    for joint in system.findall('joint'):
        assert [i.get('name') for i in joint.findall('command_interface')] == ['effort']
        states = {i.get('name') for i in joint.findall('state_interface')}
        assert states == {'position', 'velocity', 'effort'}
    controllers = yaml.safe_load((ROOT / 'config' / 'free_flyer_controllers.yaml').read_text())
    assert set(controllers['arm_controller']['ros__parameters']['joints']) <= set(joints)
