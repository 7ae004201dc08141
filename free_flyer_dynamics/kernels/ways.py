# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What of closed loops does not change with the state: ways, frames, and what drives them."""

from free_flyer_dynamics.kernels._jit import inlined, kernel, out_of_line
from free_flyer_dynamics.kernels.blocks import cross, Vector
from free_flyer_dynamics.kernels.closures import (
    closures_of,
    COUNT,
    EFFORT,
    FELT,
    FRAME_A,
    FRAME_B,
    GAP,
    KIND,
    LETS_BE,
    LIGHT,
    LOOP,
    loop_region,
    LOOP_ROOT,
    NOTHING_ACTS,
    PLACE,
    RANK,
    REGION,
    ROW_CONSTANT,
    ROW_WORK,
    ROWS_OF_A,
    ROWS_OF_B,
    SHARED,
    START_A,
    STRIDE,
    UNITS,
    WAY,
    WAY_SIZE,
    ZERO,
)
from free_flyer_dynamics.kernels.frames import turn_to_frame
from free_flyer_dynamics.kernels.layout import (
    CONSTANTS,
    course_of,
    GRAVITATES,
    HEAD,
    LAYOUT,
    layout_of,
    REGISTER,
    WORK,
    WRENCHES,
)
from free_flyer_dynamics.kernels.loop_motion import row_is_free
from free_flyer_dynamics.kernels.records import LOOPS, NODES, tree_of
from free_flyer_dynamics.tree import FREE


@kernel
def _shared_node(tree, a, b):
    """Return the first node, or the world, that both ways inward come to."""
    while a != b:
        if a > b:
            a = tree.parent[a]
        else:
            b = tree.parent[b]
    return a


@kernel
def _list_rows(tree, i, last, ints, at, ways, first):
    """List the rows from node i inward, last excluded; return how many there are."""
    count = 0
    while i != last and i >= 0 and tree.kind[i] != FREE:
        place = ints[at.row_of + i]
        row, lane = place // at.lanes, place % at.lanes
        entry = first + STRIDE * count
        ways[entry + PLACE] = place
        ways[entry + ROW_CONSTANT] = at.constant + row * CONSTANTS * at.lanes + lane
        ways[entry + ROW_WORK] = at.work + row * WORK * at.lanes + lane
        count += 1
        i = tree.parent[i]
    return count


@kernel
def _place_frame(frames, node, rotation, position, reals, at, room):
    """Set twelve numbers to axes and origin of a frame given on a node, or on the world."""
    for k in range(4):
        column = position if k == 3 else rotation[:, k]
        if node < 0:
            for j in range(3):
                reals[room + j] = column[j]
        else:
            turn_to_frame(frames, node, column, 1.0 if k == 3 else 0.0, reals, room)
        for j in range(3):
            reals[at + (9 + j if k == 3 else 3 * j + k)] = reals[room + j]


@kernel
def _start_on_a(reals, at):
    """Set the biases that six unit wrenches on b are to a, which bears their opposites."""
    frame = at + FRAME_A
    origin = Vector(reals[frame + 9], reals[frame + 10], reals[frame + 11])
    for k in range(3):
        axis = Vector(reals[frame + k], reals[frame + 3 + k], reals[frame + 6 + k])
        put_unit_wrench(reals, at + START_A, k, axis, cross(origin, axis))


@inlined
def put_unit_wrench(reals, start, k, axis, arm):
    """Set the biases of the k-th unit moment and of the k-th unit force."""
    axes, moments = (axis.x, axis.y, axis.z), (arm.x, arm.y, arm.z)
    for j in range(3):
        moment, force = start + UNITS * j + k, start + UNITS * (3 + j) + k
        reals[moment], reals[moment + 3] = axes[j], moments[j]
        reals[force], reals[force + 3] = 0.0, axes[j]


@kernel
def put_efforts(ints, effort, closures):
    """Take the efforts at joints that close loops, and how the arena is headed now."""
    tables = closures_of(closures)
    for m in range(tables.count):
        for k in range(3):
            tables.reals[m * LOOP + EFFORT + k] = effort[m, k]
    for head in (tables.calm, tables.still):
        for k in range(HEAD):
            head[k] = ints[k]
        head[LAYOUT + GRAVITATES] = 0
    tables.still[LAYOUT + WRENCHES] = 0
    for place in NOTHING_ACTS:
        tables.still[place] = tables.zero


@kernel
def fill_closures(structure_ints, structure_reals, frames, ints, effort, closures):
    """Fill all that does not change with the state; numbers come cleared, of such sizes."""
    out_of_line()
    at, course = layout_of(ints), course_of(ints)
    head = closures.ints
    head[COUNT] = structure_ints[LOOPS]
    head[WAY_SIZE] = WAY + STRIDE * structure_ints[NODES]
    head[REGION] = loop_region(at.joints, at.balls)
    head[ZERO] = course.end + REGISTER
    head[RANK] = -1
    put_efforts(ints, effort, closures)
    tree, tables = tree_of(structure_ints, structure_reals), closures_of(closures)
    loops, ways, reals = tree.loops, tables.ways, tables.reals
    for m in range(tables.count):
        head, block = m * tables.way, m * LOOP
        a, b = loops.a[m], loops.b[m]
        meet = _shared_node(tree, a, b)
        felt = b if b >= 0 else a
        first = head + WAY
        of_a = _list_rows(tree, a, meet, ints, at, ways, first)
        of_b = _list_rows(tree, b, meet, ints, at, ways, first + STRIDE * of_a)
        shared = _list_rows(tree, meet, -1, ints, at, ways, first + STRIDE * (of_a + of_b))
        ways[head + ROWS_OF_A], ways[head + ROWS_OF_B], ways[head + SHARED] = of_a, of_b, shared
        ways[head + KIND], ways[head + FELT] = loops.kind[m], b >= 0
        ways[head + LETS_BE] = 0
        for k in range(6):
            ways[head + LETS_BE] |= row_is_free(loops.kind[m], k) << k
        ways[head + LOOP_ROOT] = tree.root[felt] if felt >= 0 else -1
        A, B, room = block + FRAME_A, block + FRAME_B, block + GAP
        _place_frame(frames, a, loops.rotation_a[m], loops.position_a[m], reals, A, room)
        _place_frame(frames, b, loops.rotation_b[m], loops.position_b[m], reals, B, room)
        _start_on_a(reals, block)
        T = tree.inertia[felt]
        reals[block + LIGHT] = T[0, 0] + T[1, 1] + T[2, 2]
        reals[block + LIGHT + 1] = tree.mass[felt]
