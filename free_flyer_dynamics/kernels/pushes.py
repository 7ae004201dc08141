# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Wrenches from outside: on the rows they push, and in the laws of their trees' momentum.

For each the axes of its root are led along its path alone, O(depth), to the body it pushes: then
it is known there and in the world.
"""

from free_flyer_dynamics.kernels._jit import inlined, kernel, out_of_line
from free_flyer_dynamics.kernels.blocks import (
    cross,
    Matrix,
    plus,
    times,
    times_transposed,
    turn_back,
    Vector,
)
from free_flyer_dynamics.kernels.frames import turn_to_frame
from free_flyer_dynamics.kernels.lanes import add_in_lane, load, spread, store, width
from free_flyer_dynamics.kernels.layout import (
    ABREAST,
    ARRIVED,
    BALL,
    BIAS,
    CONSTANTS,
    COS_ALPHA,
    COS_GAMMA,
    course_of,
    IN_WORLD,
    layout_of,
    ON_BODY,
    PATH,
    PATH_CONSTANTS,
    PATH_KIND,
    PATH_PLACE,
    PATH_STEP,
    POSE,
    SET_OUT,
    SHIFT,
    SIN_ALPHA,
    SIN_GAMMA,
    SLIDING,
    STARTS,
    WORK,
    WRENCH,
    WRENCH_HEAD,
    WRENCH_NODE,
    WRENCH_ROOT,
)
from free_flyer_dynamics.kernels.tables import matrix_at, put_vector, vector_at
from free_flyer_dynamics.tree import FREE

MET = ARRIVED + 3 * ABREAST  # where the body's frame lies


@kernel
def set_wrenches(tree, inputs, frames, states, ints, reals):
    """Fill the table of wrenches, each with the rows on its way to the root, outermost first."""
    out_of_line()
    at, course = layout_of(ints), course_of(ints)
    for j in range(len(inputs.wrench_node)):
        head = course.wrench + j * course.wrench_room
        value = at.scratch
        i = inputs.wrench_node[j]
        ints[head + WRENCH_NODE], ints[head + WRENCH_ROOT] = i, -1
        ints[head + IN_WORLD], ints[head + PATH] = inputs.wrench_in_world[j], 0
        if i < 0:
            continue
        ints[head + WRENCH_ROOT] = tree.root[i]
        turn_to_frame(frames, i, inputs.wrench_point[j], 1.0, reals, value)
        if inputs.wrench_in_world[j]:
            for k in range(3):
                reals[value + 3 + k] = inputs.wrench_force[j, k]
                reals[value + 6 + k] = inputs.wrench_torque[j, k]
        else:
            turn_to_frame(frames, i, inputs.wrench_force[j], 0.0, reals, value + 3)
            turn_to_frame(frames, i, inputs.wrench_torque[j], 0.0, reals, value + 6)
        given = course.wrench_value + j * WRENCH * states
        for k in range(ON_BODY * states):  # the same for all states of a batch
            reals[given + k] = reals[value + k // states]
        for k in range(3 * ABREAST * states):  # an axis is one along itself
            here = k // states
            reals[given + SET_OUT * states + k] = 1.0 if here % ABREAST == here // ABREAST else 0.0
        while i >= 0 and tree.kind[i] != FREE:
            _add_to_path(ints, reals, at, head, ints[at.row_of + i])
            i = tree.parent[i]


@kernel
def _add_to_path(ints, reals, at, head, place):
    step = head + WRENCH_HEAD + PATH_STEP * ints[head + PATH]
    row, lane = place // at.lanes, place % at.lanes
    K = at.constant + row * CONSTANTS * at.lanes + lane
    starts = reals[K + SIN_GAMMA * at.lanes] != 0 or reals[K + COS_GAMMA * at.lanes] != 1
    kind = ints[at.row + place]
    ints[step + PATH_CONSTANTS], ints[step + PATH_PLACE] = K, place
    ints[step + PATH_KIND] = kind | STARTS if starts or kind & BALL else kind
    ints[head + PATH] += 1


@inlined
def _lead(ints, reals, at, head, value, q, lanes, root, wide):
    """
    Lead the root's axes along a wrench's path to its body, side by side as lanes allow.

    Keeps what they are in the body's axes, and where its frame lies from the root's.
    """
    size, tables = width(root), ABREAST * width(root)
    for j in range(0, 3, width(wide) // size):
        first = value + (SET_OUT + j) * size
        x, y = load(reals, first, 0, wide), load(reals, first + tables, 0, wide)
        z = load(reals, first + 2 * tables, 0, wide)
        p = spread(0.0, wide)
        for k in range(ints[head + PATH] - 1, -1, -1):
            step = head + WRENCH_HEAD + PATH_STEP * k
            K, place = ints[step + PATH_CONSTANTS], ints[step + PATH_PLACE]
            if ints[step + PATH_KIND] & STARTS:
                x, y = turn_back(x, y, reals[K + COS_GAMMA * lanes], reals[K + SIN_GAMMA * lanes])
            y, z = turn_back(y, z, reals[K + COS_ALPHA * lanes], reals[K + SIN_ALPHA * lanes])
            p = p + reals[K + SHIFT * lanes] * x + reals[K + (SHIFT + 1) * lanes] * y
            p = p + reals[K + (SHIFT + 2) * lanes] * z
            if ints[step + PATH_KIND] & SLIDING:
                p = p + spread(load(reals, q, place, root), wide) * z
            c = spread(load(reals, at.cosine, place, root), wide)
            x, y = turn_back(x, y, c, spread(load(reals, at.sine, place, root), wide))
        first = value + (ARRIVED + j) * size
        store(reals, first, 0, x)
        store(reals, first + tables, 0, y)
        store(reals, first + 2 * tables, 0, z)
        store(reals, first + 3 * tables, 0, p)


@inlined
def push(ints, reals, at, course, q, pose, gain, lane, root, wide):
    """
    Find what the wrenches are on the bodies they push, and fill the gains of momentum.

    Comes before the first pass, beside which it runs: axes and sines are known.
    """
    size = width(root)
    zero = spread(0.0, root)
    for r in range(at.roots):
        for table in (at.push, gain):
            put_vector(reals, table + 6 * r * size, 0, Vector(zero, zero, zero))
            put_vector(reals, table + 6 * r * size, 3, Vector(zero, zero, zero))
    for j in range(course.wrenches):
        head = course.wrench + j * course.wrench_room
        value = course.wrench_value + j * WRENCH * size
        r = ints[head + WRENCH_ROOT]
        if ints[head + WRENCH_NODE] < 0:
            continue
        _lead(ints, reals, at, head, value, q, width(lane) // size, root, wide)
        x = vector_at(reals, value, ARRIVED, root)
        y = vector_at(reals, value, ARRIVED + ABREAST, root)
        z = vector_at(reals, value, ARRIVED + 2 * ABREAST, root)
        to_body = Matrix(x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z)
        point = vector_at(reals, value, 0, root)
        force, torque = vector_at(reals, value, 3, root), vector_at(reals, value, 6, root)
        seen_force, seen_torque = force, torque  # in world axes
        if r >= 0:
            R = matrix_at(reals, at.axes + 9 * r * size, 0, root)
            met = plus(times_transposed(to_body, point), vector_at(reals, value, MET, root))
            met = plus(times(R, met), vector_at(reals, pose + r * POSE * size, 0, root))
            if ints[head + IN_WORLD]:
                force, torque = times_transposed(R, force), times_transposed(R, torque)
            else:
                seen_force = times(R, times_transposed(to_body, force))
                seen_torque = times(R, times_transposed(to_body, torque))
            seen_torque = plus(seen_torque, cross(met, seen_force))
            _add(reals, gain + 6 * r * size, seen_torque, seen_force, root)
        if ints[head + IN_WORLD]:
            force, torque = times(to_body, force), times(to_body, torque)
        torque = plus(torque, cross(point, force))
        if ints[head + PATH] == 0:
            _add(reals, at.push + 6 * r * size, torque, force, root)
        put_vector(reals, value, ON_BODY, torque)
        put_vector(reals, value, ON_BODY + 3, force)


@inlined
def _add(reals, to, torque, force, root):
    put_vector(reals, to, 0, plus(vector_at(reals, to, 0, root), torque))
    put_vector(reals, to, 3, plus(vector_at(reals, to, 3, root), force))


@inlined
def take_off(ints, reals, at, course, lane, root):
    """Take the wrenches off the biases that the first pass has left."""
    lanes = width(lane) // width(root)
    for j in range(course.wrenches):
        head = course.wrench + j * course.wrench_room
        if ints[head + WRENCH_NODE] < 0 or ints[head + PATH] == 0:
            continue
        value = course.wrench_value + j * WRENCH * width(root)
        place = ints[head + WRENCH_HEAD + PATH_PLACE]
        W = at.work + place // lanes * WORK * width(lane)
        for k in range(6):
            less = -load(reals, value, ON_BODY + k, root)
            add_in_lane(reals, W, BIAS + k, place % lanes, less, lane)
