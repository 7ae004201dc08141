# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Random robots are real ones, the same for a seed, of any size; text gives them back."""

import time

from free_flyer_dynamics.errors import ModelError
from free_flyer_dynamics.generate import (
    branching_tree,
    random_chain,
    random_tree,
    rpy_from,
    to_urdf,
)
from free_flyer_dynamics.model import Joint, Model, Wheel
from free_flyer_dynamics.model_checks import breaks_triangle_inequality
from free_flyer_dynamics.urdf import load_urdf
import numpy as np
import pytest

from test.urdf_text import rotation

ALL = ('revolute', 'continuous', 'prismatic', 'fixed')
# Three angles and back: a few roundings of numbers below one.
ANGLES = 1e-15
# A generous limit for a slow machine; here it takes 0.3 s.
SECONDS = 5.0


def parents(model):
    """Return the parent's index of each link but the base, in order of the joints."""
    index = {body.name: i for i, body in enumerate(model.bodies)}
    return [index[joint.parent] for joint in model.joints]


def test_the_shapes_are_what_they_say():
    """A chain, a binary tree, autoTree's alternation, and a tree drawn blindly."""
    assert parents(random_chain(4)) == [0, 1, 2, 3]
    assert parents(branching_tree(6, 2)) == [0, 0, 1, 1, 2, 2]
    assert parents(branching_tree(6, 1.5)) == [0, 1, 1, 2, 3, 3]
    assert all(p <= i for i, p in enumerate(parents(random_tree(50, seed=4))))


def test_a_seed_gives_the_same_robot_and_another_seed_another():
    """To the bit."""
    assert to_urdf(random_tree(9, seed=5)) == to_urdf(random_tree(9, seed=5))
    assert to_urdf(random_tree(9, seed=5)) != to_urdf(random_tree(9, seed=6))


def test_the_bodies_are_real():
    """Positive definite by construction of Body; the triangle inequality holds too."""
    assert not any(map(breaks_triangle_inequality, random_tree(200, seed=1).bodies))


def test_the_options_are_obeyed():
    """Kinds, frames, limits, damping, friction."""
    slides = random_tree(20, kinds='prismatic', frames=3)
    assert {joint.kind for joint in slides.joints} == {'prismatic'}
    assert [joint.kind for joint in slides.fixed_joints] == ['fixed'] * 3
    assert all(np.isinf(j.upper) and j.damping == j.friction == 0.0 for j in slides.joints)
    limited = random_tree(30, limits=True, damping=1.0, friction=2.0)
    assert all(j.effort_limit < 51.0 and j.damping + j.friction > 0.0 for j in limited.joints)
    assert any(joint.upper < 4.0 for joint in limited.joints)


@pytest.mark.parametrize('grow', [random_chain, random_tree, branching_tree])
def test_four_thousand_links_are_quick(grow):
    """The size of the largest benchmark."""
    start = time.perf_counter()
    assert len(grow(4096).joints) == 4096
    assert time.perf_counter() - start < SECONDS


@pytest.mark.parametrize('options', [{'kinds': ('planar',)}, {'kinds': ()}])
def test_unknown_kinds_are_refused(options):
    """With the known ones."""
    with pytest.raises(ModelError, match='expected some of revolute'):
        random_tree(2, **options)


def test_too_little_branching_is_refused():
    """One child is the least."""
    with pytest.raises(ModelError, match='at least 1'):
        branching_tree(3, 0.5)


@pytest.mark.parametrize('seed', range(20))
def test_text_gives_the_same_robot_back(seed):
    """Every number to the bit, rotations to the rounding of three angles."""
    options = {'kinds': ALL, 'frames': 4, 'limits': seed % 2 == 0, 'damping': 1, 'friction': 1}
    model = random_tree(30, seed, **options)
    again = load_urdf(to_urdf(model))
    for one, two in zip(model.bodies, again.bodies, strict=True):
        assert (one.name, one.mass) == (two.name, two.mass)
        np.testing.assert_array_equal(one.center, two.center)
        np.testing.assert_array_equal(one.inertia, two.inertia)
    numbers = ('lower', 'upper', 'effort_limit', 'velocity_limit', 'damping', 'friction')
    for name in ('joints', 'fixed_joints'):
        for one, two in zip(getattr(model, name), getattr(again, name), strict=True):
            for field in ('name', 'kind', 'parent', 'child', *numbers):
                assert getattr(one, field) == getattr(two, field)
            np.testing.assert_array_equal(one.position, two.position)
            np.testing.assert_allclose(one.rotation, two.rotation, rtol=0, atol=ANGLES)
            if one.kind != 'fixed':
                np.testing.assert_array_equal(one.axis, two.axis)


def test_text_keeps_the_extension_and_odd_names():
    """Wheels, tools, IMU; names that XML must quote."""
    model = random_tree(3, kinds='continuous')
    wheels = (Wheel('joint1', 0.2), Wheel('joint2', momentum_limit=4.0))
    model = model.with_extension(wheels, ['link3', 'base'], 'link2')
    again = load_urdf(to_urdf(model))
    assert (again.wheels, again.end_effectors) == (wheels, ('link3', 'base'))
    assert again.imu == 'link2'
    a, b = model.bodies[0], model.bodies[1]
    odd = Model('a<b & "c"', (a, b), (Joint('<&>"\'', 'continuous', a.name, b.name),))
    assert load_urdf(to_urdf(odd)).joints[0].name == '<&>"\''


@pytest.mark.parametrize('pitch', [np.pi / 2, -np.pi / 2, np.pi / 2 - 1e-9, 1.0])
def test_angles_survive_the_pole(pitch):
    """Where yaw and roll share one axis, they still give the rotation."""
    for roll, yaw in np.random.default_rng(3).uniform(-3, 3, (50, 2)):
        R = rotation(roll, pitch, yaw)
        np.testing.assert_allclose(rotation(*rpy_from(R)), R, rtol=0, atol=ANGLES)


@pytest.mark.parametrize('seed', range(5))
def test_pinocchio_reads_the_same_robot(seed):
    """The text's inertia matrix, computed by Pinocchio, has our mass and joints."""
    pinocchio = pytest.importorskip('pinocchio')
    model = random_tree(12, seed, frames=3)
    theirs = pinocchio.buildModelFromXML(to_urdf(model), pinocchio.JointModelFreeFlyer())
    assert theirs.nv == 6 + len(model.joints)
    assert sum(inertia.mass for inertia in theirs.inertias) == pytest.approx(model.mass)
    for joint in model.joints:
        k = theirs.getJointId(joint.name)
        placement = theirs.jointPlacements[k]
        np.testing.assert_allclose(placement.rotation, joint.rotation, atol=1e-14)
        np.testing.assert_allclose(placement.translation, joint.position, atol=1e-14)
