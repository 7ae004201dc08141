# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What users give to an arena that is furnished: efforts, gravity and wrenches, and a state."""

from free_flyer_dynamics.kernels._jit import inlined, kernel, out_of_line
from free_flyer_dynamics.kernels.layout import course_of, GRAVITATES, LAYOUT, layout_of, WRENCHES
from free_flyer_dynamics.kernels.pushes import set_wrenches
from free_flyer_dynamics.kernels.records import tree_of
from free_flyer_dynamics.kernels.runs import spared_wheels


@kernel
def put_inputs(structure_ints, structure_reals, inputs, frames, states, ints, reals):
    """Take efforts, gravity and wrenches; tell whether they suit this layout."""
    return set_inputs(structure_ints, structure_reals, inputs, frames, states, ints, reals)


@inlined
def set_efforts(effort, gravity, states, ints, reals):
    """Let efforts and gravity act, and no wrench."""
    at, course = layout_of(ints), course_of(ints)
    for k in range(len(effort) * states):
        reals[course.effort + k] = effort[k // states]
    gravitates = 0
    for k in range(3):
        reals[at.gravity + k] = gravity[k]
        if gravity[k] != 0:
            gravitates = 1
    ints[LAYOUT + GRAVITATES] = gravitates
    ints[LAYOUT + WRENCHES] = 0
    for k in range(6 * at.roots * states):
        reals[at.push + k] = 0.0


@kernel
def set_inputs(structure_ints, structure_reals, inputs, frames, states, ints, reals):
    """Do what `put_inputs` does, for kernels."""
    out_of_line()
    tree = tree_of(structure_ints, structure_reals)
    at, course = layout_of(ints), course_of(ints)
    set_efforts(inputs.effort, inputs.gravity, states, ints, reals)
    ints[LAYOUT + WRENCHES] = len(inputs.wrench_node)
    if len(inputs.wrench_node) > 0:
        set_wrenches(tree, inputs, frames, states, ints, reals)
    for i in inputs.wrench_node:
        if i >= 0 and ints[at.row_of + i] == at.rows * at.lanes:  # a wheel that is folded
            return False
    return spared_wheels(tree, inputs.wrench_node) == course.spared


@kernel
def put_state(state, ints, reals):
    """Fill the users' part of the arena."""
    course = course_of(ints)
    copies = (
        (state.q, course.user_q),
        (state.v, course.user_v),
        (state.momentum.reshape(state.momentum.size), course.momentum),
        (state.center.reshape(state.center.size), course.center),
        (state.slide, course.slide),
    )
    for column, at in copies:
        for k in range(len(column)):
            reals[at + k] = column[k]
    for k in range(len(state.hold)):
        ints[course.hold + k] = state.hold[k]
        ints[course.blocked + k] = state.blocked[k]
