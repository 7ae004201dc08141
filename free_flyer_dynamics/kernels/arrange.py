# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A tree laid out for the engine: how many lanes, and where each table of its arena starts."""

from free_flyer_dynamics.kernels._jit import inlined, kernel, out_of_line
from free_flyer_dynamics.kernels.closures import loop_region
from free_flyer_dynamics.kernels.frames import choose_frames
from free_flyer_dynamics.kernels.layout import (
    BALL_CONSTANTS,
    CONSTANTS,
    HEAD,
    LAYOUT,
    layout_of,
    NOBODY,
    PACK,
    PATH_STEP,
    POSE,
    REGISTER,
    SLOT,
    SPARED,
    STAGES,
    USERS,
    WHEEL,
    WORK,
    WRENCH,
    WRENCH_HEAD,
)
from free_flyer_dynamics.kernels.records import tree_of
from free_flyer_dynamics.kernels.runs import lay_runs, spared_wheels
from free_flyer_dynamics.tree import FREE, SPHERICAL


@inlined
def _up(count):
    return (count + REGISTER - 1) // REGISTER * REGISTER


@inlined
def _lay_users(tree, roots, states, ints):
    """Let the users' state come first, so that it stays where it is; return where it ends."""
    n = len(tree.parent)
    nq = nv = 0
    for i in range(n):
        free, ball = tree.kind[i] == FREE, tree.kind[i] == SPHERICAL
        nq += 7 if free else (4 if ball else 1)
        nv += 6 if free else (3 if ball else 1)
    sizes = (nq, nv, 6 * roots, 6 * roots, n, nv)
    at = 0
    for k in range(len(sizes)):
        ints[LAYOUT + USERS + k] = at
        at += _up(sizes[k] * states)
    ints[LAYOUT + USERS + len(sizes)] = HEAD
    ints[LAYOUT + USERS + len(sizes) + 1] = HEAD + n
    return at


@inlined
def arrange(tree, record, pushed, widest, states, table, ints):
    """
    Decide lanes and layout, and fill the head and the maps of the integers.

    `states` is how many states of a batch lie side by side, 1 without one. Returns the runs, and
    where integers and numbers go on.
    """
    n = len(tree.parent)
    widest = widest if states == 1 else 1
    count, slots, wheels, lanes, packs, rows = lay_runs(record, pushed, widest, table)
    roots = balls = 0
    for i in range(n):
        roots += tree.kind[i] == FREE
        balls += tree.kind[i] == SPHERICAL
    wheel_room = _up(wheels) if states == 1 else wheels
    joints = (_up(rows * lanes) if states == 1 else rows) + wheel_room
    entries = joints + 6 * (roots + balls + (balls > 0))  # one stands for none
    entries = _up(entries) if states == 1 else entries
    head = (lanes, packs, rows, slots, roots, balls, wheels, joints, wheel_room, entries)
    for k in range(len(head)):
        ints[k] = head[k]
    at = HEAD + 2 * n
    sizes = (packs * (PACK + 2 * lanes), rows * lanes, rows * lanes, rows, 2 * wheels, n, n)
    for k in range(len(sizes)):
        ints[len(head) + k] = at
        at += sizes[k]
    after = at
    first = len(head) + len(sizes)
    constant = (
        _up(joints),
        _up(joints),
        _up(joints),
        _up(rows * lanes * CONSTANTS),
        _up(roots * CONSTANTS),
        _up(wheels * WHEEL),
        _up(balls * BALL_CONSTANTS),
    )
    at = _lay_users(tree, roots, states, ints)
    for k in range(len(constant)):
        ints[first + k] = at
        at += constant[k]
    first += len(constant)
    room = (
        _up(joints),
        _up(joints),
        _up(rows * lanes * WORK),
        _up(slots * SLOT + lanes * NOBODY),
        _up(6 * roots),
        _up(joints),
        _up(9 * (roots + balls)),
        _up(6 * (roots + balls)),
        2 * REGISTER,
        entries,
    )
    for k in range(len(room)):
        ints[first + k] = at
        at += _up(room[k] * states)
    first += len(room)
    ints[first] = at
    ints[first + 1] = at + REGISTER
    return count, after, at + REGISTER


@inlined
def lay_course(tree, wrenches, states, at_ints, at_reals, ints):
    """Fill the second head: where the tables of steps lie. Returns both arrays' lengths."""
    at = layout_of(ints)
    n = len(tree.parent)
    turners = at.roots + at.balls
    depth = WRENCH_HEAD + PATH_STEP * n
    ints[LAYOUT], ints[LAYOUT + 2] = n, depth
    course = LAYOUT + STAGES
    sizes = (at.joints, at.joints, turners, turners, at.joints, wrenches * depth)
    for k in range(len(sizes)):
        ints[course] = at_ints
        course += 1
        at_ints += sizes[k]
    room = (
        at.joints, at.joints, at.joints, at.joints,
        at.joints, at.entries, POSE * turners, at.joints, at.entries, POSE * turners,
        4 * at.entries, 6 * turners, 24 * at.roots, 6 * at.roots, 6 * at.roots, wrenches * WRENCH,
    )  # fmt: skip
    for k in range(len(room)):
        ints[course] = at_reals
        course += 1
        at_reals += _up(room[k] * states)
    ints[course] = at_reals
    return at_ints, at_reals + REGISTER


@kernel
def lay(structure_ints, structure_reals, pushed, widest, states, wrenches, table, frames, ints):
    """Do what `lay_out` does, for kernels."""
    out_of_line()
    tree = tree_of(structure_ints, structure_reals)
    record = structure_ints, structure_reals
    count, at_ints, at_reals = arrange(tree, record, pushed, widest, states, table, ints)
    _ints, size = lay_course(tree, wrenches, states, at_ints, at_reals, ints)
    ints[LAYOUT + SPARED] = spared_wheels(tree, pushed)
    choose_frames(tree, table[2], frames)
    at = layout_of(ints)
    return count, size, loop_region(at.joints, at.balls)


@kernel
def lay_out(
    # the structure, and the nodes that are pushed
    structure_ints,
    structure_reals,
    pushed,
    widest,
    states,
    wrenches,
    # output
    table,
    frames,
    ints,
):
    """
    Lay all tables, for rows of at most so many lanes.

    Returns the runs, the numbers, and those of them that a closed loop's region takes.
    """
    record = structure_ints, structure_reals
    return lay(*record, pushed, widest, states, wrenches, table, frames, ints)
