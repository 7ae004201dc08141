# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""An arena filled with all that does not change with the state: rows, maps, limits, what acts."""

import math

from free_flyer_dynamics.kernels._jit import inlined, kernel, out_of_line
from free_flyer_dynamics.kernels.fill import fill
from free_flyer_dynamics.kernels.given import set_inputs
from free_flyer_dynamics.kernels.layout import course_of, LAYOUT, layout_of, MARKED, RESISTED
from free_flyer_dynamics.kernels.records import tree_of
from free_flyer_dynamics.kernels.ways import fill_closures
from free_flyer_dynamics.tree import FREE, SPHERICAL


@inlined
def fill_course(tree, ints, reals):
    """Fill the maps between the users' order and the arena's, and the joints' limits."""
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
    ints[LAYOUT + RESISTED], ints[LAYOUT + MARKED] = resisted, 0


@kernel
def fill_arena(structure_ints, structure_reals, table, frames, count, ints, reals):
    """Fill all but what acts."""
    out_of_line()
    tree = tree_of(structure_ints, structure_reals)
    fill(tree, table, frames, count, ints, reals)
    fill_course(tree, ints, reals)


@kernel
def furnish(
    # the structure
    structure_ints,
    structure_reals,
    inputs,
    states,
    # how it is laid
    table,
    frames,
    count,
    # output
    ints,
    reals,
):
    """Fill everything that does not change with the state."""
    fill_arena(structure_ints, structure_reals, table, frames, count, ints, reals)
    set_inputs(structure_ints, structure_reals, inputs, frames, states, ints, reals)


@kernel
def furnish_closures(structure_ints, structure_reals, frames, ints, effort, closures):
    """Fill all of closed loops that does not change with the state."""
    fill_closures(structure_ints, structure_reals, frames, ints, effort, closures)
