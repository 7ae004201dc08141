# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The thesis's own formulation, (2.19) to (2.34), gives the same: the second dense oracle."""

import numpy as np
import pytest

from test.oracles import relative
from test.papers.scenes import chain, FIVE, tree
from test.papers.thesis import Thesis

pytestmark = pytest.mark.jit

AGREE = 1e-9  # as with Pinocchio
EXACT = 1e-11  # of products without a solution
CASES = pytest.mark.parametrize('joints', [1, 2, 5, 13, 40])
GROW = pytest.mark.parametrize('grow', [chain, tree])


@pytest.mark.parametrize('algorithm', FIVE)
@CASES
@GROW
def test_oracle_all_five_agree_with_the_thesis(grow, joints, algorithm):
    """H z + c_n = (0, tau) + R^oT Q_ex with c_n corrected: moving, turning, sliding, pushed."""
    rng = np.random.default_rng(joints + 50)
    gravity = rng.uniform(-3, 3, 3)
    sim, model, start, *loads = grow(rng, joints, gravity=gravity, damping=0.5)
    z = Thesis(model, start).accelerations(*loads, gravity)
    assert relative(sim.joint_accelerations(algorithm), z[6:]) < AGREE


@GROW
def test_oracle_the_base_accelerates_as_in_the_thesis(grow, rng):
    """The thesis has its centre of mass, we have its origin."""
    sim, model, start, *loads = grow(rng, 9)
    thesis = Thesis(model, start)
    z = thesis.accelerations(*loads, np.zeros(3))
    base, w = thesis.bodies[model.root], start.angular_velocity
    arm = base.r - base.origin
    at_origin = z[:3] - np.cross(z[3:6], arm) - np.cross(w, np.cross(w, arm))
    acceleration = sim.acceleration(model.root)
    assert relative(acceleration.angular, z[3:6]) < AGREE
    assert relative(acceleration.linear, at_origin) < AGREE


@CASES
@GROW
def test_oracle_composite_bodies_give_the_thesiss_inertia_matrix(grow, joints):
    """H = R^oT M R^o, the base's rows taken to its origin and axes."""
    sim, model, start, *_ = grow(np.random.default_rng(joints), joints)
    thesis = Thesis(model, start)
    T = thesis.at_origin()
    assert relative(sim.mass_matrix(), T.T @ thesis.H @ T) < EXACT


def test_oracle_momentum_is_the_inertia_matrix_times_the_velocities(rng):
    """The base's rows of H z are the momentum; about its centre of mass, in inertial axes."""
    sim, model, start, *_ = tree(rng, 12)
    thesis = Thesis(model, start)
    momentum = thesis.H @ thesis.z_dot
    given = sim.momentum()
    about_base = given.angular - np.cross(thesis.bodies[model.root].r, given.linear)
    assert relative(momentum[:3], given.linear) < EXACT
    assert relative(momentum[3:6], about_base) < EXACT
