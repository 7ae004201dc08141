# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The robots we ship are those the papers print; what we assumed is marked as such."""

from pathlib import Path
import re
import warnings

from free_flyer_dynamics.errors import ModelError
from free_flyer_dynamics.model import ModelWarning
from free_flyer_dynamics.urdf import load_urdf, shipped
import numpy as np
import pytest
import yaml

from test.shipped_robots import load, place
from test.urdf_text import rotation

DATA = Path(__file__).parent / 'data' / 'tables.yaml'
TABLES = yaml.safe_load(DATA.read_text(encoding='utf-8'))
DOF = {
    'thesis_seven_joint': 16,
    'thesis_planar_three_joint': 9,
    'thesis_planar_dual_arm': 12,
    'tian_wu_three_joint': 9,
    'four_arm_37dof': 37,
    'thesis_target': 6,
}
# Printed with four decimals.
PRINTED = 5e-5


def inertia_matrix(numbers):
    """Return the matrix of the table's Ixx Iyy Izz Ixy Ixz Iyz."""
    xx, yy, zz, xy, xz, yz = numbers
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def assert_body(model, name, mass, center, inertia):
    """Assert that a link has these numbers."""
    body = model.body(name)
    assert body.mass == mass
    np.testing.assert_allclose(body.center, center, atol=1e-15)
    np.testing.assert_array_equal(body.inertia, inertia)


@pytest.mark.parametrize('name', DOF)
def test_every_shipped_robot_loads_and_has_its_freedoms(name):
    """By its name and its address."""
    model = load(name)
    assert model.name == name
    assert 6 + len(model.joints) == DOF[name]
    assert shipped(name).read_text(encoding='utf-8') == model.xml
    assert shipped(f'{name}.urdf') == shipped(name)


def test_an_unknown_robot_is_answered_with_the_known_ones():
    """With the nearest first."""
    with pytest.raises(ModelError, match=r"Did you mean 'thesis_target'.*four_arm_37dof"):
        shipped('thesis_targt')


def test_only_link_six_of_the_thesis_is_odd():
    """Its inertia, kept as printed, breaks the triangle inequality; nothing else warns."""
    with pytest.warns(ModelWarning) as caught:
        load_urdf(shipped('thesis_seven_joint'))
    assert [str(w.message)[:14] for w in caught] == ["Link 'link6': "]
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        for name in set(DOF) - {'thesis_seven_joint'}:
            load_urdf(shipped(name))


def test_the_seven_joint_robot_is_tables_f1_to_f3():
    """Printed: masses, inertias, centres, joint places and joint frames."""
    table, model = TABLES['dimitrov_F1_F3'], load('thesis_seven_joint')
    assert model.mass == pytest.approx(1173.07, rel=1e-15)
    base = table['base']
    assert_body(model, 'base', base['mass'], np.zeros(3), inertia_matrix(base['inertia']))
    places = {name: np.array(xyz) for name, xyz in table['base_out'].items()}
    for row in table['links']:
        to_joint = np.array(row['in'])
        name = f'link{row["link"]}'
        assert_body(model, name, row['mass'], -to_joint, inertia_matrix(row['inertia']))
        places[f'J{row["link"] + 1}'] = np.array(row['out']) - to_joint
        if row['link'] == 7:
            mount = model.joint('end_effector_mount').position
            np.testing.assert_allclose(mount, places['J8'], atol=1e-15)
            places['J8'] = np.array(table['base_out']['J8'])
    wheels = table['wheels']
    for name, joint in zip(wheels['names'], wheels['joints'], strict=True):
        assert model.joint(joint).child == name
        assert_body(model, name, wheels['mass'], np.zeros(3), inertia_matrix(wheels['inertia']))
    for name, degrees in table['joint_orientation_deg'].items():
        X, Y, Z = np.radians(degrees)
        frame = rotation(X, 0, 0) @ rotation(0, Y, 0) @ rotation(0, 0, Z)
        joint = model.joint(name)
        np.testing.assert_allclose(joint.rotation, frame, atol=1e-15)
        np.testing.assert_allclose(joint.position, places[name], atol=1e-15)
        np.testing.assert_array_equal(joint.axis, [0, 0, 1])
        assert joint.kind == 'continuous'
    assert [wheel.joint for wheel in model.wheels] == wheels['joints']
    limit = TABLES['dimitrov_4_5_2_3']['wheel_torque_limit_Nm']
    assert {wheel.torque_limit for wheel in model.wheels} == {limit}
    assert model.end_effectors == ('end_effector',)


def test_the_seven_joint_arm_starts_as_far_from_its_goal_as_printed():
    """Printed: in table 4.2 case C3 moves straight, so Y_ob is the distance to go."""
    case = TABLES['dimitrov_4_5_3_1']
    angles = np.radians(case['initial_angles_deg'])
    start, _ = place(load('thesis_seven_joint'), 'end_effector', angles)
    distance = np.linalg.norm(start - case['grasp_position_m'])
    assert distance == pytest.approx(case['table_4_2']['Y_ob']['C3'], abs=PRINTED)


def test_the_wheels_spin_about_the_axes_of_their_names():
    """Printed by name: RW_x, RW_y, RW_z, along base axes."""
    model = load('thesis_seven_joint')
    for k, name in enumerate(('RW_x', 'RW_y', 'RW_z')):
        axis = place(model, name)[1] @ [0, 0, 1]
        np.testing.assert_allclose(axis, np.eye(3)[k], atol=1e-15)


def test_the_planar_three_joint_robot_is_table_4_1():
    """Printed: masses, lengths, moments, position limits; assumed: mount and centres."""
    table, model = TABLES['dimitrov_table_4_1'], load('thesis_planar_three_joint')
    names = ['base', 'link1', 'link2', 'link3']
    for k, name in enumerate(names):
        body = model.body(name)
        assert body.mass == table['mass_kg'][k]
        assert body.inertia[2, 2] == table['inertia_kgm2'][k]
        middle = table['length_m'][k] / 2 if k else 0.0
        np.testing.assert_array_equal(body.center, [middle, 0, 0])
    for joint in model.joints:
        limits = np.radians(table['joint_limits_deg'])
        np.testing.assert_allclose([joint.lower, joint.upper], limits, rtol=1e-15)
    tip, _ = place(model, 'end_effector')
    np.testing.assert_allclose(tip, [0.5 + sum(table['length_m'][1:]), 0, 0])


def test_the_planar_dual_arm_is_tables_f4_and_f5():
    """Printed: masses, inertias, places; both arms stretched at zero."""
    table, model = TABLES['dimitrov_F4_F5'], load('thesis_planar_dual_arm')
    base, one = table['base'], table['link']
    assert_body(model, 'base', base['mass'], np.zeros(3), inertia_matrix(base['inertia']))
    for arm, first in (('arm_right', 'J1'), ('arm_left', 'J4')):
        place_of_next = np.array(table['base_out'][first])
        for k in table[arm]['links']:
            to_joint = np.array(table[arm]['in'])
            assert_body(model, f'link{k}', one['mass'], -to_joint, inertia_matrix(one['inertia']))
            np.testing.assert_array_equal(model.joint(f'J{k}').position, place_of_next)
            place_of_next = np.array(table[arm]['out']) - to_joint
    assert model.end_effectors == ('end_effector_right', 'end_effector_left')
    np.testing.assert_allclose(place(model, 'end_effector_right')[0], [3.5, 0, 0])
    np.testing.assert_allclose(place(model, 'end_effector_left')[0], [-3.5, 0, 0])


def test_the_tian_wu_robot_has_the_printed_inertias_and_says_what_is_assumed():
    """Printed: masses and moments; assumed, and said so in the file: everything else."""
    table, model = TABLES['tian_wu_table'], load('tian_wu_three_joint')
    for k, name in enumerate(['base', 'link1', 'link2', 'link3']):
        body = model.body(name)
        assert body.mass == table['mass_kg'][k]
        moments = [table[key][k] for key in ('Ixx', 'Iyy', 'Izz')]
        np.testing.assert_array_equal(body.inertia, np.diag(moments))
    assert 'ASSUMED GEOMETRY' in model.xml
    assert place(model, 'end_effector')[0] == pytest.approx([3.0, 0, 0])
    folded, _ = place(model, 'end_effector', table['initial_angle_rad'][1:])
    np.testing.assert_allclose(folded, [0, 2, 0], atol=1e-15)


def test_the_target_is_that_of_the_thesis():
    """Printed: mass, principal moments, grasp point."""
    table, model = TABLES['dimitrov_F1_F3']['target'], load('thesis_target')
    moments = np.diag(table['principal_moments'])
    assert_body(model, 'target', table['mass'], np.zeros(3), moments)
    grasp = TABLES['dimitrov_4_5_2_3']['grasp_point_in_target_m']
    np.testing.assert_array_equal(place(model, 'grasp')[0], grasp)


def test_the_four_arms_stretch_outward_and_the_wheels_are_aligned():
    """Ours: 37 degrees of freedom, two arms on each side."""
    model = load('four_arm_37dof')
    assert len(model.wheels) == 3
    assert len(model.end_effectors) == 4
    reach = [place(model, tool)[0][0] for tool in model.end_effectors]
    np.testing.assert_allclose(reach, [2.45, 2.45, -2.45, -2.45])
    for k, name in enumerate('xyz'):
        axis = place(model, f'wheel_{name}')[1] @ [0, 0, 1]
        np.testing.assert_allclose(axis, np.eye(3)[k], atol=1e-15)
    wheel = model.wheels[0]
    spin = model.body('wheel_x').inertia[2, 2] * wheel.speed_limit
    assert spin == pytest.approx(wheel.momentum_limit, rel=1e-3)


def test_the_four_arm_robot_is_its_xacro_file_expanded():
    """One source: the shorter file."""
    pytest.importorskip('xacro')
    path = shipped('four_arm_37dof')
    long = load_urdf(path)
    short = load_urdf(path.with_name('four_arm_37dof.urdf.xacro'))
    assert repr(long).split('xml=')[0] == repr(short).split('xml=')[0]

    def visuals(xml):
        return re.findall(r'<(?:box|cylinder|sphere|color) [^>]*>', xml)

    assert sorted(visuals(long.xml)) == sorted(visuals(short.xml))


@pytest.mark.parametrize('name', DOF)
def test_pinocchio_reads_the_same_robot(name):
    """The files are good URDF for others: same mass, same place of the end effector."""
    pinocchio = pytest.importorskip('pinocchio')
    model = load(name)
    theirs = pinocchio.buildModelFromXML(model.xml, pinocchio.JointModelFreeFlyer())
    assert theirs.nv == DOF[name]
    assert sum(inertia.mass for inertia in theirs.inertias) == pytest.approx(model.mass)
    q = pinocchio.neutral(theirs)
    data = theirs.createData()
    pinocchio.framesForwardKinematics(theirs, data, q)
    for link in model.end_effectors:
        found = data.oMf[theirs.getFrameId(link)]
        position, turn = place(model, link)
        np.testing.assert_allclose(found.translation, position, atol=1e-12)
        np.testing.assert_allclose(found.rotation, turn, atol=1e-12)


@pytest.mark.parametrize('name', DOF)
def test_every_shipped_robot_can_be_looked_at(name):
    """Every massive link has a visual with a colour that the file defines."""
    xml = shipped(name).read_text(encoding='utf-8')
    for body in load(name).bodies:
        inside = re.search(rf'<link name="{body.name}"(/>|>.*?</link>)', xml, re.DOTALL)[1]
        assert ('<visual>' in inside) == (body.mass > 0.0)
    used = set(re.findall(r'<material name="(\w+)"/>', xml))
    assert used <= set(re.findall(r'<material name="(\w+)">\s*<color', xml))
