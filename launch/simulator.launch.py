# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Simulate a robot, or the robots of a file of parameters."""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, GroupAction
from launch.conditions import IfCondition
from launch.substitutions import (
    Command,
    EqualsSubstitution,
    LaunchConfiguration,
    NotEqualsSubstitution,
    PathJoinSubstitution,
)
from launch_ros.actions import Node, PushRosNamespace
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

SHARE = FindPackageShare('free_flyer_dynamics')
ARGUMENTS = {
    'model': (
        PathJoinSubstitution([SHARE, 'urdf', 'thesis_seven_joint.urdf']),
        'Path of a URDF or xacro file; empty where params_file names the robots.',
    ),
    'params_file': (
        PathJoinSubstitution([SHARE, 'config', 'simulator.yaml']),
        'YAML file of parameters of the node free_flyer.',
    ),
    'namespace': ('', 'Namespace of every node started.'),
    'rviz': ('false', 'Show the robot, its frames, wrenches and momentum in RViz.'),
    'viewer': ('false', 'Start our own viewer, in a web browser.'),
    'real_time_factor': ('1.0', 'Simulated seconds in a second; 0 for as fast as it goes.'),
    'paused': ('false', 'Start paused; the service free_flyer/pause lets it run.'),
    'publish_rate': ('100.0', 'States published in a simulated second [Hz].'),
}


def number(name):
    """Return an argument as the floating-point number a parameter wants."""
    return ParameterValue(LaunchConfiguration(name), value_type=float)


def generate_launch_description():
    """Return the simulator, robot_state_publisher and what shows them."""
    model = LaunchConfiguration('model')
    given = IfCondition(NotEqualsSubstitution(model, ''))
    description = ParameterValue(Command(['xacro ', model]), value_type=str)
    common = {
        'real_time_factor': number('real_time_factor'),
        'publish_rate': number('publish_rate'),
        'paused': ParameterValue(LaunchConfiguration('paused'), value_type=bool),
    }
    simulator = {
        'package': 'free_flyer_dynamics',
        'executable': 'free_flyer_simulator',
        'output': 'screen',
    }
    files = LaunchConfiguration('params_file')
    nodes = [
        PushRosNamespace(LaunchConfiguration('namespace')),
        Node(
            **simulator,
            parameters=[files, common, {'robot_description': description}],
            condition=given,
        ),
        Node(
            **simulator,
            parameters=[files, common],
            condition=IfCondition(EqualsSubstitution(model, '')),
        ),
        Node(
            package='robot_state_publisher',
            executable='robot_state_publisher',
            parameters=[
                {
                    'robot_description': description,
                    'publish_frequency': number('publish_rate'),
                    'use_sim_time': True,
                }
            ],
            remappings=[('robot_description', '~/robot_description')],
            condition=given,
        ),
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
