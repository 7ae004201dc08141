# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Robots and worlds that the papers' algorithms are asked about."""

from free_flyer_dynamics import Simulator
from free_flyer_dynamics.generate import random_chain, random_tree
from free_flyer_dynamics.tree import State

from test.worlds import Push, random_case, random_push, random_start, simulator_of

MOVING = ('revolute', 'continuous', 'prismatic')
PAPERS = ('base_invariant', 'spatial_operator', 'constraint_force')
FIVE = ('articulated_body', 'mass_matrix', *PAPERS)


def flyer(rng, grow, joints, speed=1.0, gravity=(0.0, 0.0, 0.0), **options):
    """Return a loaded free flyer in motion and the simulator, model, start and pushes of it."""
    model = grow(joints, int(rng.integers(1 << 30)), kinds=MOVING, **options)
    start = random_start(rng, model, speed=speed)
    sim = Simulator(gravity=gravity)
    start.add_to(sim, model)
    efforts = {joint.name: float(rng.uniform(-5, 5)) for joint in model.joints}
    sim.set_efforts(efforts)
    pushes = {push.link: push for push in (random_push(rng, model) for _ in range(4))}
    pushes['base'] = Push('base', *rng.uniform(-5, 5, (2, 3)), 'link', rng.uniform(-0.5, 0.5, 3))
    for push in pushes.values():
        push.on(sim)
    return sim, model, start, efforts, tuple(pushes.values())


def chain(rng, joints, **options):
    """Return a loaded chain in motion."""
    return flyer(rng, random_chain, joints, **options)


def tree(rng, joints, **options):
    """Return a loaded tree in motion."""
    return flyer(rng, random_tree, joints, **options)


def with_spherical(rng):
    """Return a world of three robots of which two hang on the first by spherical joints."""
    cases = [random_case(rng, 5, f'r{k}_') for k in range(3)]
    sim = simulator_of(rng.uniform(-2, 2, 3), cases)
    sim.attach('r0_link2', 'r1_base', joint='spherical')
    sim.attach('r2_link3', 'r0_base', joint='spherical')
    return sim


def parts(sim):
    """Return a simulator's structure, a copy of its state, and its inputs."""
    state = State(*(column.copy() for column in sim._state))
    return sim._structure, state, sim._inputs
