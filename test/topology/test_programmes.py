# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Hundreds of random programmes; `make soak` runs more and longer ones."""

from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test
import numpy as np
import pytest

from test.topology.programmes import arrays_of, CHOICES, Programme

pytestmark = pytest.mark.jit

OPERATIONS = 20
SHORT = settings(
    max_examples=200,
    stateful_step_count=OPERATIONS,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


def test_a_programme_of_changes_obeys_every_law():
    """Momentum, energy, poses, names, locks, stops, closure, structure: after every change."""
    run_state_machine_as_test(Programme, settings=SHORT)


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
    rng = np.random.default_rng(seed)
    programme = Programme()
    programme.start(1000 + seed, *rng.integers(2, size=3))
    for _ in range(OPERATIONS):
        programme.turn(CHOICES[rng.integers(len(CHOICES))], int(rng.integers(2**16)), 2)
    sim = programme.sim
    kept = sim.snapshot()
    end = carry_on(sim, programme.anchored())
    sim.restore(kept)
    assert sim.snapshot() == kept
    assert carry_on(sim, programme.anchored()) == end


FOUND = (
    ('lock', 23705, 0),
    ('lock', 898, 2),
    ('attach', 136, 2),
    ('attach', 23, 2),
    ('detach', 0, 0),
    ('attach', 93, 2),
    ('lock', 0, 0),
    ('attach', 0, 0),
    ('lock', 0, 0),
    ('unlock', 0, 0),
    ('unlock', 0, 0),
    ('unlock', 0, 0),
    ('attach', 23, 1),
)


def test_the_step_is_whole_when_a_joint_in_a_loop_turns_back_within_it():
    """Found by soaking: a joint slides to and fro by rounding, and a part of the step was lost."""
    programme = Programme()
    programme.start(95785, gravity=True, limits=False, friction=True)
    for kind, seed, steps in FOUND:
        programme.turn(kind, seed, steps)
