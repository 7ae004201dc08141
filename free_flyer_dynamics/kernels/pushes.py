# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Wrenches from outside: on the rows they push, and in the laws of their trees' momentum.

Each is led along its own path alone, O(depth): from the root outward to be seen in the axes of the
body it pushes, and back inward to be seen in the world.
"""

from free_flyer_dynamics.kernels._jit import inlined, kernel, out_of_line, part
from free_flyer_dynamics.kernels.blocks import (
    cross,
    plus,
    times,
    times_transposed,
    Vector,
    vector_about_x,
    vector_about_z,
)
from free_flyer_dynamics.kernels.frames import turn_to_frame
from free_flyer_dynamics.kernels.lanes import add_in_lane, load, spread, width
from free_flyer_dynamics.kernels.layout import (
    BALL,
    BIAS,
    CONSTANTS,
    COS_ALPHA,
    COS_GAMMA,
    IN_WORLD,
    ON_BODY,
    PATH,
    PATH_CONSTANTS,
    PATH_KIND,
    PATH_PLACE,
    PATH_STEP,
    POSE,
    SHIFT,
    SIN_GAMMA,
    SLIDING,
    STARTS,
    WORK,
    WRENCH,
    WRENCH_GIVEN,
    WRENCH_HEAD,
    WRENCH_NODE,
    WRENCH_ROOT,
)
from free_flyer_dynamics.kernels.tables import matrix_at, put_vector, vector_at
from free_flyer_dynamics.tree import FREE


@part
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
        for k in range(WRENCH_GIVEN * states):  # the same for all states of a batch
            reals[course.wrench_value + j * WRENCH * states + k] = reals[value + k // states]
        while i >= 0 and tree.kind[i] != FREE:
            _add_to_path(ints, reals, at, head, ints[at.row_of + i])
            i = tree.parent[i]


@kernel
def _add_to_path(ints, reals, at, head, place):
    step = head + WRENCH_HEAD + PATH_STEP * ints[head + PATH]
    row, lane = place // at.lanes, place % at.lanes
    K = at.constant + row * CONSTANTS * at.lanes + lane
    starts = reals[K + SIN_GAMMA * at.lanes] != 0 or reals[K + COS_GAMMA * at.lanes] != 1
    kind = ints[at.row + 2 * row] if at.lanes == 1 else 0
    ints[step + PATH_CONSTANTS], ints[step + PATH_PLACE] = K, place
    ints[step + PATH_KIND] = kind | STARTS if starts or kind & BALL else kind
    ints[head + PATH] += 1


@inlined
def _plane(reals, K, which, lanes, root):
    """Cosine and sine of one of a row's constant turns."""
    c, s = reals[K + which * lanes], reals[K + (which + 1) * lanes]
    return spread(c, root), spread(s, root)


@inlined
def _outboard(ints, reals, at, step, a, b, lanes, root):
    """Turn two vectors from the axes inboard of a row to the row's own."""
    K, place = ints[step + PATH_CONSTANTS], ints[step + PATH_PLACE]
    if ints[step + PATH_KIND] & STARTS:
        c, s = _plane(reals, K, COS_GAMMA, lanes, root)
        a, b = vector_about_z(a, c, -s), vector_about_z(b, c, -s)
    c, s = _plane(reals, K, COS_ALPHA, lanes, root)
    a, b = vector_about_x(a, c, -s), vector_about_x(b, c, -s)
    c, s = load(reals, at.cosine, place, root), load(reals, at.sine, place, root)
    return vector_about_z(a, c, -s), vector_about_z(b, c, -s)


@inlined
def _inboard(ints, reals, at, step, q, a, is_point, lanes, root):
    """Take a vector, or with is_point a point, from a row's frame to the one inboard."""
    K, place = ints[step + PATH_CONSTANTS], ints[step + PATH_PLACE]
    c, s = load(reals, at.cosine, place, root), load(reals, at.sine, place, root)
    a = vector_about_z(a, c, s)
    if is_point:
        x, y = reals[K + SHIFT * lanes], reals[K + (SHIFT + 1) * lanes]
        a = Vector(a.x + x, a.y + y, a.z + reals[K + (SHIFT + 2) * lanes])
        if ints[step + PATH_KIND] & SLIDING:
            a = Vector(a.x, a.y, a.z + load(reals, q, place, root))
    c, s = _plane(reals, K, COS_ALPHA, lanes, root)
    a = vector_about_x(a, c, s)
    if ints[step + PATH_KIND] & STARTS:
        c, s = _plane(reals, K, COS_GAMMA, lanes, root)
        a = vector_about_z(a, c, s)
    return a


@inlined
def push(ints, reals, at, course, lane, root):
    """
    Find the moments and the forces of wrenches on the bodies they push, in their axes.

    Comes before the first pass, beside which it runs: axes and sines are known.
    """
    lanes = width(lane) // width(root)
    zero = spread(0.0, root)
    for r in range(at.roots):
        put_vector(reals, at.push + 6 * r * width(root), 0, Vector(zero, zero, zero))
        put_vector(reals, at.push + 6 * r * width(root), 3, Vector(zero, zero, zero))
    for j in range(course.wrenches):
        head = course.wrench + j * course.wrench_room
        value = course.wrench_value + j * WRENCH * width(root)
        r, steps = ints[head + WRENCH_ROOT], ints[head + PATH]
        if ints[head + WRENCH_NODE] < 0:
            continue
        force, torque = vector_at(reals, value, 3, root), vector_at(reals, value, 6, root)
        if ints[head + IN_WORLD]:
            if r >= 0:
                R = matrix_at(reals, at.axes + 9 * r * width(root), 0, root)
                force, torque = times_transposed(R, force), times_transposed(R, torque)
            for k in range(steps - 1, -1, -1):
                step = head + WRENCH_HEAD + PATH_STEP * k
                force, torque = _outboard(ints, reals, at, step, force, torque, lanes, root)
        moment = plus(torque, cross(vector_at(reals, value, 0, root), force))
        if steps > 0:
            put_vector(reals, value, ON_BODY, moment)
            put_vector(reals, value, ON_BODY + 3, force)
        elif r >= 0:
            P = at.push + 6 * r * width(root)
            put_vector(reals, P, 0, plus(vector_at(reals, P, 0, root), moment))
            put_vector(reals, P, 3, plus(vector_at(reals, P, 3, root), force))


@inlined
def gain_momentum(ints, reals, at, course, q, pose, gain, lane, root):
    """Fill the gains of momentum: the wrenches on each free tree, about the world's origin."""
    lanes = width(lane) // width(root)
    zero = spread(0.0, root)
    for r in range(at.roots):
        put_vector(reals, gain + 6 * r * width(root), 0, Vector(zero, zero, zero))
        put_vector(reals, gain + 6 * r * width(root), 3, Vector(zero, zero, zero))
    for j in range(course.wrenches):
        head = course.wrench + j * course.wrench_room
        value = course.wrench_value + j * WRENCH * width(root)
        r = ints[head + WRENCH_ROOT]
        if ints[head + WRENCH_NODE] < 0 or r < 0:
            continue
        point = vector_at(reals, value, 0, root)
        force, torque = vector_at(reals, value, 3, root), vector_at(reals, value, 6, root)
        for k in range(ints[head + PATH]):
            step = head + WRENCH_HEAD + PATH_STEP * k
            point = _inboard(ints, reals, at, step, q, point, True, lanes, root)
            if ints[head + IN_WORLD] == 0:
                force = _inboard(ints, reals, at, step, q, force, False, lanes, root)
                torque = _inboard(ints, reals, at, step, q, torque, False, lanes, root)
        R = matrix_at(reals, at.axes + 9 * r * width(root), 0, root)
        if ints[head + IN_WORLD] == 0:
            force, torque = times(R, force), times(R, torque)
        x = plus(times(R, point), vector_at(reals, pose + r * POSE * width(root), 0, root))
        G = gain + 6 * r * width(root)
        torque = plus(torque, cross(x, force))
        put_vector(reals, G, 0, plus(vector_at(reals, G, 0, root), torque))
        put_vector(reals, G, 3, plus(vector_at(reals, G, 3, root), force))


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
