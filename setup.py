# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Install free_flyer_dynamics: with colcon in a ROS 2 workspace, or with pip without ROS."""

from glob import glob
import os

from setuptools import find_packages, setup

NAME = 'free_flyer_dynamics'
SHARE = f'share/{NAME}'


def files_under(folder):
    """
    Return a data_files entry for each folder of files under one of our data folders.

    Both installers put them under their prefix: a ROS 2 workspace's share/free_flyer_dynamics, or
    pip's sys.prefix/share/free_flyer_dynamics. The shipped robots are found in either.
    """
    paths = sorted(glob(f'{folder}/**', recursive=True))
    found = {}
    for path in filter(os.path.isfile, paths):
        found.setdefault(f'{SHARE}/{os.path.dirname(path)}', []).append(path)
    return list(found.items())


setup(
    name=NAME,
    version='0.1.0',
    description='Dynamics of free-floating space robots whose structure changes while they fly',
    license='Apache-2.0',
    maintainer='free_flyer_dynamics maintainers',
    maintainer_email='maintainers@example.com',
    packages=find_packages(include=[NAME, f'{NAME}.*']),
    package_data={NAME: ['py.typed']},
    data_files=[
        ('share/ament_index/resource_index/packages', [f'resource/{NAME}']),
        (SHARE, ['package.xml']),
        *files_under('launch'),
        *files_under('config'),
        *files_under('urdf'),
        *files_under('free_flyer_interfaces/msg'),  # what a bag says of our messages
    ],
    python_requires='>=3.10',
    install_requires=[
        'numpy>=1.24',
        'scipy>=1.10',
        'numba>=0.58',
        'urchin>=0.0.27',
        'xacro>=1.13',
        'PyYAML>=6.0',
    ],
    extras_require={
        'bag': ['rosbags>=0.10.10'],
        'plan': ['PyNomadBBO>=4.4'],
        'plot': ['matplotlib>=3.6'],
        'view': ['viser>=1.0'],
        'test': ['pytest'],  # what tells colcon to run pytest
    },
    zip_safe=False,
    entry_points={
        # One line for each executable: 'name = free_flyer_dynamics.module:main'.
        'console_scripts': [
            'free-flyer = free_flyer_dynamics.cli.main:run_and_exit',
            'free_flyer_controller = free_flyer_dynamics.ros.controller_node:run',
            'free_flyer_simulator = free_flyer_dynamics.ros.simulator_node:run',
            'free_flyer_viewer = free_flyer_dynamics.ros.viewer_node:run',
        ],
    },
)
