# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The library's own run of what the shared simulator runs."""

import warnings

import free_flyer_dynamics as ffd
from free_flyer_dynamics.urdf import shipped
import numpy as np


def twin(dt=1e-3, gravity=(0, 0, 0)):
    """Return the world of TWO in conftest."""
    with warnings.catch_warnings():
        warnings.simplefilter('ignore', ffd.ModelWarning)
        chaser = ffd.load_urdf(shipped('thesis_seven_joint'))
        target = ffd.load_urdf(shipped('thesis_target'))
    sim = ffd.Simulator(dt=dt, gravity=gravity)
    sim.add(chaser, joint_positions={'J2': 0.5}, joint_velocities={'J1': 0.1})
    sim.add(
        target,
        prefix='target_',
        position=(3.0, 0.5, 1.0),
        linear_velocity=(-0.02, 0, 0),
        angular_velocity=(0.0, 0.05, 0.1),
    )
    return sim


def xyz(message):
    """Return a vector or point as an array."""
    return np.array([message.x, message.y, message.z])


def xyzw(message):
    """Return a quaternion as an array."""
    return np.array([message.x, message.y, message.z, message.w])


def in_axes_of(pose, vector):
    """Return a vector in world axes in those of a pose."""
    x, y, z, w = pose.quaternion
    u = np.array([x, y, z])
    return vector - 2 * w * np.cross(u, vector) + 2 * np.cross(u, np.cross(u, vector))
