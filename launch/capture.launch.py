# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A chaser catches a tumbling target, holds it, lets it go and catches it again."""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.substitutions import Command, LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

SHARE = FindPackageShare('free_flyer_dynamics')
CONFIG = PathJoinSubstitution([SHARE, 'config'])
ROBOTS = {'thesis_seven_joint': '', 'thesis_target': 'target_'}  # with their prefixes
ARGUMENTS = {
    'approach': ('free_floating', 'The base recoils; the other, with wheels: bias_momentum.'),
    'lock': ('at_contact', 'The base takes the tumble over; the other, the arm does: at_rest.'),
    'after': ('distributed_momentum', 'Until the arm is locked; the other: reaction_null_space.'),
    'linger': ('10.0', 'How long the target is held, and then let go [s]; 0: held for ever.'),
    'namespace': ('', 'Namespace of every node started.'),
    'rviz': ('false', 'Show the scene in RViz.'),
    'viewer': ('false', 'Start our own viewer, in a web browser.'),
}


def generate_launch_description():
    """Return the simulator with both satellites and the controller."""
    given = {name: LaunchConfiguration(name) for name in ARGUMENTS}
    own = ('approach', 'lock', 'after', 'linger')
    capture = {f'capture.{name}': given.pop(name) for name in own}
    given |= {'model': '', 'params_file': [CONFIG, '/capture.yaml']}
    path = PathJoinSubstitution([SHARE, 'launch', 'simulator.launch.py'])
    simulator = IncludeLaunchDescription(path, launch_arguments=given.items())
    flown = [[CONFIG, '/controller.yaml'], capture]
    which = {'package': 'free_flyer_dynamics', 'executable': 'free_flyer_controller'}
    controller = Node(**which, namespace=given['namespace'], parameters=flown, output='screen')
    # Of each robot all frames but the root's, as RViz wants them.
    frames = [
        Node(
            package='robot_state_publisher',
            executable='robot_state_publisher',
            name=f'{robot}_state_publisher',
            namespace=given['namespace'],
            parameters=[
                {
                    'robot_description': ParameterValue(
                        Command(['xacro "', SHARE, f'/urdf/{robot}.urdf"']), value_type=str
                    ),
                    'frame_prefix': prefix,
                    'publish_frequency': 1000.0,
                    'use_sim_time': True,
                }
            ],
            remappings=[('robot_description', '~/robot_description')],
        )
        for robot, prefix in ROBOTS.items()
    ]
    arguments = [
        DeclareLaunchArgument(name, default_value=default, description=sentence)
        for name, (default, sentence) in ARGUMENTS.items()
    ]
    return LaunchDescription([*arguments, simulator, *frames, controller])
