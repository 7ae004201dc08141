# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
From what is joined to how it is walked: spanning forest, merged bodies, node frames.

Walking an edge from b to a turns its frame by half a turn about x: the axis points the other way
and the coordinate keeps its sign, so a joint never learns which end is the base.
"""

from free_flyer_dynamics.graph import WORLD
from free_flyer_dynamics.kernels._jit import inlined, kernel, out_of_line
from free_flyer_dynamics.kernels.blocks import (
    Matrix,
    minus,
    plus,
    product,
    scaled,
    times,
    transposed,
)
from free_flyer_dynamics.kernels.bodies import list_loops, merge_bodies, number_nodes
from free_flyer_dynamics.kernels.edges import edges_of
from free_flyer_dynamics.kernels.poses import edge_transform
from free_flyer_dynamics.kernels.records import (
    compiling_room_of,
    EDGES,
    joint_v_at,
    JOINTS,
    LINKS,
    LOOPS,
    NODES,
    plan_of,
    scratch_of,
)
from free_flyer_dynamics.kernels.rows import matrix_of, set_matrix, set_vector, vector_of
from free_flyer_dynamics.kernels.spanning import neighbours, spanning_forest
from free_flyer_dynamics.tree import FIXED, FREE, SPHERICAL


@kernel
def compile_structure(
    # what is joined
    links,
    edge_ints,
    edge_reals,
    locked,
    coordinates,
    bases,
    joint_edge,
    joint_part,
    # output, sized by `record_sizes`
    ints,
    reals,
):
    """
    Fill the record of a structure: its sizes, its plan and tree, and where its joints are in v.

    It is a function of the graph alone: how the graph came about does not matter.
    """
    joined = edge_ints, edge_reals, locked, coordinates, bases
    fill_record(links, *joined, joint_edge, joint_part, ints, reals)


@kernel
def fill_record(
    links, edge_ints, edge_reals, locked, coordinates, bases, joint_edge, joint_part, ints, reals
):
    """Do what `compile_structure` does, for kernels."""
    out_of_line()
    edges = edges_of(edge_ints, edge_reals)
    n_links, n_edges = len(links.mass), len(edges.kind)
    ints[LINKS], ints[EDGES], ints[JOINTS] = n_links, n_edges, len(joint_edge)
    ints[NODES], ints[LOOPS] = n_links - 1, n_edges  # as many as there can be
    turns, shifts = scratch_of(reals)
    plan = plan_of(ints, reals)
    nodes, roots = _walk(edges, locked, coordinates, bases, turns, shifts, plan, ints)
    nq, nv = number_nodes(plan.tree, nodes)
    massless = merge_bodies(links, nodes, plan)
    loops = list_loops(edges, locked, coordinates, turns, shifts, plan)
    held = 0
    for b in range(1, n_links):
        node = plan.link_node[b]
        held += node < 0 or plan.tree.root[node] < 0
    joint_v = ints[joint_v_at(ints)]
    for j in range(len(joint_edge)):
        node = plan.edge_node[joint_edge[j]]
        joint_v[j] = plan.tree.v_at[node] + joint_part[j] if node >= 0 else -1
    sizes = (nodes, roots, loops, nq, nv, massless, held)
    for k in range(len(sizes)):
        ints[NODES + k] = sizes[k]


@inlined
def _walk(edges, locked, coordinates, bases, turns, shifts, plan, ints):
    """
    Fill the plan and its tree as far as joints go; return the numbers of nodes and free roots.

    Rigid edges merge their links into one node. A free root's node frame is its base link's.
    """
    group, head, following, stack = compiling_room_of(ints)
    n_links = len(plan.link_node)
    spanning_forest(edges, group[:n_links], plan.edge_role)
    neighbours(edges, plan.edge_role, head[:n_links], following)
    for e in range(len(edges.kind)):
        plan.edge_node[e] = -1
        plan.edge_reversed[e] = 0
    for k in range(n_links):
        plan.link_node[k] = -2  # not reached yet
    seen = nodes = roots = 0
    for start in range(-1, len(bases)):
        first = WORLD if start < 0 else bases[start]
        if plan.link_node[first] != -2:
            continue
        root = -1
        node = -1
        if first != WORLD:
            node = nodes
            nodes += 1
            root = roots
            roots += 1
            _start_node(plan, node, -1, FREE, -1, root, first)
            _set_identity(plan.tree.rotation, plan.tree.position, node)
        plan.link_node[first] = node
        plan.link_edge[first] = -1
        _set_identity(plan.link_rotation, plan.link_position, first)
        depth = 0
        plan.link_order[seen] = first
        seen += 1
        here = head[first]
        while True:  # depth first, so that a chain's nodes lie side by side
            if here < 0:
                if depth == 0:
                    break
                depth -= 1
                here = following[stack[depth]]
                continue
            e = here // 2
            reverse = here % 2
            near = edges.b[e] if reverse else edges.a[e]
            far = edges.a[e] if reverse else edges.b[e]
            if plan.link_node[far] != -2:
                here = following[here]
                continue
            plan.link_edge[far] = e
            plan.edge_reversed[e] = reverse
            if edges.kind[e] == FIXED or locked[e]:
                _hang_rigid(edges, e, reverse, coordinates[e], near, far, turns, shifts, plan)
            else:
                _hang_joint(edges, e, reverse, nodes, root, near, far, plan)
                nodes += 1
            plan.link_order[seen] = far
            seen += 1
            stack[depth] = here
            depth += 1
            here = head[far]
    return nodes, roots


@inlined
def _set_identity(rotation, position, k):
    for i in range(3):
        position[k, i] = 0.0
        for j in range(3):
            rotation[k, i, j] = 1.0 if i == j else 0.0


@inlined
def _start_node(plan, node, parent, kind, edge, root, link):
    plan.tree.parent[node] = parent
    plan.tree.kind[node] = kind
    plan.tree.root[node] = root
    plan.node_edge[node] = edge
    plan.node_link[node] = link
    plan.tree.reverse[node] = 0


@inlined
def _hang_rigid(edges, e, reverse, coordinate, near, far, turns, shifts, plan):
    """Make the far link part of the near link's node."""
    edge_transform(edges.kind[e], coordinate, turns[0], shifts[0])
    R, p = matrix_of(edges.rotation_a, e), vector_of(edges.position_a, e, 0)
    p = plus(p, times(R, vector_of(shifts, 0, 0)))
    if edges.kind[e] != FIXED:
        R = product(R, matrix_of(turns, 0))
    R = product(R, transposed(matrix_of(edges.rotation_b, e)))
    p = minus(p, times(R, vector_of(edges.position_b, e, 0)))
    if reverse:  # it is b's pose in a's frame
        R = transposed(R)
        p = scaled(-1.0, times(R, p))
    plan.link_node[far] = plan.link_node[near]
    A, x = matrix_of(plan.link_rotation, near), vector_of(plan.link_position, near, 0)
    set_matrix(plan.link_rotation, far, product(A, R))
    set_vector(plan.link_position, far, 0, plus(x, times(A, p)))


@inlined
def _joint_frame(edges, e, b_side, flip):
    """Frame of an edge on one of its links, turned half about x when flipped."""
    if b_side:
        R, p = matrix_of(edges.rotation_b, e), vector_of(edges.position_b, e, 0)
    else:
        R, p = matrix_of(edges.rotation_a, e), vector_of(edges.position_a, e, 0)
    if flip:
        R = Matrix(R.xx, -R.xy, -R.xz, R.yx, -R.yy, -R.yz, R.zx, -R.zy, -R.zz)
    return R, p


@inlined
def _hang_joint(edges, e, reverse, node, root, near, far, plan):
    """Start a node at the far side of an edge that moves."""
    kind = edges.kind[e]
    flip = reverse and kind != SPHERICAL  # a spherical one has no axis: its quaternion inverts
    _start_node(plan, node, plan.link_node[near], kind, e, root, far)
    plan.edge_node[e] = node
    plan.tree.reverse[node] = reverse
    R, p = _joint_frame(edges, e, reverse, flip)
    A, x = matrix_of(plan.link_rotation, near), vector_of(plan.link_position, near, 0)
    set_matrix(plan.tree.rotation, node, product(A, R))
    set_vector(plan.tree.position, node, 0, plus(x, times(A, p)))
    R, p = _joint_frame(edges, e, not reverse, flip)
    R = transposed(R)
    plan.link_node[far] = node
    set_matrix(plan.link_rotation, far, R)
    set_vector(plan.link_position, far, 0, scaled(-1.0, times(R, p)))
    plan.tree.damping[node] = edges.damping[e]
    plan.tree.friction[node] = edges.friction[e]
    plan.tree.lower[node] = edges.lower[e]
    plan.tree.upper[node] = edges.upper[e]
    plan.tree.speed_limit[node] = edges.speed_limit[e]
