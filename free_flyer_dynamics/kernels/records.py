# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
A compiled structure's arrays, cut from two flat ones: one of integers, one of numbers.

Numba takes some 60 ns for each array that a call hands over, and NumPy more for each that is made.
So a structure is made as two arrays and handed over as two; kernels cut the named ones from them,
and so does Python, by the same functions, once somebody reads. All columns of a kind have room for
as many rows as there can be: a node for each link but the world, a loop for each edge.
"""

from free_flyer_dynamics.graph import Plan
from free_flyer_dynamics.kernels._jit import shared
from free_flyer_dynamics.kernels.cut import cut
from free_flyer_dynamics.tree import Loops, Tree

# The head of the integers: sizes, and what a structure is asked first.
LINKS, EDGES, JOINTS, NODES, ROOTS, LOOPS, NQ, NV = 0, 1, 2, 3, 4, 5, 6, 7
MASSLESS = 8  # how many nodes have no mass
HELD = 9  # how many links do not fly free
HEAD = 10
# How many integers and numbers a row of each kind takes, room for compiling included.
EDGE_INTS, LINK_INTS, NODE_INTS, LOOP_INTS = 12, 7, 8, 4
LINK_REALS, NODE_REALS, LOOP_REALS = 12, 30, 24
SCRATCH = 48


@shared
def record_sizes(links, edges, joints):
    """Return how many integers and numbers a structure takes."""
    most = links - 1
    ints = HEAD + (EDGE_INTS + LOOP_INTS) * edges + LINK_INTS * links + NODE_INTS * most + joints
    reals = LINK_REALS * links + NODE_REALS * most + LOOP_REALS * edges + SCRATCH
    return ints, reals


@shared
def stretch(at, numbers):
    """Return where so many numbers lie."""
    return slice(at, at + numbers)


@shared
def _starts(ints):
    """Where the integers of links, nodes, loops and joints start, and those for compiling."""
    links, edges = ints[LINKS], ints[EDGES]
    at_links = HEAD + 4 * edges
    at_nodes = at_links + 3 * links
    at_loops = at_nodes + NODE_INTS * (links - 1)
    at_joints = at_loops + LOOP_INTS * edges
    return at_links, at_nodes, at_loops, at_joints, at_joints + ints[JOINTS]


@shared
def tree_of(ints, reals):
    """Cut the tree."""
    edges, n, m = ints[EDGES], ints[NODES], ints[LOOPS]
    most = ints[LINKS] - 1
    _links, i, k, _joints, _room = _starts(ints)
    at = LINK_REALS * ints[LINKS]
    after = at + NODE_REALS * most
    loops = Loops(
        kind=cut(ints, k, (m,)),
        a=cut(ints, k + edges, (m,)),
        b=cut(ints, k + 2 * edges, (m,)),
        rotation_a=cut(reals, after, (m, 3, 3)),
        position_a=cut(reals, after + 9 * edges, (m, 3)),
        rotation_b=cut(reals, after + 12 * edges, (m, 3, 3)),
        position_b=cut(reals, after + 21 * edges, (m, 3)),
    )
    return Tree(
        parent=cut(ints, i, (n,)),
        kind=cut(ints, i + most, (n,)),
        q_at=cut(ints, i + 2 * most, (n,)),
        v_at=cut(ints, i + 3 * most, (n,)),
        root=cut(ints, i + 4 * most, (n,)),
        reverse=cut(ints, i + 5 * most, (n,)),
        rotation=cut(reals, at, (n, 3, 3)),
        position=cut(reals, at + 9 * most, (n, 3)),
        mass=cut(reals, at + 12 * most, (n,)),
        moment=cut(reals, at + 13 * most, (n, 3)),
        inertia=cut(reals, at + 16 * most, (n, 3, 3)),
        damping=cut(reals, at + 25 * most, (n,)),
        friction=cut(reals, at + 26 * most, (n,)),
        lower=cut(reals, at + 27 * most, (n,)),
        upper=cut(reals, at + 28 * most, (n,)),
        speed_limit=cut(reals, at + 29 * most, (n,)),
        loops=loops,
    )


@shared
def plan_of(ints, reals):
    """Cut the plan, its tree included."""
    links, edges, n = ints[LINKS], ints[EDGES], ints[NODES]
    at, i, k, _joints, _room = _starts(ints)
    return Plan(
        edge_role=cut(ints, HEAD, (edges,)),
        edge_node=cut(ints, HEAD + edges, (edges,)),
        edge_loop=cut(ints, HEAD + 2 * edges, (edges,)),
        edge_reversed=cut(ints, HEAD + 3 * edges, (edges,)),
        link_node=cut(ints, at, (links,)),
        link_rotation=cut(reals, 0, (links, 3, 3)),
        link_position=cut(reals, 9 * links, (links, 3)),
        link_order=cut(ints, at + links, (links,)),
        link_edge=cut(ints, at + 2 * links, (links,)),
        loop_edge=cut(ints, k + 3 * edges, (ints[LOOPS],)),
        node_edge=cut(ints, i + 6 * (links - 1), (n,)),
        node_link=cut(ints, i + 7 * (links - 1), (n,)),
        tree=tree_of(ints, reals),
    )


@shared
def loop_kind_at(ints):
    """Return where the kinds of loops are."""
    _links, _nodes, at, _joints, _room = _starts(ints)
    return stretch(at, ints[LOOPS])


@shared
def joint_v_at(ints):
    """Return where it is written where each public joint is in v; -1: it does not move."""
    _links, _nodes, _loops, at, _room = _starts(ints)
    return stretch(at, ints[JOINTS])


@shared
def order_at(ints):
    """Return where the order of the loops' rows goes: once compiled, that room is free."""
    _links, _nodes, _loops, _joints, at = _starts(ints)
    return stretch(at, 6 * ints[LOOPS])


@shared
def compiling_room_of(ints):
    """Cut four columns of integers, each with a row for each link and each end of an edge."""
    _links, _nodes, _loops, _joints, at = _starts(ints)
    rows = ints[LINKS] + 2 * ints[EDGES]
    return (
        cut(ints, at, (rows,)),
        cut(ints, at + rows, (rows,)),
        cut(ints, at + 2 * rows, (rows,)),
        cut(ints, at + 3 * rows, (rows,)),
    )


@shared
def scratch_of(reals):
    """Cut room for four rotations and four positions."""
    at = len(reals) - SCRATCH
    return cut(reals, at, (4, 3, 3)), cut(reals, at + 36, (4, 3))
