# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Simulate a robot, or the robots of a file of parameters."""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, GroupAction, OpaqueFunction
from launch.conditions import IfCondition
from launch.substitutions import Command, LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node, PushRosNamespace
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare
import yaml

SHARE = FindPackageShare('free_flyer_dynamics')
MODEL = PathJoinSubstitution([SHARE, 'urdf', 'thesis_seven_joint.urdf'])
ARGUMENTS = {
    'model': (
        '',
        'Path of a URDF or xacro file; empty: the robots that params_file names, or '
        'thesis_seven_joint where it names none.',
    ),
    'params_file': (
        PathJoinSubstitution([SHARE, 'config', 'simulator.yaml']),
        'YAML file of parameters of the node free_flyer.',
    ),
    'namespace': ('', 'Namespace of every node started.'),
    'rviz': ('false', 'Show the robot, its frames, wrenches and momentum in RViz.'),
    'viewer': ('false', 'Start our own viewer, in a web browser.'),
    'real_time_factor': (
        '',
        'Simulated seconds in a second, 0 for as fast as it goes; empty: as in params_file, or 1.',
    ),
    'paused': (
        '',
        'Start paused, true or false; empty: as in params_file, or false. The service '
        'free_flyer/pause lets it run.',
    ),
    'publish_rate': (
        '',
        'States published in a simulated second; empty: as in params_file, or 100 [Hz].',
    ),
}
OVERRIDES = ('real_time_factor', 'paused', 'publish_rate')  # given, they go before params_file


def names_robots(tree):
    """Tell whether a tree of parameters says which robots there are."""
    if not isinstance(tree, dict):
        return False
    here = {'robots', 'robot_description'} & tree.keys()
    return bool(here) or any(names_robots(branch) for branch in tree.values())


def simulator(context):
    """Return the simulator and, of a model, robot_state_publisher."""
    told = {name: LaunchConfiguration(name).perform(context) for name in ARGUMENTS}
    given = {name: LaunchConfiguration(name) for name in OVERRIDES if told[name]}
    model, nodes = told['model'], []
    if not model:
        with open(told['params_file']) as file:
            model = '' if names_robots(yaml.safe_load(file)) else MODEL.perform(context)
    if model:
        given['robot_description'] = ParameterValue(
            Command(['xacro "', model, '"']), value_type=str
        )
        nodes = [
            Node(
                package='robot_state_publisher',
                executable='robot_state_publisher',
                parameters=[
                    {
                        'robot_description': given['robot_description'],
                        'publish_frequency': 1000.0,  # its most: it follows each of our states
                        'use_sim_time': True,
                    }
                ],
                remappings=[('robot_description', '~/robot_description')],
            )
        ]
    node = Node(
        package='free_flyer_dynamics',
        executable='free_flyer_simulator',
        parameters=[told['params_file'], *([given] if given else [])],
        output='screen',
    )
    return [node, *nodes]


def generate_launch_description():
    """Return the simulator and what shows it."""
    nodes = [
        PushRosNamespace(LaunchConfiguration('namespace')),
        OpaqueFunction(function=simulator),
        Node(
            package='rviz2',
            executable='rviz2',
            arguments=['-d', PathJoinSubstitution([SHARE, 'config', 'free_flyer.rviz'])],
            parameters=[{'use_sim_time': True}],
            condition=IfCondition(LaunchConfiguration('rviz')),
        ),
        Node(
            package='free_flyer_dynamics',
            executable='free_flyer_viewer',
            parameters=[{'use_sim_time': True}],
            condition=IfCondition(LaunchConfiguration('viewer')),
        ),
    ]
    arguments = [
        DeclareLaunchArgument(name, default_value=default, description=sentence)
        for name, (default, sentence) in ARGUMENTS.items()
    ]
    return LaunchDescription([*arguments, GroupAction(nodes)])
