# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What is wrong in a URDF is said: which element, and what was expected."""

from free_flyer_dynamics.errors import ModelError
from free_flyer_dynamics.urdf import load_urdf
import pytest

from test.urdf_text import inertial, joint, LIMIT, link, pair, robot

WRONG = {
    '<model/>': 'expected <robot>',
    '<robot><link name="a"/></robot>': "'name' is missing",
    robot(): 'has no link',
    robot(link('')): "'name' is missing",
    robot(link('a'), link('a')): "2 links are named 'a'",
    robot(link('a'), link('b')): "2 links are roots.*'a', 'b'",
    robot(
        link('a'), link('b'), link('c'), joint('j', 'a', 'b'), joint('j', 'a', 'c')
    ): "2 joints are named 'j'",
    robot(link('a'), joint('j', 'a', 'b')): "child is unknown. No link is named 'b'",
    robot(link('a'), link('b'), joint('j', 'x', 'b')): 'parent is unknown',
    robot(link('a'), joint('j', 'a', 'a')): 'its own parent',
    robot(link('a'), link('b'), joint('j', 'a', 'b'), joint('k', 'b', 'a')): 'cycle',
    robot(
        link('a'), link('b'), link('c'), joint('j', 'b', 'c'), joint('k', 'c', 'b')
    ): "links 'b', 'c' form a cycle",
    robot(
        link('a'), link('b'), link('c'), joint('j', 'a', 'c'), joint('k', 'b', 'c')
    ): "'c' is the child of two joints, 'j' and 'k'",
    robot(link('a'), link('world'), joint('j', 'a', 'world')): "named 'world'",
    pair('planar'): "name='j'.*type 'planar' is not supported",
    pair('screw'): "type 'screw' is not supported",
    pair('ball'): "type 'ball' is not supported",
    pair(''): "'type' is missing",
    pair('floating'): 'must be massless',
    robot(
        link('a'), link('b'), link('c'), joint('j', 'a', 'b'), joint('f', 'b', 'c', 'floating')
    ): "name='f'.*a floating joint may only",
    pair('revolute'): '<limit> is missing',
    pair('prismatic'): '<limit> is missing',
    pair('revolute', '<limit velocity="1"/>'): "'effort' is missing",
    pair('revolute', '<limit effort="1"/>'): "'velocity' is missing",
    pair('revolute', '<limit effort="-1" velocity="1"/>'): 'effort limit is -1',
    pair('revolute', '<limit lower="1" upper="0" effort="1" velocity="1"/>'): 'above the upper',
    pair('revolute', '<limit lower="nan" effort="1" velocity="1"/>'): "lower='nan'",
    pair('continuous', LIMIT + LIMIT): '<limit> is given 2 times',
    pair('continuous', '<mimic joint="k"/>'): '<mimic> is not supported',
    pair('continuous', '<axis xyz="0 0 0"/>'): r'axis is \(0, 0, 0\)',
    pair('continuous', '<axis xyz="0 1"/>'): 'expected 3 finite numbers',
    pair('continuous', '<axis/>'): "'xyz' is missing",
    pair('continuous', '<origin xyz="0 0 inf"/>'): "xyz='0 0 inf'; expected 3 finite",
    pair('continuous', '<origin rpy="0 0 1e999"/>'): 'expected 3 finite',
    pair('continuous', '<origin xyz="0 0 1_0"/>'): 'expected 3 finite',
    pair('continuous', '<dynamics damping="-1"/>'): 'damping is -1',
    pair('continuous', '<dynamics friction="-1"/>'): 'friction is -1',
    robot(link('a'), link('b'), '<joint name="j" type="fixed"/>'): '<child> is missing',
    robot(link('a', inertial('-1'))): 'mass is -1',
    robot(link('a', inertial('x'))): "value='x'; expected one finite number",
    robot(link('a', inertial('0'))): 'mass is zero but the inertia is not',
    robot(link('a', inertial('1', 'ixx="1"'))): "'ixy' is missing",
    robot(link('a', '<inertial><mass value="1"/></inertial>')): '<inertia> is missing',
    robot(
        link('a', inertial('1', 'ixx="1" ixy="2" ixz="0" iyy="1" iyz="0" izz="1"'))
    ): 'positive definite',
    robot(
        link('a', inertial('1', 'ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"'))
    ): 'positive definite',
    robot(link('a'), link('b', ''), joint('j', 'a', 'b')): "'j' moves nothing that has mass",
    robot(
        link('a'), link('b', ''), link('c'), joint('j', 'a', 'b'), joint('k', 'b', 'c')
    ): "'j' moves a massless link",
}


@pytest.mark.parametrize('text', WRONG)
def test_what_is_wrong_in_a_file_is_said(text):
    """Every fault is a ModelError with the element and what was expected."""
    with pytest.raises(ModelError, match=WRONG[text]):
        load_urdf(text)


def test_a_universal_joint_without_mass_in_the_middle_loads():
    """Two hinges on different axes about a massless cross resist torque."""
    across = '<axis xyz="0 1 0"/>'
    parts = [joint('j', 'a', 'b'), joint('k', 'b', 'c', inside=across)]
    assert len(load_urdf(robot(link('a'), link('b', ''), link('c'), *parts)).joints) == 2
