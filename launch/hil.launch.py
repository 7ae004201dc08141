# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Hardware in the loop: ros2_control drives the simulator as it would drive the robot."""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare

SHARE = FindPackageShare('free_flyer_dynamics')
ARGUMENTS = {
    'model': (
        PathJoinSubstitution([SHARE, 'urdf', 'thesis_seven_joint.ros2_control.urdf.xacro']),
        'URDF or xacro file with <ros2_control> tags that name our topics.',
    ),
    'controllers_file': (
        PathJoinSubstitution([SHARE, 'config', 'free_flyer_controllers.yaml']),
        'YAML file of the controller manager and its controllers.',
    ),
    'controller': ('arm_controller', 'Name of the controller to activate.'),
    'rviz': ('false', 'Show the robot in RViz.'),
    'real_time_factor': ('1.0', 'Simulated seconds in a second; 0 for as fast as it goes.'),
    'publish_rate': ('500.0', 'States published in a simulated second [Hz].'),
}


def generate_launch_description():
    """Return the simulator, the controller manager and the spawners of its controllers."""
    simulator = IncludeLaunchDescription(
        PythonLaunchDescriptionSource(
            PathJoinSubstitution([SHARE, 'launch', 'simulator.launch.py'])
        ),
        launch_arguments={
            name: LaunchConfiguration(name)
            for name in ('model', 'rviz', 'real_time_factor', 'publish_rate')
        }.items(),
    )
    manager = Node(
        package='controller_manager',
        executable='ros2_control_node',
        parameters=[LaunchConfiguration('controllers_file')],
        # Our joint_states carry every joint already: the broadcaster's stay out of their way.
        remappings=[('joint_states', 'controller_manager/joint_states')],
        output='screen',
    )
    spawner = Node(
        package='controller_manager',
        executable='spawner',
        arguments=['joint_state_broadcaster', LaunchConfiguration('controller')],
    )
    arguments = [
        DeclareLaunchArgument(name, default_value=default, description=sentence)
        for name, (default, sentence) in ARGUMENTS.items()
    ]
    return LaunchDescription([*arguments, simulator, manager, spawner])
