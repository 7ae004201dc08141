# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A forest cut into runs without branches, and the runs laid side by side in lanes."""

from free_flyer_dynamics.kernels._jit import inlined, kernel, out_of_line
from free_flyer_dynamics.kernels.cut import cut
from free_flyer_dynamics.kernels.records import tree_of
from free_flyer_dynamics.tree import FREE, REVOLUTE, SPHERICAL

# What a row and a pack of so many lanes cost, beside a row of one lane, measured. A row of eight
# is 1.25 where a core has two multipliers as wide, and 2 where it has one.
ROW_COST = (1.0, 1.05, 1.15, 1.6)  # of 1, 2, 4 and 8
PACK_COST = (0.5, 0.7, 1.0, 1.6)
ROUND = 1e-13  # how far from round a wheel may be, beside its size
# Columns of the table of runs.
RUN_START, RUN_END, RUN_SLOT, RUN_TIP, RUN_LEVEL, RUN_PACK, RUN_LANE = 0, 1, 2, 3, 4, 5, 6
RUN = 7
RUNS = 3  # rows of the table before them: of each node children, slot and run
WHEEL_NODE = -2  # instead of the run of a node


@kernel
def _is_round(tree, i):
    """Tell whether a body that turns on one that moves is round about its axis, centre on it."""
    if tree.kind[i] != REVOLUTE or tree.parent[i] < 0:
        return False
    J, h = tree.inertia[i], tree.moment[i]
    size = ROUND * (J[0, 0] + J[1, 1] + J[2, 2])
    skew = max(abs(J[0, 1]), abs(J[0, 2]), abs(J[1, 2]), abs(J[0, 0] - J[1, 1]))
    # a moment is compared through the inertia it would make beside the mass
    return skew <= size and J[2, 2] > 0 and h[0] ** 2 + h[1] ** 2 <= size * ROUND * tree.mass[i]


@kernel
def _is_wheel(tree, i):
    """Tell whether a leaf is round: it may be part of what carries it, all but its spin."""
    for j in range(i + 1, len(tree.parent)):
        if tree.parent[j] == i:
            return False
    return _is_round(tree, i)


@kernel
def spared_wheels(tree, pushed):
    """Tell at how many places wheels are pushed or in a loop: those are links like others."""
    count = 0
    for nodes in (pushed, tree.loops.a, tree.loops.b):
        for i in nodes:
            count += i >= 0 and _is_wheel(tree, i)
    return count


@kernel
def _is_spared(tree, pushed, wheel):
    for nodes in (pushed, tree.loops.a, tree.loops.b):
        for i in nodes:
            if i == wheel:
                return True
    return False


@kernel
def _is_tip(tree, children, i):
    """Tell whether a leaf would be the last row of its body's run, were it no wheel."""
    kind = tree.kind[tree.parent[i]]
    return kind != FREE and kind != SPHERICAL and children[tree.parent[i]] == 1


@kernel
def cut_into_runs(record, pushed, tips, table):
    """
    Fill slots of nodes (-1: none), the run of each node and the runs; return runs, slots, wheels.

    Slot 0 is the world; the last one, which is counted too, stands for none. Round wheels are no
    part of runs; those at the tips of runs are, unless they are to be folded, too.
    """
    out_of_line()
    tree = tree_of(*record)
    n = len(tree.parent)
    children, slot, run_of = table[0, :n], table[1, :n], table[2, :n]
    runs = cut(table, RUNS * table.shape[1], (table.shape[1], RUN))
    slots = 1
    for i in range(n):
        children[i] = 0
        slot[i] = -1
        if tree.kind[i] == FREE:
            slot[i] = slots
            slots += 1
    for i in range(n):
        if tree.parent[i] >= 0:
            children[tree.parent[i]] += 1
    count = wheels = 0
    for i in range(n):
        p = tree.parent[i]
        if tree.kind[i] == FREE:
            run_of[i] = -1
            continue
        wheel = children[i] == 0 and _is_round(tree, i) and not _is_spared(tree, pushed, i)
        if wheel and (tips or not _is_tip(tree, children, i)):
            run_of[i] = WHEEL_NODE
            wheels += 1
            if slot[p] < 0:
                slot[p] = slots
                slots += 1
            continue
        goes_on = (
            p == i - 1
            and p >= 0
            and tree.kind[p] != FREE
            and tree.kind[p] != SPHERICAL
            and tree.kind[i] != SPHERICAL
            and children[p] == 1
        )
        if goes_on:
            run_of[i] = count - 1
            runs[count - 1, RUN_END] = i + 1
            continue
        if p >= 0 and slot[p] < 0:
            slot[p] = slots
            slots += 1
        runs[count, RUN_START] = i
        runs[count, RUN_END] = i + 1
        runs[count, RUN_SLOT] = 0 if p < 0 else slot[p]
        on = run_of[p] if p >= 0 else -1
        runs[count, RUN_LEVEL] = 0 if on < 0 else runs[on, RUN_LEVEL] + 1
        run_of[i] = count
        count += 1
    for r in range(count):
        tip = slot[runs[r, RUN_END] - 1]
        runs[r, RUN_TIP] = slots if tip < 0 else tip
    return count, slots + 1, wheels


@kernel
def lay_side_by_side(kind, runs, count, none, lanes):
    """
    Give every run its pack and lane, level by level; return the packs and their rows.

    The longest leads; shorter ones beside it are filled up beyond their tips, so a run at whose
    tip others hang stands only beside as long ones. Balls stand beside balls.
    """
    out_of_line()
    packs = rows = placed = level = first = 0
    longest = count + len(kind)  # none is longer, nor than the last that led on this level
    for r in range(count):
        runs[r, RUN_PACK] = -1
    while placed < count:
        while first < count and not _waits(runs, first, level):
            first += 1
        if first == count:
            level, first, longest = level + 1, 0, count + len(kind)
            continue
        lane = 0
        balls = False
        while lane < lanes:
            best, best_length = -1, 0
            for r in range(first, count):
                length = runs[r, RUN_END] - runs[r, RUN_START]
                fits = lane == 0 or length == longest or runs[r, RUN_TIP] == none
                fits = fits and (lane == 0 or _is_ball(kind, runs, r) == balls)
                if fits and length > best_length and _waits(runs, r, level):
                    best, best_length = r, length
                    if length == longest:
                        break
            if best < 0:
                break
            if lane == 0:
                longest, balls = best_length, _is_ball(kind, runs, best)
            runs[best, RUN_PACK] = packs
            runs[best, RUN_LANE] = lane
            lane += 1
        placed += lane
        packs += 1
        rows += longest
    return packs, rows


@kernel
def _waits(runs, r, level):
    """Tell whether a run of that level is in no pack yet."""
    return runs[r, RUN_PACK] < 0 and runs[r, RUN_LEVEL] == level


@kernel
def _is_ball(kind, runs, r):
    return kind[runs[r, RUN_START]] == SPHERICAL


@kernel
def one_by_one(runs, count):
    """Give every run a pack of its own, in their order; return the packs and their rows."""
    rows = 0
    for r in range(count):
        runs[r, RUN_PACK] = r
        runs[r, RUN_LANE] = 0
        rows += runs[r, RUN_END] - runs[r, RUN_START]
    return count, rows


@kernel
def _lay(kind, runs, count, none, lanes):
    """Lay the runs with so many lanes; return the packs and their rows."""
    if lanes == 1:
        return one_by_one(runs, count)
    return lay_side_by_side(kind, runs, count, none, lanes)


@kernel
def choose_lanes(kind, runs, count, none, widest):
    """Return the lanes with which the runs cost least, and that cost."""
    best, cheapest = 1, 0.0
    for r in range(count):
        cheapest += runs[r, RUN_END] - runs[r, RUN_START] + PACK_COST[0]
    for k in range(1, len(ROW_COST)):
        lanes = 1 << k
        if lanes > widest or lanes >= 2 * count:  # half as many had room for all
            break
        packs, rows = lay_side_by_side(kind, runs, count, none, lanes)
        cost = ROW_COST[k] * rows + PACK_COST[k] * packs
        if cost < cheapest:
            best, cheapest = lanes, cost
    return best, cheapest


@kernel
def _stretch(tree, children, slot, run_of, runs, by, none):
    """Make wheels at the tips of runs rows of them, or with `by` -1 fold them again."""
    stretched = False
    for i in range(len(run_of)):
        if run_of[i] == WHEEL_NODE and _is_tip(tree, children, i):
            p = tree.parent[i]
            runs[run_of[p], RUN_END] += by
            runs[run_of[p], RUN_TIP] = none if by > 0 else slot[p]
            stretched = True
    return stretched


@inlined
def lay_runs(record, pushed, widest, table):
    """
    Cut and lay a forest as it costs least; return runs, slots, wheels, lanes, packs, rows.

    A wheel at a run's tip is one row less, but then its run stands only beside as long ones.
    """
    tree = tree_of(*record)
    n = len(tree.parent)
    children, slot, run_of = table[0, :n], table[1, :n], table[2, :n]
    runs = cut(table, RUNS * table.shape[1], (table.shape[1], RUN))
    count, slots, wheels = cut_into_runs(record, pushed, True, table)
    none = slots - 1
    lanes, cost = choose_lanes(tree.kind, runs, count, none, widest)
    if _stretch(tree, children, slot, run_of, runs, 1, none):
        other, without = choose_lanes(tree.kind, runs, count, none, widest)
        if without < cost:
            count, slots, wheels = cut_into_runs(record, pushed, False, table)
            none, lanes = slots - 1, other
        else:
            _stretch(tree, children, slot, run_of, runs, -1, none)
    packs, rows = _lay(tree.kind, runs, count, none, lanes)
    return count, slots, wheels, lanes, packs, rows
