# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The second half of a cold start: what a first step runs is compiled, then all that users do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
import logging
import os
import sys
from threading import Thread
import time
import warnings

from free_flyer_dynamics.ahead import ahead, call_for_help
from free_flyer_dynamics.arena import aligned, arena_room, FURNISH, LAY_OUT
from free_flyer_dynamics.assembly import Assembly
from free_flyer_dynamics.direct import Direct
from free_flyer_dynamics.engine import CLOSED_DOORS, DOORS, PUT_STATE
from free_flyer_dynamics.inputs import Commands
from free_flyer_dynamics.kernels._turns import Busy, without_waiting
from free_flyer_dynamics.kernels.closures import Closures
from free_flyer_dynamics.kernels.lanes import WIDEST
from free_flyer_dynamics.kernels.records import HEAD, LINKS, NODES, record_sizes
from free_flyer_dynamics.model import Body, Joint, Model
from free_flyer_dynamics.rerooting import halves
from free_flyer_dynamics.simulator import Simulator
from free_flyer_dynamics.structure import Structure
from free_flyer_dynamics.tree import Inputs, State
import numpy as np

Act = Callable[[Model], None]
_POLITE = 5  # what is compiled while users step already gives way to them
_A_WHILE = 0.2  # s, until another has gone on


def rehearse(limbs: int, joints: int) -> None:
    """Compile what a first step runs, then play what may follow; end with the first process."""
    _attend()
    compile_first(halves(limbs, joints))
    helper = call_for_help(limbs, joints)
    _play_aside(robot_like(limbs, joints), (_compile_closed_steps, *ACTS))
    if helper is not None:
        helper.wait()  # its standard input is ours to hold open


def help_rehearse(limbs: int, joints: int) -> None:
    """Play the same from the other end: wherever two meet, both have worked all the time."""
    _attend()
    _play_aside(robot_like(limbs, joints), ACTS[::-1])


def _attend() -> None:
    ahead.allowed = False  # who is ahead needs nobody ahead of it
    Thread(target=_end_with_the_first, daemon=True).start()


def _play_aside(robot: Model, acts: Sequence[Act]) -> None:
    """
    Play, giving way to others, without a word.

    Where another is at what an act wants, the act is left for later: two who wait for each other
    by turns do the work of one.
    """
    os.nice(_POLITE)
    logging.disable()
    warnings.simplefilter('ignore')
    left = list(acts)
    while left:
        later = [act for act in left if not _was_played(act, robot)]
        if later == left:
            time.sleep(_A_WHILE)
        left = later


def _was_played(act: Act, robot: Model) -> bool:
    try:
        with without_waiting():
            act(robot)
    except Busy:
        return False
    return True


def _end_with_the_first() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


def compile_first(runs: int) -> None:
    """
    Compile what leads to a first step of so many runs side by side, the last first; call none.

    The first process comes from the other end; wherever they meet, both have worked all the time.
    """
    integers, numbers = record_sizes(1, 0, 0)  # the world alone is a link
    ints, reals = np.zeros(integers, dtype=np.int64), np.zeros(numbers)
    ints[LINKS] = 1
    nothing = Structure(Assembly(), ints, reals, *ints[NODES:HEAD].tolist())
    inputs = Commands((0.0, 0.0, 0.0)).inputs(nothing)
    for door, arguments in reversed([*_first_calls(nothing, nothing.new_state(), inputs, runs)]):
        door.compile_for(*arguments)


def _first_calls(
    structure: Structure, state: State, inputs: Inputs, runs: int
) -> Iterator[tuple[Direct, tuple]]:
    """Yield the doors that lead to a first step, with arguments of the types that each takes."""
    lanes = min((count for count in DOORS if count >= runs), default=WIDEST)
    record = structure.ints, structure.reals
    table, frames, ints = arena_room(structure.nodes, 0)
    reals = aligned(0)
    yield LAY_OUT, (*record, inputs.wrench_node, WIDEST, 1, 0, table, frames, ints)
    yield FURNISH, (*record, inputs, 1, table, frames, 0, ints, reals)
    yield PUT_STATE, (state, ints, reals)
    yield DOORS[lanes][0], (ints, reals, 0.0, 1)


def _compile_closed_steps(robot: Model) -> None:
    """Begin with what comes last of a loop that is closed: users begin with what comes first."""
    limbs = sum(body.name.startswith('tip') for body in robot.bodies)
    lanes = min((count for count in CLOSED_DOORS if count >= limbs), default=WIDEST)
    loops = Closures(np.zeros(0, dtype=np.int64), aligned(0))
    CLOSED_DOORS[lanes][0].compile_for(loops, np.zeros(0, dtype=np.int64), aligned(0), 0.0, 1)


def _close_a_loop(robot: Model) -> None:
    sim = _stepped(robot)
    sim.anchor('base', name='held')
    sim.anchor('tip0', name='closed')
    sim.step()
    sim.detach('held')
    sim.detach('closed')


def _reach_a_stop(robot: Model) -> None:
    stopped = Simulator()
    stopped.add(robot, joint_velocities={'elbow0': 1.0})
    stopped.step(20)


def _step_side_by_side(robot: Model) -> None:
    _stepped(robot).batch(8).step(2)


def _grasp(robot: Model) -> None:
    sim = _stepped(robot)
    sim.add(robot_like(0, 0), 'other_', position=(0.0, 0.0, 9.0))
    sim.attach('tip0', 'other_base', name='grasp')
    sim.step()
    sim.detach('grasp')
    sim.lock('elbow0')
    sim.unlock('elbow0')


def _look_closely(robot: Model) -> None:
    sim = _stepped(robot)
    _ = sim.residuals(), sim.acceleration('tip0')


def _weigh(robot: Model) -> None:
    _ = _stepped(robot).momentum()


def _look(robot: Model) -> None:
    sim = _stepped(robot)
    sim.observe(('tip0',))
    _ = sim.positions, sim.pose('tip0'), sim.twist('tip0')


def _push(robot: Model) -> None:
    sim = _stepped(robot)
    sim.set_wrench('tip0', force=(1.0, 0.0, 0.0))
    sim.step()


# What users may do after a first step. What they do at once, reading and pushing, they compile
# themselves meanwhile: it comes last.
ACTS = (
    _close_a_loop,
    _step_side_by_side,
    _reach_a_stop,
    _grasp,
    _look_closely,
    _weigh,
    _look,
    _push,
)


def play(robot: Model) -> None:
    """Do what users may do after a first step."""
    for act in ACTS:
        act(robot)


def _stepped(robot: Model) -> Simulator:
    sim = Simulator()
    sim.add(robot)
    sim.step()
    return sim


def robot_like(limbs: int, joints: int) -> Model:
    """Return a base with so many limbs of hinges, as many in all; the last of each has a stop."""
    bodies, hinges = [Body('base', 10.0, np.zeros(3), np.eye(3))], []
    count = max(joints // max(limbs, 1), 2)
    for k in range(limbs):
        names = ['base', *(f'link{k}_{i}' for i in range(1, count)), f'tip{k}']
        for i, (parent, child) in enumerate(pairwise(names), 1):
            place, center = np.array((0.3, 0.1 * k, 0.0)), np.array((0.1, 0.0, 0.0))
            bodies.append(Body(child, 1.0, center, 0.1 * np.eye(3)))
            name, upper = (f'elbow{k}', 0.01) if i == count else (f'joint{k}_{i}', 1.0)
            hinges.append(Joint(name, 'revolute', parent, child, place, upper=upper))
    return Model('rehearsed', tuple(bodies), tuple(hinges))
