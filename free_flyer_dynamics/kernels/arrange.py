# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A tree compiled for the engine: every table of its arena that does not change with the state."""

import math

from free_flyer_dynamics.kernels._jit import kernel, out_of_line
from free_flyer_dynamics.kernels.frames import (
    ALONG,
    choose_frames,
    COS_TURN,
    empty_row,
    place_body,
    place_row,
    SIN_TURN,
)
from free_flyer_dynamics.kernels.layout import (
    ALIKE,
    BALL,
    BALL_CONSTANTS,
    BALL_PLACE,
    CONSTANTS,
    FIRST,
    course_of,
    GRAVITATES,
    HEAD,
    INERTIA,
    LAST,
    LAYOUT,
    layout_of,
    MASS,
    MIXED,
    MOMENT,
    PACK,
    PLAIN,
    POSE,
    RESISTED,
    REVERSED,
    SLIDING,
    SLOT,
    SPIN,
    STAGES,
    TIPPED,
    USERS,
    WHEEL,
    WHEEL_DAMPING,
    WORK,
    WRENCH,
    WRENCH_HEAD,
    WRENCHES,
)
from free_flyer_dynamics.kernels.pushes import set_wrenches
from free_flyer_dynamics.kernels.runs import (
    choose_lanes,
    cut_into_runs,
    RUN_END,
    RUN_LANE,
    RUN_LEVEL,
    RUN_PACK,
    RUN_SLOT,
    RUN_START,
    RUN_TIP,
    WHEEL_NODE,
)
from free_flyer_dynamics.tree import FREE, PRISMATIC, REVOLUTE, SPHERICAL

REGISTER = 8  # tables are filled up to this many numbers, so that the widest lanes may read on


@kernel
def _up(count):
    return (count + REGISTER - 1) // REGISTER * REGISTER


@kernel
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


@kernel
def arrange(tree, widest, folds, states, table, frames, ints):
    """
    Decide lanes and layout, and fill the head and the maps of the integers.

    `states` is how many states of a batch lie side by side, 1 without one; `folds`, whether wheels
    become part of their roots. Returns the runs, and where integers and numbers go on.
    """
    out_of_line()
    n = len(tree.parent)
    children, slot, run_of = table[0, :n], table[1, :n], table[2, :n]
    runs = table[3:]
    count, slots, wheels = cut_into_runs(tree, folds, children, slot, run_of, runs)
    lanes, packs, rows = choose_lanes(tree, runs, count, slots - 1, widest if states == 1 else 1)
    roots = balls = 0
    for i in range(n):
        roots += tree.kind[i] == FREE
        balls += tree.kind[i] == SPHERICAL
    wheel_room = _up(wheels) if states == 1 else wheels
    joints = (_up(rows * lanes) if states == 1 else rows) + wheel_room
    entries = joints + 6 * (roots + balls)
    entries = _up(entries) if states == 1 else entries
    head = (lanes, packs, rows, slots, roots, balls, wheels, joints, wheel_room, entries)
    for k in range(len(head)):
        ints[k] = head[k]
    at = HEAD + 2 * n
    sizes = (packs * (PACK + 2 * lanes), 2 * rows, 2 * wheels, n, n)
    for k in range(len(sizes)):
        ints[len(head) + k] = at
        at += sizes[k]
    after = at
    first = len(head) + len(sizes)
    constant = (
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
        _up(slots * SLOT),
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
    choose_frames(tree, run_of, frames)
    return count, after, at + REGISTER


@kernel
def fill(tree, table, frames, count, ints, reals):
    """Fill the packs, the rows and the bodies of an arena that comes cleared."""
    out_of_line()
    at = layout_of(ints)
    run_of, runs = table[2], table[3:]
    lanes = at.lanes
    size = PACK + 2 * lanes
    for p in range(at.packs):
        pack = at.pack + p * size
        ints[pack + FIRST], ints[pack + LAST] = -1, 0
        ints[pack + ALIKE], ints[pack + MIXED], ints[pack + TIPPED] = 0, 0, 0
        for lane in range(lanes):
            ints[pack + PACK + lane] = -1
            ints[pack + PACK + lanes + lane] = at.slots - 1
    _place_packs(runs, count, ints, at)
    for row in range(at.rows):
        for lane in range(lanes):
            empty_row(reals, at.constant + row * CONSTANTS * lanes, lanes, lane)
    turner = wheel = ball = 0
    for i in range(len(tree.parent)):
        if tree.kind[i] == FREE:
            ints[at.node + i] = turner
            ints[at.row_of + i] = -1
            place_body(tree, frames, i, reals, at.body + turner * CONSTANTS, 1, 0)
            turner += 1
            continue
        if run_of[i] == WHEEL_NODE:
            ints[at.node + i] = at.joints - at.wheel_room + wheel
            ints[at.row_of + i] = at.rows * lanes  # beyond all rows
            _fold_wheel(tree, i, wheel, ints, reals, at)
            wheel += 1
            continue
        r = run_of[i]
        pack = at.pack + runs[r, RUN_PACK] * size
        row = ints[pack + FIRST] + i - runs[r, RUN_START]
        lane = runs[r, RUN_LANE]
        K = at.constant + row * CONSTANTS * lanes
        place_body(tree, frames, i, reals, K, lanes, lane)
        ints[at.node + i] = ints[at.row_of + i] = row * lanes + lane
        what = SLIDING if tree.kind[i] == PRISMATIC else PLAIN
        if tree.kind[i] == SPHERICAL:
            what = BALL | REVERSED if tree.reverse[i] else BALL
            ints[at.row + 2 * row + 1] = ball
            ints[at.node + i] = at.roots + ball
            _place_ball(tree, frames, i, reals, at.ball_constant + ball * BALL_CONSTANTS)
            ball += 1
        else:
            starts = i == runs[r, RUN_START]
            room = reals[at.scratch : at.scratch + 3]
            zero = place_row(tree, frames, i, starts, reals, K, lanes, lane, room)
            reals[at.zero + row * lanes + lane] = zero
            reals[at.turns + row * lanes + lane] = 1.0 if tree.kind[i] == REVOLUTE else 0.0
        if lanes == 1:
            ints[at.row + 2 * row] = what
            if what != PLAIN:
                ints[pack + MIXED] = 1


@kernel
def _place_packs(runs, count, ints, at):
    """Rows of each pack, and the slots its lanes hang on."""
    lanes = at.lanes
    size = PACK + 2 * lanes
    none = at.slots - 1
    for r in range(count):
        pack = at.pack + runs[r, RUN_PACK] * size
        lane = runs[r, RUN_LANE]
        ints[pack + PACK + lane] = runs[r, RUN_SLOT]
        ints[pack + PACK + lanes + lane] = runs[r, RUN_TIP]
        if runs[r, RUN_TIP] != none:
            ints[pack + TIPPED] = 1
        ints[pack + LAST] = max(ints[pack + LAST], runs[r, RUN_END] - runs[r, RUN_START])
    row = 0
    for p in range(at.packs):
        pack = at.pack + p * size
        ints[pack + FIRST] = row
        row += ints[pack + LAST]
        ints[pack + LAST] = row
        alike = 1
        for lane in range(lanes):
            if ints[pack + PACK + lane] < 0:  # no run: nothing comes from there
                ints[pack + PACK + lane] = ints[pack + PACK]
            if ints[pack + PACK + lane] != ints[pack + PACK]:
                alike = 0
        ints[pack + ALIKE] = alike if lanes > 1 else 0


@kernel
def _place_ball(tree, frames, i, reals, at):
    """Axes of a ball joint at rest, and its place, in the frame of its parent."""
    p = tree.parent[i]
    c, s, w = (1.0, 0.0, 0.0)
    if p >= 0:
        c, s, w = frames[p, COS_TURN], frames[p, SIN_TURN], frames[p, ALONG]
    for k in range(3):
        x, y = tree.rotation[i, 0, k], tree.rotation[i, 1, k]
        reals[at + k] = c * x + s * y
        reals[at + 3 + k] = c * y - s * x
        reals[at + 6 + k] = tree.rotation[i, 2, k]
    x, y = tree.position[i, 0], tree.position[i, 1]
    reals[at + BALL_PLACE] = c * x + s * y
    reals[at + BALL_PLACE + 1] = c * y - s * x
    reals[at + BALL_PLACE + 2] = tree.position[i, 2] - w


@kernel
def _fold_wheel(tree, i, wheel, ints, reals, at):
    """Make a wheel part of its root, all but its spin."""
    p = tree.parent[i]
    root = tree.root[i]
    ints[at.wheel + 2 * wheel], ints[at.wheel + 2 * wheel + 1] = root, 0
    K = at.wheel_constant + wheel * WHEEL
    body = at.body + root * CONSTANTS
    g, r, m = tree.rotation[i, :, 2], tree.position[i], tree.mass[i]
    along = tree.moment[i, 2]
    across = 0.5 * (tree.inertia[i, 0, 0] + tree.inertia[i, 1, 1])
    reals[K + SPIN] = tree.inertia[i, 2, 2]
    reals[K + WHEEL_DAMPING] = tree.damping[i]
    reals[body + MASS] += m
    spread = across
    for k in range(3):
        reals[K + k] = g[k]
        reals[body + MOMENT + k] += along * g[k] + m * r[k]
        spread += (2 * along * g[k] + m * r[k]) * r[k]
    entry = body + INERTIA
    for j in range(3):
        for k in range(j, 3):
            value = -across * g[j] * g[k] - along * (g[j] * r[k] + r[j] * g[k]) - m * r[j] * r[k]
            reals[entry] += value + (spread if j == k else 0.0)
            entry += 1


@kernel
def lay_course(tree, wrenches, states, at_ints, at_reals, ints):
    """Fill the second head: where the tables of steps lie. Returns both arrays' lengths."""
    out_of_line()
    at = layout_of(ints)
    n = len(tree.parent)
    turners = at.roots + at.balls
    depth = WRENCH_HEAD + n
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
        4 * at.entries, 24 * turners, 24 * at.roots, 6 * at.roots, 6 * at.roots, wrenches * WRENCH,
    )  # fmt: skip
    for k in range(len(room)):
        ints[course] = at_reals
        course += 1
        at_reals += _up(room[k] * states)
    ints[course] = at_reals
    return at_ints, at_reals + REGISTER


@kernel
def fill_course(tree, ints, reals):
    """Fill the maps between the users' order and the arena's, and the joints' limits."""
    out_of_line()
    at, course = layout_of(ints), course_of(ints)
    for j in range(at.joints):
        ints[course.q_index + j] = ints[course.v_index + j] = ints[course.joint_node + j] = -1
        reals[course.lower + j], reals[course.upper + j] = -math.inf, math.inf
        reals[course.friction + j], reals[course.speed_limit + j] = 0.0, math.inf
    resisted = 0
    for i in range(len(tree.parent)):
        j = ints[at.node + i]
        if tree.kind[i] == FREE or tree.kind[i] == SPHERICAL:
            ints[course.turner_q + j], ints[course.turner_v + j] = tree.q_at[i], tree.v_at[i]
            continue
        ints[course.q_index + j], ints[course.v_index + j] = tree.q_at[i], tree.v_at[i]
        ints[course.joint_node + j] = i
        reals[course.lower + j], reals[course.upper + j] = tree.lower[i], tree.upper[i]
        reals[course.friction + j] = tree.friction[i]
        reals[course.speed_limit + j] = tree.speed_limit[i]
        if tree.friction[i] > 0 or tree.speed_limit[i] < math.inf:
            resisted = 1
    ints[LAYOUT + RESISTED] = resisted


@kernel
def set_inputs(tree, inputs, frames, states, ints, reals):
    """Take what acts from outside: efforts, gravity and wrenches."""
    out_of_line()
    at, course = layout_of(ints), course_of(ints)
    for k in range(len(inputs.effort) * states):
        reals[course.effort + k] = inputs.effort[k // states]
    gravitates = 0
    for k in range(3):
        reals[at.gravity + k] = inputs.gravity[k]
        if inputs.gravity[k] != 0:
            gravitates = 1
    ints[LAYOUT + GRAVITATES] = gravitates
    ints[LAYOUT + WRENCHES] = len(inputs.wrench_node)
    for k in range(24 * at.roots * states):
        reals[course.gain + k] = 0.0
    for k in range(6 * at.roots * states):
        reals[at.push + k] = 0.0
    set_wrenches(tree, inputs, frames, states, ints, reals, at, course)
