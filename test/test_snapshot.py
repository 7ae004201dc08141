# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Snapshots: what is refused and leaves no trace, and that the same world gives the same bytes."""

import warnings

import free_flyer_dynamics as ffd
from free_flyer_dynamics.generate import random_chain
from free_flyer_dynamics.snapshot import MAGIC, VERSION
import numpy as np
import pytest

pytestmark = pytest.mark.jit


def world(seed=1):
    """Return a robot that moves, a joint of it locked."""
    sim = ffd.Simulator()
    sim.add(random_chain(3, seed, limits=True), angular_velocity=(0.1, 0.2, 0.3))
    sim.set_efforts({'joint1': 0.1})
    sim.lock('joint2')
    sim.step(3)
    return sim


def refused(sim, data, sentence):
    """Demand that a snapshot is refused with a sentence and that nothing changes."""
    before = sim.snapshot()
    with pytest.raises(ffd.StateError, match=sentence):
        sim.restore(data)
    assert sim.snapshot() == before


def test_any_damaged_byte_is_found():
    """Wherever it lies; truncated bytes too."""
    sim = world()
    good = sim.snapshot()
    for at in range(0, len(good), 7):
        refused(sim, good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :], 'snapshot')
        refused(sim, good[:at], 'snapshot')


def test_another_version_is_named():
    """And what to do about it."""
    sim = world()
    good = sim.snapshot()
    other = good[: len(MAGIC)] + (VERSION + 1).to_bytes(4, 'little') + good[len(MAGIC) + 4 :]
    refused(sim, other, f'format {VERSION + 1}, this library reads format {VERSION}')


def test_another_model_is_refused():
    """Even when all its names are the same."""
    refused(world(seed=2), world(seed=1).snapshot(), 'of other robots')


@pytest.mark.parametrize('data', ['text', None, 5, [1, 2]])
def test_what_is_no_bytes_is_refused(data):
    """Not taken for that many zeros."""
    refused(world(), data, 'A snapshot is bytes')


def test_the_same_world_gives_the_same_bytes_however_it_came_about():
    """Efforts in any order, and one set to nothing is one never set."""
    one, other = world(), world()
    one.set_efforts({'joint1': 0.2, 'joint3': 0.3})
    other.set_efforts({'joint3': 0.3})
    other.set_efforts({'joint1': 0.2, 'joint2': 0.5})
    other.set_efforts({'joint2': 0.0})
    assert one.snapshot() == other.snapshot()


def test_a_warning_made_an_error_refuses_the_change_whole():
    """The warning of a singular loop comes before anything is changed."""
    sim = ffd.Simulator()
    sim.add(ffd.load_urdf('package://free_flyer_dynamics/urdf/thesis_planar_three_joint.urdf'))
    before = sim.snapshot()
    with warnings.catch_warnings():
        warnings.simplefilter('error', ffd.LoopWarning)
        with pytest.raises(ffd.LoopWarning):
            sim.attach('base', 'end_effector', joint='revolute')
    assert sim.snapshot() == before


def test_a_name_taken_up_again_in_one_change_inherits_no_effort():
    """As when it is taken up again in two."""
    sim = ffd.Simulator()
    for prefix, x in (('a/', 0.0), ('b/', 2.0)):
        sim.add(random_chain(1, 1), prefix, position=(x, 0, 0))
    joined = ('attach', 'a/link1', 'b/base', {'joint': 'revolute', 'name': 'grip'})
    sim.change([joined])
    sim.set_efforts({'grip': 5.0})
    sim.change([('detach', 'grip'), joined])
    assert not np.any(sim.efforts)
