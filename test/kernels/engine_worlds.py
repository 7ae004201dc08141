# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Every way robots hang together that the engine must know."""

from dataclasses import replace

from benchmarks.models import arms_and_wheels
from free_flyer_dynamics import Simulator
from free_flyer_dynamics.generate import random_chain, random_tree
import numpy as np

from test.topology.scenes import three_robots
from test.worlds import random_start, with_wheels


def trees(rng):
    """Return three robots in gravity, pushed and driven."""
    return three_robots(int(rng.integers(1 << 30)))[0]


def anchored(rng):
    """Return the same, one held by a hinge, one walked from its middle."""
    sim = trees(rng)
    sim.anchor('r0_link2', 'revolute', axis=rng.normal(size=3))
    sim.rebase('r2_link5')
    return sim


def joined(rng):
    """Return the same, hung on one another by a ball and by a slide, each walked both ways."""
    sim = trees(rng)
    sim.attach('r0_link3', 'r1_link2', 'spherical', name='ball')
    sim.attach('r2_link4', 'r1_link4', 'prismatic', axis=rng.normal(size=3))
    sim.set_efforts({'ball_x': 1.0, 'ball_y': -2.0, 'ball_z': 0.5})
    return sim


def turned_round(rng):
    """Return the same, walked from the other end: the ball and all on the way are reversed."""
    sim = joined(rng)
    sim.rebase('r2_link9')
    return sim


def satellite(rng, arms=4):
    """Return a satellite with arms and wheels, pushed at a hand and at its body."""
    sim = Simulator()
    model = arms_and_wheels('satellite', arms).model
    random_start(rng, model).add_to(sim, model, '')
    sim.set_efforts({name: float(rng.normal()) for name in sim.joint_names})
    sim.set_wrench('link6', *rng.normal(size=(2, 3)), 'world', rng.normal(size=3))
    sim.set_wrench('base', *rng.normal(size=(2, 3)), 'link', rng.normal(size=3))
    return sim


def pushed_wheel(rng):
    """Return the same, pushed at a wheel, which is no gyrostat then."""
    sim = satellite(rng)
    sim.set_wrench('link29', *rng.normal(size=(2, 3)), 'world', rng.normal(size=3))
    return sim


def whirling(_rng):
    """Return one whose joints turn by more within a step than sines are led on for, or by less."""
    sim = Simulator()
    rates = {'joint2': 90.0, 'joint3': 20.0, 'joint9': -45.0, 'joint16': 1.0}
    sim.add(arms_and_wheels('satellite', 4).model, joint_velocities=rates)
    return sim


def nested(rng):
    """Return a trunk with limbs that branch again, all revolute: runs hang on runs."""
    sim = Simulator(gravity=rng.normal(size=3))
    trunk = random_chain(3, seed=1, damping=0.2)
    random_start(rng, trunk).add_to(sim, trunk, 't_')
    for k, joints in enumerate((4, 4, 2)):
        limb = random_chain(joints, seed=5 + k, damping=0.1)
        random_start(rng, limb).add_to(sim, limb, f'l{k}_')
        sim.attach('t_link3', f'l{k}_base', 'revolute', axis=rng.normal(size=3))
        for m in range(2):
            finger = random_tree(2, seed=20 + 2 * k + m)
            random_start(rng, finger).add_to(sim, finger, f'f{k}{m}_')
            sim.attach(f'l{k}_link{joints}', f'f{k}{m}_base', 'revolute', name=f'f{k}{m}')
    sim.set_wrench('f01_link2', *rng.normal(size=(2, 3)), 'world', rng.normal(size=3))
    return sim


def grippers(rng):
    """Return a satellite whose arms each have a slide amid their hinges, and two fingers."""
    sim = Simulator(gravity=rng.normal(size=3))
    body = arms_and_wheels('satellite', 0).model
    random_start(rng, body).add_to(sim, body, '')
    for k, joints in enumerate((3, 4, 4, 2, 4, 3, 4, 4)):
        arm = random_chain(joints, seed=40 + k, kinds=('revolute', 'prismatic'), damping=0.1)
        random_start(rng, arm).add_to(sim, arm, f'a{k}_')
        axis = rng.normal(size=3)
        sim.attach('base', f'a{k}_base', ('revolute', 'prismatic')[k % 2], axis=axis)
        for finger in 'lr':
            model = random_chain(1, seed=50 + k, kinds='prismatic')
            random_start(rng, model).add_to(sim, model, f'{finger}{k}_')
            sim.attach(f'a{k}_link{joints}', f'{finger}{k}_base', 'prismatic', name=f'{finger}{k}')
    sim.set_efforts({name: float(rng.normal()) for name in sim.joint_names})
    sim.set_wrench('l1_link1', *rng.normal(size=(2, 3)), 'world', rng.normal(size=3))
    return sim


def balls(rng):
    """Return a satellite with limbs on balls, of any kinds, one limb on a ball of another's."""
    sim = Simulator(gravity=rng.normal(size=3))
    body = arms_and_wheels('satellite', 0).model
    random_start(rng, body).add_to(sim, body, '')
    for k in range(6):
        limb = random_chain(3, seed=60 + k, kinds=('revolute', 'prismatic'), damping=0.1)
        start = random_start(rng, limb)
        replace(start, position=np.zeros(3)).add_to(sim, limb, f'a{k}_')  # no lever is long
        on = 'base' if k < 4 else f'a{k - 4}_link3'
        sim.attach(on, f'a{k}_base', 'spherical', name=f'ball{k}')
    sim.rebase('a1_link2')  # which reverses one of them
    sim.set_efforts({name: float(rng.normal()) for name in sim.joint_names})
    sim.set_wrench('a5_link2', *rng.normal(size=(2, 3)), 'link', rng.normal(size=3))
    return sim


def wheels_anywhere(rng):
    """Return robots with wheels on all that moves: bases, hinges, slides, tips, and on a ball."""
    sim = Simulator(gravity=rng.normal(size=3))
    for k, prefix in enumerate(('a_', 'b_', 'c_')):
        kinds = ('revolute', 'prismatic') if k else ('revolute',)
        model = random_tree(6, seed=70 + k, kinds=kinds, damping=0.1)
        carriers = [body.name for body in model.bodies[k::2]]
        model = with_wheels(rng, model, (*carriers, carriers[-1]), damping=0.01)
        random_start(rng, model, speed=3.0).add_to(sim, model, prefix)
    sim.attach('a_link3', 'b_base', 'spherical')
    sim.rebase('b_link5')
    sim.anchor('c_base', 'revolute', axis=rng.normal(size=3))
    sim.set_efforts({name: float(rng.normal()) for name in sim.joint_names})
    for link in ('a_link4', 'b_link2', 'c_link3'):
        sim.set_wrench(link, *rng.normal(size=(2, 3)), 'link', rng.normal(size=3))
    return sim


def wheels_on_hands(rng):
    """Return a satellite with two wheels on each of its arms' tips, one of them pushed."""
    sim = Simulator()
    hands = [f'link{7 * arm + 6}' for arm in range(4) for _ in range(2)]
    model = with_wheels(rng, arms_and_wheels('satellite', 4).model, hands)
    random_start(rng, model, speed=3.0).add_to(sim, model)
    sim.set_efforts({name: float(rng.normal()) for name in sim.joint_names})
    sim.set_wrench('wheel5_link', *rng.normal(size=(2, 3)), 'world', rng.normal(size=3))
    return sim


WORLDS = [
    trees,
    anchored,
    joined,
    turned_round,
    satellite,
    pushed_wheel,
    whirling,
    nested,
    grippers,
    balls,
    wheels_anywhere,
    wheels_on_hands,
]
