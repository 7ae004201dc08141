# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The shipped robots for tests: loading them, and where their links are."""

import warnings

from free_flyer_dynamics.model import ModelWarning
from free_flyer_dynamics.urdf import load_urdf
import numpy as np


def load(name):
    """Load a shipped robot through its address, whatever it warns of."""
    with warnings.catch_warnings():
        warnings.simplefilter('ignore', ModelWarning)
        return load_urdf(f'package://free_flyer_dynamics/urdf/{name}.urdf')


def place(model, link, angles=()):
    """Return position and rotation of a link in the root frame, joint by joint."""
    angles = dict(zip((joint.name for joint in model.joints), angles, strict=False))
    inward = {joint.child: joint for joint in (*model.joints, *model.fixed_joints)}
    p, R = np.zeros(3), np.eye(3)
    while link != model.root:
        joint = inward[link]
        x, y, z = joint.axis
        K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        q = angles.get(joint.name, 0.0)
        turn = np.eye(3) + np.sin(q) * K + (1 - np.cos(q)) * K @ K
        R = joint.rotation @ turn @ R
        p = joint.position + joint.rotation @ turn @ p
        link = joint.parent
    return p, R
