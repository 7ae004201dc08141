# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Worlds with closed loops, of every kind of joint, for batches of them."""

from dataclasses import replace

from benchmarks.models import arms_and_wheels
from free_flyer_dynamics import Simulator
from free_flyer_dynamics.generate import random_chain
import numpy as np

from test.topology.scenes import three_robots
from test.topology.test_operations import BINDING, do
from test.worlds import random_start

STATES, STEPS = 5, 40  # two cores do not share them evenly
WORLDS = ('close_fixed', 'close_revolute', 'close_prismatic', 'close_spherical', 'two_loops')
WORLDS += ('attach_spherical', 'a_loop_through_two_robots', 'anchor_both_ends')
WORLDS += ('lock_what_closes_a_loop', 'lock_the_ball_of_a_loop', 'rebase_then_attach')


def tied(name):
    """Return three robots under way, driven, pushed and tied."""
    sim, scene = three_robots(90)
    for operation in BINDING[name]:
        do(sim, scene, operation)
        sim.step(10)
    return sim


def sticky(model, friction):
    """Return a robot whose second joint has dry friction."""
    second = replace(model.joints[1], friction=friction)
    return replace(model, joints=(model.joints[0], second, *model.joints[2:]))


def clasped(friction=0.0):
    """Return a satellite whose hands hold one another: branches lie side by side in its steps."""
    sim, rng = Simulator(), np.random.default_rng(7)
    model = sticky(arms_and_wheels('satellite', 4).model, friction)
    random_start(rng, model, speed=0.3).add_to(sim, model)
    sim.attach('link7', 'link14', joint='revolute', axis=(0.3, 1, 0.2), name='bond')
    return sim


def ring(seed=5, friction=0.0):
    """Return a free chain whose tip a hinge joins to its base."""
    sim, rng = Simulator(), np.random.default_rng(seed)
    model = sticky(random_chain(8, seed, kinds='revolute'), friction)
    random_start(rng, model, speed=0.4).add_to(sim, model)
    sim.attach('base', 'link8', joint='revolute', axis=(1, 2, 0.5), name='bond')
    return sim


def driven(rng, names, size=2.0):
    """Return an effort of each joint for each state."""
    return {name: size * rng.normal(size=STATES) for name in names}
