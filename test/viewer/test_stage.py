# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What a stage shows of what it is told, frame by frame."""

import logging
import socket
import time
from types import SimpleNamespace

import numpy as np
import pytest

viser = pytest.importorskip('viser', reason='needs the package viser')

from free_flyer_dynamics.urdf import shipped  # noqa: E402, I100
from free_flyer_dynamics.urdf_prefix import prefixed  # noqa: E402
from free_flyer_dynamics.viewer.latest import Joints, Latest, Moving  # noqa: E402
from free_flyer_dynamics.viewer.stage import Stage  # noqa: E402

NOWHERE = (np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]))


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


def test_who_hangs_up_without_a_word_is_not_told_as_an_error(stage, caplog):
    """Browsers open lines that they then do not need."""
    _, _, stage = stage
    socket.create_connection(('127.0.0.1', stage.port)).close()
    time.sleep(0.3)
    assert not caplog.records
