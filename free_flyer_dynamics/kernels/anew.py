# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A structure compiled, and the engine's arena laid out for it, in one call."""

from free_flyer_dynamics.kernels._jit import brief
from free_flyer_dynamics.kernels.arrange import lay
from free_flyer_dynamics.kernels.records import NODES, plan_of
from free_flyer_dynamics.kernels.structure import fill_record


@brief
def compile_and_lay(
    # what is joined
    links,
    edge_ints,
    edge_reals,
    locked,
    coordinates,
    bases,
    joint_edge,
    joint_part,
    # links that are pushed, the most lanes, and for how many wrenches there is room
    pushed,
    widest,
    wrenches,
    # output: the structure's, sized by `record_sizes`; the nodes that are pushed; the arena's
    ints,
    reals,
    pushed_out,
    table,
    frames,
    arena_ints,
):
    """
    Fill the record of a structure and lay its arena out; return what `lay_out` does.

    Where there is nothing to step, nothing is laid.
    """
    joined = edge_ints, edge_reals, locked, coordinates, bases
    fill_record(links, *joined, joint_edge, joint_part, ints, reals)
    if ints[NODES] == 0:
        return 0, 0, 0
    link_node = plan_of(ints, reals).link_node
    for k in range(len(pushed)):
        pushed_out[k] = link_node[pushed[k]]
    return lay(ints, reals, pushed_out, widest, 1, wrenches, table, frames, arena_ints)
