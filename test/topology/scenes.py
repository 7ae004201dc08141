# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Three random robots under way, for the simulator and for the dense twin at once."""

from free_flyer_dynamics import Simulator
from free_flyer_dynamics.generate import random_chain, random_tree
import numpy as np

from test.topology.dense import Scene
from test.worlds import random_push, random_start

SIZES = {'r0_': 4, 'r1_': 5, 'r2_': 9}  # r2_ is a chain long enough for a loop of any kind


def three_robots(seed, loads=True, kinds=('revolute', 'prismatic'), **options):
    """Return the simulator and its scene; two trees and a chain, loaded everywhere."""
    rng = np.random.default_rng(seed)
    gravity = rng.uniform(-1, 1, 3) if loads else np.zeros(3)
    sim = Simulator(gravity=gravity, **options)
    models = {}
    for prefix, joints in SIZES.items():
        grow = random_chain if prefix == 'r2_' else random_tree
        kinds_here = 'revolute' if prefix == 'r2_' else kinds
        damping = 1.0 if loads else 0.0
        model = grow(
            joints, int(rng.integers(1 << 30)), kinds=kinds_here, frames=2, damping=damping
        )
        models[prefix] = model
        random_start(rng, model).add_to(sim, model, prefix)
    scene = Scene(sim, models, gravity)
    if loads:
        for prefix, model in models.items():
            efforts = {joint.name: float(rng.uniform(-5, 5)) for joint in model.joints}
            pushes = {push.link: push for push in (random_push(rng, model) for _ in range(2))}
            scene.twins[prefix].drive(efforts)
            scene.twins[prefix].pushes = tuple(pushes.values())
            sim.set_efforts({prefix + name: value for name, value in efforts.items()})
            for push in pushes.values():
                push.on(sim, prefix)
    return sim, scene


def change(sim, scene, kind, *arguments, **options):
    """Do one operation in both worlds and return the Transition; see `Simulator.change`."""
    noted = NOTES[kind]
    noted(scene, *arguments, **options)
    return getattr(sim, kind)(*arguments, **options)


def _attach(scene, a, b, joint='fixed', axis=(0, 0, 1), name=None):
    scene.join(name, joint, a, b, axis)


def _anchor(scene, frame, joint='fixed', axis=(0, 0, 1), name=None):
    scene.join(name, joint, 'world', frame, axis)


def _detach(scene, name):
    del scene.bonds[name]


def _unlock(scene, *names):
    for name in names:
        scene.unlock(name)


NOTES = {
    'attach': _attach,
    'anchor': _anchor,
    'detach': _detach,
    'lock': lambda scene, *names: scene.lock(*names),
    'unlock': _unlock,
    'rebase': lambda scene, link: None,
}
