# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The paper's tables and examples: [Lampariello] tables II and III, sections IV-A to IV-C."""

from pathlib import Path

import free_flyer_dynamics as ffd
from free_flyer_dynamics.model import Body, Joint, Model
import numpy as np
import pytest
import yaml

from test.shipped_robots import load

pytestmark = pytest.mark.jit

TABLES = yaml.safe_load((Path(__file__).parents[1] / 'data' / 'tables.yaml').read_text())
COLUMNS = ('link', 'parent', 'end_effector', 'connect', 'cflag')


def planar(parents, tools=()):
    """Return a robot whose link k + 1 hangs on link parents[k] by a hinge about z."""
    links = ['link0', *(f'link{k + 1}' for k in range(len(parents)))]
    bodies = tuple(Body(name, 10.0, np.array([0.5, 0.0, 0.0]), np.eye(3)) for name in links)
    ways = {}
    joints = []
    for k, parent in enumerate(parents):
        ways[parent] = ways.get(parent, -1) + 1
        turn = (0.6 * ways[parent]) if parent else 2.1 * ways[parent]
        c, s = np.cos(turn), np.sin(turn)
        R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        place = np.zeros(3) if parent == 0 else np.array([1.0, 0.0, 0.0])
        joints.append(Joint(f'joint{k + 1}', 'revolute', links[parent], links[k + 1], place, R))
    return Model('planar', bodies, tuple(joints), end_effectors=tuple(links[k] for k in tools))


def rows(table):
    """Return the columns that the paper prints."""
    return [{name: getattr(row, name) for name in COLUMNS} for row in table]


def of(model, **joint_positions):
    """Return a simulator of a robot that turns at every joint."""
    sim = ffd.Simulator()
    moving = {joint.name: 0.1 * (k + 1) for k, joint in enumerate(model.joints)}
    sim.add(model, joint_positions=joint_positions or moving, joint_velocities=moving)
    return sim


def test_table_two_a_closed_loop():
    """Figure 3: link 7 closes a loop with link 2."""
    sim = of(planar([0, 1, 1, 3, 0, 5, 6], tools=[2, 4, 7]))
    before = sim.connectivity()
    assert before.dof == 13
    assert all(row.cflag == -1 and row.connect == 0 for row in before.links)
    sim.attach('link7', 'link2', name='grip')
    table = sim.connectivity()
    assert rows(table.links) == TABLES['lampariello_table_II']
    assert table.dof == 13 - 3  # in the plane
    assert (table.attachments, table.loops) == (('grip',), ('grip',))
    assert table.revision == before.revision + 1
    sim.detach('grip')
    assert sim.connectivity().links == before.links


def test_table_three_two_arms_with_two_active_joints():
    """15 to 9 freedoms; old links 4 and 5 become part of 3, links 6 to 9 part of 1."""
    sim = of(planar([0, 1, 2, 3, 4, 1, 6, 7, 8], tools=[5, 9]))
    assert sim.connectivity().dof == 15
    transition = sim.lock(*(f'joint{k}' for k in (4, 5, 6, 7, 8, 9)))
    assert (transition.dof_before, transition.dof_after) == (15, 9)
    table = sim.connectivity()
    printed = TABLES['lampariello_table_III']
    # Unlike [Lampariello]: link 4 is one of the group of link 5 and says so; printed is 0.
    expected = [{**row, 'connect': 2} if row['link'] == 4 else row for row in printed['before']]
    assert rows(table.links) == expected
    assert rows(table.reduced) == printed['after']
    assert table.dof == 9
    assert table.locked == tuple(f'joint{k}' for k in (4, 5, 6, 7, 8, 9))
    sim.unlock('joint4')
    assert sim.connectivity().dof == 10


def test_the_reduced_model_is_the_full_one_without_the_locked_rows():
    """Locked rows and columns deleted from H; [Lampariello] section III-A."""
    sim = of(planar([0, 1, 2, 3, 4, 1, 6, 7, 8]))
    H = sim.mass_matrix()
    sim.lock(*(f'joint{k}' for k in (4, 5, 6, 7, 8, 9)))
    reduced = H[:9, :9]
    assert np.max(np.abs(sim.mass_matrix() - reduced)) < 1e-12 * np.max(np.abs(reduced))


def test_the_four_armed_robot_keeps_nine_of_thirty_seven():
    """6 of the base, 4 times 7 of the arms, 3 wheels; three joints of one arm stay active."""
    sim = ffd.Simulator()
    sim.add(load('four_arm_37dof'))
    assert sim.connectivity().dof == 37
    before = sim.connectivity().links
    assert len(before) == 31
    active = sim.joint_names[:3]
    transition = sim.lock(*(name for name in sim.joint_names if name not in active))
    assert (transition.dof_before, transition.dof_after) == (37, 9)
    table = sim.connectivity()
    assert rows(table.reduced) == TABLES['lampariello_table_III']['after']
    assert [row[:4] for row in table.links] == [row[:4] for row in before]
    assert len(table.locked) == 28
    assert sim.mass_matrix().shape == (9, 9)


def test_example_one_grappling_an_inertial_point():
    """One joint, a fixture of one freedom: two freedoms, parents 0 and 1, the old tip inboard."""
    sim = of(planar([0]))
    before = sim.connectivity()
    assert (before.dof, before.base) == (7, 'link0')
    assert rows(before.links) == [
        {'link': 1, 'parent': 0, 'end_effector': 1, 'connect': 0, 'cflag': -1}
    ]
    transition = sim.anchor('link1', 'revolute', name='fixture')
    table = sim.connectivity()
    assert (transition.dof_before, transition.dof_after, table.dof) == (7, 2, 2)
    assert table.base == 'world'
    assert [row.parent for row in table.links] == [0, 1]
    assert [row.name for row in table.links] == ['link1', 'link0']
    assert sim.mass_matrix().shape == (2, 2)
    assert table.attachments == ('fixture',)
    assert table.loops == ()


def test_example_two_a_closed_loop_grapples_an_inertial_point():
    """Arms of three, two and two links: 5 closed to 3, inverted to 3, fixed, 7 to the base."""
    sim = of(planar([0, 1, 2, 0, 4, 0, 6], tools=[3, 5, 7]))
    assert sim.connectivity().dof == 13
    sim.attach('link5', 'link3', name='first')
    closed = sim.connectivity()
    assert closed.dof == 10
    assert [row.cflag for row in closed.links] == [-1, -1, -1, -1, 3, -1, -1]
    sim.rebase('link3')
    inverted = sim.connectivity()
    assert inverted.base == 'link3'
    assert inverted.dof == 10
    assert [row.name for row in inverted.links] == [
        'link2', 'link1', 'link0', 'link4', 'link5', 'link6', 'link7',
    ]  # fmt: skip
    assert [row.parent for row in inverted.links] == [0, 1, 2, 3, 4, 3, 6]
    assert [row.cflag for row in inverted.links] == [-1, -1, -1, -1, 0, -1, -1]
    sim.anchor('link3')
    fixed = sim.connectivity()
    assert (fixed.dof, fixed.base) == (4, 'world')
    sim.anchor('link7', name='second')
    table = sim.connectivity()
    assert table.dof == 1
    assert [row.cflag for row in table.links] == [-1, -1, -1, -1, 0, -1, 0]
    assert [row.parent for row in table.links] == [0, 1, 2, 3, 4, 3, 6]
    assert table.loops == ('first', 'second')


def test_the_change_in_one_go_is_the_change_in_steps():
    """The four functions of the paper, composed."""
    sim = of(planar([0, 1, 2, 0, 4, 0, 6], tools=[3, 5, 7]))
    transition = sim.change(
        [
            ('attach', 'link5', 'link3', {'name': 'first'}),
            ('rebase', 'link3'),
            ('anchor', 'link3'),
            ('anchor', 'link7', {'name': 'second'}),
        ]
    )
    assert (transition.dof_before, transition.dof_after) == (13, 1)
    assert sim.connectivity().loops == ('first', 'second')


def test_text_is_the_papers_table():
    """One line a link under a head, then what is locked, attached and closed."""
    sim = of(planar([0, 1, 1, 3, 0, 5, 6], tools=[2, 4, 7]))
    sim.attach('link7', 'link2', name='grip')
    sim.lock('joint6')
    lines = str(sim.connectivity()).splitlines()
    assert lines[0].endswith('DOF, base link0')
    assert lines[1].split() == ['Link', 'parent', 'end-effector', 'connect', 'cflag', 'name']
    assert lines[2].split() == ['1', '0', '0', '0', '-1', 'link1']
    assert lines[8].split() == ['7', '6', '3', '2', '2', 'link7']
    assert lines[9:] == ['Locked: joint6', 'Attachments: grip', 'Loops: grip']


def test_a_second_robot_floats_on_its_own():
    """Its base is a row of its own with parent -1, until it is caught."""
    sim = of(planar([0, 1]))
    sim.add(planar([0]), 'b_', position=(5, 0, 0))
    table = sim.connectivity()
    assert table.dof == 15
    assert [row.parent for row in table.links] == [0, 1, -1, 3]
    sim.attach('link2', 'b_link1', 'revolute', name='grip')
    table = sim.connectivity()
    assert table.dof == 10
    assert [row.name for row in table.links] == ['link1', 'link2', 'b_link1', 'b_link0']
    assert [row.parent for row in table.links] == [0, 1, 2, 3]


def test_a_transition_prints_what_was_done_and_what_it_did_with_units():
    """Line by line the numbers of its fields; a joint freed has no impulse to tell."""
    sim = of(planar([0, 1, 1]))
    done = sim.change([('lock', 'joint1', 'joint3'), ('anchor', 'link2', {'name': 'hold'})])
    lines = [' '.join(line.split()) for line in str(done).splitlines()]
    assert lines[0] == f'Revision {done.revision}: lock joint1 joint3, anchor link2'
    assert lines[1:3] == ['freedoms 9 to 1', f'energy lost {done.energy_lost:.4g} J']
    named = [line.split()[2] for line in lines if line.startswith('impulse of ')]
    assert named == ['joint1', 'joint3', 'hold']
    x, y, z = done.impulses['hold'].angular
    assert f'N s, ({x:.3g}, {y:.3g}, {z:.3g}) N m s' in str(done)
    assert 'impulse' not in str(sim.unlock('joint1'))
    assert repr(done).startswith('Transition(revision=')
