# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""States that are set in a batch of worlds with closed loops and ball joints."""

from free_flyer_dynamics import CommandError, Simulator
from free_flyer_dynamics.generate import random_chain
from free_flyer_dynamics.tree import FREE
import numpy as np
import pytest

from test.closed_worlds import driven, ring, STATES, STEPS, tied, WORLDS
from test.worlds import axes_of, random_start

# Singular poses are left unsaid.
pytestmark = [
    pytest.mark.jit,
    pytest.mark.filterwarnings('ignore::free_flyer_dynamics.LoopWarning'),
]

# Read through one more quaternion or angle, then some steps long.
AGREE = 1e-11


@pytest.mark.parametrize('name', WORLDS)
def test_states_go_where_they_are_read(name, rng):
    """Joints of every kind, in loops and on the way, and whatever flies free; then they go on."""
    sim = tied(name)
    there, here = sim.batch(STATES), sim.batch(STATES)
    there.set_efforts(driven(rng, sim.joint_names))
    there.step(STEPS)
    plan, assembly = sim._structure.plan, sim._structure.assembly
    for node in np.flatnonzero(plan.tree.kind == FREE):
        base = assembly.link_name(plan.node_link[node])
        pose, twist = there.pose(base), there.twist(base)
        turns = [axes_of(quaternion).T for quaternion in pose.quaternion]
        pairs = zip(turns, twist.linear, twist.angular, strict=True)
        here.set_states(
            base=base,
            base_positions=pose.position,
            base_quaternions=pose.quaternion,
            base_velocities=[np.concatenate((R @ v, R @ w)) for R, v, w in pairs],
        )
    here.set_states(there.positions, there.velocities)
    same(here, there, AGREE)
    for batch in (here, there):
        batch.set_efforts(dict.fromkeys(sim.joint_names, 0.0))
        batch.step(STEPS)
    same(here, there, AGREE)


def same(here, there, atol):
    """Hold readings of two batches against each other."""
    for column in ('positions', 'velocities', 'momentum'):
        got, expected = getattr(here, column), getattr(there, column)
        size = 1 + np.max(np.abs(expected))
        np.testing.assert_allclose(got, expected, atol=atol * size, err_msg=column)


def refused(batch, match, call, *given, error=CommandError, **named):
    """Demand a sentence, and that nothing has changed."""
    before = [column.copy() for column in batch._states]
    with pytest.raises(error, match=match):
        call(*given, **named)
    for column, was in zip(batch._states, before, strict=True):
        np.testing.assert_array_equal(column, was)


def test_what_would_open_a_loop_is_refused():
    """In position or in velocity, at a joint of the way or at the one that closes it."""
    batch = ring().batch(STATES)
    batch.step(3)
    q, v = batch.positions, batch.velocities
    joint, closing = np.eye(len(q[0]))[[2, -1]]
    off, slack = np.zeros((STATES, 1)), 3e-10  # of 1e-9, at arms of a metre or so
    off[3] = 1e-4
    refused(
        batch, 'State 3 would open the loops closed by bond by', batch.set_states, q + off * joint
    )
    refused(batch, 'State 3 would open .* at', batch.set_states, None, v + off * joint)
    refused(
        batch, "position of joint 'bond' .* others decide", batch.set_states, q + off * closing
    )
    refused(batch, "velocity of joint 'bond'", batch.set_states, velocities=v + off * closing)
    batch.set_states(q + slack * closing, v + slack * closing)
    np.testing.assert_allclose(batch.positions, q, atol=1e-12)  # the hinge is where it is
    batch.set_states(q + 2 * np.pi * closing)  # turns are counted
    np.testing.assert_allclose(batch.positions, q + 2 * np.pi * closing, atol=AGREE)


def test_a_loop_on_the_world_holds_bases_too():
    """A base that goes elsewhere would tear it off."""
    sim = ring()
    sim.detach('bond')
    sim.anchor('link4', 'spherical')
    sim.anchor('link8', 'revolute')
    sim.add(random_chain(2, 1), prefix='b_', position=(5, 0, 0))
    batch = sim.batch(2)
    refused(batch, 'free base', batch.set_states, base='link4', base_positions=np.zeros(3))
    batch.set_states(base='b_base', base_positions=(6, 1, 0))
    np.testing.assert_allclose(batch.pose('b_base').position, [(6, 1, 0)] * 2, atol=AGREE)


def test_a_locked_joint_stays_where_it_is():
    """What is given must be what is read; else it would go unheard."""
    sim = ring()
    sim.detach('bond')
    sim.lock('joint3')
    batch = sim.batch(2)
    refused(batch, "'joint3' .* locked", batch.set_states, np.zeros(8))
    refused(batch, "velocity of joint 'joint3' .* locked", batch.set_states, velocities=np.ones(8))
    batch.set_states(batch.positions[::-1], np.where(np.arange(8) == 2, 0.0, 0.1))


def test_a_ball_is_set_by_its_rotation_vector(rng):
    """Of any length; read again, it is the one within half a turn. Either way it was joined."""
    for order in (('base', 'b_link2'), ('b_link2', 'base')):
        sim = Simulator()
        random_start(rng, random_chain(2, 3)).add_to(sim, random_chain(2, 3))
        random_start(rng, random_chain(2, 4)).add_to(sim, random_chain(2, 4), 'b_')
        sim.attach(*order, joint='spherical', name='ball')
        batch, q = sim.batch(STATES), rng.uniform(-1, 1, (STATES, 7))
        v = rng.normal(size=(STATES, 7))
        batch.set_states(q, v)
        np.testing.assert_allclose(batch.positions, q, atol=AGREE)
        np.testing.assert_allclose(batch.velocities, v, atol=AGREE)
        far = q.copy()
        far[:, -3:] *= 1 + 2 * np.pi / np.linalg.norm(q[:, -3:], axis=1, keepdims=True)
        batch.set_states(far)
        np.testing.assert_allclose(batch.positions, q, atol=AGREE)
        np.testing.assert_allclose(batch.velocities, v, atol=AGREE)
