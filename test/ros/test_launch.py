# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Launch files and the files of parameters they start from, as far as they can be read."""

import ast
from dataclasses import fields
from pathlib import Path
import re
import subprocess
import sys
import warnings

from examples import capture_scene as stage
import free_flyer_dynamics as ffd
import numpy as np
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
    'capture': {'after', 'approach', 'linger', 'lock', 'namespace', 'rviz', 'viewer'},
}


def assigned(name, what):
    """Return what a launch file assigns to a name, as it is written."""
    tree = ast.parse((ROOT / 'launch' / f'{name}.launch.py').read_text())
    (value,) = (
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and node.targets[0].id == what
    )
    return value


def arguments(name):
    """Return the arguments of a launch file with their sentences."""
    table = assigned(name, 'ARGUMENTS')
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


def given(name, node):
    """Return the parameters that a file gives a node."""
    return yaml.safe_load((ROOT / 'config' / f'{name}.yaml').read_text())[f'/**/{node}'][
        'ros__parameters'
    ]


def test_the_capture_starts_as_in_the_thesis():
    """What config/capture.yaml has is the scene of the example."""
    scene, sim = given('capture', 'free_flyer'), stage.scene(dt=0.01)
    joints = scene['chaser']['joint_positions']
    assert np.allclose([joints[f'J{i + 1}'] for i in range(7)], stage.START, atol=1e-15)
    assert np.allclose(scene['target']['position'], sim.pose('target/target').position, atol=1e-15)
    assert np.array_equal(scene['target']['angular_velocity'], stage.SPIN)


def test_rviz_is_told_all_frames_of_both_robots_of_the_capture():
    """A robot_state_publisher for each, under the names that the simulator gives."""
    scene = given('capture', 'free_flyer')
    expected = {scene[r]['urdf']: scene[r].get('prefix', '') for r in scene['robots']}
    assert ast.literal_eval(assigned('capture', 'ROBOTS')) == expected


def test_the_torque_profile_of_the_capture_meets_what_step_B_has_to():
    """Hand at the grasp point within 1 mm and 0.1 mm/s, no wheel above 0.2 N m."""
    capture = given('controller', 'free_flyer_controller')['capture']
    knots = np.reshape(capture['torque_profile'], (-1, 3))
    profile = ffd.planning.TorqueProfile(knots, capture['contact'])
    path = ffd.planning.approach(ffd.control.Robot(stage.chaser()), stage.START, profile)
    position, velocity = stage.grasp_at(capture['contact'])
    assert np.linalg.norm(path.hand[-1] - position) < 1e-3
    assert np.linalg.norm(path.hand_velocity[-1] - velocity) < 1e-4
    assert np.abs(knots).max() <= stage.LIMIT
    assert np.array_equal(capture['grasp_point'], stage.GRASP_IN_TARGET)


def test_the_controllers_file_gives_what_the_controller_knows():
    """No parameter is misspelt: nobody would say so."""
    pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
    from free_flyer_dynamics.ros.controller_parameters import ControllerParameters

    tree = given('controller', 'free_flyer_controller')
    capture = tree.pop('capture')
    names = {*tree, *(f'capture__{name}' for name in capture)}
    assert names <= {item.name for item in fields(ControllerParameters)}


LAUNCHED = """
import sys
from launch import LaunchDescription, LaunchService
from launch.actions import IncludeLaunchDescription, RegisterEventHandler, Shutdown, TimerAction
from launch.event_handlers import OnProcessIO
from launch.launch_description_sources import PythonLaunchDescriptionSource

def begun(event):
    return Shutdown() if b'approach: ' in event.text else None

service = LaunchService()
source = PythonLaunchDescriptionSource(sys.argv[1])
end = RegisterEventHandler(OnProcessIO(on_stdout=begun, on_stderr=begun))
parts = [IncludeLaunchDescription(source), end, TimerAction(period=90.0, actions=[Shutdown()])]
service.include_launch_description(LaunchDescription(parts))
sys.exit(service.run())
"""


@pytest.mark.slow
def test_the_capture_is_launched_and_ends_cleanly():
    """Simulator and controller find each other, and the approach begins."""
    pytest.importorskip('launch_ros', reason='launch_ros is not installed')
    packages = pytest.importorskip('ament_index_python.packages')
    try:
        packages.get_package_prefix('free_flyer_dynamics')
    except (LookupError, OSError):
        pytest.skip('free_flyer_dynamics is not installed in an ament prefix')
    path = ROOT / 'launch' / 'capture.launch.py'
    done = subprocess.run(
        [sys.executable, '-c', LAUNCHED, str(path)], capture_output=True, text=True, timeout=120
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert 'approach: ' in said
    for name in ('free_flyer_simulator', 'free_flyer_controller'):
        assert re.search(rf'\[{name}-\d\]: process has finished cleanly', said), said
