# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A hundred random programmes; `make soak` runs many more and longer ones."""

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


def carry_on(sim, anchored):
    """Move, change and move on; return all that there is to see."""
    sim.step(50)
    if not anchored:
        sim.rebase('r0_base')
    sim.step(10)
    return sim.snapshot(), sim.positions.tobytes(), arrays_of(sim._structure)


@pytest.mark.parametrize('seed', range(5))
def test_a_snapshot_carries_on_to_the_last_bit(seed):
    """In the middle of a programme: a restored world moves as one never interrupted."""
    programme = Programme(1000 + seed)
    for _ in range(OPERATIONS):
        programme.turn()
    sim = programme.sim
    anchored = any(bond.a == 'world' for bond in programme.bonds.values())
    kept = sim.snapshot()
    end = carry_on(sim, anchored)
    sim.restore(kept)
    assert sim.snapshot() == kept
    assert carry_on(sim, anchored) == end
