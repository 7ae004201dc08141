# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The graph's flat arrays: an edge more, an edge less, and the joints' names that go with them."""

from free_flyer_dynamics.edge_table import EdgeTable, SPARE
from free_flyer_dynamics.graph import Edges
from free_flyer_dynamics.joint_table import JointTable
import numpy as np
import pytest

from test.topology.scenes import three_robots

KINDS = ('spherical', 'fixed', 'revolute')


def bonded():
    """Return three robots that hang on one another by three bonds, and what they were before."""
    sim, _scene = three_robots(0)
    before = sim._structure.assembly
    ends = ('r0_link2', 'r1_frame1'), ('r1_base', 'r2_link9'), ('r0_link3', 'r2_link1')
    for kind, (a, b) in zip(KINDS, ends, strict=True):
        sim.attach(a, b, kind, name=kind)
    return sim, before


def test_an_edge_more_leaves_the_others_and_is_limited_by_nothing():
    """Column by column; its row is at the end, its kind and links as they were given."""
    sim, before = bonded()
    assembly, count = sim._structure.assembly, len(before.edge_names)
    for name, old, new in zip(Edges._fields, before.edges, assembly.edges, strict=True):
        np.testing.assert_array_equal(new[:count], old, err_msg=name)
    last = {name: column[-1] for name, column in assembly.edges._asdict().items()}
    assert assembly.link_name(int(last['a'])) == 'r0_link3'
    assert assembly.link_name(int(last['b'])) == 'r2_link1'
    assert last['damping'] == last['friction'] == 0.0
    limits = [last[name] for name in ('lower', 'upper', 'effort_limit', 'speed_limit')]
    assert limits == [-np.inf, np.inf, np.inf, np.inf]


@pytest.mark.parametrize('gone', KINDS)
def test_an_edge_less_leaves_the_others_in_their_order(gone):
    """Whether it was the last or not: edges, names, locks and joints."""
    sim, _before = bonded()
    sim.lock('r2_joint1')
    assembly = sim._structure.assembly
    left = np.arange(len(assembly.edge_names)) != assembly.edge_index[gone]
    sim.detach(gone)
    after = sim._structure.assembly
    for name, old, new in zip(Edges._fields, assembly.edges, after.edges, strict=True):
        np.testing.assert_array_equal(new, old[left], err_msg=name)
    np.testing.assert_array_equal(after.locked, assembly.locked[left])
    assert after.edge_names == tuple(n for n in assembly.edge_names if n != gone)
    assert after.edge_index == {name: e for e, name in enumerate(after.edge_names)}
    fresh = JointTable.of(after.edge_names, after.edges)
    assert (after.joints.names, after.joints.index) == (fresh.names, fresh.index)
    np.testing.assert_array_equal(after.joints.edge, fresh.edge)
    np.testing.assert_array_equal(after.joints.part, fresh.part)


def test_columns_are_cut_from_what_they_were_put_together_of():
    """There and back, for any number of edges."""
    sim, _before = bonded()
    for columns in (sim._structure.assembly.edges, EdgeTable.empty().columns):
        again = EdgeTable.of(columns).columns
        for name, old, new in zip(Edges._fields, columns, again, strict=True):
            np.testing.assert_array_equal(new, old, err_msg=name)


def test_columns_grow_past_the_room_they_have():
    """One edge after the other, many times over what is to spare; then away again."""
    sim, _scene = three_robots(0)
    before = sim._structure.assembly.edge_table
    ends = [f'r2_link{k}' for k in range(1, 5)]
    for k in range(SPARE + 1):
        sim.anchor(ends[k % 4], 'spherical', name=f'a{k}')
    table = sim._structure.assembly.edge_table
    assert len(table) == len(before) + SPARE + 1
    for name, old, new in zip(Edges._fields, before.columns, table.columns, strict=True):
        np.testing.assert_array_equal(new[: len(before)], old, err_msg=name)
    for k in range(SPARE, -1, -1):
        sim.detach(f'a{k}')
    left = sim._structure.assembly.edge_table
    assert len(left) == len(before)
    for name, old, new in zip(Edges._fields, before.columns, left.columns, strict=True):
        np.testing.assert_array_equal(new, old, err_msg=name)


def test_impulses_are_found_by_name():
    """As many as there are bonds made; one that was not made is a KeyError."""
    sim, _scene = three_robots(0)
    ends = 'r0_link2', 'r1_frame1'
    told = sim.change([('attach', *ends, {'name': 'bond'}), ('lock', 'r0_joint1')])
    assert list(told.impulses) == ['bond', 'r0_joint1']
    assert len(told.impulses) == 2
    assert told.impulses['bond'].linear.shape == (3,)
    assert 'Impulse' in repr(told.impulses)
    with pytest.raises(KeyError):
        told.impulses['other']
