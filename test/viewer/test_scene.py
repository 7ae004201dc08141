# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The scene that is sent to the page: meshes, moving links, marks of structure and momentum."""

import logging
from types import SimpleNamespace
from unittest.mock import Mock

import free_flyer_dynamics as ffd
import numpy as np
import pytest

viser = pytest.importorskip('viser', reason='needs the package viser')

from free_flyer_dynamics.viewer import light, look  # noqa: E402, I100
from free_flyer_dynamics.viewer.latest import Latest, Moving, Table  # noqa: E402
from free_flyer_dynamics.viewer.marks import Marks  # noqa: E402
from free_flyer_dynamics.viewer.plots import Plots  # noqa: E402
from free_flyer_dynamics.viewer.robot import RobotView  # noqa: E402

from test.shipped_robots import load  # noqa: E402

MESHED = """
<robot name="meshed"><link name="stone">
  <inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  <visual><geometry><mesh filename="{file}" scale="2 2 2"/></geometry></visual>
</link></robot>
"""


@pytest.fixture(scope='module')
def scene():
    server = viser.ViserServer(host='127.0.0.1', port=8533, verbose=False)
    yield server.scene
    server.stop()


def test_links_are_where_their_joints_put_them(scene):
    """Frames are nested: their product along the chain is the simulator's pose."""
    model = load('four_arm_37dof')
    angles = {joint.name: 0.3 for joint in model.joints}
    view = RobotView(scene, model)
    root = (np.array([1.0, 2.0, 3.0]), np.array([0.0, 0.0, np.sqrt(0.5), np.sqrt(0.5)]))
    view.move(root, angles)
    sim = ffd.Simulator()
    sim.add(model, position=root[0], quaternion=root[1], joint_positions=angles)
    for hand in view.hands:
        np.testing.assert_allclose(
            view.place(hand, root, angles)[0], sim.pose(hand).position, atol=1e-12
        )
    view.remove()


def test_a_mesh_is_loaded_and_a_missing_one_is_told_and_shown_as_a_box(scene, tmp_path, caplog):
    """Scaled as the URDF says."""
    import trimesh

    file = tmp_path / 'stone.stl'
    trimesh.creation.box((1, 1, 1)).export(file)
    logging.getLogger('free_flyer_dynamics').propagate = True
    with caplog.at_level(logging.WARNING):
        RobotView(scene, ffd.load_urdf(MESHED.format(file=file))).remove()
    assert not caplog.records
    with caplog.at_level(logging.WARNING):
        RobotView(scene, ffd.load_urdf(MESHED.format(file=tmp_path / 'none.stl'))).remove()
    assert "Mesh of link 'stone' is not shown" in caplog.text


def test_locked_joints_wear_a_collar(scene):
    """Only they."""
    view = RobotView(scene, load('thesis_seven_joint'))
    view.mark_locked(('J2', 'J5'))
    seen = {name for name, collar in view._collars.items() if collar.visible}
    assert seen == {'J2', 'J5'}
    view.mark_locked(())
    assert not any(collar.visible for collar in view._collars.values())
    view.remove()


def test_collars_are_wider_than_what_they_are_around(scene):
    """A motor as thick as these hides a collar that fits the length of the arm alone."""
    view = RobotView(scene, load('four_arm_37dof'))
    motor, thin = 0.088, 0.2 * view.skeleton.size
    assert motor > thin
    assert motor < view._collars['arm3_joint2'].radius < 1.5 * motor
    view.remove()


def test_grips_come_and_go_and_loops_have_another_colour(scene):
    """A ball where each attachment sits, as long as it holds."""
    marks, place = Marks(scene), (np.zeros(3), np.eye(3))
    latest = Latest(
        table=Table(attachments=('grip', 'loop'), loops=('loop',)),
        wrenches={name: ('hand', np.ones(3), np.zeros(3)) for name in ('grip', 'loop', 'gone')},
    )
    marks.grips(latest, {'hand': place})
    colours = {name: tuple(grip._ball.color) for name, grip in marks._grips.items()}
    assert colours == {'grip': look.GRIP, 'loop': look.LOOP}
    latest.table = Table()
    marks.grips(latest, {'hand': place})
    assert not marks._grips


def test_arrows_are_as_long_as_they_are_large(scene):
    """Half the largest momentum so far is half as long; none at all is hidden."""
    marks = Marks(scene)
    lengths = []
    for size in (4.0, 2.0, 0.0):
        moving = Moving(np.zeros(3), np.array([size, 0, 0]), np.zeros(3), 0.0)
        marks.momentum(moving)
        ((start, end),) = marks._linear._handle.points
        lengths.append(float(np.linalg.norm(end - start)))
    assert lengths[1] == pytest.approx(lengths[0] / 2, rel=1e-6)
    assert not marks._linear._handle.visible
    assert not marks._angular._handle.visible


def test_a_trail_grows_with_what_can_be_seen(scene):
    """A step of a millimetre is left out; a reset forgets."""
    marks = Marks(scene)
    for x in (0.0, 0.001, 0.1, 0.2):
        marks.follow({'hand': (np.array([x, 0, 0]), look.HAND_TRAIL)})
    assert len(marks._trails['hand']._handle.points) == 2
    marks.clear()
    assert not marks._trails['hand']._handle.visible


def test_a_mesh_without_colours_has_that_of_its_material(scene, tmp_path, monkeypatch):
    """An STL has none of its own."""
    import trimesh

    file, drawn = tmp_path / 'cube.stl', []
    trimesh.creation.box().export(file)
    xml = MESHED.format(file=file).replace(
        '</geometry>', '</geometry><material name="m"><color rgba="1 0 0.2 1"/></material>'
    )
    monkeypatch.setattr(scene, 'add_mesh_trimesh', lambda path, mesh, **_: drawn.append(mesh))
    RobotView(scene, ffd.load_urdf(xml)).remove()
    assert drawn[0].visual.vertex_colors[0].tolist() == [255, 0, 51, 255]


def test_curves_do_not_show_rounding():
    """What stands still is a straight line, however its last digits wander."""
    shown = SimpleNamespace(data=None)
    history = Mock(groups=lambda: {'Energy': (slice(1, 2), ('energy',))})
    history.columns = lambda: np.array([[0.0, 1.0, 2.0], [3.0, 3.0 + 4e-13, 3.0 - 2e-12]])
    plots = Plots(Mock(add_uplot=lambda **_: shown), history)
    plots.build()
    plots.draw()
    assert np.ptp(shown.data[1]) == 0.0


def test_the_light_costs_little():
    """Neither shadows nor reflections, which take most of the time without a graphics card."""
    scene = Mock()
    light.shine(scene)
    scene.configure_default_lights.assert_called_once_with(enabled=False)
    scene.configure_environment_map.assert_called_once_with(None)
    lights = [call for call in scene.mock_calls if call[0].startswith('add_light')]
    assert len(lights) == 2
    assert not any(call.kwargs.get('cast_shadow') for call in lights)
