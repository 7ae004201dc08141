# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A hundred random programmes; `make soak` runs many more and longer ones."""

import free_flyer_dynamics as ffd
import numpy as np
import pytest
from test.topology.programmes import arrays_of, Programme

pytestmark = pytest.mark.jit

OPERATIONS = 20


@pytest.mark.parametrize('seed', range(100))
def test_a_programme_of_changes_obeys_every_law(seed):
    """Momentum, energy, poses, names, locks, closure and structure, after every change."""
    programme = Programme(seed)
    for _ in range(OPERATIONS):
        programme.turn()


@pytest.mark.parametrize('seed', range(5))
def test_a_snapshot_carries_on_to_the_last_bit(seed):
    """In the middle of a programme: a restored world moves as one never interrupted."""
    programme = Programme(1000 + seed)
    for _ in range(OPERATIONS):
        programme.turn()
    sim = programme.sim
    kept = sim.snapshot()
    sim.step(50)
    sim.rebase('r0_base' if 'r0_base' in programme.links else programme.links[0]) if not any(
        bond.a == 'world' for bond in programme.bonds.values()
    ) else None
    sim.step(10)
    end = sim.snapshot(), sim.positions, arrays_of(sim._structure)
    sim.restore(kept)
    assert sim.snapshot() == kept
    sim.step(50)
    if not any(bond.a == 'world' for bond in programme.bonds.values()):
        sim.rebase('r0_base')
    sim.step(10)
    assert sim.snapshot() == end[0]
    assert np.array_equal(sim.positions, end[1])
    assert arrays_of(sim._structure) == end[2]
    assert isinstance(sim, ffd.Simulator)
