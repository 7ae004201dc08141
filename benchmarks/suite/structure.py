# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Structure changes on 37 DOF from Python, all included, beside Pinocchio's reduced model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from benchmarks.figures import Figure, Settings
from benchmarks.models import Flyer, flyers, random_motion
from benchmarks.peers.ours import compiled_part, Ours
from benchmarks.peers.pinocchio import PythonPinocchio
from benchmarks.timing import alone, alternate, Loop, python_loop
from free_flyer_dynamics.simulator import Simulator

GOAL = 100.0  # us, for one change from Python
COMPILED_GOAL = 10.0  # us, for what of it is compiled
FREE = 3  # joints of the first arm that stay free: 37 DOF become 9

Change = tuple[str, str, Callable[[], object], Callable[[], object]]


def run(settings: Settings) -> Iterator[Figure]:
    """Yield what a change and its undoing cost, and what a step costs with most joints locked."""
    flyer = flyers()[1]
    sim, two = _under_way(flyer).sim, _under_way(flyer).sim
    two.add(flyers()[0].model, 't_', position=(5, 0, 0))
    most = list(sim.joint_names[FREE:])
    changes = _changes(sim, two, most)
    loops: dict[str, Loop] = {}
    for there, back, do, undo in changes:
        loops[there], loops[back] = alone(do, after=undo), alone(undo, before=do)
    loops['pinocchio_reduced_model'] = python_loop(_reduction(flyer, most))
    times = alternate(loops, settings)
    for name, time in times.items():
        goal = None if name.startswith('pinocchio') else GOAL
        yield Figure(f'structure.{name}', time, 'us', goal)
    mean = 0.5 * (times['lock_28'] + times['unlock_28'])
    ratio = times['pinocchio_reduced_model'] / mean
    yield Figure('structure.lock_28_over_pinocchio', ratio, 'x', note='half a lock and unlock')
    yield from _compiled(changes, settings)

    full, reduced = (_under_way(flyer) for _ in range(2))
    reduced.sim.lock(*most)
    steps = alternate({'37': full.step, '9': reduced.step}, settings)
    for name, time in steps.items():
        yield Figure(f'structure.step_of_{name}_dof', time, 'us')
    yield Figure('structure.step_37_over_9', steps['37'] / steps['9'], 'x', note='paper: about 4')


def _under_way(flyer: Flyer) -> Ours:
    ours = Ours(flyer)
    ours.take(random_motion(flyer, seed=1))
    return ours


def _changes(sim: Simulator, two: Simulator, most: list[str]) -> list[Change]:
    """Return changes with their undoings, of one robot and of two: two names, two calls."""
    ball = {'joint': 'spherical', 'name': 'grip'}
    return [
        ('lock_1', 'unlock_1', lambda: sim.lock('joint5'), lambda: sim.unlock('joint5')),
        ('lock_28', 'unlock_28', lambda: sim.lock(*most), lambda: sim.unlock(*most)),
        (
            'attach_robots',
            'detach_robots',
            lambda: two.attach('link6', 't_link6', name='grip'),
            lambda: two.detach('grip'),
        ),
        (
            'attach_closing_a_loop',
            'detach_opening_it',
            lambda: sim.attach('link6', 'link13', **ball),
            lambda: sim.detach('grip'),
        ),
        ('rebase', 'rebase_back', lambda: sim.rebase('link6'), lambda: sim.rebase('base')),
    ]


def _compiled(changes: list[Change], settings: Settings) -> Iterator[Figure]:
    """Yield what the compiled calls of each change take, and what of it makes the arrays anew."""
    parts: dict[str, Mapping[str, Loop]] = {}
    for there, back, do, undo in changes:
        parts[there], parts[back] = compiled_part(do), compiled_part(undo)
    loops = {f'{name}.{part}': loop for name, row in parts.items() for part, loop in row.items()}
    times = alternate(loops, settings)
    note = 'the compiled calls of one change, their arguments unpacked each time'
    for name in parts:
        whole, arrays = times[f'{name}.whole'], times[f'{name}.arrays']
        yield Figure(f'structure.{name}.compiled', whole, 'us', COMPILED_GOAL, note)
        yield Figure(f'structure.{name}.compiled_arrays', arrays, 'us', COMPILED_GOAL, note)


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
