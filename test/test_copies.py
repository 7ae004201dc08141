# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A copied world is another world."""

from copy import deepcopy
from dataclasses import replace

from free_flyer_dynamics import Simulator
from free_flyer_dynamics.generate import random_chain
import numpy as np
import pytest

from test.worlds import random_start

STEPS = 30


@pytest.fixture
def sim(rng, request):
    """Return a chain of hinges under way: driven, pushed, one joint locked."""
    model = random_chain(request.param, seed=3, limits=False)
    model = replace(model, joints=tuple(replace(j, kind='revolute') for j in model.joints))
    world = Simulator(gravity=(0.0, 0.1, -0.3))
    random_start(rng, model).add_to(world, model)
    world.set_efforts({'joint2': 0.3})
    world.set_wrench('link3', (0.1, 0.2, 0.3))
    world.lock('joint3')
    world.step(STEPS)
    return world


@pytest.mark.parametrize('sim', [5, 24], indirect=True)
def test_a_copied_simulator_goes_on_by_itself_and_alike(sim):
    """Neither feels what becomes of the other."""
    twin, other = deepcopy(sim), deepcopy(sim)
    start = sim.positions
    other.unlock('joint3')
    other.set_efforts({'joint2': -1.0})
    other.set_wrench('link3')
    other.step(STEPS)
    for world in (sim, twin):
        np.testing.assert_array_equal(world.positions, start)
    for world in (sim, twin):
        world.step(STEPS)
    assert twin.snapshot() == sim.snapshot()
    for before in (start, other.positions):
        assert not np.array_equal(sim.positions, before)


@pytest.mark.parametrize('sim', [5], indirect=True)
@pytest.mark.parametrize('loop', [False, True])
def test_a_copied_batch_goes_on_by_itself_and_alike(sim, loop):
    """States one by one in an arena, or side by side."""
    if loop:
        sim.attach('base', 'link5', 'spherical')
    batch = sim.batch(17, cores=2)
    batch.step(STEPS)
    batch.set_efforts({'joint2': np.linspace(-1, 1, 17)})
    twin, other = deepcopy(batch), deepcopy(batch)
    before = batch.positions
    other.set_efforts({'joint2': 0.0})
    other.set_wrench('link2', (1.0, 0.0, 0.0))
    other.step(STEPS)
    np.testing.assert_array_equal(batch.positions, before)
    np.testing.assert_array_equal(twin.positions, before)
    for each in (batch, twin):
        each.step(STEPS)
    np.testing.assert_array_equal(twin.positions, batch.positions)
    np.testing.assert_array_equal(twin.velocities, batch.velocities)
    assert twin.time == batch.time
    assert not np.array_equal(batch.positions, before)
