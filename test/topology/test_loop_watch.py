# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Closed loops that come near a singular configuration say so, and stay finite and closed."""

import warnings

import free_flyer_dynamics as ffd
from free_flyer_dynamics.generate import random_chain, to_urdf
import numpy as np
import pytest

pytestmark = pytest.mark.jit

CLOSED = 1e-9  # [m, rad], the promise for loops wherever they are


def planar_chain(links=4):
    """Return a chain of parallel hinges, each link a metre long along x at zero."""
    inertia = np.diag([0.01, 0.1, 0.1])
    bodies = [ffd.Body(f'l{k}', 1.0, (0.5, 0, 0), inertia) for k in range(links)]
    bodies.append(ffd.Body('tip'))
    joints = [
        ffd.Joint(f'j{k}', 'continuous', f'l{k - 1}', f'l{k}', (1.0, 0, 0))
        for k in range(1, links)
    ]
    fixed = [ffd.Joint('end', 'fixed', f'l{links - 1}', 'tip', (1.0, 0, 0))]
    model = ffd.Model('chain', tuple(bodies), tuple(joints), tuple(fixed))
    return ffd.load_urdf(to_urdf(model))


def four_bar(angles):
    """Return a four-bar whose third hinge closes it at these angles."""
    sim = ffd.Simulator(dt=1e-3)
    sim.add(planar_chain(), joint_positions=dict(zip(('j1', 'j2', 'j3'), angles, strict=True)))
    sim.attach('tip', 'l0', joint='revolute', name='pin')
    return sim


def test_a_well_shaped_four_bar_says_nothing():
    """Its redundant rows, out of plane, are no singularity."""
    with warnings.catch_warnings():
        warnings.simplefilter('error', ffd.LoopWarning)
        sim = four_bar((np.pi / 2, np.pi / 2, np.pi / 2))
        sim.set_efforts({'j1': 0.1})
        sim.step(200)
    assert sim.connectivity().dof == 7


def test_a_flat_four_bar_says_so_and_stays_closed():
    """All four hinges in line: one more motion is free to first order."""
    with pytest.warns(ffd.LoopWarning, match='pin'):
        sim = four_bar((0.0, np.pi, 0.0))
    sim.set_efforts({'j1': 0.1})
    for _round in range(20):
        sim.step(10)
        assert np.isfinite(sim.velocities).all()
        gap = sim.pose('tip').position - sim.pose('l0').position
        assert np.linalg.norm(gap) < CLOSED


def test_the_warning_comes_once_each_time():
    """A passage through the flat pose is told of, staying there is not told of again."""
    with pytest.warns(ffd.LoopWarning):
        sim = four_bar((0.0, np.pi, 0.0))
    with warnings.catch_warnings():
        warnings.simplefilter('error', ffd.LoopWarning)
        sim.step(3)


def test_rows_that_are_redundant_wherever_the_loop_is_closed_say_nothing():
    """A ball joint on a link's own hinge, whose base slides on a rail: the hinge stays free."""
    sim = ffd.Simulator(dt=1e-3)
    sim.add(random_chain(3, 4, kinds='revolute'))
    with warnings.catch_warnings():
        warnings.simplefilter('error', ffd.LoopWarning)
        sim.anchor('base', joint='prismatic', name='rail')
        sim.anchor('link1', joint='spherical', name='ball')
        sim.step(20)
    assert sim.connectivity().dof == 3  # the rail is stuck, the three hinges turn
