# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A model is frozen, and valid once made."""

from dataclasses import FrozenInstanceError

from free_flyer_dynamics.errors import ModelError
from free_flyer_dynamics.model import Body, Joint, Model, Wheel
import numpy as np
import pytest

A = Body('a', 1.0, inertia=np.eye(3))
B = Body('b', 2.0, inertia=np.eye(3))
J = Joint('j', 'continuous', 'a', 'b')


def test_a_model_answers_by_name():
    """Links, joints, root and mass."""
    model = Model('m', (A, B), (J,))
    assert (model.root, model.mass) == ('a', 3.0)
    assert (model.body('b'), model.joint('j')) == (B, J)


@pytest.mark.parametrize(('what', 'name'), [('body', 'bb'), ('joint', 'jj')])
def test_an_unknown_name_is_answered_with_the_nearest(what, name):
    """And with those that are known."""
    with pytest.raises(ModelError, match=rf"'{name}'\. Did you mean '{name[0]}'"):
        getattr(Model('m', (A, B), (J,)), what)(name)


def test_nothing_in_a_model_can_be_changed():
    """Neither fields nor numbers."""
    model = Model('m', (A, B), (J,))
    with pytest.raises(FrozenInstanceError):
        model.name = 'x'
    with pytest.raises(ValueError, match='read-only'):
        model.body('a').inertia[0, 0] = 2.0


def test_the_numbers_of_a_model_are_its_own():
    """What it was made from may change."""
    center = np.zeros(3)
    body = Body('a', 1.0, center, np.eye(3))
    center[0] = 1.0
    np.testing.assert_array_equal(body.center, np.zeros(3))


def test_a_unit_axis_keeps_every_bit():
    """Only one of another length is scaled."""
    axis = np.array([0.1, 0.2, 0.3]) / np.linalg.norm([0.1, 0.2, 0.3])
    np.testing.assert_array_equal(Joint('j', 'revolute', 'a', 'b', axis=axis).axis, axis)
    scaled = Joint('j', 'revolute', 'a', 'b', axis=(0, 3e200, 4e200)).axis
    np.testing.assert_allclose(scaled, [0, 0.6, 0.8], rtol=1e-15)


@pytest.mark.parametrize(
    ('fields', 'sentence'),
    [
        ({'mass': 'heavy'}, 'must be a number'),
        ({'mass': np.nan}, 'mass is nan'),
        ({'center': (0, 0)}, 'shape'),
        ({'center': ('a', 0, 0)}, 'must be numbers'),
        ({'center': (0, 0, np.inf)}, 'finite'),
        ({'inertia': [[1, 1, 0], [0, 1, 0], [0, 0, 1]]}, 'not symmetric'),
        ({'inertia': np.zeros((3, 3))}, 'positive definite'),
        ({'inertia': np.full((3, 3), 1e308)}, 'positive definite'),
        ({'name': ''}, 'is named'),
        ({'name': ' a'}, 'is named'),
    ],
)
def test_a_body_that_cannot_be_is_refused(fields, sentence):
    """With its name and what is wrong."""
    with pytest.raises(ModelError, match=sentence):
        Body(**{'name': 'a', 'mass': 1.0, 'inertia': np.eye(3), **fields})


@pytest.mark.parametrize(
    ('fields', 'sentence'),
    [
        ({'kind': 'planar'}, "type 'planar' is not supported"),
        ({'axis': (0, 0, 0)}, 'not all zero'),
        ({'axis': (np.nan, 0, 0)}, 'axis'),
        ({'rotation': -np.eye(3)}, 'proper'),
        ({'rotation': 2 * np.eye(3)}, 'proper'),
        ({'position': (np.nan, 0, 0)}, 'finite'),
        ({'lower': 1.0, 'upper': 0.0}, 'above the upper'),
        ({'upper': np.nan}, 'above the upper'),
        ({'effort_limit': -1.0}, 'effort limit'),
        ({'velocity_limit': np.nan}, 'velocity limit'),
        ({'damping': np.inf}, 'damping'),
        ({'friction': -1.0}, 'friction'),
        ({'child': 'a'}, 'its own parent'),
        ({'parent': ''}, 'is named'),
    ],
)
def test_a_joint_that_cannot_be_is_refused(fields, sentence):
    """With its name and what is wrong."""
    with pytest.raises(ModelError, match=sentence):
        Joint(**{'name': 'j', 'kind': 'revolute', 'parent': 'a', 'child': 'b', **fields})


def test_masses_beyond_all_numbers_are_refused():
    """Their sum would be infinite."""
    huge = [Body(name, 1e308, inertia=np.eye(3)) for name in ('a', 'b')]
    with pytest.raises(ModelError, match='add up'):
        Model('m', huge, (J,))


def test_parameters_say_the_same_as_the_tag():
    """What is given replaces, what is left out stays; the old model is untouched."""
    model = Model('m', (A, B), (J,), imu='a')
    wheel = Wheel('j', torque_limit=0.1)
    changed = model.with_extension(wheels=[wheel], end_effectors=['b'])
    assert (changed.wheels, changed.end_effectors, changed.imu) == ((wheel,), ('b',), 'a')
    assert (model.wheels, model.end_effectors) == ((), ())
    assert changed.with_extension(wheels=['j'], imu='b').wheels == (Wheel('j'),)


@pytest.mark.parametrize(
    ('parameters', 'sentence'),
    [
        ({'wheels': ['jj']}, "Did you mean 'j'"),
        ({'wheels': ['j', 'j']}, 'given 2 times'),
        ({'wheels': [3]}, 'expected a Wheel'),
        ({'end_effectors': 'b'}, 'expected a list'),
        ({'end_effectors': ['c']}, 'unknown link'),
        ({'imu': 'c'}, 'unknown link'),
    ],
)
def test_wrong_parameters_are_refused(parameters, sentence):
    """By the same checks as the tag."""
    with pytest.raises(ModelError, match=sentence):
        Model('m', (A, B), (J,)).with_extension(**parameters)


@pytest.mark.parametrize('limit', [0.0, -1.0, np.nan, 'much'])
def test_a_wheel_needs_limits_above_zero(limit):
    """A limit of zero would be no wheel."""
    with pytest.raises(ModelError, match='momentum_limit'):
        Wheel('j', momentum_limit=limit)
