# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Robots with a universal joint, two hinges about a massless cross: changed as any other."""

from dataclasses import replace

import free_flyer_dynamics as ffd
from free_flyer_dynamics.generate import random_chain
from free_flyer_dynamics.kernels import events
from free_flyer_dynamics.model import Body
from free_flyer_dynamics.tree import State
import numpy as np
import pytest

from test.oracles import relative
from test.topology.dense import Scene
from test.topology.test_operations import do
from test.worlds import random_push, random_start

pytestmark = pytest.mark.jit

CROSS = 'r0_link2'
AGREE = 1e-10  # of an impact and of steps: two ways, each with its rounding
AXIS = (0.3, -0.5, 0.8)
CHANGES = {
    'lock': [('lock', 'r0_joint4')],
    'lock at the cross': [('lock', 'r0_joint2')],
    'unlock': [('lock', 'r0_joint3'), ('unlock', 'r0_joint3')],
    'attach': [
        ('attach', 'r0_link4', 'r1_base', {'joint': 'revolute', 'axis': AXIS, 'name': 'hand'})
    ],
    'attach at the cross': [('attach', 'r1_link2', CROSS, {'name': 'hand'})],
    'anchor': [('anchor', 'r0_base', {'name': 'hand'})],
    'close': [('attach', 'r0_link4', 'r0_base', {'joint': 'spherical', 'name': 'hand'})],
    'detach': [('attach', CROSS, 'r1_base', {'name': 'hand'}), ('detach', 'hand')],
    'rebase': [('rebase', 'r0_link3')],
}


@pytest.fixture
def scene(rng):
    """Return two robots in motion, driven and pushed, and their dense twin."""
    models = {}
    sim = ffd.Simulator(gravity=(0.3, -0.2, -1.6))
    for prefix, joints in (('r0_', 4), ('r1_', 2)):
        model = random_chain(joints, 3, kinds='revolute')
        if joints == 4:
            cross = CROSS.removeprefix(prefix)
            bodies = (Body(b.name) if b.name == cross else b for b in model.bodies)
            model = replace(model, bodies=tuple(bodies))
        random_start(rng, model).add_to(sim, model, prefix)
        random_push(rng, model).on(sim, prefix)
        models[prefix] = model
    sim.set_efforts({name: float(rng.normal()) for name in sim.joint_names})
    return sim, Scene(sim, models)


@pytest.mark.parametrize('name', CHANGES)
def test_a_change_is_the_dense_twins_and_steps_the_textbooks(name, scene):
    """Velocities after it, and the steps that follow."""
    sim, twin = scene
    for change in CHANGES[name]:
        do(sim, twin, change)
        expected, _ = twin.impact()
        assert relative(twin.read().v, expected, 1.0) < AGREE
    structure = sim._structure
    assert structure.massless == (name not in ('lock at the cross', 'attach at the cross'))
    book = State(*(column.copy() for column in sim._state))
    sim.step(5)
    events.step(structure.tree, book, sim._inputs, sim.dt, 5, structure.workspace)
    assert relative(sim._state.v, book.v, 1.0) < AGREE


def test_it_warms_up(scene):
    """As a node does before its clock starts."""
    sim, _ = scene
    sim.warm_up()
    sim.step()
    assert np.isfinite(sim.velocities).all()


def test_the_cross_is_no_base(scene):
    """It would have nothing to resist a force with; all is as it was."""
    sim, _ = scene
    before = sim.snapshot()
    with pytest.raises(ffd.TopologyError, match='no mass'):
        sim.rebase(CROSS)
    assert sim.snapshot() == before
