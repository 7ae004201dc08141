# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Have everything compiled before the clock starts."""

from __future__ import annotations

import gc

from free_flyer_dynamics.pace import Pace
from free_flyer_dynamics.simulator import Simulator

_HELD = 'warm-up'


def warm_up(sim: Simulator) -> None:
    """Do once what the physics thread will do, and leave the world as it was."""
    before = sim.snapshot()
    sim.step(1)
    sim.step_on_time(Pace(sim.dt), 0)
    link = sim.connectivity().base
    sim.observe(() if link == 'world' else (link,))
    sim.momentum()
    sim.residuals()
    if link != 'world':
        sim.acceleration(link)
        sim.twist(link)
        sim.anchor(link, name=_HELD)
        sim.attachment_wrench(_HELD)  # as at the first grasp, which is no time to stand still
        sim.detach(_HELD)
        _take_the_other(sim)
        _from_inside(sim)
    names = sim.joint_names
    if names:
        sim.set_efforts({names[0]: 0.0})
        sim.lock(names[0])
        sim.unlock(names[0])
    sim.restore(before)


def _take_the_other(sim: Simulator) -> None:
    """Let the first robot grasp the next: what were trees side by side is one."""
    table = sim.connectivity()
    others = [row.name for row in table.links if row.parent < 0]
    if not others:
        return
    own = {0}
    for row in table.links:
        if row.parent in own:
            own.add(row.link)
    hands = [row.name for row in table.links if row.end_effector and row.link in own]
    sim.attach((*hands, table.base)[0], others[0], name=_HELD)
    sim.step(1)
    sim.detach(_HELD)


def _from_inside(sim: Simulator) -> None:
    """Step with a base amid an arm: what was one branch is two, walked side by side."""
    rows = sim.connectivity().links
    parents = {row.parent for row in rows}
    for row in rows:
        if row.parent > 0 and row.link in parents:
            sim.rebase(row.name)
            sim.step(1)
            sim.momentum()
            return


def settle() -> None:
    """
    Let the garbage collector pass over what is there now, which stays.

    To look through it takes 20 ms, in which no thread has the interpreter.
    """
    gc.collect()
    gc.freeze()
