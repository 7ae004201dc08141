# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""URDF text becomes the robot it describes, or an error that names the element."""

import warnings

from free_flyer_dynamics.errors import ModelError
from free_flyer_dynamics.model import ModelWarning, UNLIMITED
from free_flyer_dynamics.urdf import load_urdf
import numpy as np
import pytest

from test.urdf_text import inertial, joint, LIMIT, link, MASSIVE, pair, robot, rotation

HINGE = '<origin xyz="1 2 3" rpy="0.1 -0.2 0.3"/><axis xyz="0 3 4"/>'


def test_a_joint_is_read_as_the_specification_says():
    """Origin, unit axis, limits, damping and friction arrive; text is kept."""
    dynamics = '<dynamics damping="0.5" friction="0.25"/>'
    text = pair('revolute', HINGE + LIMIT + dynamics)
    model = load_urdf(text)
    j = model.joint('j')
    np.testing.assert_array_equal(j.position, [1, 2, 3])
    np.testing.assert_allclose(j.rotation, rotation(0.1, -0.2, 0.3), atol=1e-15)
    np.testing.assert_allclose(j.axis, [0, 0.6, 0.8], atol=1e-15)
    assert (j.lower, j.upper, j.effort_limit, j.velocity_limit) == (-1, 2, 3, 4)
    assert (j.damping, j.friction) == (0.5, 0.25)
    assert (model.xml, model.root, model.mass) == (text, 'a', 4.0)


def test_what_a_joint_leaves_out_has_the_value_of_the_specification():
    """No axis means x, no origin the identity, no limit on a continuous joint none."""
    j = load_urdf(pair()).joint('j')
    np.testing.assert_array_equal(j.axis, [1, 0, 0])
    np.testing.assert_array_equal(j.rotation, np.eye(3))
    assert (j.lower, j.upper, j.effort_limit) == (-UNLIMITED, UNLIMITED, UNLIMITED)


def test_a_continuous_joint_uses_effort_and_velocity_but_no_positions():
    """A limit on a continuous joint does not stop it."""
    j = load_urdf(pair('continuous', LIMIT)).joint('j')
    assert (j.lower, j.upper) == (-UNLIMITED, UNLIMITED)
    assert (j.effort_limit, j.velocity_limit) == (3, 4)


def test_a_tiny_axis_is_still_an_axis():
    """Urchin would silently take x for a short one along y."""
    j = load_urdf(pair('continuous', '<axis xyz="0 1e-7 0"/>')).joint('j')
    np.testing.assert_array_equal(j.axis, [0, 1, 0])


def test_an_inertia_is_turned_into_link_axes():
    """The origin of <inertial> shifts the centre and turns the inertia."""
    origin = '<origin xyz="1 2 3" rpy="0.1 -0.2 0.3"/>'
    moments = 'ixx="1" ixy="0.1" ixz="0.2" iyy="2" iyz="0.3" izz="2.5"'
    body = load_urdf(robot(link('a', inertial('7', moments, origin)))).body('a')
    np.testing.assert_array_equal(body.center, [1, 2, 3])
    R = rotation(0.1, -0.2, 0.3)
    expected = R @ [[1, 0.1, 0.2], [0.1, 2, 0.3], [0.2, 0.3, 2.5]] @ R.T
    np.testing.assert_allclose(body.inertia, expected, atol=1e-15)


def test_bodies_and_joints_keep_the_order_of_the_file():
    """Children before parents, fixed between moving: the order stays."""
    text = robot(
        link('c'),
        joint('jc', 'b', 'c', 'prismatic', LIMIT),
        link('b', ''),
        joint('jb', 'a', 'b', 'fixed'),
        joint('jd', 'c', 'd'),
        link('a'),
        link('d'),
    )
    model = load_urdf(text)
    assert [body.name for body in model.bodies] == ['c', 'b', 'a', 'd']
    assert [j.name for j in model.joints] == ['jc', 'jd']
    assert [j.name for j in model.fixed_joints] == ['jb']
    assert model.root == 'a'


def test_a_floating_root_joint_is_left_out():
    """The massless link above it is the inertial frame."""
    text = robot(link('world', ''), link('a'), joint('free', 'world', 'a', 'floating'))
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        model = load_urdf(text)
    assert (model.root, len(model.bodies), model.fixed_joints) == ('a', 1, ())


def test_the_origin_of_a_floating_joint_is_told_to_be_unused():
    """The pose comes from Simulator.add."""
    origin = '<origin xyz="0 0 1"/>'
    text = robot(link('w', ''), link('a'), joint('free', 'w', 'a', 'floating', origin))
    with pytest.warns(ModelWarning, match=r'free.*Simulator\.add'):
        load_urdf(text)


def test_a_link_world_fixed_to_the_robot_is_left_out_and_told():
    """Others anchor a robot this way; here Simulator.add does, so we say so."""
    text = robot(link('world', ''), link('a'), joint('f', 'world', 'a', 'fixed'))
    with pytest.warns(ModelWarning, match='fixed=True'):
        assert load_urdf(text).root == 'a'


def test_a_massless_dummy_root_behind_a_fixed_joint_works():
    """The habit of many ROS robots, whose root may not have an inertia."""
    model = load_urdf(robot(link('dummy', ''), link('a'), joint('f', 'dummy', 'a', 'fixed')))
    assert (model.root, model.mass) == ('dummy', 2.0)


def test_a_massless_root_with_moving_joints_loads():
    """Whether it may fly is for Simulator.add to say."""
    assert load_urdf(robot(link('a', ''), link('b'), joint('j', 'a', 'b'))).root == 'a'


def test_an_inertia_no_mass_distribution_has_is_only_a_warning():
    """The thesis's own link 6 has one."""
    moments = 'ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="3"'
    with pytest.warns(ModelWarning, match=r"'a'.*triangle"):
        load_urdf(robot(link('a', inertial('1', moments))))


def test_a_joint_without_range_is_told():
    """URDF takes 0 for a limit that is left out."""
    with pytest.warns(ModelWarning, match="'j'.*cannot move"):
        load_urdf(pair('revolute', '<limit effort="1" velocity="1"/>'))


def test_a_slip_of_the_pen_is_told_and_other_tags_are_not():
    """<axsi> is ignored as URDF demands, but not in silence."""
    with pytest.warns(ModelWarning, match="<axsi> is ignored. Did you mean 'axis'"):
        load_urdf(pair('continuous', '<axsi xyz="0 0 1"/>'))
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        load_urdf(robot(link('a', MASSIVE + '<sensor/>'), '<gazebo/>', '<transmission/>'))


def test_the_extension_tag_is_read():
    """Wheels, end effectors in their order, and the IMU."""
    tag = (
        '<free_flyer><reaction_wheel joint="j" torque_limit="0.2" momentum_limit="4"/>'
        '<end_effector link="b"/><end_effector link="a"/><imu link="a"/></free_flyer>'
    )
    model = load_urdf(robot(tag, link('a'), link('b'), joint('j', 'a', 'b')))
    (wheel,) = model.wheels
    assert (wheel.joint, wheel.torque_limit, wheel.speed_limit) == ('j', 0.2, UNLIMITED)
    assert (model.end_effectors, model.imu) == (('b', 'a'), 'a')


EXTENSION = {
    '<reaction_wheel joint="jj"/>': "Did you mean 'j'",
    '<reaction_wheel/>': "'joint' is missing",
    '<reaction_wheel joint="j" torque_limit="-1"/>': 'above zero',
    '<reaction_wheel joint="j" torque="1"/>': "attribute 'torque' is unknown",
    '<reaction_wheel joint="f"/>': 'fixed joint',
    '<reaction_wheel joint="j"/><reaction_wheel joint="j"/>': 'given 2 times',
    '<end_effector link="zz"/>': 'end effector is on an unknown link',
    '<end_effector link="a"/><end_effector link="a"/>': 'given 2 times',
    '<imu link="a"/><imu link="b"/>': 'given 2 times',
    '<imu link="q"/>': 'IMU is on an unknown link',
    '<gripper link="a"/>': "tag 'gripper' is unknown",
}


@pytest.mark.parametrize('inside', EXTENSION)
def test_a_wrong_extension_is_refused(inside):
    """Unknown names, tags and attributes are errors, not silence."""
    parts = [link('a'), link('b'), link('c'), joint('j', 'a', 'b'), joint('f', 'a', 'c', 'fixed')]
    with pytest.raises(ModelError, match=EXTENSION[inside]):
        load_urdf(robot(f'<free_flyer>{inside}</free_flyer>', *parts))
