# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A structure's two arrays, and what is cut from them."""

import gc
import weakref

import free_flyer_dynamics as ffd
from free_flyer_dynamics import dynamics
from free_flyer_dynamics.generate import random_tree
from free_flyer_dynamics.model_rows import axis_rotation
from free_flyer_dynamics.structure import compile_assembly
import numpy as np
import pytest

pytestmark = pytest.mark.jit

ORTHONORMAL = 1e-15  # a few roundings of numbers of one


def world(loops):
    """Return a robot under way with so many closed loops."""
    sim = ffd.Simulator()
    model = random_tree(9, 4, kinds='revolute')
    rates = {joint.name: 0.1 * (k + 1) for k, joint in enumerate(model.joints)}
    sim.add(model, joint_velocities=rates)
    for k in range(loops):
        sim.attach(f'link{k + 5}', f'link{k + 1}', joint='revolute', name=f'grip{k}')
    return sim


def parts(group):
    """Return all arrays of nested tuples."""
    for part in group:
        if isinstance(part, tuple):
            yield from parts(part)
        else:
            yield part


@pytest.mark.filterwarnings('ignore::free_flyer_dynamics.LoopWarning')
@pytest.mark.parametrize('loops', [0, 1, 2])
@pytest.mark.parametrize('group', ['plan', 'workspace'])
def test_what_is_cut_lies_apart(loops, group):
    """Each array keeps what is written there when all others are written after it."""
    kept = world(loops)._structure
    structure = compile_assembly(kept.assembly, np.zeros((len(kept.assembly.edge_names), 4)))
    arrays = [*parts(getattr(structure, group)), structure.turns, structure.shifts]
    for k, array in enumerate(arrays):
        array[...] = k + 1
    for k, array in enumerate(arrays):
        assert (array == k + 1).all()


@pytest.mark.filterwarnings('ignore::free_flyer_dynamics.LoopWarning')
@pytest.mark.parametrize('loops', [0, 1, 2])
def test_a_structure_tells_its_sizes_before_it_is_read(loops):
    """Nodes, roots, loops and lengths are those of the arrays."""
    structure = world(loops)._structure
    tree = structure.tree
    state = structure.new_state()
    assert structure.nodes == len(tree.parent) == 10
    assert structure.loops == len(tree.loops.kind) == loops
    assert structure.loop_kinds == tree.loops.kind.tolist()
    assert structure.roots == tree.root.max() + 1 == 1
    assert (structure.nq, structure.nv) == (len(state.q), len(state.v)) == (16, 15)
    assert (structure.massless, structure.held) == (0, 0)


def test_what_is_held_is_counted():
    """All links of what is anchored, none of what is let go."""
    sim = world(0)
    sim.anchor('link3', name='hold')
    assert sim._structure.held == len(sim._structure.assembly.links.mass) - 1
    sim.detach('hold')
    assert sim._structure.held == 0


@pytest.mark.filterwarnings('ignore::free_flyer_dynamics.LoopWarning')
def test_the_freedoms_told_are_those_found_anew():
    """A change tells the loops' rank that it found on its way."""
    sim = world(0)
    freedoms = 15
    for k, joint in enumerate(('spherical', 'fixed')):
        transition = sim.attach(f'link{k + 5}', f'link{k + 1}', joint=joint, name=f'grip{k}')
        found = sim._structure.nv - dynamics.loop_rank(sim._structure, sim._state)
        assert (transition.dof_before, transition.dof_after) == (freedoms, found)
        freedoms = found
        sim.step(5)
    for k in (1, 0):
        transition = sim.detach(f'grip{k}')
        found = sim._structure.nv - dynamics.loop_rank(sim._structure, sim._state)
        assert (transition.dof_before, transition.dof_after) == (freedoms, found)
        freedoms = found


def test_a_structure_that_is_left_goes_at_once():
    """Nothing in it holds on to itself, so its memory does not wait for the collector."""
    sim = world(1)
    gc.disable()
    try:
        left = weakref.ref(sim._structure)
        sim.detach('grip0')
        assert left() is None
    finally:
        gc.enable()


def test_a_transition_stays_what_it_was():
    """Later changes and steps write elsewhere."""
    sim = world(0)
    first = sim.change([('lock', 'joint2', 'joint5'), ('anchor', 'link8', {'name': 'hold'})])

    def seen():
        told = first.momentum_change
        impulses = [np.r_[i.linear, i.angular] for i in first.impulses.values()]
        return np.concatenate([*impulses, told.linear, told.angular, [first.energy_lost]])

    before = seen().copy()
    assert before.any()
    sim.detach('hold')
    sim.unlock('joint2')
    sim.step(10)
    sim.lock('joint1', 'joint3')
    assert np.array_equal(seen(), before)


def test_a_joints_axes_are_exact_on_the_axes_and_right_handed_elsewhere(rng):
    """The third column is the axis to the last bit."""
    for axis in (*np.eye(3), *-np.eye(3)):
        rotation = axis_rotation(axis)
        assert np.array_equal(rotation[:, 2], axis)
        assert np.array_equal(np.abs(rotation).sum(axis=0), np.ones(3))
        assert np.linalg.det(rotation) == 1
    for _ in range(100):
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        rotation = axis_rotation(axis)
        assert np.array_equal(rotation[:, 2], axis)
        assert np.max(np.abs(rotation.T @ rotation - np.eye(3))) < ORTHONORMAL
        assert np.linalg.det(rotation) > 0
