# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What the page shows, without a page: shapes, poses, curves and the table."""

from dataclasses import replace
import warnings

import free_flyer_dynamics as ffd
from free_flyer_dynamics.turns import nearest_turn
from free_flyer_dynamics.viewer import geometry, look, table
from free_flyer_dynamics.viewer.history import History
from free_flyer_dynamics.viewer.latest import Joints, Latest, Moving, Table
from free_flyer_dynamics.viewer.skeleton import Skeleton
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from test.shipped_robots import load

ROBOTS = ('thesis_seven_joint', 'thesis_planar_dual_arm', 'four_arm_37dof', 'thesis_target')
ROUNDING = 1e-13  # m; a dozen rotations in a row


@pytest.mark.parametrize('name', ROBOTS)
def test_every_link_is_drawn_where_the_simulator_says(name, rng):
    """Positions and orientations, joints anywhere."""
    model = load(name)
    angles = {
        joint.name: float(rng.uniform(max(joint.lower, -3), min(joint.upper, 3)))
        for joint in model.joints
    }
    sim = ffd.Simulator()
    sim.add(model, joint_positions=angles)
    skeleton = Skeleton(model)
    for body in model.bodies:
        position, matrix = skeleton.place(body.name, angles)
        pose = sim.pose(body.name)
        np.testing.assert_allclose(position, pose.position, atol=ROUNDING)
        turn = Rotation.from_matrix(matrix).inv() * Rotation.from_quat(pose.quaternion)
        assert turn.magnitude() < 1e-7  # half the digits, near zero


def test_parents_are_drawn_before_their_children():
    """Nodes of the scene are nested."""
    for name in ROBOTS:
        model = load(name)
        known = {model.root}
        for joint in Skeleton(model).outward():
            assert joint.parent in known
            known.add(joint.child)
        assert known == {body.name for body in model.bodies}


def test_visuals_are_those_of_the_urdf():
    """Kind, size, place and colour; a material by name or on the spot."""
    drawn = geometry.shapes(load('thesis_target'))['target']
    assert [shape.kind for shape in drawn] == ['box', 'box', 'sphere']
    assert drawn[0].size == (0.9, 0.9, 0.9)
    assert drawn[2].position == (-0.5, -0.5, 0.5)
    assert drawn[2].colour == (230, 115, 26)
    xml = load('thesis_target').xml.replace('<material name="blue"/>', '')
    assert geometry.shapes(ffd.load_urdf(xml))['target'][0].colour == look.BARE


def test_without_visuals_boxes_have_the_links_inertia():
    """Mass, centre and inertia of the box are those of the link."""
    inertia = np.array([[2.0, 0.1, 0.0], [0.1, 1.5, 0.2], [0.0, 0.2, 1.0]])
    body = ffd.Body('stone', mass=3.0, center=(0.1, 0.2, 0.3), inertia=inertia)
    (shape,) = geometry.shapes(ffd.Model('stone', (body,)))['stone']
    a, b, c = shape.size
    moments = 3.0 / 12.0 * np.array([b * b + c * c, c * c + a * a, a * a + b * b])
    w, x, y, z = shape.wxyz
    turn = Rotation.from_quat((x, y, z, w)).as_matrix()
    np.testing.assert_allclose(turn @ np.diag(moments) @ turn.T, inertia, atol=1e-12)
    assert shape.position == (0.1, 0.2, 0.3)


def test_an_inertia_no_body_has_is_drawn_all_the_same():
    """Link 6 of the thesis breaks the triangle inequality."""
    body = load('thesis_seven_joint').body('link6')
    assert min(geometry.inertia_box(body).size) > 0


def seen(stamp, turn=0.0, rate=0.0):
    """Return what is known of the thesis's robot, turned about z, wheels spinning."""
    model = load('thesis_seven_joint')
    names = tuple(joint.name for joint in model.joints)
    rates = np.where([name == 'J8' for name in names], rate, 0.0)
    quaternion = Rotation.from_rotvec((0, 0, turn)).as_quat()
    still = np.zeros(3)
    return model, Latest(
        joints=Joints(stamp, names, np.zeros(10), rates, np.zeros(10)),
        roots={'base': (still, quaternion)},
        momenta={'': Moving(still, still, np.array([0, 3.0, 4.0]), 7.0)},
    )


def test_curves_are_what_their_names_say():
    """Attitude beyond half a turn, the wheels' share of momentum, energy and rates."""
    model, latest = seen(1.0)
    history = History(model)
    for k, turn in enumerate(np.linspace(0, 4.0, 9)):
        _, latest = seen(1.0 + k, turn, rate=20.0)
        assert history.add(latest)
    columns, groups = history.columns(), history.groups()
    curve = {
        (title, name): columns[rows][i]
        for title, (rows, names) in groups.items()
        for i, name in enumerate(names)
    }
    assert curve['Base attitude [deg]', 'z'][-1] == pytest.approx(np.degrees(4.0))
    assert curve['Angular momentum [N m s]', 'all'][-1] == pytest.approx(5.0)
    assert curve['Angular momentum [N m s]', 'wheels'][-1] == pytest.approx(0.1 * 20.0)
    assert curve['Kinetic energy [J]', 'energy'][-1] == 7.0
    assert curve['Wheel speeds [rad/s]', 'J8'][-1] == 20.0
    assert len(columns) == 1 + len(curve)


def test_a_robot_without_wheels_has_no_curve_of_them():
    """Neither their momentum nor their speeds; another robot's name is there all the same."""
    model = load('thesis_planar_three_joint')
    history, still = History(model), np.zeros(3)
    names, moving = tuple(joint.name for joint in model.joints), Moving(*np.eye(3), 7.0)
    latest = Latest(
        joints=Joints(1.0, names, *np.zeros((3, len(names)))),
        roots={model.root: (still, np.array([0.0, 0.0, 0.0, 1.0]))},
        momenta={'': moving, 'target_': moving},
    )
    assert history.add(latest)
    groups = history.groups()
    assert groups['Angular momentum [N m s]'][1] == ('all', 'target')
    assert not [title for title in groups if 'Wheel' in title]
    assert len(history.columns()) == 1 + sum(len(names) for _, names in groups.values())
    assert history.columns()[groups['Kinetic energy [J]'][0]][0] == 7.0


BOX = geometry.Shape('box', (1.0, 0.4, 0.2), (0.5, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), look.BARE)
MOTOR = geometry.Shape(
    'cylinder', (0.3, 0.5), (0.0, 0.0, 0.2), tuple(np.sqrt((0.5, 0.0, 0.5, 0.0))), look.BARE
)


@pytest.mark.parametrize(
    ('drawn', 'girth'),
    [
        ((), 0.0),
        ((BOX,), 0.1),  # the origin lies on its face
        ((replace(BOX, position=(0.51, 0.0, 0.0)),), 0.0),
        ((BOX, MOTOR), 0.3),  # which lies along x, so that the origin is 0.2 from its axis
        ((replace(MOTOR, position=(0.0, 0.0, 0.31)),), 0.0),
        ((replace(MOTOR, position=(0.26, 0.0, 0.0)),), 0.0),
        ((replace(BOX, kind='sphere', size=(0.6,)),), 0.6),
        ((replace(BOX, kind='sphere', size=(0.4,)),), 0.0),
        ((replace(BOX, kind='mesh'),), 0.0),  # nobody looks into it
    ],
)
def test_girth_is_that_of_what_the_joint_lies_in(drawn, girth):
    """Shapes that are elsewhere on the link do not count."""
    assert geometry.girth(drawn) == pytest.approx(girth)


def test_the_past_goes_when_time_runs_back_and_is_thin():
    """A reset begins anew; two instants that are close are one."""
    model, latest = seen(5.0)
    history = History(model)
    assert history.add(latest)
    assert not history.add(seen(5.01)[1])
    assert history.add(seen(1.0)[1])
    assert history.columns().shape[1] == 1


def test_a_rotation_is_followed_through_many_turns():
    """Its vector does not jump at half a turn."""
    vector = np.zeros(3)
    for angle in np.arange(0.0, 20.0, 0.5):
        found = Rotation.from_rotvec((angle, 0, 0)).as_rotvec()
        vector = nearest_turn(found, vector)
        assert vector[0] == pytest.approx(angle)


def test_the_table_shows_rows_locks_and_loops_and_escapes_names():
    """A name is text, whatever is in it."""
    rows = ((1, '<b>', 0, 0, 1, -1), (2, 'hand', 1, 1, 0, 4))
    text = table.html(Table(3, 12, 'base', rows, ('J<1>',), ('grip',), ('grip',)))
    assert '12 DOF' in text
    assert '<b>' not in text.replace('<b>12 DOF</b>', '').replace('<b>base</b>', '')
    assert 'J&lt;1&gt;' in text
    assert text.count('class="locked"') == 1
    assert 'loops grip' in text


def test_the_sky_is_the_same_every_night():
    """And dark enough to see a robot before it."""
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        sky = look.sky()
    np.testing.assert_array_equal(sky, look.sky())
    assert sky.mean() < 40
