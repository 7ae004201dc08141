# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A tree compiled for the engine: every table of its arena that does not change with the state."""

from free_flyer_dynamics.kernels._jit import inlined
from free_flyer_dynamics.kernels.cut import cut
from free_flyer_dynamics.kernels.frames import (
    ALONG,
    COS_TURN,
    empty_row,
    lean_row,
    place_body,
    place_row,
    SIN_TURN,
    turn_to_frame,
)
from free_flyer_dynamics.kernels.kinds import mix_rows
from free_flyer_dynamics.kernels.lanes import load, store, WIDE, width
from free_flyer_dynamics.kernels.layout import (
    ALIKE,
    BALL,
    BALL_CONSTANTS,
    BALL_PLACE,
    CARRYING,
    CONSTANTS,
    FIRST,
    INERTIA,
    LAST,
    layout_of,
    MASS,
    MOMENT,
    PACK,
    PLAIN,
    REVERSED,
    SLIDING,
    SPIN,
    TIPPED,
    WHEEL,
    WHEEL_DAMPING,
)
from free_flyer_dynamics.kernels.runs import (
    RUN,
    RUN_END,
    RUN_LANE,
    RUN_PACK,
    RUN_SLOT,
    RUN_START,
    RUN_TIP,
    RUNS,
    WHEEL_NODE,
)
from free_flyer_dynamics.kernels.trig import angle_of
from free_flyer_dynamics.tree import FREE, PRISMATIC, REVOLUTE, SPHERICAL

_NOBODY = -1  # in a row's lane


@inlined
def fill(tree, table, frames, count, ints, reals):
    """Fill the packs, the rows and the bodies of an arena that comes cleared."""
    at = layout_of(ints)
    slot, run_of = table[1], table[2]
    runs = cut(table, RUNS * table.shape[1], (table.shape[1], RUN))
    lanes = at.lanes
    size = PACK + 2 * lanes
    for p in range(at.packs):
        pack = at.pack + p * size
        ints[pack + FIRST], ints[pack + LAST] = -1, 0
        ints[pack + ALIKE], ints[pack + TIPPED] = 0, 0
        for lane in range(lanes):
            ints[pack + PACK + lane] = -1
            ints[pack + PACK + lanes + lane] = at.slots - 1
    _place_packs(runs, count, ints, at)
    for place in range(at.rows * lanes):
        ints[at.row + place], ints[at.ball + place] = _NOBODY, at.balls
    for j in range(at.joints):
        reals[at.turns + j] = reals[at.free + j] = 1.0
    for i in range(len(tree.parent)):
        r = run_of[i]
        if r >= 0 and tree.kind[i] != SPHERICAL:
            first, lane = runs[r, RUN_START], runs[r, RUN_LANE]
            row = ints[at.pack + runs[r, RUN_PACK] * size + FIRST] + i - first
            K = at.constant + row * CONSTANTS * lanes
            lean_row(tree, frames, i, i == first, reals, K, lanes, lane)
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
            p = tree.parent[i]
            ints[at.wheel + 2 * wheel], ints[at.wheel + 2 * wheel + 1] = slot[p], 0
            if tree.kind[p] != FREE:
                ints[at.pack + runs[run_of[p], RUN_PACK] * size + TIPPED] = CARRYING
            _fold_wheel(tree, frames, i, wheel, ints, reals, at)
            wheel += 1
            continue
        r = run_of[i]
        pack = at.pack + runs[r, RUN_PACK] * size
        row = ints[pack + FIRST] + i - runs[r, RUN_START]
        lane = runs[r, RUN_LANE]
        K = at.constant + row * CONSTANTS * lanes
        ints[at.node + i] = ints[at.row_of + i] = row * lanes + lane
        what = SLIDING if tree.kind[i] == PRISMATIC else PLAIN
        if tree.kind[i] == SPHERICAL:
            empty_row(reals, K, lanes, lane)
            what = BALL | REVERSED if tree.reverse[i] else BALL
            ints[at.ball + row * lanes + lane] = ball
            ints[at.node + i] = at.roots + ball
            _place_ball(tree, frames, i, reals, at.ball_constant + ball * BALL_CONSTANTS)
            ball += 1
        else:
            x, y = place_row(tree, frames, i, reals, K, lanes, lane)
            reals[at.cosine + row * lanes + lane], reals[at.sine + row * lanes + lane] = x, y
            reals[at.turns + row * lanes + lane] = 1.0 if tree.kind[i] == REVOLUTE else 0.0
        place_body(tree, frames, i, reals, K, lanes, lane)
        ints[at.row + row * lanes + lane] = what
    for place in range(at.rows * lanes):
        if ints[at.row + place] == _NOBODY:
            ints[at.row + place] = PLAIN
            row = place // lanes
            empty_row(reals, at.constant + row * CONSTANTS * lanes, lanes, place % lanes)
    for k in range((at.rows * lanes + width(WIDE) - 1) // width(WIDE)):
        zero = angle_of(load(reals, at.sine, k, WIDE), load(reals, at.cosine, k, WIDE))
        store(reals, at.zero, k, zero)
    mix_rows(ints, at)


@inlined
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


@inlined
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


@inlined
def _fold_wheel(tree, frames, i, wheel, ints, reals, at):
    """Make a wheel part of its carrier, all but its spin."""
    p = tree.parent[i]
    K = at.wheel_constant + wheel * WHEEL
    reals[K + SPIN] = tree.inertia[i, 2, 2]
    reals[K + WHEEL_DAMPING] = tree.damping[i]
    g, r = reals[K : K + 3], reals[at.scratch : at.scratch + 3]
    turn_to_frame(frames, p, tree.rotation[i, :, 2], 0.0, reals, K)
    turn_to_frame(frames, p, tree.position[i], 1.0, reals, at.scratch)
    m, along = tree.mass[i], tree.moment[i, 2]
    across = 0.5 * (tree.inertia[i, 0, 0] + tree.inertia[i, 1, 1])
    lanes, body = 1, at.body + ints[at.node + p] * CONSTANTS
    if tree.kind[p] != FREE:
        row, lane = ints[at.row_of + p] // at.lanes, ints[at.row_of + p] % at.lanes
        lanes, body = at.lanes, at.constant + row * CONSTANTS * at.lanes + lane
    reals[body + MASS * lanes] += m
    spread = across
    for k in range(3):
        reals[body + (MOMENT + k) * lanes] += along * g[k] + m * r[k]
        spread += (2 * along * g[k] + m * r[k]) * r[k]
    entry = body + INERTIA * lanes
    for j in range(3):
        for k in range(j, 3):
            value = -across * g[j] * g[k] - along * (g[j] * r[k] + r[j] * g[k]) - m * r[j] * r[k]
            reals[entry] += value + (spread if j == k else 0.0)
            entry += lanes
