# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Structure changes on 37 DOF from Python, all included, beside Pinocchio's reduced model."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.figures import Figure, Settings
from benchmarks.models import flyers, random_motion
from benchmarks.peers.ours import Ours
from benchmarks.peers.pinocchio import PythonPinocchio
from benchmarks.timing import alternate, python_loop

GOAL = 1000.0  # us, for one lock or attach
FREE = 3  # joints of the first arm that stay free: 37 DOF become 9


def run(settings: Settings) -> Iterator[Figure]:
    """Yield what a change and its undoing cost, and what a step costs with most joints locked."""
    flyer = flyers()[1]
    ours = Ours(flyer)
    ours.take(random_motion(flyer, seed=1))
    sim = ours.sim
    most = list(sim.joint_names[FREE:])

    def lock_one() -> None:
        sim.lock('joint5')
        sim.unlock('joint5')

    def lock_most() -> None:
        sim.lock(*most)
        sim.unlock(*most)

    def close_loop() -> None:
        sim.attach('link6', 'link13', joint='spherical', name='grip')
        sim.detach('grip')

    times = alternate(
        {
            'lock_and_unlock_one': python_loop(lock_one),
            'lock_and_unlock_28': python_loop(lock_most),
            'attach_and_detach': python_loop(close_loop),
            'pinocchio_reduced_model': python_loop(_reduction(flyer, most)),
        },
        settings,
    )
    for name, time in times.items():
        goal = None if name.startswith('pinocchio') else 2 * GOAL
        yield Figure(f'structure.{name}', time, 'us', goal)
    ratio = times['pinocchio_reduced_model'] / (0.5 * times['lock_and_unlock_28'])
    yield Figure('structure.lock_28_over_pinocchio', ratio, 'x', note='half a lock and unlock')

    reduced = Ours(flyer)
    reduced.take(random_motion(flyer, seed=1))
    reduced.sim.lock(*most)
    steps = alternate({'37': ours.step, '9': reduced.step}, settings)
    for name, time in steps.items():
        yield Figure(f'structure.step_of_{name}_dof', time, 'us')
    yield Figure('structure.step_37_over_9', steps['37'] / steps['9'], 'x', note='paper: about 4')


def _reduction(flyer, locked):
    """Return a call that makes Pinocchio's reduced model and its data, at zero."""
    import pinocchio as pin

    model = PythonPinocchio(flyer, '').model
    ids = [model.getJointId(name) for name in locked]
    q = pin.neutral(model)

    def reduce() -> None:
        reduced = pin.buildReducedModel(model, ids, q)
        reduced.createData()

    return reduce
