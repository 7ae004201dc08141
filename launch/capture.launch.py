# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A chaser catches a tumbling target, holds it, lets it go and catches it again."""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

SHARE = FindPackageShare('free_flyer_dynamics')
CONFIG = PathJoinSubstitution([SHARE, 'config'])
ARGUMENTS = {
    'after': ('distributed_momentum', 'From the contact on; the other: reaction_null_space.'),
    'linger': ('10.0', 'How long the target is held, and then let go [s]; 0: held for ever.'),
    'namespace': ('', 'Namespace of every node started.'),
    'rviz': ('false', 'Show the scene in RViz.'),
    'viewer': ('false', 'Start our own viewer, in a web browser.'),
}


def generate_launch_description():
    """Return the simulator with both satellites and the controller."""
    given = {name: LaunchConfiguration(name) for name in ARGUMENTS}
    after, linger = given.pop('after'), ParameterValue(given.pop('linger'), value_type=float)
    given |= {'model': '', 'params_file': [CONFIG, '/capture.yaml']}
    path = PathJoinSubstitution([SHARE, 'launch', 'simulator.launch.py'])
    simulator = IncludeLaunchDescription(path, launch_arguments=given.items())
    own = [[CONFIG, '/controller.yaml'], {'capture.after': after, 'capture.linger': linger}]
    which = {'package': 'free_flyer_dynamics', 'executable': 'free_flyer_controller'}
    controller = Node(**which, namespace=given['namespace'], parameters=own, output='screen')
    arguments = [
        DeclareLaunchArgument(name, default_value=default, description=sentence)
        for name, (default, sentence) in ARGUMENTS.items()
    ]
    return LaunchDescription([*arguments, simulator, controller])
