# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Small URDF texts for tests."""

import math

import numpy as np

MASSIVE = (
    '<inertial><mass value="2"/>'
    '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
)
LIMIT = '<limit lower="-1" upper="2" effort="3" velocity="4"/>'


def link(name, inside=MASSIVE):
    """Return a <link>."""
    return f'<link name="{name}">{inside}</link>'


def joint(name, parent, child, kind='continuous', inside=''):
    """Return a <joint>."""
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="{kind}">{ends}{inside}</joint>'


def robot(*parts):
    """Return a <robot>, one part a line."""
    return '\n'.join(['<robot name="r">', *parts, '</robot>'])


def pair(kind='continuous', inside=''):
    """Return two massive links, a and b, and the joint j between them."""
    return robot(link('a'), link('b'), joint('j', 'a', 'b', kind, inside))


def inertial(mass='2', inertia='ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"', origin=''):
    """Return an <inertial>."""
    return f'<inertial>{origin}<mass value="{mass}"/><inertia {inertia}/></inertial>'


def rotation(roll, pitch, yaw):
    """Return Rz(yaw) Ry(pitch) Rx(roll), one factor at a time."""
    cr, sr, cp, sp = math.cos(roll), math.sin(roll), math.cos(pitch), math.sin(pitch)
    cy, sy = math.cos(yaw), math.sin(yaw)
    x = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    y = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    z = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    return z @ y @ x
