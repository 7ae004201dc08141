# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Position limits of robots whose structure changes: stops in loops, and across a change."""

from dataclasses import replace
import itertools

import free_flyer_dynamics as ffd
from free_flyer_dynamics.generate import random_chain
import numpy as np
import pytest
from scipy.linalg import null_space

from test.oracles import kkt_velocity, relative
from test.topology.dense import Scene
from test.topology.scenes import change
from test.worlds import random_start

pytestmark = pytest.mark.jit

INSTANT = 1e-10  # a step so short that only the impact happens [s]
IMPACT = 1e-8  # what forces do to velocities in that instant, and rounding
CLOSED = 1e-11
MOMENTUM = 1e-10
SEEDS = range(8)


def at_stops(seed, stops, dt=INSTANT):
    """Return a chain with a closed loop, joints of which start at stops, and its scene."""
    rng = np.random.default_rng(seed)
    model = random_chain(9, seed, kinds='revolute')
    start = random_start(rng, model)
    ends = {}
    for name in stops:
        upper = rng.integers(2) == 1
        at = start.joint_positions[name]
        ends[name] = {'upper': at, 'lower': at - 1} if upper else {'lower': at, 'upper': at + 1}
    joints = tuple(
        replace(joint, kind='revolute', **ends.get(joint.name, {})) for joint in model.joints
    )
    model = replace(model, joints=joints)
    sim = ffd.Simulator(dt=dt)
    start.add_to(sim, model)
    scene = Scene(sim, {'': model})
    change(sim, scene, 'attach', 'base', 'link9', 'spherical', name='loop')
    signs = {
        name: 1.0
        if 'upper' in ends[name] and ends[name]['upper'] == start.joint_positions[name]
        else -1.0
        for name in stops
    }
    return sim, scene.read(), signs


def nearest_allowed(scene, signs):
    """Return the v+ nearest to v in M, loops closed, that runs into no stop; by trying all."""
    M, v = scene.mass_matrix(), scene.v
    J, _, _ = scene.constraints()
    rows = np.array(
        [sign * np.eye(scene.size)[scene.column(name)] for name, sign in signs.items()]
    )
    Z = null_space(J)
    best, least = None, np.inf
    for size in range(len(rows) + 1):
        for held in itertools.combinations(range(len(rows)), size):
            z, _ = kkt_velocity(Z.T @ M @ Z, rows[list(held)] @ Z, Z.T @ v)
            after = Z @ z
            distance = (after - v) @ M @ (after - v)
            if (rows @ after < 1e-11).all() and distance < least:
                best, least = after, distance
    return best


@pytest.mark.parametrize(
    'stops', [('joint3',), ('joint2', 'joint6'), ('joint1', 'joint4', 'joint9')]
)
@pytest.mark.parametrize('seed', SEEDS)
def test_a_stop_hit_while_a_loop_is_closed_is_a_plastic_impact(seed, stops):
    """One, two or three at once; what would have to pull is left alone."""
    sim, scene, signs = at_stops(seed, stops)
    before = sim.momentum()
    expected = nearest_allowed(scene, signs)
    sim.step()
    assert relative(scene.read().v, expected, 1.0) < IMPACT
    now = sim.momentum()
    assert relative(now.angular, before.angular) < MOMENTUM
    assert relative(now.linear, before.linear) < MOMENTUM
    assert now.kinetic_energy <= before.kinetic_energy * (1 + MOMENTUM)
    assert max(scene.residuals()) < CLOSED


@pytest.mark.parametrize('seed', SEEDS)
def test_a_loop_rattles_between_stops_within_its_limits(seed):
    """For seconds, at a coarse step: limits, closure, momentum, energy never gained."""
    sim, scene, _ = at_stops(seed, ('joint2', 'joint6', 'joint8'), dt=5e-3)
    model = scene.models['']
    before = sim.momentum()
    energy = [before.kinetic_energy]
    for _ in range(20):
        sim.step(20)
        energy.append(sim.momentum().kinetic_energy)
        for joint, position in zip(model.joints, sim.positions, strict=False):
            assert joint.lower - 1e-12 <= position <= joint.upper + 1e-12
        assert max(scene.read().residuals()) < CLOSED
    # Coarse on purpose: a fourth-order step of 5 ms loses or wins this much on its own.
    assert (np.diff(energy) < 1e-5 * energy[0]).all()
    assert relative(sim.momentum().angular, before.angular) < MOMENTUM


def pressed():
    """Return a chain without load whose joint 2 is pressed into its upper stop, and its link."""
    model = random_chain(4, 5, kinds='revolute')
    joints = tuple(
        replace(j, kind='revolute', upper=0.3, lower=-1.0) if j.name == 'joint2' else j
        for j in model.joints
    )
    sim = ffd.Simulator()
    sim.add(replace(model, joints=joints), joint_positions={'joint2': 0.3})
    sim.add(random_chain(1, 6), 'b_', position=(4, 0, 0), linear_velocity=(0.1, 0, 0))
    sim.set_efforts({'joint2': 2.0, 'joint3': 0.1})
    sim.step(10)
    assert sim.velocities[1] == 0.0
    return sim


CHANGES = {
    'rebase': [('rebase', 'link4')],
    'lock and unlock': [('lock', 'joint2'), ('unlock', 'joint2')],
    'lock another': [('lock', 'joint3')],
    'anchor': [('anchor', 'link4')],
    'attach': [('attach', 'link4', 'b_base', {'name': 'grip'})],
    'attach and let go': [('attach', 'link4', 'b_base', {'name': 'grip'}), ('detach', 'grip')],
}


@pytest.mark.parametrize('name', CHANGES)
def test_a_joint_pressed_into_its_stop_stays_there_across_a_change(name):
    """Its position is the stop's to the bit whatever the rest of the robot becomes."""
    sim = pressed()
    for operation in CHANGES[name]:
        sim.change([operation])
    sim.step(5)
    at = sim.joint_names.index('joint2')
    assert sim.positions[at] <= 0.3
    if name != 'attach' and name != 'attach and let go':
        assert sim.positions[at] == 0.3
        assert sim.velocities[at] == 0.0
        assert sim.joint_accelerations()[at] == 0.0


def test_an_impulse_that_drives_a_joint_into_its_stop_ends_there():
    """The catch itself knows no stops; the next instant does."""
    for sign in (-1.0, 1.0):
        sim = pressed()
        sim.set_efforts({'joint2': 0.0, 'joint3': 0.0})
        sim.add(random_chain(1, 9), 'c_', position=(0, 6, 0), linear_velocity=(0, 3 * sign, 1))
        before = sim.momentum()
        sim.attach('link4', 'c_link1', 'spherical')
        caught = sim.momentum().kinetic_energy
        sim.step()
        assert sim.positions[1] <= 0.3
        assert sim.momentum().kinetic_energy <= caught * (1 + 1e-9)
        assert relative(sim.momentum().angular, before.angular) < MOMENTUM
