# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Wrenches from outside: on the rows they push, and in the laws of their trees' momentum.

Each is led along its own path alone, O(depth): from the root outward to be seen in the axes of the
body it pushes, and back inward to be seen in the world.
"""

from free_flyer_dynamics.kernels._jit import inlined, kernel, out_of_line
from free_flyer_dynamics.kernels.blocks import (
    cross,
    minus,
    plus,
    times,
    times_transposed,
    Vector,
    vector_about_x,
    vector_about_z,
)
from free_flyer_dynamics.kernels.frames import turn_to_frame
from free_flyer_dynamics.kernels.lanes import load, spread, store, width
from free_flyer_dynamics.kernels.layout import (
    BIAS,
    CONSTANTS,
    COS_ALPHA,
    COS_GAMMA,
    IN_WORLD,
    PATH,
    POSE,
    SHIFT,
    SIN_ALPHA,
    SIN_GAMMA,
    SLIDING,
    WORK,
    WRENCH,
    WRENCH_HEAD,
    WRENCH_NODE,
    WRENCH_ROOT,
)
from free_flyer_dynamics.kernels.tables import matrix_at, put_vector, vector_at
from free_flyer_dynamics.tree import FREE


@kernel
def set_wrenches(tree, inputs, frames, states, ints, reals, at, course):
    """Fill the table of wrenches, each with the rows on its way to the root, outermost first."""
    out_of_line()
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
        for k in range(WRENCH * states):  # the same for all states of a batch
            reals[course.wrench_value + j * WRENCH * states + k] = reals[value + k // states]
        while i >= 0 and tree.kind[i] != FREE:
            ints[head + WRENCH_HEAD + ints[head + PATH]] = ints[at.row_of + i]
            ints[head + PATH] += 1
            i = tree.parent[i]


@inlined
def _turns(reals, at, place, root):
    """Cosines and sines of a row's three turns: about z, x and z."""
    row, lane = place // at.lanes, place % at.lanes
    K = at.constant + row * CONSTANTS * at.lanes + lane
    return (
        spread(reals[K + COS_GAMMA * at.lanes], root),
        spread(reals[K + SIN_GAMMA * at.lanes], root),
        spread(reals[K + COS_ALPHA * at.lanes], root),
        spread(reals[K + SIN_ALPHA * at.lanes], root),
        load(reals, at.cosine, place, root),
        load(reals, at.sine, place, root),
    )


@inlined
def _outboard(reals, at, place, a, root):
    """Turn a vector from the axes inboard of a row to the row's own."""
    cg, sg, ca, sa, c, s = _turns(reals, at, place, root)
    return vector_about_z(vector_about_x(vector_about_z(a, cg, -sg), ca, -sa), c, -s)


@inlined
def _inboard(reals, at, place, a, root):
    """Turn a vector from a row's axes to those inboard."""
    cg, sg, ca, sa, c, s = _turns(reals, at, place, root)
    return vector_about_z(vector_about_x(vector_about_z(a, c, s), ca, sa), cg, sg)


@inlined
def _point_inboard(ints, reals, at, place, q, a, root):
    """Take a point from a row's frame to the one inboard."""
    cg, sg, ca, sa, c, s = _turns(reals, at, place, root)
    row, lane = place // at.lanes, place % at.lanes
    K = at.constant + row * CONSTANTS * at.lanes + lane
    a = vector_about_z(a, c, s)
    x = a.x + reals[K + SHIFT * at.lanes]
    y = a.y + reals[K + (SHIFT + 1) * at.lanes]
    z = a.z + reals[K + (SHIFT + 2) * at.lanes]
    if at.lanes == 1 and ints[at.row + 2 * row] & SLIDING:
        z = z + load(reals, q, row, root)
    return vector_about_z(vector_about_x(Vector(x, y, z), ca, sa), cg, sg)


@inlined
def push(ints, reals, at, course, q, pose, gain, root):
    """
    Take the wrenches off the rows' and roots' biases, and fill the gains of momentum.

    Comes between the first pass and the second: biases, axes and sines are known.
    """
    zero = spread(0.0, root)
    for k in range(6 * at.roots):
        store(reals, at.push, k, zero)
        store(reals, gain, k, zero)
    for j in range(course.wrenches):
        head = course.wrench + j * course.wrench_room
        value = course.wrench_value + j * WRENCH * width(root)
        r, steps = ints[head + WRENCH_ROOT], ints[head + PATH]
        if ints[head + WRENCH_NODE] < 0:
            continue
        point = vector_at(reals, value, 0, root)
        force, torque = vector_at(reals, value, 3, root), vector_at(reals, value, 6, root)
        seen_force, seen_torque = force, torque  # in world axes, or the body's
        if ints[head + IN_WORLD]:
            if r >= 0:
                R = matrix_at(reals, at.axes + 9 * r * width(root), 0, root)
                force, torque = times_transposed(R, force), times_transposed(R, torque)
            for k in range(steps - 1, -1, -1):
                place = ints[head + WRENCH_HEAD + k]
                force = _outboard(reals, at, place, force, root)
                torque = _outboard(reals, at, place, torque, root)
        moment = plus(torque, cross(point, force))
        if steps == 0:
            P = at.push + 6 * r * width(root)
            put_vector(reals, P, 0, plus(vector_at(reals, P, 0, root), moment))
            put_vector(reals, P, 3, plus(vector_at(reals, P, 3, root), force))
        else:
            place = ints[head + WRENCH_HEAD]
            row, lane = place // at.lanes, place % at.lanes
            W = at.work + (row * WORK * at.lanes + lane) * width(root)
            _take_off(reals, W, BIAS * at.lanes, at.lanes, moment, root)
            _take_off(reals, W, (BIAS + 3) * at.lanes, at.lanes, force, root)
        if r >= 0:
            for k in range(steps):
                place = ints[head + WRENCH_HEAD + k]
                point = _point_inboard(ints, reals, at, place, q, point, root)
                if ints[head + IN_WORLD] == 0:
                    seen_force = _inboard(reals, at, place, seen_force, root)
                    seen_torque = _inboard(reals, at, place, seen_torque, root)
            R = matrix_at(reals, at.axes + 9 * r * width(root), 0, root)
            if ints[head + IN_WORLD] == 0:
                seen_force, seen_torque = times(R, seen_force), times(R, seen_torque)
            x = plus(times(R, point), vector_at(reals, pose + r * POSE * width(root), 0, root))
            G = gain + 6 * r * width(root)
            seen_torque = plus(seen_torque, cross(x, seen_force))
            put_vector(reals, G, 0, plus(vector_at(reals, G, 0, root), seen_torque))
            put_vector(reals, G, 3, plus(vector_at(reals, G, 3, root), seen_force))


@inlined
def _take_off(reals, W, first, step, a, root):
    at_bias = Vector(
        load(reals, W, first, root),
        load(reals, W, first + step, root),
        load(reals, W, first + 2 * step, root),
    )
    left = minus(at_bias, a)
    store(reals, W, first, left.x)
    store(reals, W, first + step, left.y)
    store(reals, W, first + 2 * step, left.z)
