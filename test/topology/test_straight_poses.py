# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Loops closed where arms are straight and frames line up: the shipped robots at zero.

There many rows of a loop are redundant, some only because of the pose, and some are nothing but
rounding: what is counted and computed has to be told from that.
"""

import warnings

import free_flyer_dynamics as ffd
import numpy as np
import pytest
from scipy.linalg import null_space

from test.oracles import relative
from test.shipped_robots import load
from test.topology.dense import Scene
from test.topology.scenes import change

pytestmark = pytest.mark.jit

# Singular values of J either are rounding or stand for lever arms of centimetres.
LEVER = 1e-6
# Of accelerations about 1: the rounding of motions, 1e-14, over lever arms squared, 1e-4.
AGREE = 1e-9
CLOSED = 1e-9  # the promise, here too

JOINTS = ('fixed', 'revolute', 'prismatic', 'spherical')
CASES = {
    'four_arm_37dof anchored twice': (('world', 'arm1_tool'), ('world', 'arm3_tool')),
    'four_arm_37dof on itself': (('base', 'arm2_tool'),),
    'thesis_planar_dual_arm anchored twice': (
        ('world', 'end_effector_right'),
        ('world', 'end_effector_left'),
    ),
    'thesis_planar_dual_arm on itself': (('base', 'end_effector_right'),),
    'thesis_planar_three_joint on itself': (('base', 'end_effector'),),
    'tian_wu_three_joint on itself': (('base', 'end_effector'),),
    'thesis_seven_joint anchored twice': (('world', 'base'), ('world', 'end_effector')),
}


def straight(case, kind):
    """Return the simulator and its scene, joined as the case says, at zero posture."""
    model = load(case.split()[0])
    sim = ffd.Simulator()
    sim.add(model)
    scene = Scene(sim, {'': model})
    with warnings.catch_warnings():
        warnings.simplefilter('ignore', ffd.LoopWarning)
        for k, (a, b) in enumerate(CASES[case]):
            if a == 'world':
                change(sim, scene, 'anchor', b, kind, name=f'bond{k}')
            else:
                change(sim, scene, 'attach', a, b, kind, name=f'bond{k}')
    efforts = {joint.name: 0.1 * (-1) ** k for k, joint in enumerate(model.joints)}
    sim.set_efforts(efforts)
    scene.twins[''].drive(efforts)
    return sim, scene.read()


@pytest.mark.parametrize('kind', JOINTS)
@pytest.mark.parametrize('case', CASES)
def test_freedoms_and_accelerations_are_those_of_dense_algebra(case, kind):
    """The motions that J lets be, by singular values; at rest accelerations are among them."""
    sim, scene = straight(case, kind)
    J, rate, _ = scene.constraints()
    assert not rate.any()
    free = null_space(J, rcond=LEVER)
    assert sim.connectivity().dof == free.shape[1]
    a = free @ np.linalg.solve(free.T @ scene.mass_matrix() @ free, free.T @ scene.forces())
    ours = sim.joint_accelerations()
    names = [name for name in sim.joint_names if not name.startswith('bond')]
    theirs = [a[scene.column(name)] for name in names]
    assert relative(ours[: len(names)], np.array(theirs), 1.0) < AGREE
    second = sim.joint_accelerations('independent_coordinates')
    assert relative(second, ours, 1.0) < AGREE


@pytest.mark.parametrize('kind', JOINTS)
@pytest.mark.parametrize('case', CASES)
def test_they_move_on_finite_and_closed(case, kind):
    """Driven out of the straight pose, whichever way it gives."""
    sim, _ = straight(case, kind)
    with warnings.catch_warnings():
        warnings.simplefilter('ignore', ffd.LoopWarning)
        for _round in range(20):
            sim.step(10)
            assert sim.residuals().loops < CLOSED
    assert np.isfinite(sim.velocities).all()
    assert np.max(np.abs(sim.velocities)) < 10.0
