# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The scene that is sent to the page: meshes, moving links, marks of structure and momentum."""

import logging
import socket
import time
from types import SimpleNamespace
from unittest.mock import Mock

import free_flyer_dynamics as ffd
import numpy as np
import pytest

viser = pytest.importorskip('viser', reason='needs the package viser')

from free_flyer_dynamics.urdf import shipped  # noqa: E402, I100
from free_flyer_dynamics.urdf_prefix import prefixed  # noqa: E402
from free_flyer_dynamics.viewer import light, look  # noqa: E402
from free_flyer_dynamics.viewer.latest import Joints, Latest, Moving, Table  # noqa: E402
from free_flyer_dynamics.viewer.marks import Marks  # noqa: E402
from free_flyer_dynamics.viewer.plots import Plots  # noqa: E402
from free_flyer_dynamics.viewer.robot import RobotView  # noqa: E402
from free_flyer_dynamics.viewer.stage import Stage  # noqa: E402

from test.shipped_robots import load  # noqa: E402

NOWHERE = (np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]))
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


@pytest.fixture
def stage():
    """Return a stage that nobody watches, with one robot on it, and what it is told."""
    latest = Latest(descriptions={'robot_description': shipped('thesis_target').read_text()})
    stage = Stage(latest, SimpleNamespace(reset=None), '127.0.0.1', 8534)

    def fly(stamp, place):
        root = (np.array([place, 0.0, 0.0]), NOWHERE[1])
        latest.roots = {'target': root}
        latest.momenta = {'': Moving(root[0], np.array([place, 0.0, 0.0]), np.zeros(3), 0.0)}
        latest.joints = Joints(stamp, (), np.zeros(0), np.zeros(0), np.zeros(0))
        stage._draw()
        handle = stage._marks._trails['target']._handle
        return [tuple(segment[:, 0].tolist()) for segment in handle.points if handle.visible]

    yield latest, fly, stage
    stage._server.stop()


def test_a_hand_takes_the_other_robot_whichever_was_heard_of_first(stage):
    """A busy machine may tell of the target before the chaser."""
    latest, _, stage = stage
    target = prefixed(shipped('thesis_target').read_text(), 'target_')
    latest.joints = Joints(0.0, (), np.zeros(0), np.zeros(0), np.zeros(0))
    stage._cast.meet({})
    latest.descriptions = {'/target_robot_description': target}
    stage._draw()
    stage._draw_slowly()
    chaser = shipped('thesis_seven_joint').read_text()
    latest.descriptions = {**latest.descriptions, '/robot_description': chaser}
    stage._draw()
    stage._draw_slowly()
    assert stage._controls._hand.value == 'end_effector'
    assert stage._controls._frame.value == 'target_grasp'


def test_what_changes_while_a_frame_is_drawn_waits_for_the_next(stage, monkeypatch):
    """A reset forgets momenta, and another simulator roots, at any moment."""
    latest, fly, drawn = stage

    look = drawn._look_at_all

    def forget_and_look(positions):
        latest.roots, latest.momenta, latest.joints = {}, {}, None
        look(positions)

    monkeypatch.setattr(drawn, '_look_at_all', forget_and_look)
    fly(1.0, 2.0)
    assert not latest.momenta
    columns, groups = drawn._history.columns(), drawn._history.groups()
    assert columns[0].tolist() == [1.0]
    assert columns[groups['Kinetic energy [J]'][0]][0] == 0.0  # the momenta of this frame
    drawn._draw_slowly()
    assert '1.00 s' in drawn._clock.content


def test_a_flight_begun_anew_has_a_trail_and_curves_of_its_own(stage):
    """Time goes on over a reset; nothing flew from where it was to where it began."""
    latest, fly, drawn = stage
    fly(1.0, 1.0)
    assert fly(2.0, 2.0) == [(1.0, 2.0)]
    latest.began = 2.1
    assert len(fly(2.0, 3.0)) == 2  # a state of before, come late
    assert drawn._history.columns()[0].tolist() == [1.0, 2.0]
    assert fly(2.2, 0.0) == []
    assert drawn._history.columns()[0].tolist() == [2.2]
    assert fly(2.3, 0.5) == [(0.0, 0.5)]


def test_a_reset_of_a_paused_simulator_is_drawn_though_time_stands(stage):
    """Robots are where they began, and arrows as long as momentum is large from there on."""
    latest, fly, drawn = stage
    fly(1.0, 4.0)
    latest.began = 1.0
    assert fly(1.0, 1.0) == []
    marks = drawn._marks
    handle = marks._trails['target']._handle
    ((start, end),) = marks._linear._handle.points
    assert start[0] == 1.0
    latest.roots = {'target': (np.array([0.5, 0.0, 0.0]), NOWHERE[1])}  # later than the joints
    drawn._draw()
    assert [tuple(segment[:, 0]) for segment in handle.points] == [(1.0, 0.5)]
    assert end[0] - start[0] == pytest.approx(2.2, rel=1e-6)


def test_a_robot_that_nobody_describes_any_more_leaves_the_scene(stage):
    """Another simulator has come, with other robots."""
    latest, fly, drawn = stage
    fly(1.0, 0.0)
    target = latest.descriptions.pop('robot_description')
    latest.descriptions = {'another_robot_description': target}
    fly(2.0, 300.0)
    assert [view.model.root for view in drawn._cast.views] == ['target']
    assert drawn._server.initial_camera.look_at[0] == pytest.approx(300.0, abs=1.0)


def test_what_is_no_robot_is_told_once(stage, caplog):
    """And not with every frame; when it becomes one it is drawn."""
    latest, fly, drawn = stage
    logging.getLogger('free_flyer_dynamics').propagate = True
    target = latest.descriptions['robot_description']
    latest.descriptions = {'robot_description': target, 'a_robot_description': '<robot/>'}
    for stamp in (1.0, 2.0, 3.0):
        fly(stamp, 0.0)
    assert len(caplog.records) == 1
    assert 'a_robot_description' in caplog.text
    other = prefixed(target, 'other_')
    latest.descriptions = {'robot_description': target, 'a_robot_description': other}
    fly(4.0, 0.0)
    assert len(drawn._cast.views) == 2


def test_a_simulator_that_says_nothing_is_told(stage, monkeypatch):
    """It compiles or is gone; one that is paused may be silent."""
    _, fly, drawn = stage
    clock = SimpleNamespace(monotonic=lambda: 100.0)
    monkeypatch.setattr('free_flyer_dynamics.viewer.stage.time', clock)
    fly(1.0, 0.0)
    drawn._draw_slowly()
    assert 'silent' not in drawn._clock.content
    clock.monotonic = lambda: 107.0
    drawn._draw_slowly()
    assert 'silent for 7 s' in drawn._clock.content
    drawn.show_pace(True, 1.0)
    drawn._draw_slowly()
    assert drawn._clock.content.endswith('paused')
    drawn.show_pace(False, 1.0)
    fly(1.1, 0.0)
    drawn._draw_slowly()
    assert 'silent' not in drawn._clock.content


def test_the_camera_sees_robots_of_any_size_anywhere(stage):
    """All within the field of view, and not as a dot; somebody new is let in, nobody is chased."""
    latest, fly, drawn = stage
    camera = drawn._server.initial_camera
    fly(1.0, 1000.0)
    first = np.linalg.norm(camera.position - camera.look_at)
    assert camera.look_at[0] == pytest.approx(1000.0, abs=1.0)
    assert 0.5 < first < 5.0
    fly(2.0, 0.0)
    assert camera.look_at[0] == pytest.approx(1000.0, abs=1.0)
    chaser = shipped('thesis_seven_joint').read_text()
    latest.descriptions = {**latest.descriptions, 'another_robot_description': chaser}
    latest.roots = {'target': NOWHERE, 'base': (np.array([60.0, 0.0, 0.0]), NOWHERE[1])}
    drawn._draw()
    assert camera.look_at[0] == pytest.approx(30.0, abs=2.0)
    assert np.linalg.norm(camera.position - camera.look_at) > 40.0


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


def test_who_hangs_up_without_a_word_is_not_told_as_an_error(stage, caplog):
    """Browsers open lines that they then do not need."""
    _, _, stage = stage
    socket.create_connection(('127.0.0.1', stage.port)).close()
    time.sleep(0.3)
    assert not caplog.records
